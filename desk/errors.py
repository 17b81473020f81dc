"""The errors that the desk reports without a traceback."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.complaint import sentence_of
from referee.sentence import Sentence, SentenceError

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails


class DeskError(SentenceError):
    """An error that a user can mend: a file, an option or a device is not what the command needs.

    Its text says what was expected, what was found and what to do. The command line prints it as one line on
    stderr and exits with code 2.
    """


class EventLogError(DeskError):
    """A file cannot serve as a match log, or an event could not be made durable."""


def misfits(error: ValidationError) -> Sentence:
    """Return where data from outside does not have the expected shape, and why, on one line."""
    first, *others = (_misfit(each) for each in error.errors())
    for other in others:
        first = Sentence("{first}; {other}", first=first, other=other)
    return first


def _misfit(misfit: ErrorDetails) -> Sentence:
    place, kind = ".".join(str(step) for step in misfit["loc"]), misfit["type"]
    cause = misfit.get("ctx", {}).get("error")
    if isinstance(cause, Exception):
        return Sentence("{place}: {why}", place=place, why=sentence_of(cause))
    if kind == "missing":
        return Sentence("{place} is missing", place=place)
    if kind in {"extra_forbidden", "unexpected_keyword_argument"}:
        return Sentence("{place} is not known here", place=place)
    return Sentence("{place} cannot be {got!r} ({why})", place=place, got=misfit["input"], why=misfit["msg"])
