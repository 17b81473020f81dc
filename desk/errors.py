"""The errors that the desk reports without a traceback."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError


class DeskError(Exception):
    """An error that a user can mend: a file, an option or a device is not what the command needs.

    Its text says what was expected, what was found and what to do. The command line prints it as one line on
    stderr and exits with code 2.
    """


class EventLogError(DeskError):
    """A file cannot serve as a match log, or an event could not be made durable."""


def misfits(error: ValidationError) -> str:
    """Return where data from outside does not have the expected shape, and why, on one line."""
    return "; ".join(
        f"{'.'.join(str(step) for step in misfit['loc'])}: {misfit['msg']}" for misfit in error.errors()
    )
