"""The cameras that are plugged into this machine."""

from __future__ import annotations

from pathlib import Path


def cameras() -> list[str]:
    """Return the video devices, the second before the tenth; none where a system names them otherwise."""
    devices = Path("/dev").glob("video*")
    return [str(path) for path in sorted(devices, key=lambda path: (len(path.name), path.name))]
