"""What a page waits for, and what goes on where it waits in vain."""

from __future__ import annotations

from typing import NamedTuple

from desk.panel.words import Words


class Awaited(NamedTuple):
    """What is awaited."""

    text: str  # the sentence for everybody; empty where nothing is awaited
    offer: str = ""  # what whoever commands can do, with the name of the button; empty where nothing helps
    is_seen: bool = True  # whether the camera has to see it


def awaited_view(awaited: Awaited, said: Words, **values: object) -> dict[str, str | None]:
    """Return both sentences in one language; `values` fill their fields."""
    return {
        "awaits": said(awaited.text, **values) if awaited.text else None,
        "offer": said(awaited.offer, **values) if awaited.offer else None,
    }
