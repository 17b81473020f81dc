"""The parameters of a simulation as words such as `seed=7 speed=2`."""

from collections.abc import Callable, Mapping
from typing import Any

from desk.errors import DeskError

_MOST_SPEED = 1000


def simulator_words(text: str, readers: Mapping[str, Callable[[str], Any]]) -> dict[str, Any]:
    """Return the values of words such as `seed=7 speed=2`, read by `readers`; DeskError if one is wrong."""
    values: dict[str, Any] = {}
    for word in text.split():
        name, _, value = word.partition("=")
        try:
            values[name] = readers[name](value)
        except (KeyError, ValueError):
            raise DeskError(
                "a simulation is named by {key}; got {word!r}",
                key=", ".join(f"{key}=..." for key in readers),
                word=word,
            ) from None
    if values.get("seed", 0) < 0 or not 0 < values.get("speed", 1.0) <= _MOST_SPEED:
        raise DeskError(
            "expected a seed of at least 0 and a speed above 0 and up to 1000, got {text!r}", text=text
        )
    return values
