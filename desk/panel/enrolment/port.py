"""The port of the enrolment page: JSON, and the bytes of pictures."""

from typing import Protocol, TypedDict


class EnrolShown(TypedDict):
    """The state of an enrolment."""

    game: str
    name: str
    cards: list[dict[str, object]]  # every card of the deck with its names, and whether it is enrolled
    asked_for: list[str]  # ids of the cards to lay down next, from left to right
    kept: str | None  # path of the stored deck, None before


class EnrolAnswer(TypedDict):
    """The result of a command: `refused` is an id or None, `details` say more."""

    refused: str | None
    found: int
    details: list[str]


class EnrolPort(Protocol):
    """A running enrolment."""

    def state(self) -> EnrolShown: ...
    def take(self) -> EnrolAnswer: ...
    def undo(self) -> EnrolAnswer: ...  # asks for the latest pile again
    def keep(self) -> EnrolAnswer: ...  # builds the deck and stores it
    def thumbnail(self, card: str) -> bytes | None: ...  # JPEG; None for a card that is not enrolled
    def preview(self) -> bytes | None: ...  # JPEG; None before the first picture
