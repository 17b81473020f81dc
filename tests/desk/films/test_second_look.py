"""Two looks at a film, or its sound and its pictures, that disagree: nothing is decided wrongly."""

from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from desk.errors import DeskError
from desk.films import judgement
from desk.films.film import Film
from desk.films.judgement import FilmHints, JudgedFilm, judge_film
from desk.films.sound import FilmSound, HeardReading
from desk.karuta.eye.recorded_match import WatchedRecording
from recitation.imports.decoding import Track
from recitation.listening.listener import Suggestion
from recitation.reading.plan import SAMPLE_RATE
from referee.facts import Gap, PoemStarted
from referee.sentence import Sentence
from tests.referee.karuta.judged_poem import LAYOUT, MS, NEAR, OWN, judge, touch
from vision.match.plays import Play
from vision.poem.events import PoemSeen
from vision.recordings.recording import RecordedReading, read_readings
from vision.simulator.hall.recorder import render_sound

SURE = judge(OWN, PoemStarted(OWN, 0, 1), touch(OWN, NEAR)).to_json()
NOBODY = judge(OWN, PoemStarted(OWN, 0, 1)).to_json()
T_MS = 2000.0
READ_S = {1: 1.5, 2: 4.0, 3: 6.5, 4: 9.0}
"""When poems are read, by their number, and each is touched so long after that or before:"""
TOUCHED_AFTER_MS = {1: 700.0, 2: 900.0, 3: 650.0}
KEYS = ("taken_by", "faults", "sends")

Watched = Callable[[Sequence[RecordedReading]], list[dict[str, Any]]]


@pytest.fixture
def judged_by(monkeypatch: pytest.MonkeyPatch) -> Callable[..., JudgedFilm]:
    """Judges a film of which the sound and the judged poems are told."""

    def judged_by(sound: FilmSound, watched: Watched, **hints: Any) -> JudgedFilm:
        def watch_recording(folder: Path, *_: object) -> WatchedRecording:
            return WatchedRecording({"poems": watched(read_readings(folder / "reading.jsonl"))}, {})

        film = Film(Path("my/film.mp4"), None, 60.0, 1.0, 10**11)
        monkeypatch.setattr(judgement, "open_film", lambda *_: film)
        monkeypatch.setattr(judgement, "listen_to", lambda *_: sound)
        monkeypatch.setattr(judgement, "watch_recording", watch_recording)
        return judge_film(film.path, FilmHints(game="karuta", **hints))

    return judged_by


def heard(readings: dict[int, float]) -> tuple[HeardReading, ...]:
    return tuple(HeardReading(t_s, (Suggestion(poem, 1.0),)) for poem, t_s in readings.items())


@pytest.mark.parametrize(
    ("confidence", "second", "doubts"),
    [
        (1.0, SURE, [""]),
        (1.0, NOBODY, ["", "looks_disagree"]),
        (0.6, SURE, ["looks_disagree"]),  # the first look was not sure
    ],
)
def test_what_two_looks_tell_differently_is_in_doubt(
    monkeypatch: pytest.MonkeyPatch,
    judged_by: Callable[..., JudgedFilm],
    confidence: float,
    second: dict[str, Any],
    doubts: list[str],
) -> None:
    facts = (touch(OWN, NEAR, T_MS, confidence=confidence),)
    seen = cast("PoemSeen", SimpleNamespace(before=SimpleNamespace(layout=LAYOUT), facts=facts))
    played = round(T_MS * 1e6)
    play = Play(played, played - 100_000_000, (OWN,), (), frozenset({OWN}), seen, (OWN,))
    judged: list[str] = []

    def watched(readings: Sequence[RecordedReading]) -> list[dict[str, Any]]:
        judged.extend(one.doubt for one in readings)
        return [{"poem": one.poem, "ruling": second} for one in readings]

    monkeypatch.setattr(judgement, "plays_of", lambda *_, **__: [play])
    film = judged_by(FilmSound(silent_why=Sentence("it has no sound")), watched, poems=(OWN,))
    assert judged == doubts
    assert film.readings[0].doubt == doubts[-1]


def test_a_complaint_names_the_film_and_not_where_it_was_lent(
    monkeypatch: pytest.MonkeyPatch, judged_by: Callable[..., JudgedFilm]
) -> None:
    def refused(path: Path) -> None:
        raise DeskError(f"{path.parent / 'film.mp4'}: not a single card")

    monkeypatch.setattr(f"{__name__}.read_readings", refused)
    with pytest.raises(DeskError, match=r"^my/film\.mp4: not a single card$"):
        judged_by(FilmSound(heard({OWN: 2.0})), lambda _: [])


def ruled(poem: int, touched_ms: float, *facts: PoemStarted | Gap) -> dict[str, Any]:
    return judge(poem, touch(poem, NEAR, touched_ms, unc_ms=3), *facts).to_json()


def facts_of(one: RecordedReading) -> list[PoemStarted | Gap]:
    start = PoemStarted(one.poem, one.t_ns, one.t_unc_ns)
    return [start, Gap(0, 10**10, one.doubt)] if one.doubt else [start]


@pytest.mark.parametrize("apart_ms", [-100, -60, 0, 60, 100])
@pytest.mark.parametrize("after_ms", [-40, 20, 90])
@pytest.mark.parametrize("heard_hits", [True, False])
def test_a_sound_that_is_apart_decides_nothing_wrongly(
    judged_by: Callable[..., JudgedFilm], apart_ms: int, after_ms: float, heard_hits: bool
) -> None:
    after = TOUCHED_AFTER_MS | {4: after_ms}
    touched_ms = {poem: 1e3 * READ_S[poem] + after[poem] for poem in READ_S}
    hits = {
        "poems": [{"touches": [{"t_ms": t_ms + apart_ms, "player": "near"}]} for t_ms in touched_ms.values()]
    }
    wave = render_sound(hits, 10.0, seed=3) if heard_hits else np.zeros(10 * SAMPLE_RATE, np.float32)

    def watched(readings: Sequence[RecordedReading]) -> list[dict[str, Any]]:
        return [
            {
                "poem": one.poem,
                "touches": [{"kind": "touch", "t_ms": touched_ms[one.poem], "t_unc_ms": 3.0}],
                "ruling": ruled(one.poem, touched_ms[one.poem], *facts_of(one)),
            }
            for one in readings
        ]

    readings = heard({poem: t_s + apart_ms / 1e3 for poem, t_s in READ_S.items()})
    judged = judged_by(FilmSound(readings, track=Track(wave, 0.0)), watched).judged["poems"]
    for poem, found in zip(READ_S, judged, strict=True):
        true = ruled(poem, touched_ms[poem], PoemStarted(poem, round(READ_S[poem] * 1e9), MS))
        if found["ruling"]["status"] == "decided":
            assert [found["ruling"][key] for key in KEYS] == [true[key] for key in KEYS]
    assert [found["ruling"]["status"] for found in judged[:3]] == ["decided"] * 3
    if not heard_hits and abs(after_ms) < 60:
        assert judged[3]["ruling"]["status"] == "review" or after_ms - apart_ms > 60
