"""Strict JSON: no name twice, no NaN, no endless nesting."""

import json
import math
from typing import Any, NoReturn

from referee.sentence import Sentence


def parse(text: str | bytes) -> Any:
    """Return the value of a JSON text.

    Raises ValueError if it is no JSON, names a key twice, or holds NaN or an infinity; the message says what
    and where.
    """
    try:
        return json.loads(
            text, object_pairs_hook=_object, parse_constant=_no_number, parse_float=_finite_number
        )
    except RecursionError as error:
        raise ValueError(Sentence("it is nested too deeply")) from error


def dump(value: object, *, indent: int | None = None) -> str:
    """Return a value as JSON text, in one line or indented, without a line end; strings stay readable.

    What Unicode text cannot hold (half of a surrogate pair, an undecodable byte of a file's name) is escaped,
    so the text can always be encoded. NaN and infinities, which JSON does not know, become null.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(value), ensure_ascii=False, indent=indent)
    # for a lone surrogate, Python's backslash escape is also JSON's
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(Sentence("{name!r} appears twice", name=twice))
    return value


def _finite_number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(Sentence("{text} is too large a number", text=text))
    return value


def _no_number(text: str) -> NoReturn:
    raise ValueError(Sentence("{text} is not a number", text=text))
