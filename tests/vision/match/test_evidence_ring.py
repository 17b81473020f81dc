"""Evidence: what the ring remembers, and bundles that prove themselves."""

import errno
import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.files import storage
from vision.frames.frame import Frame
from vision.match.evidence_ring import MANIFEST, Bundle, EvidenceRing, cut


def frame(index: int, *, jpeg: bytes | None = None) -> Frame:
    gray = np.full((36, 64), index % 256, np.uint8)
    return Frame(gray, t_ns=index * 10_000_000, t_unc_ns=1_000, index=index, jpeg=jpeg)


def filled(count: int, **limits: Any) -> EvidenceRing:
    ring = EvidenceRing(**limits)
    for index in range(count):
        ring.append(frame(index))
    return ring


def contents(bundle: Bundle) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(bundle.data)) as file:
        return {name: file.read(name) for name in file.namelist()}


def test_ring_forgets_what_is_older_than_its_span() -> None:
    ring = filled(50, span_ns=100_000_000)
    assert [kept.index for kept in ring.between(0, 10**12)] == list(range(39, 50))


def test_ring_forgets_the_oldest_frames_if_memory_is_short() -> None:
    ring = filled(10, limit_bytes=3 * 36 * 64)
    assert [kept.index for kept in ring.between(0, 10**12)] == [7, 8, 9]


def test_the_cameras_bytes_are_all_that_is_remembered_of_them() -> None:
    ring = EvidenceRing(limit_bytes=1000)
    for index in range(20):
        ring.append(frame(index, jpeg=b"\xff\xd8" + bytes(48)))  # the gray picture has 2304 bytes
    assert len(ring) == 20
    copied = EvidenceRing()
    for kept in ring.between(0, 10**12):
        copied.append(kept)
    assert [kept.jpeg()[:2] for kept in copied.between(0, 10**12)] == [b"\xff\xd8"] * 20


def test_bundle_holds_the_frames_of_the_interval_with_true_times() -> None:
    bundle = cut(filled(30), 100_000_000, 150_000_000, {"poem": 17})
    assert [entry["t_ns"] for entry in bundle.manifest["frames"]] == [t * 10_000_000 for t in range(10, 16)]
    assert bundle.manifest["marks"] == {"poem": 17}
    files = contents(bundle)
    assert json.loads(files[MANIFEST]) == bundle.manifest
    picture = cv2.imdecode(np.frombuffer(files["0003.jpg"], np.uint8), cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    assert abs(float(picture.mean()) - 13) < 1


def test_bundle_and_each_frame_fit_their_hashes() -> None:
    bundle = cut(filled(5), 0, 10**9, {})
    assert bundle.name == hashlib.sha256(bundle.data).hexdigest()
    files = contents(bundle)
    for entry in bundle.manifest["frames"]:
        assert hashlib.sha256(files[entry["file"]]).hexdigest() == entry["sha256"]


def test_a_bundle_leaves_the_last_of_the_disk_to_logs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "free_bytes_at", lambda _: storage.LEFT_FREE_BYTES - 1)
    with pytest.raises(OSError, match="less than 1 GB is free") as refusal:
        cut(filled(3), 0, 10**9, {}).write(tmp_path / "evidence")
    assert refusal.value.errno == errno.ENOSPC
    assert not (tmp_path / "evidence").exists()
