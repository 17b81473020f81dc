"""What the desk says instead of a traceback."""

from __future__ import annotations


class DeskError(Exception):
    """An error that a user can mend: a file, an option or a device is not what the command needs.

    Its text says what was expected, what came and what to do. The command line prints it as one line on
    stderr and leaves with exit code 2.
    """


class EventLogError(DeskError):
    """A file cannot serve as a match log, or an event could not be made durable."""
