"""The result of one check of a machine or a camera, and what a person can do about it."""

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """Grade of a check."""

    OK = "ok"
    WARN = "warn"  # something is not as good as it could be; shinpan still works
    FAIL = "fail"  # shinpan cannot do its main job like this


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    name: str  # of the check; empty until who runs all checks gives it
    status: Status
    found: str
    advice: str = ""  # what to do about it; empty if nothing is to be done


def ok(found: str) -> Finding:
    return Finding("", Status.OK, found)


def warn(found: str, advice: str) -> Finding:
    return Finding("", Status.WARN, found, advice)


def fail(found: str, advice: str) -> Finding:
    return Finding("", Status.FAIL, found, advice)
