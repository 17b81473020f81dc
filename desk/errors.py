"""The errors that the desk reports without a traceback."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING

from referee.complaint import sentence_of
from referee.sentence import Sentence, SentenceError

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


class DeskError(SentenceError):
    """An error that a user can mend: a file, an option or a device is not what the command needs.

    Its text says what was expected, what was found and what to do. The command line prints it as one line on
    stderr and exits with code 2.
    """

    @classmethod
    @contextmanager
    def wrapping(cls, text: str, /, *errors: type[Exception], **values: object) -> Iterator[None]:
        """Raise this error instead of some others; what they say fills `why` in its text, or an empty one."""
        try:
            yield
        except errors as error:
            why = sentence_of(error)
            raise (cls(text, **values, why=why) if text else cls(why)) from error


class EventLogError(DeskError):
    """A file cannot serve as a match log, or an event could not be made durable."""


_WHOLE = Sentence("expected a whole number")
_NUMBER = Sentence("expected a number")
_TRUTH = Sentence("expected true or false")
_LIST = Sentence("expected a list")
_TABLE = Sentence("expected a table of keys")
_MISFITS: Mapping[str, Sentence] = MappingProxyType(
    {
        "string_type": Sentence("expected text"),
        "json_invalid": Sentence("it is no JSON"),
        "date_from_datetime_parsing": Sentence("expected a day such as 2026-01-04"),
        "date_parsing": Sentence("expected a day such as 2026-01-04"),
        "list_type": _LIST,
        "tuple_type": _LIST,
    }
    | dict.fromkeys(("int_type", "int_parsing", "int_from_float", "int_parsing_size"), _WHOLE)
    | dict.fromkeys(("float_type", "float_parsing", "finite_number"), _NUMBER)
    | dict.fromkeys(("bool_type", "bool_parsing"), _TRUTH)
    | dict.fromkeys(("dict_type", "model_type", "model_attributes_type", "dataclass_type"), _TABLE)
)
"""By pydantic's name of the error; its own words are in one language and speak to programmers."""
_LIMITS: Mapping[str, Sentence] = MappingProxyType(
    {
        "greater_than_equal": Sentence("expected {ge} or more"),
        "greater_than": Sentence("expected more than {gt}"),
        "less_than_equal": Sentence("expected {le} or less"),
        "less_than": Sentence("expected less than {lt}"),
        "string_too_long": Sentence("expected at most {max_length} characters"),
        "string_too_short": Sentence("expected at least {min_length} characters"),
        "too_long": Sentence("expected at most {max_length} entries"),
        "too_short": Sentence("expected at least {min_length} entries"),
        "literal_error": Sentence("expected one of {expected}"),
        "enum": Sentence("expected one of {expected}"),
        "union_tag_invalid": Sentence("{discriminator}: expected one of {expected_tags}"),
    }
)


def misfits(errors: Sequence[ErrorDetails], *, repeats: bool = True) -> Sentence:
    """Return where and why outside data do not fit; only what may be repeated is quoted."""
    first, *others = (_misfit(each, repeats=repeats) for each in errors)
    for other in others:
        first = Sentence("{first}; {other}", first=first, other=other)
    return first


def _misfit(misfit: ErrorDetails, *, repeats: bool) -> Sentence:
    place, kind, values = ".".join(str(step) for step in misfit["loc"]), misfit["type"], misfit.get("ctx", {})
    cause = values.get("error")
    if isinstance(cause, Exception):
        return Sentence("{place}: {why}", place=place, why=sentence_of(cause))
    if kind == "missing":
        return Sentence("{place} is missing", place=place)
    if kind in {"extra_forbidden", "unexpected_keyword_argument"}:
        return Sentence("{place} is not known here", place=place)
    if kind in _LIMITS:
        shown = {name: str(value).replace("' or '", "', '") for name, value in values.items()}
        why = Sentence(_LIMITS[kind].text, **shown)
    else:
        why = _MISFITS.get(kind, Sentence("it does not fit here"))
    if not repeats:
        return Sentence("{place}: {why}", place=place, why=why)
    return Sentence("{place} cannot be {got!r} ({why})", place=place, got=misfit["input"], why=why)
