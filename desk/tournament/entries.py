"""Reading entrants from a spreadsheet's file: any kind of CSV, or a workbook.

One row is one player. The columns are *class* and *name*, or surname and given name in columns of their own,
and optionally *club*, *number* and *team*, in English or Japanese. Rows with the same team in a class are its
members, in the order of the boards.

What a spreadsheet or its keyboard makes of a list is read as it was meant: any separator, quotation marks, a
title above the head, cells of two lines, `1.0` for 1, wide letters, letters composed of two.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

from calibration.files import typed_numbers as typed
from calibration.files.table import Row, TableError, below_head, first_line, is_workbook, rows_of, texts_of
from desk.errors import DeskError
from desk.machine.letters import drawn
from desk.tables.person import visible
from desk.tournament.spreadsheet import workbook_rows
from referee.complaint import sentence_of
from referee.tournament.division import TEAM_BOARDS, Division, Entrant, System
from referee.tournament.events import DivisionOpened, EntrantEntered, Event
from referee.tournament.state import RefusedError, Tournament

_COLUMNS: Final[Mapping[str, Sequence[str]]] = {
    "class": ("class", "division", "級", "クラス", "出場級"),
    "name": ("name", "full_name", "player", "氏名", "名前", "選手", "選手名"),
    "surname": ("surname", "last_name", "lastname", "family_name", "姓", "氏", "苗字", "名字", "姓(漢字)"),
    "given": ("given_name", "first_name", "firstname", "forename", "名", "名(漢字)"),
    "club": ("club", "school", "会", "所属", "所属会", "かるた会", "学校", "学校名"),
    "number": ("number", "no", "no.", "番号", "出場番号"),
    "team": ("team", "チーム", "チーム名"),
}
_FULL_OR_GIVEN: Final = ("name", "名前")  # heads that mean the given name beside a column with the surname
_EAST_ASIAN: Final = re.compile(r"[\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
"""Kana, Chinese characters and Hangul: names in these put the surname first."""
_LONGEST: Final = 60  # longest name in characters, by the room in a line of the board
_LONGEST_CLASS: Final = 20
_LONGEST_CELL: Final = 1000  # in letters, also of notes that nobody reads
_MOST_BYTES: Final = 8 << 20  # largest file; ten thousand entrants take 1 MB
_MOST_ROWS: Final = 20_000
_CLASS_WORD: Final = re.compile(
    r"(?<=[a-z0-9])\s*(級|クラス|class)\b|^(クラス|class)\s+(?=\w)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One row; the class has its name in the tournament, and `number` is 0 if the list gives none."""

    division: str
    name: str
    club: str = ""
    number: int = 0
    team: str = ""


_for_people = DeskError.wrapping("", RefusedError)
"""Turns a refusal into a DeskError; the cause lets pages give it in their own language."""


def read_entries(path: Path) -> list[Entry]:
    """Read a file of entrants; errors as in `entries_of`, and OSError if it cannot be read."""
    with path.open("rb") as file:
        return entries_of(file.read(_MOST_BYTES + 1), path.name)


@_for_people
def entries_of(data: bytes, name: str) -> list[Entry]:
    """Return the entrants in the data of a file called `name`.

    Raises DeskError if it is no table, too large for one, a column is missing, or a row is no entrant; the
    message names the row; so for two who look alike, but are written with other letters.
    """
    if len(data) > _MOST_BYTES:
        raise RefusedError(
            "{file} is too large for a list of entrants: expected {most} MiB at most",
            file=name,
            most=_MOST_BYTES >> 20,
        )
    try:
        head, *rows = _table(data, name)
    except TableError as error:
        raise RefusedError(sentence_of(error)) from error
    places = _places(head.cells)
    entries: dict[tuple[str, ...], Entry] = {}
    looks: dict[tuple[str, ...], str] = {}
    if len(rows) > _MOST_ROWS:
        raise _too_many_rows(name)
    for number, cells in rows:
        refusal = partial(RefusedError, file=name, row=number)
        if (longest := max(map(len, cells))) > _LONGEST_CELL:
            raise refusal(
                "{file}, row {row}: expected at most {longest} letters in a cell, got {n}",
                longest=_LONGEST_CELL,
                n=longest,
            )
        entry = _entry({column: cells[place] for column, place in places.items()}, refusal)
        who = tuple(map(_same, (entry.division, entry.name, entry.club, entry.team)))
        if who in entries:
            raise refusal(
                "{file}, row {row}: {name} is in class {division} twice; leave one out",
                name=entry.name,
                division=entry.division,
            )
        entries[who] = entry
        shown = entry.division, entry.team and drawn(entry.team), drawn(entry.name), drawn(entry.club)
        if shown in looks:
            raise refusal(
                "{file}, row {row}: {name} looks like {other}, but is written with other letters; leave one "
                "out if they are one person, or give one of them another name",
                name=entry.name,
                other=looks[shown],
            )
        looks[shown] = entry.name
    if not entries:
        raise RefusedError("{file}: expected a row for every entrant below the head, got none", file=name)
    return list(entries.values())


