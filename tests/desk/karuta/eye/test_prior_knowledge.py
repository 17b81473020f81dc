"""What the bench measured of a camera reaches the eye."""

from pathlib import Path

import pytest

from calibration.camera_record import keep
from desk.karuta.eye.prior_knowledge import known_of, readout_of
from desk.machine import camera_records
from vision.frames.shutter import LEAST_SIGMA_NS
from vision.torifuda.prior_knowledge import Hall


def test_a_measured_shutter_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(camera_records, "records_folder", lambda: tmp_path)
    figures = {"readout_s": 0.0093, "unc_s": 0.00098, "seen_by": "flicker"}
    keep(tmp_path, "camera 0", "shutter", figures, "2026-01-01T00:00:00")
    known = known_of(None, "camera 0")
    assert known.readout is not None
    assert known.readout.mean_ns == pytest.approx(9.3e6)
    assert known.readout.sigma_ns == pytest.approx(0.5e6)
    assert known_of(None, "camera 1").readout is None


def test_no_measurement_is_believed_to_the_microsecond() -> None:
    readout = readout_of({"shutter": {"readout_s": 0.01, "unc_s": 1e-9}})
    assert readout is not None
    assert readout.sigma_ns == LEAST_SIGMA_NS
    assert readout_of({}) is None
    assert readout_of({"shutter": {"failed": "no lamp ripples"}}) is None


def test_what_trials_told_of_a_hall_is_known_where_its_camera_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_records, "records_folder", lambda: tmp_path)
    figures = {"floor_mm": 0.7, "ripple_share": 0.12, "lag_ms": 40.0, "creep_mm": None}
    keep(tmp_path, "camera 0", "hall", figures, "2026-01-01T00:00:00")
    assert known_of(None, "camera 0").hall == Hall(0.7, 0.12, 40e6)
    keep(tmp_path, "camera 0", "hall", {"floor_mm": None}, "2026-01-01T00:00:00")
    assert known_of(None, "camera 0").hall == known_of(None).hall == Hall()
