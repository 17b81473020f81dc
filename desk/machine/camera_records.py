"""The cameras of this machine: their measurements, and the options of a source that follow from these."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from calibration.camera_record import keep, load_all, load_record
from desk.errors import DeskError
from desk.log.clocks import wall_clock
from desk.machine.config import data_path

PHONE = "phone"  # the name that stands for a phone's browser wherever a camera is named
PHONE_NAME = f"camera {PHONE}"


def records_folder() -> Path:
    return data_path() / "cameras"


def record_of(camera: str) -> dict[str, Any]:
    """Return the measurements of a camera by their names; empty if there are none.

    Raises DeskError if the camera's file cannot be read.
    """
    with DeskError.wrapping("", ValueError):
        return load_record(records_folder(), camera)


def every_record() -> list[dict[str, Any]]:
    with DeskError.wrapping("", ValueError):
        return load_all(records_folder())


def kept_for(camera: str, name: str, figures: Mapping[str, Any]) -> Path:
    """Keep a measurement of a camera, named as a live source is; return the record's file.

    Raises DeskError if its record cannot be read or written.
    """
    from vision.sources.source_address import name_of  # with every kind of source

    with DeskError.wrapping("", ValueError, OSError):
        return keep(records_folder(), name_of(camera), name, figures, wall_clock())


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
