"""The port of the page for drawing a table: JSON only."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol, TypedDict

from pydantic import BaseModel, ConfigDict, Field

from desk.panel.match.port import Caption


class TablePort(Protocol):
    """What the ports of all card games have in common."""

    def state(self) -> Any: ...  # `seq` counts its changes
    def listen(self, wake: Callable[[], None]) -> Callable[[], None]: ...  # until the result is called
    def preview(self) -> bytes | None: ...  # JPEG; None if there is none

    def health(self) -> dict[str, object]:
        """Return `fps` (None while no pictures come), `warnings` (texts), and maybe a `hindrance`."""
