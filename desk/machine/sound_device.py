"""How a sound device is named on the command line."""

from __future__ import annotations


def device_of(text: str | None) -> str | int | None:
    """Return a device as PortAudio wants it: its index where a number was given, its name, or the default."""
    return int(text) if text is not None and text.isdecimal() else text
