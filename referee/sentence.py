"""Sentences for people that remember what they were made of, so that a page can say them in its language."""

from collections.abc import Mapping
from typing import Any, Self


class Sentence(str):
    """A complaint or a remark in English, which it is wherever it is printed."""

    __slots__ = ("text", "values")
    # text, values: the sentence with its `{fields}`, by which it is translated, and what fills them: values
    # or sentences. Text without values is said as it stands.
    text: str
    values: Mapping[str, Any]

    def __new__(cls, text: str = "", /, **values: object) -> Self:
        """Fill a text; a brace in one without values is a brace. A sentence stays what it is."""
        if isinstance(text, Sentence) and not values:
            values, text = dict(text.values), text.text
        said = super().__new__(cls, text.format(**values) if values else text)
        said.text, said.values = text, values
        return said

    def to_json(self) -> Any:
        """Return it as plain data, from which every language can be said."""
        return to_plain(self)

    @classmethod
    def from_json(cls, plain: Any) -> Self:
        """Return what `to_json` gave; a plain text is a sentence that is said as it stands."""
        return cls(plain) if isinstance(plain, str) else cls(plain["text"], **from_plain(plain["values"]))

    def replacing(self, old: str, new: str) -> Self:
        """Return it with a text exchanged wherever it stands in its values, such as the path of a copy."""
        if not self.values:
            return type(self)(self.text.replace(old, new))
        values = {
            key: value.replacing(old, new)
            if isinstance(value, Sentence)
            else str(value).replace(old, new)
            if old in str(value)
            else value
            for key, value in self.values.items()
        }
        return type(self)(self.text, **values)


class SentenceError(Exception):
    """An error whose text is a sentence, made of a text with its `{fields}` and of what fills them."""

    def __init__(self, text: str, /, **values: object) -> None:
        super().__init__(Sentence(text, **values))


def to_plain(value: Any) -> Any:
    """Return a value of JSON in which sentences are plain data, from which `from_plain` makes them again."""
    if isinstance(value, Sentence):
        return {"text": value.text, "values": to_plain(value.values)}
    if isinstance(value, Mapping):
        return {key: to_plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain(inner) for inner in value]
    return value if isinstance(value, int | float | str | None) else str(value)


def from_plain(plain: Any) -> Any:
    """Return what `to_plain` gave; a plain text is no sentence."""
    if isinstance(plain, dict):
        inner = {key: from_plain(value) for key, value in plain.items()}
        return Sentence(inner["text"], **inner["values"]) if plain.keys() == {"text", "values"} else inner
    return [from_plain(value) for value in plain] if isinstance(plain, list) else plain
