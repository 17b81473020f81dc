"""What the enrolment page asks of the desk. Everything that passes is JSON or the bytes of a picture."""

from __future__ import annotations

from typing import Protocol, TypedDict


class EnrolShown(TypedDict):
    """A deck in the making.

    Attributes
    ----------
    game, name : what is enrolled.
    cards : every card of the deck with its names and whether it was taken.
    asked_for : ids to lay down next, from left to right.
    kept : where the finished deck was kept, None before.
    """

    game: str
    name: str
    cards: list[dict[str, object]]
    asked_for: list[str]
    kept: str | None


class EnrolAnswer(TypedDict):
    """What became of a command: `refused` is an id or None, `details` say more."""

    refused: str | None
    found: int
    details: list[str]


class EnrolPort(Protocol):
    """A running enrolment."""

    def state(self) -> EnrolShown:
        """Return the deck as it stands."""

    def take(self) -> EnrolAnswer:
        """Take the cards that lie before the camera now."""

    def undo(self) -> EnrolAnswer:
        """Ask for the latest pile again."""

    def keep(self) -> EnrolAnswer:
        """Make the deck and keep it."""

    def thumbnail(self, card: str) -> bytes | None:
        """Return a small picture of a card that was taken, as JPEG."""

    def preview(self) -> bytes | None:
        """Return the latest picture of the camera as JPEG, None before the first."""
