"""One JSON object per line: checked access, and complaints that name the line."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from desk.errors import DeskError


class Line:
    """One JSON object of the input, which names itself in every complaint.

    Parameters
    ----------
    number : of the line, from 0.
    text : the line.
    """

    def __init__(self, number: int, text: str) -> None:
        self.number = number
        try:
            self._value: Any = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise self.error(f"not valid JSON: {error}") from error
        if not isinstance(self._value, dict):
            raise self.error(f"expected an object, got {text.strip()}")

    def error(self, text: str) -> DeskError:
        """Return a complaint that names the line."""
        return DeskError(f"line {self.number}: {text}")

    def has(self, key: str) -> bool:
        """Tell whether the key is there and not null."""
        return self._value.get(key) is not None

    def number_of(self, key: str, default: int | None = None) -> int:
        """Return the whole number at `key`, or `default` where it is left out."""
        value = self._value.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self.error(f"{key!r} must be a whole number from 0 on, got {value!r}")
        return value

    def word(self, key: str, choices: Iterable[str]) -> str:
        """Return the word at `key`, one of `choices`."""
        value = self._value.get(key)
        if value not in choices:
            raise self.error(f"{key!r} must be one of {', '.join(choices)}, got {value!r}")
        return str(value)

    def items(self, key: str, what: str) -> list[Any]:
        """Return the list at `key`; one that is null or left out is empty. `what` says of what it is."""
        value = self._value[key] if self.has(key) else []
        if not isinstance(value, list):
            raise self.error(f"{key!r} must be a list of {what}, got {value!r}")
        return value


L = TypeVar("L", bound=Line)


def lines_of(stream: Iterable[str], kind: type[L]) -> Iterator[L]:
    """Iterate over the JSON objects of a text stream; empty lines are skipped and not counted."""
    texts = (text for text in stream if text.strip())
    for number, text in enumerate(texts):
        yield kind(number, text)


def read_lines(path: str, kind: type[L]) -> Iterator[L]:
    """Iterate over the JSON objects of a file; `-` is standard input."""
    text = sys.stdin.read() if path == "-" else Path(path).read_text("utf-8-sig")
    return lines_of(text.splitlines(), kind)


def write_json(path: str, value: object) -> None:
    """Write one JSON document to a file; `-` is standard output.

    Raises
    ------
    DeskError
        Where it cannot be written.
    """
    text = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
    try:
        if path == "-":
            sys.stdout.write(text)
            sys.stdout.flush()
        else:
            Path(path).write_text(text, "utf-8")
    except BrokenPipeError:
        raise  # whoever read it has enough
    except OSError as error:
        where = "the answer to standard output" if path == "-" else path
        raise DeskError(f"cannot write {where}: {error.strerror}") from error


def check_writable(path: Path | None) -> None:
    """Raise DeskError where no file can be written there, before hours of work are lost."""
    if path is None:
        return
    if path.is_dir():
        raise DeskError(f"--json {path} is a folder: name the file to write in it")
    if not path.parent.is_dir():
        raise DeskError(f"--json {path} cannot be written: there is no folder {path.parent}, create it first")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise DeskError(f"--json {path} cannot be written: choose a folder that you may write to")
