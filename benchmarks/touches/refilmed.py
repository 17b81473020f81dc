"""Recordings written anew with other pictures: another tone curve, another size, fewer, or turned round."""

import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_OTHER = {"near": "far", "far": "near", None: None}


MJPEG = ("-c:v", "mjpeg", "-q:v", "3")
"""How pictures are written unless somebody asks how they look otherwise: nearly as they were."""


def refilmed(
    folder: Path, target: Path, picture: str = "null", every: int = 1, *, turned: bool = False
) -> Path:
    """Write the recordings in `folder` anew into `target`, each as `refilm` does, and return that."""
    for recording in sorted(path.parent for path in folder.glob("*/truth.json")):
        refilm(recording, target / recording.name, picture, every, turned=turned)
    return target


def refilm(
    recording: Path,
    place: Path,
    picture: str = "null",
    every: int = 1,
    *,
    turned: bool = False,
    codec: Sequence[str] = MJPEG,
) -> None:
    """Write a recording anew, with its truth.

    Parameters
    ----------
    recording, place : where it is, and the folder that shall be made for it.
    picture : what ffmpeg does with each picture, e.g. "lutyuv=y=gammaval(1.4)" or "scale=640:360:flags=area".
    every : only every n-th picture is kept.
    turned : by half a turn, so that the players have changed seats; a shutter's rows then run upwards.
    codec : ffmpeg's words for how pictures are written.
    """
    place.mkdir(parents=True)
    shutil.copy(recording / "reading.jsonl", place)
    truth = json.loads((recording / "truth.json").read_text("utf-8"))
    truth = seats_changed(truth) if turned else truth
    (place / "truth.json").write_text(json.dumps(truth, ensure_ascii=False), "utf-8")
    told = (recording / "recording.toml").read_text("utf-8")
    told = re.sub(r"(?m)^fps = (\d+)", lambda found: f"fps = {int(found[1]) // every}", told)
    (place / "recording.toml").write_text(told, "utf-8")
    filters = f"select=not(mod(n\\,{every})),{picture}{',hflip,vflip' if turned else ''}"
    # the pictures' own instants, in milliseconds, whatever rate the film claims
    times = ["-fps_mode", "passthrough", "-enc_time_base", "1:1000"]
    command = ["ffmpeg", "-v", "error", "-i", str(recording / "video.mkv"), "-vf", filters]
    subprocess.run([*command, *codec, *times, str(place / "video.mkv")], check=True)


def seats_changed(truth: Any) -> Any:
    """Return a truth as it is when the table is looked at from its other side; what `meta` says stays."""
    match truth:
        case dict():
            return {_OTHER.get(key, key): _seen_across(key, value) for key, value in truth.items()}
        case list():
            return [seats_changed(one) for one in truth]
        case _:
            return truth


def _seen_across(key: str, value: Any) -> Any:
    match key:
        case "meta":
            return value
        case "x_mm" | "y_mm":
            return -value
        case "side" | "player" | "taken_by":
            return _OTHER[value]
        case _:
            return seats_changed(value)
