"""What the page on which a table is drawn asks of the desk: JSON only."""

from __future__ import annotations

from typing import Annotated, Literal, Protocol, TypedDict

from pydantic import BaseModel, ConfigDict, Field

Share = Annotated[float, Field(ge=0, le=1)]
Corner = tuple[Share, Share]
Millimetres = Annotated[float, Field(gt=-2000, lt=5000)]
Rectangle = tuple[Millimetres, Millimetres, Millimetres, Millimetres]
"""Left, top, right, bottom."""


class TableShown(TypedDict):
    """A table as the eye takes it.

    Attributes
    ----------
    size : width and height in millimetres.
    zones : rectangles by name; several of one name are one for each seat.
    corners : where the table's corners are in the picture, as shares of its width and height, clockwise from
        the upper left; None while they are not known.
    drawn : whether somebody has drawn the corners; otherwise markers show them.
    stored : whether this table is kept for the next game.
    """

    size: tuple[float, float]
    zones: dict[str, list[Rectangle]]
    corners: list[tuple[float, float]] | None
    drawn: bool
    stored: bool


class TableDrawn(BaseModel):
    """A table that somebody has drawn; `corners` is None where markers show them."""

    model_config = ConfigDict(extra="forbid")

    name: Literal["draw"]
    size: tuple[Annotated[float, Field(ge=100, le=5000)], Annotated[float, Field(ge=100, le=5000)]]
    zones: dict[str, list[Rectangle]]
    corners: tuple[Corner, Corner, Corner, Corner] | None


class DrawnTablePort(Protocol):
    """The table under the camera."""

    def table(self) -> TableShown:
        """Return the table as the eye takes it now."""

    def draw(self, drawn: TableDrawn) -> str | None:
        """Take another table from now on and keep it; return the id of a refusal, or None."""

    def forget(self) -> None:
        """Take the printed mat again."""

    def preview(self) -> bytes | None:
        """Return the latest picture of the table as JPEG, None where there is none."""
