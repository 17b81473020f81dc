"""Listening block by block, as sound comes from a microphone."""

import itertools
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from desk.reciter.live_listener import Desk
from recitation.listening.first_sound import Before, before_first_sound, first_sound
from recitation.listening.hearing import hear_verse, learn_reader
from recitation.listening.listener import Listener
from recitation.listening.live_listener import Began, Ended, Guessed, LiveListener, Noticed
from recitation.playback.sound_in import Microphone
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import SAMPLE_RATE
from recitation.sound.clip import Wave
from tests.recitation.listening.readings import evening, in_a_room, said, said_with_pauses

pytestmark = pytest.mark.live

READ = (
    Phrase(JOKA, Half.KAMI),
    Phrase(JOKA, Half.SHIMO),
    Phrase(17, Half.KAMI),
    Phrase(17, Half.SHIMO),
    Phrase(54, Half.KAMI),
)
BLOCK = 1_111


@pytest.fixture(scope="module")
def read() -> tuple[Wave, list[int]]:
    return evening(READ)


def noticed(wave: Wave, live: LiveListener) -> list[Noticed]:
    blocks = (wave[at : at + BLOCK] for at in range(0, len(wave), BLOCK))
    return list(itertools.chain.from_iterable(live.hear(block) for block in blocks))


def test_first_sounds_and_suggestions_come_while_it_is_read(read: tuple[Wave, list[int]]) -> None:
    wave, onsets = read
    live = LiveListener(Listener())
    told = noticed(wave, live)
    began = [one.sample for one in told if isinstance(one, Began)]
    assert len(began) == len(onsets)
    assert max(abs(found - true) for found, true in zip(began, onsets, strict=True)) <= 0.02 * SAMPLE_RATE
    ended = [one.heard for one in told if isinstance(one, Ended)]
    assert [heard.half for heard in ended] == [phrase.half for phrase in READ]
    assert [heard.suggestions[0].poem for heard in ended] == [phrase.poem for phrase in READ]
    assert live.listener.usual is not None, "the joka has taught the reader"
    early = {one.sample: one for one in told if isinstance(one, Guessed) and one.after_s == 0.8}
    for at, phrase in zip(began, READ, strict=True):
        if phrase.half is Half.KAMI:
            assert early[at].suggestions[0].poem == phrase.poem


def test_a_pause_after_a_ku_ends_no_half() -> None:
    live = LiveListener(Listener(usual=learn_reader([said(Phrase(JOKA, Half.KAMI))])))
    wave = in_a_room(*said_with_pauses(36, (1.2, 0.7, 0.0)))
    noticed = [one for at in range(0, len(wave), 4800) for one in live.hear(wave[at : at + 4800])]
    assert [one.sample / SAMPLE_RATE for one in noticed if isinstance(one, Began)] == [
        pytest.approx(2.0, abs=0.02)
    ]
    assert [one.heard.suggestions[0].poem for one in noticed if isinstance(one, Ended)] == [36]


def test_a_slap_is_no_half() -> None:
    dice = np.random.default_rng(3)
    wave = (0.0005 * dice.standard_normal(3 * SAMPLE_RATE)).astype(np.float32)
    wave[SAMPLE_RATE : SAMPLE_RATE + 1_500] += (0.5 * dice.standard_normal(1_500)).astype(np.float32)
    assert noticed(wave, LiveListener(Listener())) == []


def test_only_the_operator_says_that_a_poem_was_read(
    read: tuple[Wave, list[int]], capsys: pytest.CaptureFixture[str]
) -> None:
    wave, onsets = read
    desk = Desk(Listener())
    for one in noticed(wave[onsets[2] - SAMPLE_RATE : onsets[3]], desk.live):
        desk.told(one, Microphone())
    assert 17 in desk.live.listener.unread
    assert desk.obey(["what?"])
    assert desk.obey([""])
    assert 17 not in desk.live.listener.unread
    assert desk.readings[-1]["confirmed"] == 17
    assert desk.obey(["54"])
    assert 54 not in desk.live.listener.unread
    assert not desk.obey(["q"])
    assert "read: 17" in capsys.readouterr().out


