"""The cameras that are plugged into this machine."""

from __future__ import annotations

from pathlib import Path


def cameras() -> list[str]:
    """Return the video devices in order of their numbers; empty on systems that name them differently."""
    devices = Path("/dev").glob("video*")
    return [str(path) for path in sorted(devices, key=lambda path: (len(path.name), path.name))]
