"""Sentences for people that remember what they were made of, so that a page can say them in its language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self


class Sentence(str):
    """A complaint or a remark in English, which it is wherever it is printed.

    Attributes
    ----------
    text, values : the sentence with its `{fields}`, by which it is translated, and what fills them: values or
        sentences. Text without values is said as it stands.
    """

    __slots__ = ("text", "values")
    text: str
    values: Mapping[str, Any]

    def __new__(cls, text: str = "", /, **values: object) -> Self:
        """Fill a text; a brace in one without values is a brace."""
        said = super().__new__(cls, text.format(**values) if values else text)
        said.text, said.values = text, values
        return said

    def to_json(self) -> Any:
        """Return it as plain data, from which every language can be said."""
        return {"text": self.text, "values": {key: _plain(value) for key, value in self.values.items()}}

    @classmethod
    def from_json(cls, plain: Any) -> Self:
        """Return what `to_json` gave; a plain text is a sentence that is said as it stands."""
        if isinstance(plain, str):
            return cls(plain)
        values = {
            key: cls.from_json(value) if isinstance(value, dict) else value
            for key, value in plain["values"].items()
        }
        return cls(plain["text"], **values)


def sentence_of(error: BaseException) -> Sentence:
    """Return what an error says, or what caused it, where that is a sentence; else its plain text."""
    cause: BaseException | None = error
    while cause is not None:
        if cause.args and isinstance(cause.args[0], Sentence):
            return cause.args[0]
        cause = cause.__cause__
    return Sentence(str(error))


def _plain(value: object) -> object:
    if isinstance(value, Sentence):
        return value.to_json()
    return value if isinstance(value, int | float | str) else str(value)
