"""The kinds of sources of a match's pictures."""

from enum import StrEnum


class Source(StrEnum):
    """The kind of the source of a match's pictures."""

    CAMERA = "camera"
    VIDEO = "video"
    SIMULATOR = "simulator"
