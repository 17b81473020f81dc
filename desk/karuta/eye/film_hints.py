"""Hints about a film that does not match its recording's data, and the doubts that follow.

A wrong hint is worse than none: if two causes are possible, both are named and nothing is decided.
"""

from collections.abc import Mapping
from dataclasses import replace

from referee.facts import Gap, PoemStarted, Touch
from referee.sentence import Sentence
from vision.contact.rearrangement import soonest_ns
from vision.frames.quantiser import POOR_PICTURES
from vision.poem.events import PoemSeen
from vision.recordings.recording import JOKA, Recording
from vision.sources.video_file import VideoSource

_SLOWER, _MOST_SLOWED = 1.5, 16.0  # no phone films faster than 960 fps, to be played at 60 fps
_REPEATED = 0.05  # part of the pictures; programs fill a camera's gaps with a few repeated ones

Seen = Mapping[int, PoemSeen]
"""What was seen of each poem; the keys are the instants of the first sounds in nanoseconds."""


def in_doubt(recording: Recording, source: VideoSource, seen: Seen) -> dict[int, PoemSeen]:
    """Return what was seen, with a gap for each poem whose times or beginning the film leaves in doubt."""
    times_doubted = _filmed_wrongly(source, seen) or (
        _slowed(recording, source) > 1 and not _is_real_time(recording, source, seen)
    )
    told = {reading.t_ns: reading.doubt for reading in recording.readings}
    doubted = {}
    for t_ns, poem in seen.items():
        reason = "times_unknown" if times_doubted else told.get(t_ns, "")
        if source.begins_ns > soonest_ns(poem.start):
            reason = "not_filmed"  # a card may have been touched before the film begins
        if not reason and source.coarseness.is_too_coarse(t_ns, poem.t_closed_ns):
            reason = POOR_PICTURES
        gaps = (Gap(min(t_ns, source.begins_ns), max(t_ns, source.ends_ns), reason),) if reason else ()
        doubted[t_ns] = replace(poem, facts=(*poem.facts, *gaps))
    return doubted


def doubt_of(recording: Recording, source: VideoSource, start: PoemStarted) -> Gap | None:
    """Return the gap that a film leaves in a poem, as far as known when the poem begins; else None."""
    if source.begins_ns > soonest_ns(start):
        return Gap(start.t_ns, max(start.t_ns + 1, source.begins_ns), "not_filmed")
    if _slowed(recording, source) > 1:
        return Gap(start.t_ns, start.t_ns + 1, "times_unknown")
    if source.coarseness.is_too_coarse():
        return Gap(start.t_ns, start.t_ns + 1, POOR_PICTURES)
    doubts = [reading.doubt for reading in recording.readings if reading.t_ns == start.t_ns]
    return Gap(start.t_ns, start.t_ns + 1, doubts[0]) if any(doubts) else None


def hint_of(recording: Recording, source: VideoSource, seen: Seen) -> dict[str, str]:
    """Return the most important hint about a film that was watched to its end; wrong times come first."""
    hints = (ask(recording, source, seen) for ask in (_rate, _outside, _left_out, _compression, _holes))
    hint = next(filter(None, hints), None)
    return {} if hint is None else {"hint": hint}


def _rate(recording: Recording, source: VideoSource, seen: Seen) -> str | None:
    name, said_fps, plays_fps = recording.video.name, recording.fps_nominal or 0.0, source.usual_fps
    if source.is_interlaced:
        return (
            f"{name} is interlaced: each picture weaves two that were taken one after the other, so times "
            "are vague; film progressively (p, not i), or take the two apart: "
            f"ffmpeg -i {name} -vf bwdif=send_field -c:v mjpeg -q:v 2 apart.mkv"
        )
    if _filmed_wrongly(source, seen):
        return (
            f"{name} was taken for slow motion ({source.slow_motion:.1f} times), and cards were taken "
            "before they were read: if it was filmed in real time, leave filmed_fps out"
        )
    if source.slow_motion > 1 and not any(
        isinstance(fact, Touch) for poem in seen.values() for fact in poem.facts
    ):
        return (
            f"{name} was taken for slow motion ({source.slow_motion:.1f} times), and no card was touched in "
            "it: if it was filmed in real time, leave filmed_fps out"
        )
    if not _slowed(recording, source):
        return None
    plays = f"{name} plays {plays_fps:.0f} pictures a second, [camera] fps says {said_fps:.0f}"
    if _is_real_time(recording, source, seen):
        return (
            f"{plays}: the camera gave fewer than it was asked for, as cameras do in little light; the times "
            f"are right: write fps = {plays_fps:.0f} there"
        )
    return (
        f"{plays}: if the camera gave fewer than it was asked for, the times are right: write fps = "
        f"{plays_fps:.0f} there; if this is slow motion, every time is wrong: write filmed_fps = "
        f"{said_fps:.0f} there"
    )


