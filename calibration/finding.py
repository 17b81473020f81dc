"""How one check of a machine or a camera came out, and what a person can do about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """How a check came out."""

    OK = "ok"
    WARN = "warn"
    """Something is not as good as it could be; shinpan works all the same."""
    FAIL = "fail"
    """shinpan cannot do its main job like this."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found.

    Attributes
    ----------
    name : what was checked.
    status : how it came out.
    found : what there is.
    advice : what to do about it; empty where nothing is to be done.
    """

    name: str
    status: Status
    found: str
    advice: str = ""