@_for_people
def events_of(
    entries: Sequence[Entry],
    tournament: Tournament,
    system: System = System.ELIMINATION,
    rounds: int | None = None,
    *,
    again: bool = False,
) -> list[Event]:
    """Return the events that enter these entrants; classes that are not open yet are opened.

    Raises DeskError if players and teams are mixed in a class, or an entrant is already in it.

    `entries`: from `entries_of`. `again`: whether the list may have been entered before: who is in the
    tournament already is left out.
    """
    events: list[Event] = []
    taken = {number for course in tournament.courses.values() for number in course.entrants}
    taken |= {entry.number for entry in entries}
    free = (number for number in count(1) if number not in taken)
    for division, listed in _by(entries, lambda entry: entry.division).items():
        teams = sum(bool(entry.team) for entry in listed)
        if teams not in {0, len(listed)}:
            alone = next(entry.name for entry in listed if not entry.team)
            raise RefusedError(
                "class {division} has teams, but {name} is in none; give teams a class of their own",
                division=division,
                name=alone,
            )
        if division not in tournament.courses:
            boards = TEAM_BOARDS if teams else 1
            events.append(DivisionOpened(Division(division, system, rounds, boards)))
        known = _known(tournament, division)
        entrants = [
            each for each in _entrants(listed, free) if not again or _named(each.name, each.club) not in known
        ]
        _check_new(division, entrants, tournament)
        events += [EntrantEntered(division, entrant) for entrant in entrants]
    return events


def entered_singly(event: EntrantEntered, tournament: Tournament) -> EntrantEntered:
    """Return the entry of one player or team as the row of a list is read.

    Raises RefusedError if the class has an entrant of this name and club, or one who looks like this one.
    """
    typed_in = event.entrant
    entrant = replace(
        typed_in,
        name=_one_line(typed_in.name),
        club=_one_line(typed_in.club),
        members=tuple(map(_one_line, typed_in.members)),
    )
    _check_new(event.division, [entrant], tournament)
    return replace(event, entrant=entrant)


def _check_new(division: str, entrants: Iterable[Entrant], tournament: Tournament) -> None:
    known = _known(tournament, division)
    looks = {tuple(map(drawn, one)): one for one in known}
    for each in entrants:
        if _named(each.name, each.club) in known:
            raise RefusedError(
                "class {division}: {name} is entered already; enter only those who are new",
                division=division,
                name=each.name,
            )
        other = looks.get((drawn(each.name), drawn(each.club)))
        if other is not None:
            raise RefusedError(
                "class {division}: {name} looks like {other}, who is entered already, but is written "
                "with other letters; leave one out if they are one person, or give one of them "
                "another name",
                division=division,
                name=each.name,
                other=other[0],
            )


def _known(tournament: Tournament, division: str) -> set[tuple[str, str]]:
    course = tournament.courses.get(division)
    return set() if course is None else {_named(each.name, each.club) for each in course.entrants.values()}


def _named(name: str, club: str) -> tuple[str, str]:
    return _same(name), _same(club)


def _same(name: str) -> str:
    """Return a name by which wide, narrow and composed letters are one."""
    return unicodedata.normalize("NFKC", name)


