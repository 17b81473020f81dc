"""Sound devices: their names on the command line, and this machine's default loudspeaker."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.files import json_text
from calibration.files.storage import keep_text
from calibration.files.text import read_text
from desk.errors import DeskError
from desk.machine.config import data_path
from recitation.playback.lasting_stream import quiet_stderr
from referee.sentence import Sentence


def device_of(text: str | None) -> str | int | None:
    """Return a device for PortAudio: an index if the text is a number, a name, or None for the default."""
    return int(text) if text is not None and text.isdecimal() else text


def default_loudspeaker() -> str | None:
    try:
        with quiet_stderr():
            sounddevice = importlib.import_module("sounddevice")
            devices, usual = sounddevice.query_devices(), sounddevice.default.device[1]
    except OSError:  # PortAudio itself is not installed
        return None
    return str(devices[usual]["name"]) if 0 <= usual < len(devices) else None


if TYPE_CHECKING:
    from recitation.playback.stream_clock import Latency


def latencies_path() -> Path:
    """Return the file of the latencies, which need not exist yet."""
    return data_path() / "sound-latencies.json"


def read_latencies(path: Path) -> dict[str, Latency]:
    """Return the latencies by device name; empty if nothing was measured yet.

    Raises DeskError if the file was not written by `keep_latency`.
    """
    if not path.exists():
        return {}
    with DeskError.wrapping(
        "{path} does not hold latencies ({why}); delete it and run shinpan recite --calibrate",
        ValueError,
        TypeError,
        AttributeError,
        path=path,
    ):
        kept = json_text.parse(read_text(path))
        return {str(name): _latency(values) for name, values in kept.items()}


def _latency(values: Mapping[str, object]) -> Latency:
    from recitation.playback.stream_clock import Latency

    latency = Latency(**values)  # type: ignore[arg-type]
    if not all(type(value) is int for value in asdict(latency).values()):
        raise TypeError(Sentence("expected whole numbers"))
    return latency


def keep_latency(path: Path, device: str, latency: Latency) -> None:
    """Store a device's latency in place of an earlier one."""
    kept: Mapping[str, Latency] = read_latencies(path) | {device: latency}
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {name: asdict(values) for name, values in kept.items()}
    keep_text(path, json_text.dump(content, indent=1) + "\n")