def test_the_microphone_hears_what_the_loudspeaker_plays(
    tmp_path: Path, null_sink: Any, read: tuple[Wave, list[int]]
) -> None:
    wave, onsets = read
    soundfile.write(tmp_path / "kami.wav", wave[onsets[2] - SAMPLE_RATE : onsets[3]], SAMPLE_RATE)
    environment = os.environ | null_sink.environment
    out = tmp_path / "heard.json"
    command = [sys.executable, "-m", "desk", "listen", "--mic", "--unread", "17,54,31", "--json", str(out)]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as listening:
        assert listening.stdin is not None
        assert listening.stdout is not None
        assert "Enter confirms" in listening.stdout.readline()
        time.sleep(1.0)
        subprocess.run(["paplay", tmp_path / "kami.wav"], env=environment, check=True, timeout=30)
        time.sleep(3.0)  # the pipeline of the null sink is more than a second deep
        listening.stdin.write("\nq\n")
        listening.stdin.flush()
        listening.communicate(timeout=30)
    assert listening.returncode == 0
    (reading,) = json.loads(out.read_text("utf-8"))["readings"]
    assert reading["half"] == "kami"
    assert reading["suggestions"][0]["poem"] == 17
    assert reading["confirmed"] == 17


AUDIBLE, VOICE = 0.002, 0.1


@pytest.mark.parametrize(
    ("before", "led_s"),
    [
        ([0.001] * 60, 0.0),
        ([*[0.001] * 50, 0.003, *[0.001] * 9], 0.0),  # a block of the room's noise
        (
            [*[0.001] * 40, *[0.004] * 20],
            0.11,
        ),  # a soft beginning
    ],
)
def test_what_leads_up_to_a_voice_lasts_longer_than_a_crackle(before: list[float], led_s: float) -> None:
    levels = np.array([*before, *[VOICE] * 100], np.float32)
    assert before_first_sound(levels, len(before), AUDIBLE).led_s == pytest.approx(led_s, abs=0.011)


@pytest.mark.parametrize(
    ("sound_s", "pause_s", "apart_s"),
    [
        (0.8, 1.0, 1.8),
        (0.8, 2.4, 3.2),
        (0.1, 1.0, 0.0),  # a slap
        (2.4, 1.0, 0.0),  # a whole half
        (0.8, 2.8, 0.0),  # the reader has stopped
    ],
)
def test_a_sound_as_long_as_a_ku_may_be_the_first_one(sound_s: float, pause_s: float, apart_s: float) -> None:
    parts = [(1.0, 0.001), (sound_s, 0.02), (pause_s, 0.001), (0.5, VOICE)]
    levels = np.concatenate([np.full(round(length_s / 0.005), level) for length_s, level in parts])
    found = before_first_sound(levels.astype(np.float32), len(levels) - 100, AUDIBLE)
    assert found.apart_s == pytest.approx(apart_s, abs=0.03)
    assert found.led_s == pytest.approx(0.0, abs=0.011)


@pytest.mark.parametrize(
    ("missed_ku", "faint", "is_apart", "reach_s"),
    [
        (0, 1.0, True, 0.0),  # a breath before a verse that is heard whole
        (1, 1.0, True, 4.5),  # sure to be missed: the sound before it may be no more than its end
        (1, 0.02, True, 1.9),
        (1, 0.02, False, 0.0),
    ],
)
def test_a_sound_before_a_verse_that_tells_little_may_be_its_first_ku(
    missed_ku: int, faint: float, is_apart: bool, reach_s: float
) -> None:
    ku = said_with_pauses(36, (0.6, 0.6, 0.6))
    heard = hear_verse(np.concatenate(ku[missed_ku:]), learn_reader([np.concatenate(ku)]))
    before, evidence = Before(apart_s=1.9 * is_apart), heard.evidence * np.float32(faint)
    found = first_sound(evidence, heard.weights, Phrase(36, Half.KAMI), 0.02, before)
    assert found.unc_s - found.off_s == pytest.approx(reach_s + 0.02, abs=0.03)
    assert found.unc_s + found.off_s == pytest.approx(0.02, abs=0.03)
