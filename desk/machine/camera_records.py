"""The cameras of this machine: one JSON file of dated measurements for each, and what follows from these."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from calibration.files import json_text
from calibration.files.folders import listed
from calibration.files.storage import keep_text
from calibration.files.text import read_text
from desk.errors import DeskError
from desk.log.clocks import wall_clock
from desk.machine.config import data_path

PHONE = "phone"  # the name that stands for a phone's browser wherever a camera is named
PHONE_NAME = f"camera {PHONE}"
FORMAT = 1
_UNIT = re.compile(r"_(ns|ms|s|px|mm|m|fps|hz|rad|share)$")
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def records_folder() -> Path:
    return data_path() / "cameras"


def record_of(camera: str) -> dict[str, Any]:
    """Return the measurements of a camera by their names; empty if there are none.

    Raises DeskError if the camera's file cannot be read.
    """
    path = _path_of(camera)
    return dict(_read(path)["measured"]) if path.is_file() else {}


def every_record() -> list[dict[str, Any]]:
    """Return every camera's record, each with `camera` and `measured`; errors as `record_of`."""
    return [_read(path) for path in listed(records_folder(), "*.json")]


def keep(camera: str, name: str, figures: Mapping[str, Any]) -> Path:
    """Keep a measurement of a camera, in place of an earlier one of the same name; return the record's file.

    `name`: what was measured, such as `lens`. `figures`: with units in their names. Raises DeskError if the
    record cannot be read, OSError if it cannot be written.
    """
    path = _path_of(camera)
    measured = record_of(camera) | {name: {"date": wall_clock(), **figures}}
    path.parent.mkdir(parents=True, exist_ok=True)
    keep_text(path, json_text.dump({"format": FORMAT, "camera": camera, "measured": measured}, indent=1))
    return path


def kept_for(camera: str, name: str, figures: Mapping[str, Any]) -> Path:
    """Keep a measurement of a camera, named as a live source is; DeskError where `keep` fails."""
    from vision.sources.source_address import name_of  # with every kind of source

    with DeskError.wrapping("", ValueError, OSError):
        return keep(name_of(camera), name, figures)


def live_options(camera: str) -> dict[str, Any]:
    """Return the options of `open_source` that follow from the measurements of a live camera."""
    latency = record_of(camera).get("latency", {})
    return {"latency_ns": round(latency["mean_ns"])} if "mean_ns" in latency else {}


def latency_unc_ns(camera: str) -> int:
    """Return the 95 % half width of a camera's latency, 0 if it was not measured.

    It is never 0 for a phone, whose browser tells when a picture arrived, not when it was exposed.
    """
    unmeasured_ns = 60_000_000 if camera == PHONE_NAME else 0  # as for a phone's films
    return round(float(record_of(camera).get("latency", {}).get("unc_ns", unmeasured_ns)))


def cameras() -> list[str]:
    """Return the video devices in order of their numbers; empty on systems that name them differently."""
    devices = Path("/dev").glob("video*")
    return [str(path) for path in sorted(devices, key=lambda path: (len(path.name), path.name))]


def _path_of(camera: str) -> Path:
    name = _UNSAFE.sub("-", camera).strip("-") or "camera"
    return records_folder() / f"{name}.json"


def _read(path: Path) -> dict[str, Any]:
    with DeskError.wrapping(
        "{path} is not JSON: {why}; remove it and calibrate again", ValueError, path=path
    ):
        record = json_text.parse(read_text(path))
    if not isinstance(record, dict) or record.get("format") != FORMAT or "camera" not in record:
        raise DeskError(
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
        raise DeskError("{path} holds no measurements of a camera; remove it and calibrate again", path=path)
    return record


def _is_number(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(_is_number, value))
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))
