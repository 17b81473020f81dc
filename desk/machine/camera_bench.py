"""The measurements of `shinpan calibrate`: each watches a source and returns figures or a reason."""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

import cv2
import numpy as np

from calibration.clocks.latency import Offset, camera_latency, changes
from calibration.clocks.readout import MeasuredReadout, readout_from_edge, readout_from_flicker
from calibration.clocks.timing import FrameTiming, measure_timing
from calibration.failure import FailedEstimation
from calibration.field.charuco import BoardView, LensCalibration, find_board, fit_lens
from calibration.field.corner_marks import field_from_marks, find_marks
from calibration.field.geometry import FieldGeometry
from desk.errors import DeskError
from desk.log.clocks import Clock
from vision.frames.frame import Frame
from vision.sources.live_source import LiveSource
from vision.sources.picture_folder import PictureSource
from vision.sources.source import Source

Figures = dict[str, Any]
Results = dict[str, "Figures | FailedEstimation | list[Any]"]
"""Measurements by name: figures, a reason why there are none, or findings."""
Flash = Callable[[bool], None]  # switches a screen to bright (True) or dark

_log = logging.getLogger(__name__)

_NEW_VIEW_SHARE = 0.03
"""A view of the sheet is new if its corners have moved by this part of the picture's width."""
_MOST_VIEWS = 25
_SMALL_PX = 480
_MOST_PICTURES = 400
_FLASH_S = (0.11, 0.27)  # three frames at 30 fps and more, and never in step with them
_FEWEST_FLASHES = 12
_NAMED_UNC_NS = 1_000_000
"""Uncertainty below which picture files have times in their names; others count as one per second."""


def frames_for(source: Source, seconds: float) -> Iterator[Frame]:
    """Iterate over a source's frames for `seconds` of their own time; over recorded ones to their end.

    Raises DeskError if the pictures differ in size, so are not from one camera, or if no file holds a
    picture.
    """
    first: Frame | None = None
    for number, item in enumerate((each for each in source if isinstance(each, Frame)), 1):
        first = item if first is None else first
        if source.is_live and item.t_ns - first.t_ns > seconds * 1e9:
            return
        if item.shape_px != first.shape_px:
            before, now = (f"{width} x {height}" for height, width in (first.shape_px, item.shape_px))
            raise DeskError(
                "{source}: picture {number} is {now} pixels, those before it are {before}: measure "
                "with pictures of one size, all of one camera held the same way",
                source=source.name,
                number=number,
                now=now,
                before=before,
            )
        yield item
    if first is None and source.counters.damaged and not source.is_live:
        raise DeskError(
            "{source}: none of {number} pictures could be decoded: check that other programs can "
            "show these files",
            source=source.name,
            number=source.counters.damaged,
        )


def measured(measure: Callable[[Source], Results], source: Source) -> Results:
    """Run a measurement; if the pictures do not suffice for it, return a plain reason.

    Returns: the result of `measure`, or a FailedEstimation under the name `pictures`.
    """
    try:
        return measure(source)
    except (ArithmeticError, LookupError, ValueError, cv2.error) as error:
        # The libraries' messages are about arrays and help nobody at a table.
        _log.debug("not measured", exc_info=error)
        return {
            "pictures": FailedEstimation(
                "what these pictures show is too little, or too odd, to measure anything by",
                "keep what is to be measured whole, sharp and evenly lit in every picture",
            )
        }


def tells_times(frames: Sequence[Frame], source: Source) -> bool:
    """Tell whether frames have times of their own; picture files without a time in their names do not."""
    return not isinstance(source, PictureSource) or frames[0].t_unc_ns <= _NAMED_UNC_NS


def measure_rhythm(source: Source, seconds: float) -> Figures | FailedEstimation:
    """Measure frame interval, jitter and lost frames, and whether the driver's claims hold."""
    frames = list(frames_for(source, seconds))
    timing = measure_timing([frame.t_ns for frame in frames])
    if not isinstance(timing, FrameTiming):
        return timing
    if not tells_times(frames, source):
        return FailedEstimation(
            "the pictures' names tell no times", "name them by their milliseconds, such as shot_16.7ms.jpg"
        )
    figures: Figures = {**asdict(timing), "fps": timing.fps}
    figures["t_unc_ns"] = float(np.median([frame.t_unc_ns for frame in frames]))
    figures["width_px"], figures["height_px"] = frames[-1].gray.shape[::-1]
    if isinstance(source, LiveSource):
        claimed_fps = source.format.fps
        figures |= {
            "clock": source.stamper.used.value,
            "clock_problem": source.stamper.problem,
            "claimed_fps": claimed_fps,
            "claim_is_false": timing.contradicts(claimed_fps),
            "fourcc": source.format.fourcc,
            "exposure_s": source.format.exposure_s,
        }
    return figures


