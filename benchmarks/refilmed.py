"""Recordings written anew with other pictures: another tone curve, another size, fewer of them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

_KEPT = "reading.jsonl", "truth.json"


def refilmed(folder: Path, target: Path, picture: str = "null", every: int = 1) -> Path:
    """Write the recordings in `folder` anew into `target` as MJPEG, and return that.

    Parameters
    ----------
    folder, target : where they are, and where they shall be.
    picture : what ffmpeg does with each picture, e.g. "lutyuv=y=gammaval(1.4)" or "scale=640:360:flags=area".
    every : only every so manieth picture is kept.
    """
    for recording in sorted(path.parent for path in folder.glob("*/truth.json")):
        place = target / recording.name
        place.mkdir(parents=True)
        for name in _KEPT:
            shutil.copy(recording / name, place)
        told = (recording / "recording.toml").read_text("utf-8")
        told = re.sub(r"(?m)^fps = (\d+)", lambda found: f"fps = {int(found[1]) // every}", told)
        (place / "recording.toml").write_text(told, "utf-8")
        filters = f"select=not(mod(n\\,{every})),{picture}"
        # the pictures' own instants, in milliseconds, whatever rate the film claims
        times = ["-fps_mode", "passthrough", "-enc_time_base", "1:1000"]
        command = ["ffmpeg", "-v", "error", "-i", str(recording / "video.mkv"), "-vf", filters]
        subprocess.run([*command, "-c:v", "mjpeg", "-q:v", "3", *times, str(place / "video.mkv")], check=True)
    return target
