"""The list of a hall's trials: a table of what was called aloud when, on the film's clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from calibration.files import typed_numbers as typed
from calibration.files.table import TableError, first_line, rows_of, texts_of
from desk.errors import DeskError
from referee.complaint import sentence_of
from vision.match.trials import Trial

_COLUMNS = {"at": ("at", "t", "time", "時刻"), "trial": ("trial", "試行")}
_NAMES = {
    "静止": Trial.QUIET,
    "膝": Trial.KNEEL,
    "叩き": Trial.SLAP,
    "払い": Trial.SWEEP,
    "袖": Trial.SLEEVE,
    "通行": Trial.PASSER,
    "接触": Trial.SILENT,
    "押さえ": Trial.PRESS,
    "浮かせ": Trial.HOVER,
    **{trial.value: trial for trial in Trial},
}
"""How a list may name a trial."""


@dataclass(frozen=True, slots=True)
class Called:
    """A trial that was called aloud, and when: nanoseconds on the film's clock."""

    t_ns: int
    trial: Trial


def read_trials(path: Path) -> list[Called]:
    """Read a list of trials.

    Raises DeskError if it is no such table, or a line cannot be read; the text names the line.
    """
    try:
        texts = texts_of(path.read_bytes(), str(path))
        found = [(text, rows_of(text, str(path), _is_head)) for text in texts]
    except TableError as error:
        raise DeskError(sentence_of(error)) from error
    rows = next((rows for _, rows in found if rows is not None), None)
    if rows is None:
        raise DeskError(
            "{file}: expected the columns at,trial (or 時刻,試行) in one of the first lines, got {got!r}",
            file=path,
            got=first_line(found[0][0]),
        )
    head, *below = rows
    at, name = (_place(head.cells, column) for column in ("at", "trial"))
    calls = [_called(path, row.number, row.cells[at], row.cells[name]) for row in below]
    if not calls:
        raise DeskError("{file} names no trial: write a line for each that was called", file=path)
    for earlier, later in pairwise(calls):
        if later.t_ns <= earlier.t_ns:
            raise DeskError(
                "{file}: trials must follow each other in time, but {later} at {later_s:g} s comes after "
                "{earlier} at {earlier_s:g} s",
                file=path,
                later=later.trial.value,
                later_s=later.t_ns / 1e9,
                earlier=earlier.trial.value,
                earlier_s=earlier.t_ns / 1e9,
            )
    return calls


def _called(path: Path, line: int, at: str, name: str) -> Called:
    trial = _NAMES.get(typed.plain(name).strip().lower())
    if trial is None:
        raise DeskError(
            "{file}, line {line}: a trial is one of {words}, got {got!r}",
            file=path,
            line=line,
            words=", ".join(Trial),
            got=name,
        )
    try:
        return Called(round(seconds_of(at) * 1e9), trial)
    except ValueError as error:
        raise DeskError(
            "{file}, line {line}: expected a time on the film's clock such as 93.5 or 1:33.5, got {got!r}",
            file=path,
            line=line,
            got=at,
        ) from error


def seconds_of(text: str) -> float:
    """Return a time such as `93.5` or `1:33.5` in seconds; ValueError if it is none."""
    *minutes, seconds = typed.plain(text).strip().replace(",", ".").split(":")
    t_s: float = typed.number(seconds) + sum(
        60.0**power * int(one) for power, one in enumerate(minutes[::-1], 1)
    )
    if t_s < 0:
        raise ValueError(f"expected a time from 0 on, got {text!r}")
    return t_s


def _is_head(head: Sequence[str]) -> bool:
    return all(any(cell in names for cell in head) for names in _COLUMNS.values())


def _place(head: Sequence[str], column: str) -> int:
    return next(at for at, cell in enumerate(head) if cell in _COLUMNS[column])
