"""A small club's book for the tests of its pages, from real logs."""

from pathlib import Path

from benchmarks.book.club_matches import ClubMatch
from desk.book.book import Book
from referee.notation import parse_layout
from referee.sides import BySide, Side

FIELD = parse_layout("near 1 2|3/|/|4 far 11 12|13/|/|14")


def small_book(folder: Path) -> Book:
    """Return the book of two matches, a log that is none, and a match without names."""
    folder.mkdir(exist_ok=True)
    for number, names in enumerate([("<Hana>", "Ken & 蒼"), ("Ken & 蒼", "Mei"), (None, None)]):
        match = ClubMatch(folder / f"m{number}.sqlite", BySide(*names), cards_per_side=4, layout=FIELD)
        for time_ms, poem in ((210, 1), (-40, 2), (330, 11)):
            match.read(poem, (poem, Side.NEAR, time_ms))
        match.read(50, (3, Side.FAR, 300))
        match.finish(Side.NEAR)
        match.write()
    (folder / "notes.sqlite").write_text("no database")
    return Book(folder)
