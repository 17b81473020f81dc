"""Sizes as people read them: what has arrived is never told as the whole."""

import pytest

from desk.panel.films.view import size_text, upload_view
from desk.panel.words import words


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1000, "1 kB"),
        (12_712, "13 kB"),
        (4_600_000, "5 MB"),
        (1_250_000_000, "1.2 GB"),
    ],
)
def test_a_size_has_the_unit_that_fits(size: int, text: str) -> None:
    assert size_text(size, words("en")).replace("\N{NO-BREAK SPACE}", " ") == text


def test_a_part_of_an_upload_differs_from_the_whole() -> None:
    shown = upload_view({"id": "u", "name": "a.mp4", "offset": 1000, "size": 12_712}, words("en"))
    assert shown["arrived"].replace("\N{NO-BREAK SPACE}", " ") == "1 kB of 13 kB (7 %)"
    nearly = upload_view({"id": "u", "name": "a.mp4", "offset": 999_999_999, "size": 10**9}, words("ja"))
    assert "（99 %）" in nearly["arrived"]
