"""A silent film is judged twice; differences between the two results are left to a person."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from calibration.clocks.latency import Offset
from desk.errors import DeskError
from desk.films import judgement
from desk.films.film import Film
from desk.films.judgement import FilmHints, judge_film
from desk.films.sound import FilmSound, HeardReading
from desk.karuta.eye.recorded_match import WatchedRecording
from recitation.imports.decoding import Track
from recitation.listening.listener import Suggestion
from referee.facts import PoemStarted
from referee.sentence import Sentence
from tests.referee.karuta.judged_poem import LAYOUT, NEAR, OWN, judge, touch
from vision.match.plays import Play
from vision.poem.events import PoemSeen
from vision.recordings.recording import read_readings

SURE = judge(OWN, PoemStarted(OWN, 0, 1), touch(OWN, NEAR)).to_json()
NOBODY = judge(OWN, PoemStarted(OWN, 0, 1)).to_json()
T_MS = 2000.0


@pytest.mark.parametrize(
    ("confidence", "second", "doubts"),
    [
        (1.0, SURE, [""]),
        (1.0, NOBODY, ["", "looks_disagree"]),
        (0.6, SURE, ["looks_disagree"]),  # the first look was not sure
    ],
)
def test_what_two_looks_tell_differently_is_in_doubt(
    monkeypatch: pytest.MonkeyPatch, confidence: float, second: dict[str, Any], doubts: list[str]
) -> None:
    facts = (touch(OWN, NEAR, T_MS, confidence=confidence),)
    seen = cast("PoemSeen", SimpleNamespace(before=SimpleNamespace(layout=LAYOUT), facts=facts))
    played = round(T_MS * 1e6)
    play = Play(played, played - 100_000_000, (OWN,), (), frozenset({OWN}), seen, (OWN,))
    judged: list[str] = []

    def watch_recording(folder: Path, *_: object) -> WatchedRecording:
        (reading,) = read_readings(folder / "reading.jsonl")
        judged.append(reading.doubt)
        return WatchedRecording({"poems": [{"poem": reading.poem, "ruling": second}]}, {})

    monkeypatch.setattr(judgement, "open_film", lambda *_: Film(Path("film.mp4"), None, 60.0, 1.0, 10**10))
    monkeypatch.setattr(judgement, "listen_to", lambda *_: FilmSound(silent_why=Sentence("it has no sound")))
    monkeypatch.setattr(judgement, "plays_of", lambda *_, **__: [play])
    monkeypatch.setattr(judgement, "watch_recording", watch_recording)
    film = judge_film(Path("film.mp4"), FilmHints(game="karuta", poems=(OWN,)))
    assert judged == doubts
    assert film.readings[0].doubt == doubts[-1]


def test_a_complaint_names_the_film_and_not_where_it_was_lent(monkeypatch: pytest.MonkeyPatch) -> None:
    def watch_recording(folder: Path, *_: object) -> WatchedRecording:
        raise DeskError(f"{folder / 'film.mp4'}: not a single card")

    heard = HeardReading(2.0, (Suggestion(OWN, 1.0),))
    monkeypatch.setattr(judgement, "open_film", lambda *_: Film(Path("my/film.mp4"), None, 60.0, 1.0, 1))
    monkeypatch.setattr(judgement, "listen_to", lambda *_: FilmSound((heard,)))
    monkeypatch.setattr(judgement, "watch_recording", watch_recording)
    with pytest.raises(DeskError, match=r"^my/film\.mp4: not a single card$"):
        judge_film(Path("my/film.mp4"), FilmHints(game="karuta"))


def test_a_touch_about_as_the_poem_begins_is_judged_anew_once_hits_tell_how_late_the_pictures_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard = tuple(HeardReading(t_s, (Suggestion(OWN + at, 1.0),)) for at, t_s in enumerate((2.0, 20.0, 40.0)))
    sound = FilmSound(heard, track=Track(np.zeros(0, np.float32), 0.0))
    judged: list[list[tuple[float, float]]] = []

    def watch_recording(folder: Path, *_: object) -> WatchedRecording:
        readings = read_readings(folder / "reading.jsonl")
        judged.append([(one.t_ms, one.t_unc_ms) for one in readings])
        unclear = SURE | {"doubts": ["start_unclear"] if len(judged) == 1 else []}
        return WatchedRecording({"poems": [{"poem": one.poem, "ruling": unclear} for one in readings]}, {})

    monkeypatch.setattr(judgement, "open_film", lambda *_: Film(Path("film.mp4"), None, 60.0, 1.0, 10**11))
    monkeypatch.setattr(judgement, "listen_to", lambda *_: sound)
    monkeypatch.setattr(judgement, "watch_recording", watch_recording)
    monkeypatch.setattr(judgement, "lateness", lambda *_: Offset(30e6, 5e6, 5e6, 4))
    judge_film(Path("film.mp4"), FilmHints(game="karuta"))
    before, after = judged
    assert [t_ms for t_ms, _ in after] == [t_ms + 30 for t_ms, _ in before]
    assert max(unc_ms for _, unc_ms in after) < 21
    assert min(unc_ms for _, unc_ms in before) > 60
