"""A film whose sound is apart from its pictures: nothing is decided wrongly, whether hits tell it or not."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from desk.films import judgement
from desk.films.film import Film
from desk.films.judgement import FilmHints, judge_film
from desk.films.sound import FilmSound, HeardReading
from desk.karuta.eye.recorded_match import WatchedRecording
from recitation.imports.decoding import Track
from recitation.listening.listener import Suggestion
from recitation.reading.plan import SAMPLE_RATE
from referee.facts import Gap, PoemStarted
from tests.referee.karuta.judged_poem import MS, NEAR, judge, touch
from vision.recordings.recording import RecordedReading, read_readings
from vision.simulator.hall.recorder import render_sound

READ_S = {1: 1.5, 2: 4.0, 3: 6.5, 4: 9.0}
"""When poems are read, by their number, and each is touched so long after that or before:"""
TOUCHED_AFTER_MS = {1: 700.0, 2: 900.0, 3: 650.0}
KEYS = ("taken_by", "faults", "sends")


def ruled(poem: int, touched_ms: float, *facts: PoemStarted | Gap) -> dict[str, Any]:
    return judge(poem, touch(poem, NEAR, touched_ms, unc_ms=3), *facts).to_json()


def facts_of(one: RecordedReading) -> list[PoemStarted | Gap]:
    start = PoemStarted(one.poem, one.t_ns, one.t_unc_ns)
    return [start, Gap(0, 10**10, one.doubt)] if one.doubt else [start]


@pytest.mark.parametrize("apart_ms", [-100, -60, 0, 60, 100])
@pytest.mark.parametrize("after_ms", [-40, 20, 90])
@pytest.mark.parametrize("heard_hits", [True, False])
def test_a_sound_that_is_apart_decides_nothing_wrongly(
    monkeypatch: pytest.MonkeyPatch, apart_ms: int, after_ms: float, heard_hits: bool
) -> None:
    after = TOUCHED_AFTER_MS | {4: after_ms}
    touched_ms = {poem: 1e3 * READ_S[poem] + after[poem] for poem in READ_S}
    hits = {
        "poems": [{"touches": [{"t_ms": t_ms + apart_ms, "player": "near"}]} for t_ms in touched_ms.values()]
    }
    wave = render_sound(hits, 10.0, seed=3) if heard_hits else np.zeros(10 * SAMPLE_RATE, np.float32)
    readings = tuple(
        HeardReading(t_s + apart_ms / 1e3, (Suggestion(poem, 1.0),)) for poem, t_s in READ_S.items()
    )

    def watch_recording(folder: Path, *_: object) -> WatchedRecording:
        poems = [
            {
                "poem": one.poem,
                "touches": [{"kind": "touch", "t_ms": touched_ms[one.poem], "t_unc_ms": 3.0}],
                "ruling": ruled(one.poem, touched_ms[one.poem], *facts_of(one)),
            }
            for one in read_readings(folder / "reading.jsonl")
        ]
        return WatchedRecording({"poems": poems}, {})

    monkeypatch.setattr(
        judgement, "open_film", lambda *_: Film(Path("film.mp4"), None, 60.0, 1.0, 10 * 10**9)
    )
    monkeypatch.setattr(judgement, "listen_to", lambda *_: FilmSound(readings, track=Track(wave, 0.0)))
    monkeypatch.setattr(judgement, "watch_recording", watch_recording)
    judged = judge_film(Path("film.mp4"), FilmHints(game="karuta")).judged["poems"]
    for poem, found in zip(READ_S, judged, strict=True):
        true = ruled(poem, touched_ms[poem], PoemStarted(poem, round(READ_S[poem] * 1e9), MS))
        if found["ruling"]["status"] == "decided":
            assert [found["ruling"][key] for key in KEYS] == [true[key] for key in KEYS]
    assert [found["ruling"]["status"] for found in judged[:3]] == ["decided"] * 3
    if not heard_hits and abs(after_ms) < 60:
        assert judged[3]["ruling"]["status"] == "review" or after_ms - apart_ms > 60