def measure_lens(source: Source, seconds: float) -> Figures | FailedEstimation:
    """Collect views of the printed sheet and fit the lens to them."""
    views: list[BoardView] = []
    size = (0, 0)
    reason: FailedEstimation | None = None
    for frame in frames_for(source, seconds):
        size = frame.gray.shape[1], frame.gray.shape[0]
        view = find_board(frame.gray)
        if not isinstance(view, BoardView):
            reason = view
        elif not views or _is_new(view, views[-1], size[0]):
            views.append(view)
        if len(views) == _MOST_VIEWS:
            break
    if not views and reason is not None:
        return reason
    lens = fit_lens(views, size)
    return asdict(lens) if isinstance(lens, LensCalibration) else lens


def _is_new(view: BoardView, earlier: BoardView, width_px: int) -> bool:
    places = {tuple(at): px for at, px in zip(earlier.corners_mm, earlier.corners_px, strict=True)}
    moved = [
        np.linalg.norm(px - places[tuple(at)])
        for at, px in zip(view.corners_mm, view.corners_px, strict=True)
        if tuple(at) in places
    ]
    return not moved or float(np.median(moved)) > _NEW_VIEW_SHARE * width_px


def measure_marks(
    source: Source, seconds: float, field_size_m: tuple[float, float], k1: float | None
) -> Figures | FailedEstimation:
    """Fit the field to the marks at its corners, in the first picture that shows all four."""
    found: FieldGeometry | FailedEstimation = FailedEstimation("no picture came", "check the camera")
    for frame in frames_for(source, seconds):
        size = frame.gray.shape[1], frame.gray.shape[0]
        found = field_from_marks(find_marks(frame.gray), field_size_m, size, k1)
        if isinstance(found, FieldGeometry):
            return {
                "width_px": found.width_px,
                "height_px": found.height_px,
                "k1": found.k1,
                "homography": found.homography.tolist(),
                "residual_mm": 1e3 * found.residual_m,
            }
    assert isinstance(found, FailedEstimation)
    return found


def measure_readout(source: Source, seconds: float) -> Figures | FailedEstimation:
    """Measure the rolling shutter by the bands of lamps, or by an edge that is swung before the camera."""
    t_s, pictures = [], []
    for frame in frames_for(source, seconds):
        step = max(1, frame.gray.shape[1] // _SMALL_PX)
        t_s.append(frame.t_ns / 1e9)
        pictures.append(np.ascontiguousarray(frame.gray[:, ::step]))
        if len(pictures) == _MOST_PICTURES:
            break
    flicker = readout_from_flicker(t_s, pictures)
    if isinstance(flicker, MeasuredReadout):
        return asdict(flicker)
    edge = readout_from_edge(t_s, pictures)
    if isinstance(edge, MeasuredReadout):
        return asdict(edge)
    reasons = dict.fromkeys([flicker.reason, edge.reason])  # both may give the same reason
    return FailedEstimation("; ".join(reasons), edge.hint)


def measure_flashes(source: Source, flash: Flash, clock: Clock, seconds: float) -> Offset | FailedEstimation:
    """Measure a live camera's latency with a screen that flashes at irregular instants before it."""
    shown: list[tuple[int, bool]] = []
    over = threading.Event()

    def play() -> None:
        dice = np.random.default_rng(0)
        bright = False
        while not over.wait(float(dice.uniform(*_FLASH_S))):
            bright = not bright
            flash(bright)
            shown.append((clock(), bright))

    player = threading.Thread(target=play, name="flashes", daemon=True)
    t_ns, brightness = [], []
    began_s = time.monotonic()
    player.start()
    try:
        for item in source:
            if isinstance(item, Frame):
                t_ns.append(item.t_ns)
                brightness.append(float(item.gray[::4, ::4].mean()))
            if time.monotonic() - began_s > seconds:
                break
    finally:
        over.set()
        player.join()
        flash(False)
    if len(shown) < _FEWEST_FLASHES:
        return FailedEstimation(f"only {len(shown)} flashes were shown", "measure for longer")
    timing = measure_timing(t_ns)
    jitter_ns = timing.jitter_ns if isinstance(timing, FrameTiming) else 0.0
    # leave out flashes before the first picture, and the last one, which may not be seen yet
    counted = [each for each in shown[:-1] if not t_ns or each[0] > t_ns[0]]
    return camera_latency(counted, changes(t_ns, brightness), jitter_ns)
