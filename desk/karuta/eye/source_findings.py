"""Checks of a source's pictures: whether they suffice for judging, at the set-up and during a match.

Each finding is an id with values; the panel holds its text and the remedy (`desk.panel.house.setup_view`). A
camera that was good at the set-up may be bumped, lose its focus or its light, or be hidden by somebody's head
an hour later. The page shows the findings; they do not affect rulings, which are the eye's business.
"""

import sys
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

from calibration.finding import Status
from desk.panel.house.port import FindingShown
from referee.sides import Side
from vision.field.layout_reader import LayoutReading
from vision.field.picture_quality import (
    BLUR_MM,
    CARD_PX,
    EXPOSURE_S,
    MARGIN_M,
    NOISE,
    PAPER,
    TILT_DEG,
    Limits,
    blur_mm,
    card_width_px,
    light_of,
    margins_m,
    noise_of,
    tilt_deg,
)
from vision.frames.frame import Frame
from vision.frames.light_meter import LightMeter

Level = Literal["ok", "warn", "fail", "unknown"]

FPS = Limits(50.0, 24.0)
_LOOK_NS = 1_000_000_000
_LOOKS = 8
"""Number of latest checks that count, so that intermittent problems (a hunting lens) stay on the page."""

_MANY_LOST = 6  # pictures lost in five seconds: one in fifty at 60 fps
_WARNING_OF = {
    "fps": "few_pictures",
    "noise": "noisy",
    "blur": "blurred",
    "scale": "small_cards",
    "angle": "aslant",
    "in_view": "field_not_in_view",
}


@dataclass(frozen=True, slots=True)
class SourceRate:
    """The rate of the pictures; `lost` counts those lost in the last seconds; None means unknown.

    `automatic` is what the camera may change by itself, see `CameraFormat`.
    """

    fps: float | None
    nominal_fps: float | None
    lost: int
    exposure_s: float | None
    automatic: tuple[str, ...] | None = None


def examine(rate: SourceRate, recent: Sequence[Frame], reading: LayoutReading | None) -> list[FindingShown]:
    """Check a source and return its findings.

    `recent`: the latest pictures, at least one; noise needs two consecutive ones. `reading`: the field as it
    was read, None if there is none.
    """
    pictures = [frame.gray for frame in recent]
    exposure, light = EXPOSURE_S.judge(rate.exposure_s), light_of(pictures[-1], reading)
    enough = max(light.is_enough, light.is_not_too_much, key=(Status.OK, Status.WARN, Status.FAIL).index)
    noise, blur = noise_of(pictures), blur_mm(pictures[-1], reading)
    exposure_ms = None if rate.exposure_s is None else rate.exposure_s * 1e3
    return [
        _finding("fps", FPS.judge(rate.fps), fps=_rounded(rate.fps), nominal=_rounded(rate.nominal_fps)),
        _finding("steady", Status.OK if rate.lost == 0 else Status.WARN, lost=rate.lost),
        _finding(
            "exposure", Status.WARN if exposure is Status.FAIL else exposure, ms=_rounded(exposure_ms, 1)
        ),
        _finding("light", enough, paper=round(light.paper), clipped=round(100 * light.clipped)),
        _finding("noise", NOISE.judge(noise), noise=_rounded(noise, 1)),
        _finding("blur", BLUR_MM.judge(blur), blur_mm=_rounded(blur, 1)),
        *(_finding(f"{name}_held", Status.WARN) for name in rate.automatic or ()),
        *(() if reading is None else _of_field(reading)),
    ]


def _of_field(reading: LayoutReading) -> Iterator[FindingShown]:
    card_px, tilt, (field_m, least_m) = card_width_px(reading), tilt_deg(reading), margins_m(reading)
    yield _finding("scale", CARD_PX.judge(card_px), card_px=round(card_px))
    yield _finding("angle", TILT_DEG.judge(tilt), tilt_deg=round(tilt))
    # what is no print of a card may be no card, and where the field lies rests on it
    is_known = 2 * reading.named >= len(reading.layout)
    in_view = MARGIN_M.judge(least_m) if is_known else None
    yield _finding("in_view", in_view, margin_mm=round(1e3 * field_m))
    unread = sum(placed.card is None for placed in reading.layout)
    counts = reading.layout.counts()
    even = counts[Side.NEAR] == counts[Side.FAR]
    status = Status.OK if even and not unread else Status.WARN
    yield _finding("cards", status, near=counts.near, far=counts.far, unread=unread)


