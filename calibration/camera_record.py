"""What was measured of a camera, kept by its name: one JSON file each, with the date of every measurement."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FORMAT = 1
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def record_path(folder: Path, camera: str) -> Path:
    """Return the file of a camera's record; it need not exist."""
    name = _UNSAFE.sub("-", camera).strip("-") or "camera"
    return folder / f"{name}.json"


def load_record(folder: Path, camera: str) -> dict[str, Any]:
    """Return what was measured of a camera, by the name of the measurement; empty where nothing was.

    Raises
    ------
    ValueError
        Where the file cannot be read as a record; the text names it.
    """
    path = record_path(folder, camera)
    if not path.is_file():
        return {}
    try:
        record = json.loads(path.read_text("utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is no JSON: {error}; remove it and calibrate again") from error
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise ValueError(f"{path} is no calibration of format {FORMAT}; remove it and calibrate again")
    measured = record.get("measured", {})
    return dict(measured) if isinstance(measured, dict) else {}


def keep(folder: Path, camera: str, name: str, values: Mapping[str, Any], wall: str) -> Path:
    """Add a measurement to a camera's record, in place of an earlier one of that name.

    Parameters
    ----------
    folder : of all records; made where it does not exist.
    camera : the camera's name.
    name : what was measured, such as `lens`.
    values : JSON-able figures with units in their names.
    wall : when it was measured, ISO 8601.
    """
    folder.mkdir(parents=True, exist_ok=True)
    measured = load_record(folder, camera)
    measured[name] = {"date": wall, **values}
    path = record_path(folder, camera)
    partial = path.with_suffix(".partial")
    with partial.open("w", encoding="utf-8") as file:
        json.dump(
            {"format": FORMAT, "camera": camera, "measured": measured}, file, indent=1, ensure_ascii=False
        )
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
    return path