def _slowed(recording: Recording, source: VideoSource) -> float:
    """Return the factor by which a film plays slower than stated, 0 if it does not."""
    said_fps = recording.fps_nominal or 0.0
    slowed = said_fps / source.usual_fps if source.usual_fps and source.slow_motion <= 1 else 0.0
    return slowed if _SLOWER <= slowed <= _MOST_SLOWED and not source.is_interlaced else 0.0


def _is_real_time(recording: Recording, source: VideoSource, seen: Seen) -> bool:
    """Tell whether a film must be in real time: stretched, it ends too early or touches come too early."""
    slowed = _slowed(recording, source)
    follows = any(reading.t_ns > source.ends_ns / slowed for reading in recording.readings)
    return follows or _taken_before(seen, slowed)


def _filmed_wrongly(source: VideoSource, seen: Seen) -> bool:
    """Tell whether a film was wrongly declared as slow motion: cards are taken before they are read."""
    return source.slow_motion > 1 and _taken_before(seen, 1.0)


def _taken_before(seen: Seen, slowed: float) -> bool:
    """Tell whether most read cards would be touched before their poem if the film is `slowed` times too slow.

    Most, because one or two cards may be touched early by chance.
    """
    before, others = 0, 0
    for t_ns, poem in seen.items():
        touches = [fact for fact in poem.facts if isinstance(fact, Touch)]
        own = [touch for touch in touches if touch.card == poem.start.poem]
        is_before = any(touch.latest_ns / slowed < t_ns for touch in own)
        before += is_before
        others += bool(touches and not is_before and poem.before.layout.find(poem.start.poem))
    return before > others


def _outside(recording: Recording, source: VideoSource, _seen: Seen) -> str | None:
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


def _left_out(recording: Recording, source: VideoSource, _seen: Seen) -> str | None:
    damaged, untimed = source.counters.damaged, source.counters.untimed
    if damaged or untimed:
        return (
            f"{recording.video.name}: {damaged} pictures are damaged, {untimed} "
            "carry no time of their own; they were left out: copy the film anew from the camera"
        )
    if source.counters.repeated > _REPEATED * source.counters.delivered:
        return (
            f"{source.counters.repeated} pictures of {recording.video.name} show the one before once "
            "more and were left out: expose for less long, and write the film at the camera's own rate"
        )
    return None


def _compression(recording: Recording, source: VideoSource, seen: Seen) -> str | None:
    poor = sum(source.coarseness.is_too_coarse(t_ns, poem.t_closed_ns) for t_ns, poem in seen.items())
    if not poor:
        return None
    return (
        f"{recording.video.name} is compressed so coarsely that {poor} of {len(seen)} poems are left to a "
        "person: take the film as the phone recorded it, not as a messenger sent it, or film at a higher rate"
    )


def _holes(recording: Recording, _source: VideoSource, seen: Seen) -> str | None:
    least_ns = 30_000_000  # a hand moves some centimetres in it; a shorter hole seldom matters
    holes_ns = [
        [
            gap.t_to_ns - gap.t_from_ns
            for gap in poem.facts
            if isinstance(gap, Gap) and gap.reason == "dropped_frames"
        ]
        for poem in seen.values()
    ]
    holed = sum(max(each, default=0) >= least_ns for each in holes_ns)
    if not holed:
        return None
    longest_ms = max(map(max, filter(None, holes_ns))) / 1e6
    return (
        f"pictures are missing in {holed} of {len(seen)} poems of {recording.video.name} (holes of up to "
        f"{longest_ms:.0f} ms), and what may have happened in them is left to a person: film at a steady "
        "rate, in more light, and let nothing else run on the phone"
    )


def no_card_read(shapes: int) -> Sentence:
    """Return the message that among so many outlines of a card's shape no card could be read."""
    return Sentence(
        "not a single karuta card could be read ({n} outlines of a card's shape were found): the whole field "
        "must be in view, sharp, from above, with the near player at the bottom edge; a deck that is written "
        "by hand is enrolled, and named with --deck",
        n=shapes,
    )
