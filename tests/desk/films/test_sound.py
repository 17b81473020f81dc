"""Upper verses among all sounds, and what a lower verse reveals about the upper verse before it."""

from pathlib import Path

import numpy as np
import pytest

from desk.films import sound
from desk.films.film import Film
from desk.films.sound import HeardReading, listen_to, upper_verses
from recitation.imports.decoding import Track
from recitation.listening.listener import Heard, Suggestion
from recitation.reading.phrase import JOKA, Half


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
    heard = listen_to(Film(Path("film.mp4"), None, 60.0, 1.0, 10**10), {17}, lambda _: None)
    assert told(list(heard.readings)) == [(3.0, 17, True)]
    assert heard.track is tracks[1]
    monkeypatch.setattr(sound, "listen", lambda *_: [])
    assert (
        "nobody was heard"
        in listen_to(Film(Path("film.mp4"), None, 60.0, 1.0, 10**10), {17}, lambda _: None).silent_why
    )
