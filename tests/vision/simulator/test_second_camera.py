"""A simulated match filmed by a second camera: from where it stands, on a clock of its own."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from vision.simulator.drawing.sensor import Flash
from vision.simulator.hall.clip import single_poem
from vision.simulator.hall.second_camera import AZIMUTHS_RAD, ObliqueCamera, SecondCamera, Stand

SIZE = (320, 180)


def camera(stand: str, tilt_deg: float) -> ObliqueCamera:
    return ObliqueCamera(
        *SIZE, 1.4, 1.5, tilt_rad=np.deg2rad(tilt_deg), k1=-0.03, azimuth_rad=AZIMUTHS_RAD[stand]
    )


@pytest.mark.parametrize("stand", ["left", "far"])
def test_its_clock_is_its_own_and_a_flash_is_everybodys(stand: Stand) -> None:
    flash = Flash(0.4, 0.1)
    match = single_poem("own", 6, 30, SIZE, "tatami", cards_per_side=8, flash=flash)
    early = list(islice(match.filmed_by(SecondCamera(60, SIZE, stand, clock_s=2.5)), 40))
    late = list(islice(match.filmed_by(SecondCamera(60, SIZE, stand, clock_s=-0.2)), 20))
    assert early[0][0] > 2.5e9
    assert 0 <= late[0][0] < 20_000_000, "frames from before it was switched on are missing"
    for frames, clock_s in ((early, 2.5), (late, -0.2)):
        bright = [
            t_ns / 1e9 - clock_s for t_ns, picture in frames if picture.mean() > 1.2 * frames[0][1].mean()
        ]
        assert min(bright) == pytest.approx(flash.t_s, abs=0.02)
        assert max(bright) == pytest.approx(flash.t_s + flash.seconds, abs=0.02)
    again = next(match.filmed_by(SecondCamera(60, SIZE, stand, clock_s=2.5)))
    assert np.array_equal(again[1], early[0][1])
