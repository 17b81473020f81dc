"""`--json -`: standard output is one JSON document, and what people read goes to standard error."""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import soundfile

import desk.commands.demo.command
from desk.commands import cli
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import SAMPLE_RATE
from recitation.reading.rhythm import DEFAULT
from recitation.voices.catalogue import PACKS, pack_path
from recitation.voices.pack import VoicePack
from tests.desk.commands.test_kendo import BOUT, written
from tests.desk.karuta.karuta_script import begin, play, whole_match
from vision.simulator import single_poem, write_recording

# the words of every command that takes --json, and its exit code
CALLS = {
    "judge": (["judge", "clip"], 0),
    "identify": (["identify", "gray.png"], 0),
    "demo": (["demo", "--headless"], 0),
    "listen": (["listen", "reader.flac", "--unread", "54"], 0),
    "voices import": (["voices", "import", "songs"], 1),
    "koikoi play": (["koikoi", "play", "--events", "empty.jsonl"], 0),
    "kendo play": (["kendo", "play", "--events", "events.jsonl"], 0),
    "trials table": (["trials", "table", "clip", "trials.csv"], 0),
    "calibrate": (["calibrate", "--print", "sheet.pdf"], 0),
    "doctor": (["doctor"], None),
    "replay": (["replay", "match.sqlite"], 0),
    "book": (["book", "--matches", "."], 0),
}
SILENT = {"koikoi play", "kendo play", "doctor", "replay", "book"}
"""Commands that print nothing for people besides the JSON."""


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    write_recording(single_poem("hover", 5, fps=60, size=(640, 360), cards_per_side=8), folder / "clip")
    cv2.imwrite(str(folder / "gray.png"), np.full((240, 320), 128, np.uint8))
    wave = VoicePack.open(pack_path("high", DEFAULT, PACKS)).clip(Phrase(54, Half.KAMI)).wave
    quiet = np.zeros(SAMPLE_RATE, np.float32)
    soundfile.write(folder / "reader.flac", np.concatenate([quiet, wave, quiet, quiet]), SAMPLE_RATE)
    (folder / "songs").mkdir()
    (folder / "empty.jsonl").write_text("")
    (folder / "trials.csv").write_text("at,trial\n0.3,quiet\n")
    written(folder, BOUT)
    play(begin(folder / "match.sqlite"), whole_match())
    return folder


class ShortReport:
    """A demonstration's report; a whole one takes minutes and has tests of its own."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        sys.stdout.write(f"seed {arguments.seed}\n")

    def to_json(self) -> dict[str, Any]:
        return {"winner": "near"}


def commands_with_json(parser: argparse.ArgumentParser, name: str = "") -> Iterator[str]:
    for action in parser._actions:
        if "--json" in action.option_strings:
            yield name
        if isinstance(action, argparse._SubParsersAction):
            for sub_name, sub_parser in action.choices.items():
                yield from commands_with_json(sub_parser, f"{name} {sub_name}".strip())


def test_every_command_with_json_is_tried_here() -> None:
    offered = {
        name for command in cli.COMMANDS for name in commands_with_json(cli.build_parser(command.name))
    }
    assert offered == set(CALLS)


@pytest.mark.parametrize("name", CALLS)
def test_standard_output_is_one_document(
    name: str, inputs: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(inputs)
    monkeypatch.setenv("HOME", str(inputs))
    monkeypatch.setattr(desk.commands.demo.command, "_play_karuta", ShortReport)
    words, expected = CALLS[name]
    answer = cli.main([*words, "--json", "-"])
    out, err = capfd.readouterr()
    assert answer == expected or expected is None
    assert isinstance(json.loads(out), dict | list)
    assert not (inputs / "-").exists()
    assert bool(err) == (name not in SILENT)
