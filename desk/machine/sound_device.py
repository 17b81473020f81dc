"""Sound devices: how one is named on the command line, and which loudspeaker this machine has."""

from __future__ import annotations

import importlib

from recitation.sound.system_messages import quiet_stderr


def device_of(text: str | None) -> str | int | None:
    """Return a device as PortAudio wants it: its index where a number was given, its name, or the default."""
    return int(text) if text is not None and text.isdecimal() else text


def default_loudspeaker() -> str | None:
    """Return the name of the loudspeaker that is used unless another one is asked for; None without one."""
    try:
        with quiet_stderr():
            sounddevice = importlib.import_module("sounddevice")
            devices, usual = sounddevice.query_devices(), sounddevice.default.device[1]
    except OSError:  # PortAudio itself is not installed
        return None
    return str(devices[usual]["name"]) if 0 <= usual < len(devices) else None
