"""The ports of card tables: a running game, and the page for drawing its table (JSON only)."""

from collections.abc import Callable
from typing import Annotated, Any, Literal, Protocol, TypedDict

from pydantic import BaseModel, ConfigDict, Field

Share = Annotated[float, Field(ge=0, le=1)]
Corner = tuple[Share, Share]
Millimetres = Annotated[float, Field(gt=-2000, lt=5000)]
Rectangle = tuple[Millimetres, Millimetres, Millimetres, Millimetres]  # left, top, right, bottom


class TablePort(Protocol):
    """What the ports of all card games have in common."""

    def state(self) -> Any: ...  # `seq` counts its changes
    def listen(self, wake: Callable[[], None]) -> Callable[[], None]: ...  # until the result is called
    def preview(self) -> bytes | None: ...  # JPEG; None if there is none
    def health(self) -> dict[str, object]:
        """Return `fps` (None while no pictures come), `warnings` (texts), and maybe a `hindrance`."""


class TableShown(TypedDict):
    """The table that the eye uses."""

    size: tuple[float, float]  # width and height in millimetres
    zones: dict[str, list[Rectangle]]  # rectangles by name; zones that share a name belong to one seat each
    # the table's corners in the picture, as fractions of its width and height, clockwise from the upper left;
    # None while they are not known
    corners: list[tuple[float, float]] | None
    drawn: bool  # whether somebody has drawn the corners; otherwise markers show them
    stored: bool  # whether this table is stored for the next game


class TableDrawn(BaseModel):
    """A table that somebody has drawn; `corners` is None if markers show them."""

    model_config = ConfigDict(extra="forbid")

    name: Literal["draw"]
    size: tuple[Annotated[float, Field(ge=100, le=5000)], Annotated[float, Field(ge=100, le=5000)]]
    zones: dict[str, list[Rectangle]]
    corners: tuple[Corner, Corner, Corner, Corner] | None


class DrawnTablePort(Protocol):
    """The table under the camera."""

    def table(self) -> TableShown: ...
    def draw(self, drawn: TableDrawn) -> str | None: ...  # stores it; the id of a refusal, or None
    def forget(self) -> None: ...  # goes back to the printed mat
    def preview(self) -> bytes | None: ...  # JPEG; None if there is none
