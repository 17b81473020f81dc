"""Evidence: a ring of the latest frames, and bundles cut from it that prove a ruling.

A bundle is one ZIP file (stored, not compressed) with `manifest.json`, one JPEG per frame, and the sound of
the same seconds if there was any. Its name is the SHA-256 of its own bytes, so an altered copy no longer
matches its name. If the camera delivered JPEG, the bundle keeps the camera's own bytes: nothing is encoded
twice.
"""

import hashlib
import io
import json
import zipfile
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from calibration.files.storage import keep_bytes, leave_room
from vision.frames.frame import Frame, Gray

MANIFEST = "manifest.json"
SOUND = "sound.flac"


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """A frame in the ring: the camera's own JPEG bytes if it sent any, else the gray picture."""

    # t_ns, t_unc_ns, index: as in `Frame`
    t_ns: int
    t_unc_ns: int
    index: int
    picture: bytes | Gray  # JPEG bytes, or shape (height, width) uint8

    @property
    def size_bytes(self) -> int:
        """Memory that the picture takes."""
        return len(self.picture) if isinstance(self.picture, bytes) else self.picture.nbytes

    def jpeg(self) -> bytes:
        """Return the camera's own bytes, or encode the picture if it sent none."""
        if isinstance(self.picture, bytes):
            return self.picture
        jpeg_quality = 90
        done, data = cv2.imencode(".jpg", self.picture, [cv2.IMWRITE_JPEG_QUALITY, jpeg_quality])
        if not done:
            raise RuntimeError(
                f"frame {self.index} of shape {self.picture.shape} could not be encoded as JPEG"
            )
        return data.tobytes()


@dataclass(frozen=True, slots=True, eq=False)
class KeptSound:
    """The sound beside some frames."""

    # t_ns, t_unc_ns: instant of its first sample on the clock of the frames, and the 95 % half width
    t_ns: int
    t_unc_ns: int
    data: bytes  # a FLAC file, mono


@dataclass
class EvidenceRing:
    """The latest frames, bounded by time and by memory.

    If the camera sends JPEG, only its bytes are kept: a tenth of the decoded picture's memory.
    """

    span_ns: int = 4_000_000_000  # frames this much older than the newest one are forgotten
    # the oldest frames are forgotten earlier if the pictures would take more memory than this
    limit_bytes: int = 256 * 2**20
    sound: KeptSound | None = None  # the sound of frames that were cut out, None without any

    def __post_init__(self) -> None:
        if self.span_ns <= 0 or self.limit_bytes <= 0:
            raise ValueError(
                f"span_ns and limit_bytes must be positive, got {self.span_ns} and {self.limit_bytes}"
            )
        self._frames: deque[Kept] = deque()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._frames)

    def append(self, frame: Frame | Kept) -> None:
        """Remember `frame`, and forget frames that are too old or too many. Nothing is copied or encoded."""
        kept = frame if isinstance(frame, Kept) else _kept(frame)
        self._frames.append(kept)
        self._bytes += kept.size_bytes
        while kept.t_ns - self._frames[0].t_ns > self.span_ns:
            self._bytes -= self._frames.popleft().size_bytes
        while self._bytes > self.limit_bytes and len(self._frames) > 1:
            self._bytes -= self._frames.popleft().size_bytes

    def between(self, t_from_ns: int, t_to_ns: int) -> Iterator[Kept]:
        """Iterate over the remembered frames of an interval, oldest first (both ends included)."""
        return (frame for frame in self._frames if t_from_ns <= frame.t_ns <= t_to_ns)


@dataclass(frozen=True, slots=True)
class Bundle:
    """The frames of an interval, encoded, with what the officials should look at."""

    name: str  # SHA-256 of `data`, 64 hexadecimal digits
    data: bytes
    # the parsed `manifest.json`: `format`, `marks`, and `frames`, each with `file`, `t_ns`, `t_unc_ns`,
    # `index` and `sha256`; with sound also `sound`, which has `file`, `t_ns`, `t_unc_ns` and `sha256`
    manifest: Mapping[str, Any]

    def write(self, folder: Path) -> Path:
        """Write the bundle durably into `folder` as `<name>.zip` and return its path.

        Raises OSError if it cannot be written, or would take the space that is left to logs.
        """
        leave_room(folder)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.name}.zip"
        keep_bytes(path, self.data)
        return path


def cut(ring: EvidenceRing, t_from_ns: int, t_to_ns: int, marks: Mapping[str, Any]) -> Bundle:
    """Cut the frames of an interval out of the ring.

    `t_from_ns`, `t_to_ns`: the interval on the source's clock, both ends included. `marks`: JSON-able notes
    for the replay, such as each touch's card, player, `t_ns` and `t_unc_ns`.
    """
    frames = []
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as file:
        # a bundle's bytes depend on its frames and marks alone, not on when it was written
        zip_epoch = (1980, 1, 1, 0, 0, 0)
        for number, frame in enumerate(ring.between(t_from_ns, t_to_ns)):
            jpeg = frame.jpeg()
            name = f"{number:04d}.jpg"
            file.writestr(zipfile.ZipInfo(name, zip_epoch), jpeg)
            frames.append(
                {
                    "file": name,
                    "t_ns": frame.t_ns,
                    "t_unc_ns": frame.t_unc_ns,
                    "index": frame.index,
                    "sha256": hashlib.sha256(jpeg).hexdigest(),
                }
            )
        format_version = 1
        manifest = {"format": format_version, "marks": dict(marks), "frames": frames}
        if ring.sound is not None and frames:
            sound = ring.sound
            file.writestr(zipfile.ZipInfo(SOUND, zip_epoch), sound.data)
            manifest["sound"] = {
                "file": SOUND,
                "t_ns": sound.t_ns,
                "t_unc_ns": sound.t_unc_ns,
                "sha256": hashlib.sha256(sound.data).hexdigest(),
            }
        text = json.dumps(manifest, ensure_ascii=False, indent=1)
        file.writestr(zipfile.ZipInfo(MANIFEST, zip_epoch), text)
    data = archive.getvalue()
    return Bundle(hashlib.sha256(data).hexdigest(), data, manifest)


def _kept(frame: Frame) -> Kept:
    picture = frame.gray if frame.jpeg is None else frame.jpeg
    return Kept(frame.t_ns, frame.t_unc_ns, frame.index, picture)
