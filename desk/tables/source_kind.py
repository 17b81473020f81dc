"""Where a match's pictures come from."""

from __future__ import annotations

from enum import StrEnum


class Source(StrEnum):
    """Where a match's pictures come from."""

    CAMERA = "camera"
    VIDEO = "video"
    SIMULATOR = "simulator"
