"""What a film's sound tells: its upper verses, their poems, and how late the pictures are."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from desk.films import sound
from desk.films.film import Film
from desk.films.sound import HeardReading, lateness, listen_to, upper_verses
from recitation.imports.decoding import Track
from recitation.listening.listener import Heard, Suggestion
from recitation.reading.phrase import JOKA, Half
from recitation.reading.plan import SAMPLE_RATE
from vision.simulator.hall.recorder import render_sound

FILM = Film(Path("film.mp4"), None, 60.0, 1.0, 10**10)


def verse(t_s: float, half: Half | None, *likely: tuple[int, float]) -> Heard:
    return Heard(t_s, 0.02, half, tuple(Suggestion(poem, chance) for poem, chance in likely))


def told(found: list[HeardReading]) -> list[tuple[float, int | None, bool]]:
    return [(one.t_s, one.poem, one.is_sure) for one in found]


def test_lower_verses_and_the_joka_begin_no_play() -> None:
    verses = [
        verse(0, Half.KAMI, (JOKA, 1.0)),
        verse(8, Half.SHIMO, (JOKA, 1.0)),
        verse(16, Half.KAMI, (17, 0.95)),
        verse(30, Half.SHIMO, (17, 1.0)),
        verse(37, Half.KAMI, (46, 0.8)),
    ]
    assert told(upper_verses(verses)) == [(16, 17, True), (37, 46, False)]


def test_a_sure_lower_verse_settles_between_the_poems_that_the_upper_one_may_be() -> None:
    upper = verse(1, Half.KAMI, (17, 0.5), (8, 0.3), (JOKA, 0.1))
    assert told(upper_verses([upper, verse(20, Half.SHIMO, (8, 0.99))])) == [(1, 8, True)]
    assert told(upper_verses([upper, verse(20, Half.SHIMO, (8, 0.6))])) == [(1, 17, False)]
    for foreign in (99, JOKA):
        assert told(upper_verses([upper, verse(20, Half.SHIMO, (foreign, 0.99))])) == [(1, 17, False)]


def test_what_is_not_understood_is_an_upper_verse_unless_one_follows_it_soon() -> None:
    unknown = verse(10, None)
    assert told(upper_verses([unknown])) == [(10, None, False)]
    assert told(upper_verses([unknown, verse(17, Half.KAMI, (3, 1.0))])) == [(17, 3, True)]
    assert told(upper_verses([unknown, verse(40, Half.KAMI, (3, 1.0))]))[0] == (10, None, False)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_of_several_sounds_the_one_counts_in_which_a_reader_is_heard(
    monkeypatch: pytest.MonkeyPatch, order: tuple[int, int]
) -> None:
    tracks = Track(np.zeros(10, np.float32), 0.0), Track(np.ones(10, np.float32), 2.0)
    monkeypatch.setattr(sound, "load_tracks", lambda *_: [tracks[at] for at in order])
    monkeypatch.setattr(
        sound, "listen", lambda wave, *_: [verse(1, Half.KAMI, (17, 0.9))] if wave.any() else []
    )
    heard = listen_to(FILM, {17}, lambda _: None)
    assert told(list(heard.readings)) == [(3.0, 17, True)]
    assert heard.track is tracks[1]
    monkeypatch.setattr(sound, "listen", lambda *_: [])
    assert "nobody was heard" in listen_to(FILM, {17}, lambda _: None).silent_why


TOUCHED_MS = (2000.0, 5000.0, 9000.0, 13000.0)


def poems(late_ms: float, touched_ms: tuple[float, ...] = TOUCHED_MS) -> list[dict[str, Any]]:
    """Return what the eye says of poems of which the sound is `late_ms` early."""
    return [{"touches": [{"kind": "touch", "t_ms": t_ms + late_ms, "t_unc_ms": 5.0}]} for t_ms in touched_ms]


def render(begins_s: float = 0.0) -> Track:
    truth = {"poems": [{"touches": [{"t_ms": t_ms, "player": "near"}]} for t_ms in TOUCHED_MS]}
    return Track(render_sound(truth, 15.0, seed=3)[round(begins_s * SAMPLE_RATE) :], begins_s)


@pytest.mark.parametrize(("late_ms", "begins_s"), [(-40.0, 0.0), (0.0, 0.7), (35.0, 0.7)])
def test_pictures_are_as_late_as_touches_come_after_their_hits(late_ms: float, begins_s: float) -> None:
    late = lateness(render(begins_s), poems(late_ms))
    assert late is not None
    assert late.mean_ns / 1e6 == pytest.approx(late_ms, abs=max(4.0, late.unc_ns / 1e6))
    assert late.unc_ns < 20e6


def test_too_few_hits_tell_nothing() -> None:
    assert lateness(render(), poems(20.0, TOUCHED_MS[:2])) is None
    assert lateness(Track(np.zeros(15 * SAMPLE_RATE, np.float32), 0.0), poems(20.0)) is None
    assert lateness(render(), [{"touches": []}]) is None
