"""A silent film is looked at twice; what the two looks do not agree on is left to a person."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from desk.films import judgement
from desk.films.film import Film
from desk.films.judgement import Told, judge_film
from referee.facts import PoemStarted
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

    def judge_recording(folder: Path, *_: object) -> dict[str, Any]:
        (reading,) = read_readings(folder / "reading.jsonl")
        judged.append(reading.doubt)
        return {"poems": [{"poem": reading.poem, "ruling": second}]}

    monkeypatch.setattr(judgement, "open_film", lambda *_: Film(Path("film.mp4"), None, 60.0, 1.0, 10**10))
    monkeypatch.setattr(judgement, "readings_heard", lambda *_: ([], "it has no sound"))
    monkeypatch.setattr(judgement, "plays_of", lambda *_: [play])
    monkeypatch.setattr(judgement, "judge_recording", judge_recording)
    film = judge_film(Path("film.mp4"), Told(game="karuta", poems=(OWN,)))
    assert judged == doubts
    assert film.readings[0].doubt == doubts[-1]
