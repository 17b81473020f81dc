"""How soon a live match is judged: from a card's first motion and from hands that leave to what is told.

`uv run python -m benchmarks.live [--fps 120] [--seeds 1] [--rest SECONDS] [--json OUT]`

Clips of the simulator are played as a camera would deliver them. By default time is counted, not waited for:
each picture comes when the camera would have sent it, another thread decodes it, the eye begins with it when
that is done and the one before is, and works as long as its own thread's CPU time says; so other work on this
machine changes little.
"""

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np

from benchmarks.command import read_options, write_json
from referee.facts import PoemStarted
from vision.departures.card_track import EarlySighting
from vision.field.layout_reader import HALF_TERRITORIES_M
from vision.frames.frame import Frame, Gray
from vision.match.live_watcher import LiveWatch
from vision.poem.events import PoemSeen
from vision.simulator.hall.match import single_poem
from vision.simulator.play.episode import Episode
from vision.sources.jpeg import decode_gray

SCENARIOS = ("own", "opp", "press", "harai", "race", "both_fault", "hover")
_JPEG_QUALITY = 90
_AT_REST = 6  # pictures at a clip's beginning in which nothing moves yet
_MOVED_MM = 0.3
_FINGERS_M = ((0.0, -0.031), (0.0, 0.0), (0.0, 0.031))
"""Along the middle finger, to the right and ahead of the middle of all."""


@dataclass
class Clip:
    """A clip as a camera sends it: instants in ns, JPEG bytes, and what really happens when."""

    name: str
    poem: int
    start_ns: int
    moves_ns: int | None
    leaves_ns: int | None
    t_ns: list[int] = field(default_factory=list)
    jpegs: list[bytes] = field(default_factory=list)


@dataclass
class Told:
    """When something was told, on the camera's clock; None for never."""

    moving_ns: int | None = None
    ruled_ns: int | None = None


def main() -> int:
    """Measure, print a table, optionally write JSON."""
    arguments = read_options(__doc__, fps=120.0, seeds=1, scenarios=[*SCENARIOS], style="tatami", rest=0.0)
    rows: list[dict[str, Any]] = []
    print(f"{'clip':<16} {'first moved frame -> told':>26} {'hands left -> ruled':>20}")
    for seed in range(1, arguments.seeds + 1):
        for scenario in arguments.scenarios:
            clip = _rested(_film(scenario, seed, arguments.fps, arguments.style), arguments.rest)
            told = _counted(clip)
            row = {
                "clip": clip.name,
                "moving_ms": _after_ms(told.moving_ns, clip.moves_ns),
                "ruled_ms": _after_ms(told.ruled_ns, clip.leaves_ns),
            }
            rows.append(row)
            print(f"{clip.name:<16} {row['moving_ms']!s:>23} ms {row['ruled_ms']!s:>17} ms")
    for name, goal_ms in (("moving_ms", 30), ("ruled_ms", 500)):
        known = [value for row in rows if isinstance(value := row[name], float)]
        if known:
            p50, p90, most = np.percentile(known, [50, 90, 100])
            within = sum(value <= goal_ms for value in known)
            spread = f"p50 {p50:.0f}  p90 {p90:.0f}  max {most:.0f} ms"
            print(f"{name:<10} {spread}  within {goal_ms} ms: {within} of {len(known)}")
    write_json(arguments.json, rows)
    return 0


