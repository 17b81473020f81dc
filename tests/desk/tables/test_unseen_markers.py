"""A table whose markers are not all seen is refused by their names, on the page and from a film."""

from pathlib import Path

import pytest

from desk.errors import DeskError
from desk.panel.table.stream import NO_MARKER
from desk.panel.words import words
from desk.tables.film import TableFilm


@pytest.mark.parametrize(
    ("markers", "told"),
    [
        ({0, 1}, "marker 2, bottom right; marker 3, bottom left not found"),
        ({0, 1, 2, 3}, "elsewhere than size in"),
        (set(), "four markers"),
    ],
)
def test_a_film_of_no_table_says_which_markers_are_missing(markers: set[int], told: str) -> None:
    film = TableFilm(Path("film.mkv"), None, [])
    with pytest.raises(DeskError, match=told):
        film.end(table_was_seen=False, markers=markers)


def test_the_page_names_each_missing_marker_in_both_languages() -> None:
    texts = [words(language).plain(text) for language in ("en", "ja") for text in NO_MARKER]
    assert len(set(texts)) == 8