def _entrants(listed: Sequence[Entry], free: Iterator[int]) -> Iterator[Entrant]:
    for team, members in _by(listed, lambda entry: entry.team).items():
        if not team:
            yield from (Entrant(one.number or next(free), one.name, one.club) for one in members)
            continue
        first = members[0]
        number = next((one.number for one in members if one.number), 0) or next(free)
        yield Entrant(number, team, first.club, tuple(one.name for one in members))


def _by(entries: Sequence[Entry], key: Callable[[Entry], str]) -> dict[str, list[Entry]]:
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(key(entry), []).append(entry)
    return groups


def _table(data: bytes, name: str) -> list[Row]:
    """Return the table with its head, as in `rows_of`."""
    if is_workbook(data):
        cells = workbook_rows(data, name, _MOST_ROWS + 1)
        if len(cells) > _MOST_ROWS:
            raise _too_many_rows(name)
        table = below_head(cells, _is_head)
        got = ",".join(filter(None, next((row for row in cells if any(row)), [])))[:_LONGEST]
    else:
        readings = [(text, rows_of(text, name, _is_head)) for text in texts_of(data, name)]
        # the Japanese names of the columns are right only in the right code page
        table = next((rows for _, rows in readings if rows is not None), None)
        got = first_line(readings[0][0])
    if table is None:
        raise RefusedError(
            "{file}: expected the columns class,name (or 級,氏名) and perhaps club,number,team in one of "
            "the first lines, got {got!r}",
            file=name,
            got=got,
        )
    return table


def _too_many_rows(name: str) -> RefusedError:
    return RefusedError(
        "{file}: expected at most {most} rows; leave out empty ones, or cut the list up",
        file=name,
        most=_MOST_ROWS,
    )


def _is_head(head: Sequence[str]) -> bool:
    places = _places(head)
    return "class" in places and ("name" in places or "surname" in places)


def _places(head: Sequence[str]) -> dict[str, int]:
    places = {
        column: place
        for column, names in _COLUMNS.items()
        if (place := next((at for at, cell in enumerate(head) if cell in names), None)) is not None
    }
    if "surname" in places and "given" not in places and head[places.get("name", 0)] in _FULL_OR_GIVEN:
        places["given"] = places.pop("name")
    return places


def _entry(row: Mapping[str, str], refusal: Callable[..., RefusedError]) -> Entry:
    division = _division(row["class"])
    if not 1 <= len(division) <= _LONGEST_CLASS:
        raise refusal(
            "{file}, row {row}: expected a class of up to {longest} letters, such as A, D2 or 小学生, "
            "got {got!r}",
            longest=_LONGEST_CLASS,
            got=row["class"][:_LONGEST],
        )
    name, club, team = (_one_line(cell) for cell in (_name(row), row.get("club", ""), row.get("team", "")))
    if not name or max(map(len, (name, club, team))) > _LONGEST:
        raise refusal(
            "{file}, row {row}: expected a name of 1 to {longest} letters, got {got!r}",
            longest=_LONGEST,
            got=(name or club)[:_LONGEST],
        )
    given = row.get("number", "")
    try:
        counted = typed.number(given) if given else 0
    except ValueError:
        counted = -1
    if not 0 <= counted < 100_000 or counted != int(counted) or (given and not counted):
        raise refusal(
            "{file}, row {row}: expected a number from 1 on, or none, got {got!r}", got=given[:_LONGEST]
        )
    return Entry(division, name, club, int(counted), team)


def _name(row: Mapping[str, str]) -> str:
    """Return a player's whole name, from one column or two."""
    if row.get("name"):
        return row["name"]
    surname, given = row.get("surname", ""), row.get("given", "")
    is_first = _EAST_ASIAN.search(surname) is not None
    return f"{surname} {given}" if is_first else f"{given} {surname}"


def _division(cell: str) -> str:
    """Return a class's name: A for `A級` and `class A`, A1 for `A-1`, 小学生_低学年 for `小学生(低学年)`."""
    text = _CLASS_WORD.sub("", typed.plain(_one_line(cell)))
    text = re.sub(r"(?<=[A-Za-z])[\s-]+(?=[0-9])", "", text)
    return re.sub(r"\W+", "_", text).strip("_").upper()


def _one_line(cell: str) -> str:
    """Return a cell's text as one line, its letters composed, without characters that nobody sees."""
    return " ".join(visible(unicodedata.normalize("NFC", cell)).split())
