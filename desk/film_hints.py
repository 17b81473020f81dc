"""What to ask about a film that shows something else than its recording says.

A hint that is wrong is worse than none: where two causes are possible, both are named.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from vision.recording import JOKA, Reading, Recording
from vision.sources.video import VideoSource

_SLOWER, _MOST_SLOWED = 1.5, 16.0  # no phone films at more than 960 to play at 60
_REPEATED = 0.05  # of the pictures: a few are what a program fills a camera's own gaps with


def hint_of(recording: Recording, source: VideoSource, poems: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return what is most in doubt about a film that was watched to its end: what makes times wrong first.

    Parameters
    ----------
    recording, source : what it says, and its film.
    poems : what was judged, as it is written to JSON.
    """
    for hint in (_rate(recording, source, poems), _outside(recording, source), _left_out(recording, source)):
        if hint is not None:
            return {"hint": hint}
    return {}


def _rate(recording: Recording, source: VideoSource, poems: Iterable[Mapping[str, Any]]) -> str | None:
    """Tell films that come slower than was said: woven, given at a lower rate, or stretched."""
    name, said_fps, plays_fps = recording.video.name, recording.fps_nominal or 0.0, source.usual_fps
    if source.is_interlaced:
        return (
            f"{name} is interlaced: each picture weaves two that were taken one after the other, so times "
            "are vague; film progressively (p, not i), or take the two apart: "
            f"ffmpeg -i {name} -vf bwdif=send_field -c:v mjpeg -q:v 2 apart.mkv"
        )
    slowed = said_fps / plays_fps if plays_fps and source.slow_motion <= 1 else 0.0
    if not _SLOWER <= slowed <= _MOST_SLOWED:
        return None
    plays = f"{name} plays {plays_fps:.0f} pictures a second, [camera] fps says {said_fps:.0f}"
    if _is_real_time(recording.readings, source, poems, slowed):
        return (
            f"{plays}: the camera gave fewer than it was asked for, as cameras do in little light; its times "
            f"are right, write fps = {plays_fps:.0f} there"
        )
    return (
        f"{plays}: if the camera gave fewer than it was asked for, times are right, write fps = "
        f"{plays_fps:.0f} there; if slow motion was written stretched, every time is wrong, it needs "
        f"filmed_fps = {said_fps:.0f} there"
    )


def _is_real_time(
    readings: Iterable[Reading], source: VideoSource, poems: Iterable[Mapping[str, Any]], slowed: float
) -> bool:
    """Tell whether a film cannot be stretched: a poem would follow its end, or a touch precede its poem."""
    return any(reading.t_ns > source.ends_ns / slowed for reading in readings) or any(
        (touch["t_ms"] + touch["t_unc_ms"]) / slowed < poem["t_ms"]
        for poem in poems
        for touch in poem["touches"]
    )


def _outside(recording: Recording, source: VideoSource) -> str | None:
    """Tell poems that were read before the film begins or after its end."""
    read = [reading for reading in recording.readings if reading.poem != JOKA]
    begins_ns, ends_ns = source.begins_ns, source.ends_ns
    outside = [reading for reading in read if not begins_ns <= reading.t_ns <= ends_ns]
    if not outside:
        return None
    name, first = recording.video.name, outside[0]
    where = "before the film begins" if first.t_ns < begins_ns else "after the film's end"
    told = (
        f"{len(outside)} of {len(read)} poems lie outside {name}, which runs from {begins_ns / 1e6:.0f} to "
        f"{ends_ns / 1e6:.0f} ms on its own clock: poem {first.poem} at {first.t_ms:.0f} ms is read {where}"
    )
    if source.slow_motion > 1 and all(reading.t_ns <= ends_ns * source.slow_motion for reading in read):
        return (
            f"{told}; played as it was written it would hold them all: if it was filmed in real time, leave "
            "filmed_fps out"
        )
    if first.t_ns < begins_ns and all(reading.t_ns <= ends_ns - begins_ns for reading in read):
        return f"{told}; if the times were taken in a player that counts from 0, add {begins_ns / 1e6:.0f} ms"
    return told


def _left_out(recording: Recording, source: VideoSource) -> str | None:
    """Tell pictures that were left out."""
    if source.unreadable or source.untimed:
        return (
            f"{recording.video.name}: {source.unreadable} pictures are damaged, {source.untimed} "
            "carry no time of their own; they were left out: copy the film anew from the camera"
        )
    if source.counters.repeated > _REPEATED * source.counters.delivered:
        return (
            f"{source.counters.repeated} pictures of {recording.video.name} show the one before once "
            "more and were left out: expose for less long, and write the film at the camera's own rate"
        )
    return None
