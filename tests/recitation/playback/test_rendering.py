"""A reading rendered to a file: every onset against the plan."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from recitation.playback.rendering import CUES, SOUND, render
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import SAMPLE_RATE, ReadingPlan, plan_reading
from recitation.reading.practice import steps
from recitation.reading.rhythm import DEFAULT, Rhythm
from recitation.sound.clip import Clip, chime


class Ringer:
    """A voice of chimes; `late` makes its clips shorter than promised."""

    name = "ringer"

    def __init__(self, rhythm: Rhythm = DEFAULT, late: int = 0) -> None:
        self.rhythm = rhythm
        self.late = late

    def samples(self, phrase: Phrase) -> int:
        return 240_000 if phrase.half is Half.KAMI else 336_000

    def clip(self, phrase: Phrase) -> Clip:
        return chime(self.samples(phrase) - self.late)


@pytest.fixture
def plan() -> ReadingPlan:
    return plan_reading(steps((17, 4)), DEFAULT)


def test_every_onset_is_where_the_plan_has_it(tmp_path: Path, plan: ReadingPlan) -> None:
    render(plan, Ringer(), tmp_path / "new")
    wave, rate = soundfile.read(tmp_path / "new" / SOUND)
    assert rate == SAMPLE_RATE
    assert wave.ndim == 1
    told: dict[str, Any] = json.loads((tmp_path / "new" / CUES).read_text("utf-8"))
    assert told["sample_rate"] == SAMPLE_RATE
    lengths = {"shimo_s": 4.0, "linger_s": 3.0, "pause_s": 1.0, "kami_s": 5.0}
    assert told["rhythm"] == {"name": "4-3-1-5", **lengths}
    assert [(cue["poem"], cue["half"], cue["sample"], cue["samples"]) for cue in told["cues"]] == [
        (cue.phrase.poem, str(cue.phrase.half), cue.sample, cue.samples) for cue in plan
    ]
    end = 0
    for cue in plan:
        assert not wave[end : cue.sample].any(), "silence up to the sample before"
        clip = chime(cue.samples).wave
        assert np.abs(wave[cue.sample : cue.end] - clip).max() < 1 / 30_000, (
            "the clip, from its own first sample"
        )
        end = cue.end
    assert not wave[end:].any()


def test_a_voice_that_breaks_its_word_is_refused(tmp_path: Path, plan: ReadingPlan) -> None:
    with pytest.raises(ValueError, match="expected 240000 samples for the joka kami, the voice gave 239990"):
        render(plan, Ringer(late=10), tmp_path)
