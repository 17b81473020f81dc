"""Sound devices: their names on the command line, and this machine's default loudspeaker."""

from __future__ import annotations

import importlib

from recitation.sound.system_messages import quiet_stderr


def device_of(text: str | None) -> str | int | None:
    """Return a device for PortAudio: an index if the text is a number, a name, or None for the default."""
    return int(text) if text is not None and text.isdecimal() else text


def default_loudspeaker() -> str | None:
    """Return the name of the default loudspeaker; None if there is none."""
    try:
        with quiet_stderr():
            sounddevice = importlib.import_module("sounddevice")
            devices, usual = sounddevice.query_devices(), sounddevice.default.device[1]
    except OSError:  # PortAudio itself is not installed
        return None
    return str(devices[usual]["name"]) if 0 <= usual < len(devices) else None
