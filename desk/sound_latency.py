"""Where the measured latencies of sound devices are kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from desk.config import data_folder
from desk.errors import DeskError

if TYPE_CHECKING:
    from recitation.latency import Latency


def latencies_path() -> Path:
    """Return the file of the latencies, which need not exist yet."""
    return data_folder() / "sound-latencies.json"


def read_latencies(path: Path) -> dict[str, Latency]:
    """Return the latencies by device name; none where nothing was measured yet.

    Raises
    ------
    DeskError
        Where the file is not what `keep_latency` writes.
    """
    from recitation.latency import Latency

    if not path.exists():
        return {}
    try:
        kept = json.loads(path.read_text("utf-8"))
        return {str(name): Latency(**values) for name, values in kept.items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise DeskError(
            f"{path} does not hold latencies ({error}); delete it and run shinpan recite --calibrate"
        ) from error


def keep_latency(path: Path, device: str, latency: Latency) -> None:
    """Keep a device's latency; an earlier one of the same device is replaced."""
    kept: Mapping[str, Latency] = read_latencies(path) | {device: latency}
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    content = {name: asdict(values) for name, values in kept.items()}
    unfinished.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", "utf-8")
    unfinished.replace(path)
