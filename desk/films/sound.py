"""The readings in a film's sound, and the offset between sound and pictures where the first hand lands.

A phone stamps both by one clock, but with an offset of up to some hundredths of a second. A table is silent
until the first hand lands, so the first hit that is heard is the first touch that is seen.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from calibration.clocks.clock_offset import refined
from calibration.clocks.latency import Offset
from desk.films.film import Film
from recitation.imports.decoding import DecodingError, Track, load_tracks
from recitation.listening.listener import Heard, Listener, Suggestion, listen
from recitation.reading.phrase import JOKA, Half
from recitation.reading.plan import SAMPLE_RATE, samples
from referee.complaint import sentence_of
from referee.sentence import Sentence
from vision.witnesses.impacts import find_impacts

APART_NS = 60_000_000
"""95 % half width of the offset of sound and picture in a film, if it was not measured (EBU R 37)."""
_SURE_NS = 20_000_000
_POEMS = 3  # poems that must agree, because a single hit may be another sound

SURE = 0.9
"""Confidence from which the listener's suggestion is taken; above it none was wrong
(`python -m benchmarks.recitation.listening`)."""
_SILENT_S = 0.15
"""A verse that begins within this time after the beginning of the sound may have begun before it."""
_NOTHING = Sentence()
_SHIMO_AFTER_S = 10.0
"""Longest time from a lower verse to the next upper one: its own length and a pause of one second."""


@dataclass(frozen=True, slots=True)
class HeardReading:
    """A heard upper verse."""

    t_s: float  # its first sound on the film's clock, in seconds
    # the poems that it may be, best first; empty if no poem stands out
    suggestions: tuple[Suggestion, ...] = ()
    is_cut: bool = False  # whether the film's sound begins with it, so that its first sound may be missing

    @property
    def poem(self) -> int | None:
        return self.suggestions[0].poem if self.suggestions else None

    @property
    def is_sure(self) -> bool:
        return bool(self.suggestions) and self.suggestions[0].confidence >= SURE

    def chance(self, poem: int) -> float:
        """Return the confidence that it is this poem, 0 if the listener does not suggest it."""
        return next((one.confidence for one in self.suggestions if one.poem == poem), 0.0)


@dataclass(frozen=True, slots=True)
class FilmSound:
    """The result of listening to a film."""

    readings: tuple[HeardReading, ...] = ()
    silent_why: Sentence = _NOTHING  # why there are none; empty if there are some
    track: Track | None = None  # the sound itself, None if there is none


def listen_to(film: Film, unread: Collection[int], heard_until: Callable[[int], None]) -> FilmSound:
    """Return the upper verses in a film's sound; `heard_until` is called with the instant, in nanoseconds."""
    try:
        tracks = load_tracks(film.path, film.slow_motion)
    except DecodingError as error:
        return FilmSound(silent_why=sentence_of(error))
    if not tracks:
        return FilmSound(silent_why=Sentence("it has no sound"))
    # a film may have several tracks (a second microphone, a commentary); the reader is in one of them
    return max(
        (_heard(track, unread, heard_until) for track in tracks),
        key=lambda sound: sum(one.suggestions[0].confidence for one in sound.readings if one.suggestions),
    )


def _heard(track: Track, unread: Collection[int], heard_until: Callable[[int], None]) -> FilmSound:
    heard = listen(track.wave, Listener(unread), lambda t_s: heard_until(round(t_s * 1e9)))
    verses = [replace(one, t_s=one.t_s + track.start_s) for one in heard]
    found = tuple(replace(one, is_cut=one.t_s - track.start_s < _SILENT_S) for one in upper_verses(verses))
    return FilmSound(found, _NOTHING if found else Sentence("nobody was heard to read a poem"), track)


def upper_verses(verses: Sequence[Heard]) -> list[HeardReading]:
    """Return the upper verses among all heard verses.

    An ambiguous verse counts as an upper one unless an upper verse follows. A sure lower verse decides the
    poem of the upper verse before it.
    """
    found: list[HeardReading] = []
    for place, verse in enumerate(verses):
        if verse.half is Half.SHIMO:
            found[-1:] = [_settled(one, verse) for one in found[-1:]]
            continue
        best = verse.suggestions[:1]
        if best and best[0].poem == JOKA:
            continue
        if not best and any(
            later.half is Half.KAMI and later.t_s - verse.t_s < _SHIMO_AFTER_S
            for later in verses[place + 1 :]
        ):
            continue
        found.append(HeardReading(verse.t_s, verse.suggestions))
    return found


def _settled(upper: HeardReading, lower: Heard) -> HeardReading:
    best = lower.suggestions[0] if lower.suggestions else None
    if best is None or best.poem == JOKA or best.confidence < SURE or not upper.chance(best.poem):
        return upper
    others = tuple(one for one in upper.suggestions if one.poem != best.poem)
    return replace(upper, suggestions=(best, *others))


def lateness(track: Track, poems: Sequence[dict[str, Any]]) -> Offset | None:
    """Return the offset of the pictures' stamps after the sound's, by the touches of judged poems (JSON).

    None if too few hits agree.
    """
    offset = refined(Offset(0.0, APART_NS, APART_NS / 1.96, 1), list(_apart(track, poems)))
    agreeing = offset.n - 1  # without the prior
    return offset if agreeing >= _POEMS and offset.unc_ns <= _SURE_NS else None


def _apart(track: Track, poems: Sequence[dict[str, Any]]) -> Iterator[tuple[float, float]]:
    """Yield the time from each first hit to its first touch, and the 95 % half width, in nanoseconds."""
    around_s, before_s = 2 * APART_NS / 1e9, 0.5  # the sound before measures the noise of the room
    for poem in poems:
        touches = [touch for touch in poem["touches"] if touch["kind"] == "touch"]
        if not touches:
            continue
        first = min(touches, key=lambda touch: float(touch["t_ms"]))
        begin_s = first["t_ms"] / 1e3 - around_s - before_s - track.start_s
        at = max(0, samples(begin_s))
        wave = track.wave[at : at + samples(before_s + 2 * around_s)]
        begins_ns = round((track.start_s + at / SAMPLE_RATE) * 1e9)
        for hit in find_impacts(wave, SAMPLE_RATE, begins_ns):
            apart_ns = first["t_ms"] * 1e6 - hit.t_ns
            if abs(apart_ns) <= around_s * 1e9:
                yield apart_ns, float(np.hypot(first["t_unc_ms"] * 1e6, hit.t_unc_ns))
                break