def _rounded(value: float | None, digits: int | None = None) -> float | None:
    return None if value is None else round(value, digits)


def _finding(name: str, status: Status | None, **values: Any) -> FindingShown:
    level: Level = "unknown" if status is None else status.value
    return {"id": name, "status": level, "values": values}


class PictureChecks:
    """Checks a source's pictures; all methods but `warnings` and `close` run in the eye's thread.

    `findings`: findings of the latest check, for the set-up; empty before the first.
    """

    def __init__(self) -> None:
        self.findings: list[FindingShown] = []
        self._light = LightMeter()
        self._looks: deque[frozenset[str]] = deque(maxlen=_LOOKS)
        self._work: Future[list[FindingShown]] | None = None
        self._worker = ThreadPoolExecutor(1, "picture checks")
        self._looked_ns: int | None = None
        self._reading: LayoutReading | None = None
        self._t_ns = 0
        self._moved_ns: int | None = None
        self._wandered_ns: int | None = None
        self._clear_ns: int | None = None

    def feed(self, frame: Frame, *, moved: bool, covered: bool) -> None:
        """Take in the next picture. `covered`: whether something hides the field, or much of it."""
        self._t_ns = frame.t_ns
        self._light.feed(frame)
        if moved:
            self._moved_ns = frame.t_ns
        if not covered or self._clear_ns is None:
            self._clear_ns = frame.t_ns

    def is_due(self, reading: LayoutReading | None) -> bool:
        """Tell whether a check is due, and take in the findings of the latest one.

        A check is due at once if the reading of the field has changed, as when a person named a card.
        """
        work = self._work
        if work is not None and not work.done():
            return False
        if work is not None:
            self._work = None
            error = work.exception()
            if error is None:
                self._take(work.result())
            else:  # the match goes on without this check
                sys.stderr.write(f"shinpan: the pictures could not be examined: {error}\n")
        if self._looked_ns is None or reading is not self._reading:
            return True
        return self._t_ns - self._looked_ns >= _LOOK_NS

    def look(self, rate: SourceRate, recent: Sequence[Frame], reading: LayoutReading | None) -> None:
        """Start a check of the latest pictures in a thread of its own; see `examine`."""
        self._looked_ns, self._reading = self._t_ns, reading
        self._work = self._worker.submit(examine, rate, tuple(recent), reading)

    def warnings(self) -> Iterator[str]:
        """Yield the ids of the present warnings, see `desk.panel.phrases.WARNINGS`."""
        told_ns = 10_000_000_000  # how long a knock is shown
        if self._moved_ns is not None and self._t_ns - self._moved_ns < told_ns:
            yield "camera_moved"
        hidden_ns = 4_000_000_000  # hands that play or tidy up leave the view sooner
        if self._clear_ns is not None and self._t_ns - self._clear_ns > hidden_ns:
            yield "view_blocked"
        times = Counter(name for look in tuple(self._looks) for name in look)
        fewest_looks = 2
        yield from sorted(name for name, count in times.items() if count >= fewest_looks)

    @property
    def light_is_unsteady(self) -> bool:
        return bool(self._looks) and "unsteady_light" in self._looks[-1]

    def light_wandered_since(self, t_ns: int) -> bool:
        """Tell whether at least half of the picture became brighter or darker since an instant."""
        return self._wandered_ns is not None and self._wandered_ns >= t_ns

    def close(self) -> None:
        self._worker.shutdown(cancel_futures=True)

    def _take(self, findings: list[FindingShown]) -> None:
        self.findings = findings
        self._looks.append(frozenset(self._lacks(findings)))

    def _lacks(self, findings: list[FindingShown]) -> Iterator[str]:
        for finding in findings:
            values = finding["values"]
            match finding["id"], finding["status"]:
                case "light", "fail":
                    yield "dark" if values["paper"] < PAPER.least else "too_bright"
                case "steady", _ if values["lost"] > _MANY_LOST:
                    yield "drops"
                case name, "fail":
                    yield _WARNING_OF[name]
        if self._light.wanders:
            self._wandered_ns = self._t_ns
        if self._light.is_unsteady:
            yield "unsteady_light"