def _film(scenario: str, seed: int, fps: float, style: str) -> Clip:
    match = single_poem(scenario, seed, fps, (1280, 720), style)
    episode = next(match.episodes())
    touched = [touch["t_ms"] for touch in episode.truth["touches"] if touch["moved_mm"] > _MOVED_MM]
    clip = Clip(
        f"{scenario} {seed}",
        episode.poem,
        round(episode.t_s * 1e9),
        round(min(touched) * 1e6) if touched else None,
        _leave_ns(episode),
    )
    for frame in match:
        done, jpeg = cv2.imencode(".jpg", frame.gray, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
        assert done
        clip.t_ns.append(frame.t_ns)
        clip.jpegs.append(jpeg.tobytes())
    if clip.moves_ns is not None:  # the first frame that can show the motion
        clip.moves_ns = min((t_ns for t_ns in clip.t_ns if t_ns > clip.moves_ns), default=None)
    return clip


def _rested(clip: Clip, rest_s: float) -> Clip:
    """Return a clip before which the field rests for a while: its first pictures, again and again."""
    step_ns = clip.t_ns[1] - clip.t_ns[0]
    count = round(rest_s * 1e9 / step_ns)
    if not count:
        return clip
    later_ns = count * step_ns
    return replace(
        clip,
        start_ns=clip.start_ns + later_ns,
        moves_ns=None if clip.moves_ns is None else clip.moves_ns + later_ns,
        leaves_ns=None if clip.leaves_ns is None else clip.leaves_ns + later_ns,
        t_ns=[clip.t_ns[0] + n * step_ns for n in range(count)] + [t_ns + later_ns for t_ns in clip.t_ns],
        jpegs=[clip.jpegs[n % _AT_REST] for n in range(count)] + clip.jpegs,
    )


def _leave_ns(episode: Episode) -> int | None:
    """Return when the last finger has left the field, to its tip: of each hand the middle one."""
    times = np.arange(episode.start_s, episode.end_s, 0.001)
    inside = np.zeros(len(times), np.bool_)
    for path in episode.paths.values():
        x, y, _, turn = path.at(times).T
        for right, ahead in _FINGERS_M:
            place_x = x + right * np.cos(turn) + ahead * np.sin(turn)
            place_y = y + right * np.sin(turn) - ahead * np.cos(turn)
            inside |= (np.abs(place_x) < HALF_TERRITORIES_M[0]) & (np.abs(place_y) < HALF_TERRITORIES_M[1])
    return round(float(times[np.flatnonzero(inside)[-1]]) * 1e9) if inside.any() else None


class _Counted:
    """A clock for the eye's thread."""

    def __init__(self) -> None:
        self._offset_ns = -time.thread_time_ns()

    def now_ns(self) -> int:
        return time.thread_time_ns() + self._offset_ns

    def wait_until(self, t_ns: int) -> None:
        self._offset_ns += max(0, t_ns - self.now_ns())


def _counted(clip: Clip) -> Told:
    """Play a clip on a counted clock."""
    clock, told, started = _Counted(), Told(), False
    watch = LiveWatch()
    with ThreadPoolExecutor(1) as decoder:  # as `LiveSource` has one
        pictures = list(decoder.map(_decoded, clip.jpegs))
    clock.wait_until(clip.t_ns[0])
    for number, (t_ns, jpeg) in enumerate(zip(clip.t_ns, clip.jpegs, strict=True)):
        gray, took_ns = pictures[number]
        clock.wait_until(t_ns + took_ns)
        events = []
        if not started and t_ns >= clip.start_ns:
            started = True
            events += watch.poem_started(PoemStarted(clip.poem, clip.start_ns, 1_000_000))
        events += watch.feed(Frame(gray, t_ns, 1000, number, jpeg))
        _note(told, events, clock.now_ns())
    return told


def _decoded(jpeg: bytes) -> tuple[Gray, int]:
    """Return a picture, and how long this thread worked for it, nanoseconds."""
    before_ns = time.thread_time_ns()
    gray = decode_gray(jpeg)
    assert gray is not None
    return gray, time.thread_time_ns() - before_ns


def _note(told: Told, events: list[Any], now_ns: int) -> None:
    for event in events:
        if isinstance(event, EarlySighting) and told.moving_ns is None:
            told.moving_ns = now_ns
        if isinstance(event, PoemSeen) and told.ruled_ns is None:
            told.ruled_ns = now_ns


def _after_ms(told_ns: int | None, happened_ns: int | None) -> float | None:
    return None if told_ns is None or happened_ns is None else round((told_ns - happened_ns) / 1e6, 1)


if __name__ == "__main__":
    sys.exit(main())
