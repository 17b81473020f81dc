"""Read the list of which picture shows which card, as people and their spreadsheets write it.

A spreadsheet saves with commas, semicolons or tabs, in UTF-8, UTF-16 or its country's code page, and it takes
`03-2` for a date. Whatever has only one possible meaning is accepted.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from pathlib import Path, PurePosixPath
from typing import Final

from calibration.decks.deck import DeckGame
from calibration.files import typed_numbers as typed
from calibration.files.folders import listed
from calibration.files.table import TableError, first_line, rows_of, texts_of
from referee.complaint import sentence_of
from referee.sentence import SentenceError

INDEX: Final = "index.csv"
_ENDINGS: Final = (".csv", ".txt", ".tsv")  # a spreadsheet's `Unicode text` is a .txt file
_FILE, _CARD = "file", "card_id"
_OTHER_NAMES: Final = {"cardid": _CARD, "filename": _FILE, "file_name": _FILE}
_MONTHS: Final = (
    ("jan", "jän"), ("feb",), ("mar", "mär", "mrz"), ("apr",), ("may", "mai"), ("jun",),
    ("jul",), ("aug",), ("sep",), ("oct", "okt"), ("nov",), ("dec", "dez"),
)  # fmt: skip
"""Abbreviations of the months in English and German."""
_SERIAL: Final = range(40_000, 60_000)
"""Dates of the years 2009 to 2064 as spreadsheets count them, in days since the end of 1899."""
_SLOTS: Final = range(1, 5)
_NUMBER = r"0?(\d{1,2})"
_YEAR = r"(?:19|20)\d\d"
_DATES: Final = (
    re.compile(rf"{_YEAR}[-/.]{_NUMBER}[-/.]{_NUMBER}(?:[ T]00:00(?::00)?)?"),  # 2026-01-01
    re.compile(rf"{_NUMBER}[/.]{_NUMBER}[/.](?:{_YEAR}|\d\d)(?: 0?0:00(?::00)?)?"),  # 1/1/2026, 01.01.26
    re.compile(rf"{_NUMBER}[/.]{_NUMBER}\.?"),  # 1/1, 01.01.
    re.compile(rf"(?:{_YEAR}年)?{_NUMBER}月{_NUMBER}日"),  # 1月1日
)
_NAMED_MONTH = re.compile(rf"{_NUMBER}[-. ]+([a-zä]{{3,9}})\.?(?:[-. ]+\d{{2,4}})?")  # 01-Jan, 1. Jan 26
_MONTH_FIRST = re.compile(rf"([a-zä]{{3,9}})\.?[-. ]+{_NUMBER}(?:, \d{{4}})?")  # Jan-01


class IndexFileError(SentenceError, ValueError):
    """The list cannot be read; the message says in one sentence what to do."""


def index_in(folder: Path) -> Path | None:
    """Return the path of the list in a folder, whatever the case of its name; None if there is none."""
    if (folder / INDEX).is_file():
        return folder / INDEX
    stem = PurePosixPath(INDEX).stem
    found = [path for path in listed(folder) if path.stem.lower() == stem and path.is_file()]
    ranked = [path for ending in _ENDINGS for path in found if path.suffix.lower() == ending]
    return ranked[0] if ranked else None


def read_index(folder: Path, kind: DeckGame) -> list[tuple[str, str]]:
    """Return the rows of a folder's list: a file's name as spelt in the folder, and a card's id.

    Missing files and invalid ids are returned as written. Raises IndexFileError if there is no such list, or
    it cannot be understood.
    """
    path = index_in(folder)
    if path is None:
        raise IndexFileError(
            "{file} is missing: a text file with the line file,card_id and a line for every card",
            file=folder / INDEX,
        )
    spelt = _spelling(folder)
    try:
        readings = [_table(text, path) for text in texts_of(path.read_bytes(), str(path))]
    except OSError as error:
        raise IndexFileError("{path} cannot be read: {why}", path=path, why=sentence_of(error)) from error
    except TableError as error:
        raise IndexFileError(sentence_of(error)) from error
    # the right code page is the one whose file names exist
    rows = max(readings, key=lambda table: sum(spelt(file) is not None for file, _ in table))
    cards = _cards([card for _, card in rows], kind, path)
    return [(spelt(file) or file, card) for (file, _), card in zip(rows, cards, strict=True)]


def _table(text: str, path: Path) -> list[tuple[str, str]]:
    table = rows_of(text, str(path), lambda head: _places(head) is not None)
    if table is None:
        raise TableError(
            "{path}: expected the columns {file_column},{card_column} in line 1, got {got!r}",
            path=path,
            file_column=_FILE,
            card_column=_CARD,
            got=first_line(text),
        )
    head, *rows = table
    if not rows:
        raise TableError(
            "{path}: expected the columns {file_column},{card_column} and a line for every card, got no card",
            path=path,
            file_column=_FILE,
            card_column=_CARD,
        )
    places = _places(head.cells)
    assert places is not None, "such a head was asked for"
    return [(cells[places[0]], cells[places[1]]) for _, cells in rows]


def _places(head: Sequence[str]) -> tuple[int, int] | None:
    """Return the columns of file and card; None if the head does not name both once."""
    names = [_OTHER_NAMES.get(name, name) for name in head]
    if names.count(_FILE) != 1 or names.count(_CARD) != 1:
        return None
    return names.index(_FILE), names.index(_CARD)


def _spelling(folder: Path) -> Callable[[str], str | None]:
    """Return a function that finds a file's spelling on disk, ignoring case and Unicode composition."""
    own = [path.relative_to(folder).as_posix() for path in listed(folder, "**/*") if path.is_file()]
    exact = set(own)
    times = Counter(map(_folded, own))
    alike = {_folded(name): name for name in own if times[_folded(name)] == 1}

    def spelt(file: str) -> str | None:
        plain = file.replace("\\", "/").removeprefix("./")
        return plain if plain in exact else alike.get(_folded(plain))

    return spelt


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _cards(written: Sequence[str], kind: DeckGame, path: Path) -> list[str]:
    """Return the cards' ids; dates that a spreadsheet made of ids are turned back."""
    cards = [kind.card_of(typed.plain(card).strip()) for card in written]
    dates = {
        place: pair for place, card in enumerate(cards) if card not in kind.card_ids and (pair := _date(card))
    }
    if not dates or "01-1" not in kind.card_ids:
        return cards
    # `03-2` became 2 March if months are written first, 3 February if days are
    readings = [
        {place: f"{month:02d}-{slot}" for place, (month, slot) in pairs.items()}
        for pairs in (dates, {place: pair[::-1] for place, pair in dates.items()})
        if all(slot in _SLOTS for _, slot in pairs.values())
    ]
    fitting = [reading for reading in readings if all(card in kind.card_ids for card in reading.values())]
    if not fitting or any(reading != fitting[0] for reading in fitting):
        example = written[next(iter(dates))]
        raise IndexFileError(
            "{path}: a spreadsheet took the card ids for dates, such as {example!r}: make the "
            "column text and write them as 01-1 again",
            path=path,
            example=example,
        )
    return [fitting[0].get(place, card) for place, card in enumerate(cards)]


def _date(cell: str) -> tuple[int, int] | None:
    """Return the two numbers of a date without its year: the month first if it is named."""
    text = cell.strip().lower()
    if text.isdecimal() and int(text) in _SERIAL:
        day = date(1899, 12, 30) + timedelta(int(text))
        return day.month, day.day
    for pattern in _DATES:
        if found := pattern.fullmatch(text):
            return int(found[1]), int(found[2])
    if found := _NAMED_MONTH.fullmatch(text):
        day_of, name = int(found[1]), found[2]
    elif found := _MONTH_FIRST.fullmatch(text):
        name, day_of = found[1], int(found[2])
    else:
        return None
    month = next((number for number, names in enumerate(_MONTHS, 1) if name.startswith(names)), None)
    return None if month is None else (month, day_of)
