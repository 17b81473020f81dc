"""JSON input, one object per line, with error messages that name the line; and output for other programs.

Output for programs is always UTF-8, whatever the console's code page is.
"""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TextIO, TypeVar

from calibration.files import json_text
from calibration.files.storage import keep_text
from calibration.files.text import decode_lines, lines_of, read_text
from desk.errors import DeskError
from referee.complaint import sentence_of
from referee.sentence import Sentence

_LONGEST_SHOWN = 80
STDIN = "standard input"
STDOUT = "-"  # the path that means standard output
_FOR_PROGRAMS: ContextVar[TextIO | None] = ContextVar("for_programs", default=None)
"""The standard output for programs while lines for people go elsewhere."""


class Line:
    """One JSON object of the input; all error messages name its line.

    `number`: number of the line, from 0; empty lines are not counted. `source`: name of the input, with which
    error messages begin; empty for none.
    """

    def __init__(self, number: int, text: str, source: str = "") -> None:
        self.number = number
        self._source = source
        try:
            self._value: Any = json_text.parse(text)
        except ValueError as error:
            raise self.refusal("not valid JSON: {why}", why=sentence_of(error)) from error
        if not isinstance(self._value, dict):
            raise self.refusal("expected an object, got {got}", got=text.strip()[:_LONGEST_SHOWN])

    def refusal(self, text: str, /, **values: object) -> DeskError:
        why = Sentence(text, **values)
        if not self._source:
            return DeskError("line {line}: {why}", line=self.number, why=why)
        return DeskError("{file}, line {line}: {why}", file=self._source, line=self.number, why=why)

    def has(self, key: str) -> bool:
        return self._value.get(key) is not None

    def number_of(self, key: str, default: int | None = None, most: int | None = None) -> int:
        """Return the whole number from 0 to `most` at `key`, or `default` if the key is left out."""
        value = self._value.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self.refusal(
                "{key!r} must be a whole number from 0 on, got {value!r}", key=key, value=value
            )
        if most is not None and value > most:
            raise self.refusal(
                "{key!r} must be at most {most}, got {value!r}", key=key, most=most, value=value
            )
        return value

    def word(self, key: str, choices: Iterable[str]) -> str:
        """Return the word at `key`, one of `choices`."""
        value = self._value.get(key)
        if not isinstance(value, str) or value not in choices:
            raise self.refusal(
                "{key!r} must be one of {words}, got {value!r}",
                key=key,
                words=", ".join(choices),
                value=value,
            )
        return value

    def items(self, key: str, what: str) -> list[Any]:
        value = self._value[key] if self.has(key) else []
        if not isinstance(value, list):
            raise self.refusal(
                "{key!r} must be a list of {what}, got {value!r}", key=key, what=what, value=value
            )
        return value


L = TypeVar("L", bound=Line)


def stdin_lines() -> Iterator[str]:
    """Iterate over the lines of standard input, in UTF-8, as they arrive.

    Raises calibration.files.text.TextFileError if a line is no text.
    """
    buffer = getattr(sys.stdin, "buffer", None)
    return iter(sys.stdin) if buffer is None else decode_lines(buffer, STDIN)


def objects_of(stream: Iterable[str], kind: type[L], source: str = "") -> Iterator[L]:
    """Iterate over the JSON objects of a text stream; empty lines are skipped and not counted."""
    texts = (text for text in stream if text.strip())
    for number, text in enumerate(texts):
        yield kind(number, text, source)


def read_lines(path: str, kind: type[L]) -> Iterator[L]:
    """Iterate over the JSON objects of a file; `-` is standard input.

    Raises calibration.files.text.TextFileError, OSError if the file is no text, or cannot be read.
    """
    if path == "-":
        return objects_of(stdin_lines(), kind)
    return objects_of(lines_of(read_text(Path(path))), kind, path)


@contextmanager
def people_on_stderr() -> Iterator[None]:
    """Send lines for people to standard error, so that standard output holds only JSON."""
    kept = _FOR_PROGRAMS.set(sys.stdout)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _FOR_PROGRAMS.reset(kept)


def print_for_programs(text: str) -> None:
    """Print a line for other programs, in UTF-8 whatever the console's code page is."""
    stream = _FOR_PROGRAMS.get() or sys.stdout
    stream.flush()
    if (buffer := getattr(stream, "buffer", None)) is None:
        stream.write(text)
    else:
        buffer.write(text.encode("utf-8", "backslashreplace"))


def print_json(value: object, *, indent: int | None = None) -> None:
    """Print one JSON document and flush it, since a reader may be waiting for it."""
    print_for_programs(json_text.dump(value, indent=indent) + "\n")
    (_FOR_PROGRAMS.get() or sys.stdout).flush()


def write_json(path: str | Path | None, value: object) -> None:
    """Write one JSON document to a file; `-` is standard output, and None is nowhere.

    Raises DeskError if it cannot be written; no part of it is left behind.
    """
    try:
        if str(path) == STDOUT:
            print_json(value, indent=1)
        elif path is not None:
            keep_text(Path(path), json_text.dump(value, indent=1) + "\n")
    except BrokenPipeError:
        raise  # the reader has closed the pipe
    except OSError as error:
        where = Sentence("the answer to standard output") if str(path) == STDOUT else path
        raise DeskError("cannot write {where}: {why}", where=where, why=sentence_of(error)) from error
