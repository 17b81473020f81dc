"""The errors that the desk reports without a traceback."""

from __future__ import annotations


class DeskError(Exception):
    """An error that a user can mend: a file, an option or a device is not what the command needs.

    Its text says what was expected, what was found and what to do. The command line prints it as one line on
    stderr and exits with code 2.
    """


class EventLogError(DeskError):
    """A file cannot serve as a match log, or an event could not be made durable."""
