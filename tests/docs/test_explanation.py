"""The explanations' facts about the recorded match are those of its log, and their code runs."""

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from desk.commands.cli import main
from desk.karuta.engine.events import CODEC
from desk.log.jsonl_file import import_jsonl
from referee.karuta.rulebook import reasons, sources
from referee.kendo.house_rules import preset as kendo_rules
from referee.koikoi.house_rules import PRESETS as KOIKOI

DOCS = Path(__file__).parents[2] / "docs"
RULING = (DOCS / "explanation" / "ruling.md").read_text("utf-8")
EXAMPLE = DOCS / "reference" / "formats" / "examples" / "match.jsonl"
LOG = [json.loads(line) for line in EXAMPLE.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("page", ["explanation/table-rules.md", "ja/explanation/table-rules.md"])
def test_the_table_of_disputed_rules_names_every_switch(page: str) -> None:
    text = (DOCS / page).read_text("utf-8")
    switches = {"yaku", "clubs_apart"}
    for rules in (asdict(KOIKOI[KOIKOI.names[0]]), asdict(kendo_rules())):
        del rules["name"], rules["title"]
        switches |= {f"{part}.{key}" for part in rules.keys() - {"yaku"} for key in rules[part]}
    assert len(switches) > 50
    assert {each for each in switches if f"`{each}`" not in text} == set()


def event(seq: int) -> Any:
    entry = LOG[seq]
    assert entry["seq"] == seq
    return CODEC.decode(entry["kind"], entry["version"], entry["payload"])


def ms(t_ns: int) -> str:
    return f"{t_ns / 1e6:.1f}"


def test_the_explained_ruling_has_the_numbers_of_its_log() -> None:
    (card,) = [placed for placed in event(37).layout.cards if placed.card == 67]
    begun, known, touch, hidden, ruled = event(40), event(41), event(42), event(43), event(47).ruling
    assert f"x = {1000 * card.x_m:.1f} mm, y = {1000 * card.y_m:.1f} mm" in RULING
    assert (card.side.value, card.row) == ("far", 0)
    assert f"began at {ms(begun.t_ns)} ms" in RULING
    assert f"ended at {ms(known.t_ns)} ms, each ± {begun.t_unc_ns // 1_000_000} ms" in RULING
    assert f"{ms(touch.t_ns)} ± {ms(touch.t_unc_ns)} ms, player {touch.player}" in RULING
    assert f"confidence {touch.confidence:.3f}" in RULING
    assert f"{ms(touch.t_ns - known.t_ns)} ms after the end of the kimariji" in RULING
    assert f"at {ms(hidden.t_ns)} ± {ms(hidden.t_unc_ns)} ms" in RULING
    assert hidden.reason == "hand_over"
    assert 67 not in {placed.card for placed in event(50).layout.cards}
    assert (ruled.taken_by.value, ruled.sends.near, ruled.doubts) == ("near", 1, ())
    for id_ in ruled.reasons:
        assert f"| `{id_}` | {reasons()[id_].en} |" in RULING
        assert reasons()[id_].source in sources()
    assert f"near sends one card, confidence {ruled.confidence:.3f}" in RULING


def test_the_line_shown_is_what_a_log_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import_jsonl(EXAMPLE, tmp_path / "match.sqlite").close()
    assert main(["log", "show", str(tmp_path / "match.sqlite")]) == 0
    (shown,) = re.findall(r"^ +3 +67 .+$", capsys.readouterr().out, re.MULTILINE)
    assert shown in RULING.splitlines()


@pytest.mark.parametrize("page", ["setup.md", "explanation/accuracy.md", "ja/explanation/accuracy.md"])
def test_the_errors_of_touches_are_those_that_were_measured(page: str) -> None:
    results = (DOCS.parent / "benchmarks" / "touches" / "RESULTS.md").read_text("utf-8")
    section = results.partition("## How exact is a touch?")[2].partition("\n## ")[0]
    measured = re.findall(r"^\| (\d+) \| (\d+) \| ([\d.]+) / ([\d.]+) ms \|", section, re.MULTILINE)
    shown = re.findall(
        r"^\| (\d+) \|(?: (\d+) \|)? ([\d.]+) ms \| ([\d.]+) ms",
        (DOCS / page).read_text("utf-8"),
        re.MULTILINE,
    )
    counted = page != "setup.md"
    assert sorted(shown) == sorted((fps, n if counted else "", *errors) for fps, n, *errors in measured) != []
    others = re.findall(r"([\d.]+ / [\d.]+)(?: ms)? at \d+ \(n", section)
    assert len(others) == 3  # of other films, and worse
    if page != "setup.md":
        assert all(f"{each} ms" in (DOCS / page).read_text("utf-8") for each in others)
    (heard,) = re.findall(r"^\| † impact microphone.*/ ([\d.]+) ms \|$", results, re.MULTILINE)
    assert f"| | {heard} ms |" in (DOCS / page).read_text("utf-8")


def test_the_code_of_the_explanations_runs() -> None:
    blocks = [
        block
        for page in (DOCS / "explanation").glob("*.md")
        for block in re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    ]
    assert blocks
    for block in blocks:
        exec(compile(block, "explanation", "exec"), {})
