"""Measurements of each camera, dated: one JSON file per camera, named after it."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from calibration.files import json_text
from calibration.files.folders import listed
from calibration.files.storage import keep_text
from calibration.files.text import read_text
from referee.complaint import sentence_of
from referee.sentence import SentenceError

FORMAT = 1
_UNIT = re.compile(r"_(ns|ms|s|px|mm|m|fps|hz|rad|share)$")
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


class CameraRecordError(SentenceError, ValueError):
    """A record cannot be read; the text names its file and says what to do."""


def record_path(folder: Path, camera: str) -> Path:
    """Return the file of a camera's record; it need not exist."""
    name = _UNSAFE.sub("-", camera).strip("-") or "camera"
    return folder / f"{name}.json"


def load_record(folder: Path, camera: str) -> dict[str, Any]:
    """Return what was measured of a camera, by the measurement's name; empty if nothing was.

    Raises CameraRecordError if the file cannot be read as a record.
    """
    path = record_path(folder, camera)
    return dict(_read(path)["measured"]) if path.is_file() else {}


def load_all(folder: Path) -> list[dict[str, Any]]:
    """Return every camera's record, each with `camera` and `measured`; errors as `load_record`."""
    return [_read(path) for path in listed(folder, "*.json")]


def keep(folder: Path, camera: str, name: str, values: Mapping[str, Any], wall: str) -> Path:
    """Add a measurement to a camera's record, in place of an earlier one of the same name.

    `name`: what was measured, such as `lens`. `values`: figures with units in their names. `wall`: when, ISO
    8601.
    """
    folder.mkdir(parents=True, exist_ok=True)
    measured = load_record(folder, camera)
    measured[name] = {"date": wall, **values}
    path = record_path(folder, camera)
    keep_text(path, json_text.dump({"format": FORMAT, "camera": camera, "measured": measured}, indent=1))
    return path


def _read(path: Path) -> dict[str, Any]:
    try:
        record = json_text.parse(read_text(path))
    except ValueError as error:
        raise CameraRecordError(
            "{path} is not JSON: {why}; remove it and calibrate again", path=path, why=sentence_of(error)
        ) from error
    if not isinstance(record, dict) or record.get("format") != FORMAT or "camera" not in record:
        raise CameraRecordError(
            "{path} is not a calibration of format {format}; remove it and calibrate again",
            path=path,
            format=FORMAT,
        )
    measured = record.get("measured")
    # dated figures: every value whose name has a unit is a number or several
    if not isinstance(measured, dict) or not all(
        isinstance(values, dict)
        and isinstance(values.get("date"), str)
        and all(_is_number(value) for name, value in values.items() if _UNIT.search(name))
        for values in measured.values()
    ):
        raise CameraRecordError(
            "{path} holds no measurements of a camera; remove it and calibrate again", path=path
        )
    return record


def _is_number(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(_is_number, value))
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))
