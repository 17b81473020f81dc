"""The files of camera measurements, and the options of a source that follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from calibration.camera_record import keep, load_all, load_record
from desk.errors import DeskError
from desk.log.clocks import wall_clock
from desk.machine.config import data_path
from referee.complaint import sentence_of

PHONE = "phone"  # the name that stands for a phone's browser wherever a camera is named
PHONE_NAME = f"camera {PHONE}"


def records_folder() -> Path:
    """Return the folder of the cameras' records. It need not exist yet."""
    return data_path() / "cameras"


def record_of(camera: str) -> dict[str, Any]:
    """Return the measurements of a camera by their names; empty if there are none.

    Raises DeskError if the camera's file cannot be read.
    """
    try:
        return load_record(records_folder(), camera)
    except ValueError as error:
        raise DeskError(sentence_of(error)) from error


def every_record() -> list[dict[str, Any]]:
    """Return the records of all cameras; errors as in `record_of`."""
    try:
        return load_all(records_folder())
    except ValueError as error:
        raise DeskError(sentence_of(error)) from error


def kept_for(camera: str, name: str, figures: Mapping[str, Any]) -> Path:
    """Keep a measurement of a camera, named as a live source is; return the record's file.

    Raises DeskError if its record cannot be read or written.
    """
    from vision.sources.source_address import name_of  # with every kind of source

    try:
        return keep(records_folder(), name_of(camera), name, figures, wall_clock())
    except (ValueError, OSError) as error:
        raise DeskError(sentence_of(error)) from error


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
