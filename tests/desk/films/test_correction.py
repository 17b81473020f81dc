"""A person's statement on a reading settles one doubt and leaves the others."""

import pytest

from desk.films.correction import corrected
from desk.films.reading import FilmReading
from referee.facts import ASSUMED, DISAGREEING, UNPLACED, UNSURE


@pytest.mark.parametrize(
    ("doubt", "by_poem", "by_onset"),
    [
        (UNSURE, "", UNSURE),
        (ASSUMED, "", ASSUMED),
        (UNPLACED, UNPLACED, ""),
        (DISAGREEING, DISAGREEING, DISAGREEING),
        ("", "", ""),
    ],
)
def test_a_correction_settles_what_it_tells(doubt: str, by_poem: str, by_onset: str) -> None:
    reading = FilmReading(2_000_000_000, 9_000_000, 17, doubt, (4, 5))
    named = corrected(reading, poem=4)
    assert (named.poem, named.doubt, named.perhaps) == (4, by_poem, ())
    assert (named.t_ns, named.t_unc_ns) == (reading.t_ns, reading.t_unc_ns)
    placed = corrected(reading, t_ns=2_300_000_000)
    assert (placed.poem, placed.doubt, placed.t_ns) == (17, by_onset, 2_300_000_000)
    assert placed.t_unc_ns > 60_000_000  # sound and picture may be apart by as much
