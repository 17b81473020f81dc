"""Correcting one poem of a film: a person says which poem was read, or when, and it alone is judged again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from desk.films.film import Film
from desk.films.folder import lent_folder, write_down
from desk.films.judgement import looked_at, looked_twice
from desk.films.reading import FilmReading
from desk.films.sound import APART_NS
from desk.karuta.eye.recorded_match import WatchedRecording, watch_recording
from referee.facts import ASSUMED, UNPLACED, UNSURE
from referee.karuta.ruleset import RuleSet
from vision.poem.events import PoemSeen
from vision.recordings.recording import JOKA, RecordedReading
from vision.torifuda.prior_knowledge import PriorKnowledge

_HAND_NS = 40_000_000
"""95 % half width of a first sound that a person marks in the waveform: a few of its columns."""


def corrected(reading: FilmReading, poem: int | None = None, t_ns: int | None = None) -> FilmReading:
    """Return a reading with a person's correction of its poem, its first sound, or both.

    That settles the doubts about what was corrected; others stay.
    """
    settled: set[str] = set()
    if poem is not None:
        settled |= {UNSURE, ASSUMED}
        reading = replace(reading, poem=poem, perhaps=(), confidence=1.0)
    if t_ns is not None:
        settled.add(UNPLACED)
        unc_ns = round(float(np.hypot(APART_NS, _HAND_NS)))
        reading = replace(reading, t_ns=t_ns, t_unc_ns=unc_ns)
    return replace(reading, doubt="" if reading.doubt in settled else reading.doubt)


def judge_again(
    film: Film,
    readings: Sequence[FilmReading],
    number: int,
    rules: RuleSet,
    known: PriorKnowledge,
    *,
    watched: Callable[[int], None] | None = None,
) -> tuple[FilmReading, PoemSeen | None]:
    """Judge poem `number` of a film anew, from the pictures between the corrected readings around it.

    Returns its revised reading, and what was seen of it. Raises DeskError if the film cannot be read, or no
    card is found in that part of it. `watched`: called with the instant of every picture, in nanoseconds.
    """
    reading = looked_at(readings[number], rules)
    # the field rests before a reading; the end of the previous poem shows its layout
    lead_ns, tail_ns = 2_000_000_000, 200_000_000
    lines = [one.line() for one in readings[max(0, number - 1) : number]]
    starts_ns = 0 if number < 2 else max(0, readings[number - 1].t_ns - lead_ns)
    ends_ns, lines_after = None, []
    if number + 1 < len(readings):  # the next first sound ends this poem; the next play does not matter
        following = readings[number + 1].line()
        ends_ns = following.t_ns + tail_ns
        lines_after = [RecordedReading(following.t_ms, JOKA, following.t_unc_ms)]
    with lent_folder(film) as folder:

        def judged(one: FilmReading) -> WatchedRecording:
            write_down(folder, film, "karuta", readings=[*lines, one.line(), *lines_after])
            return watch_recording(folder, rules, known, watched, (starts_ns, ends_ns))

        found = judged(reading)
        poem = next(
            each for each in found.judged["poems"] if round(each["t_ms"] * 1e6) == reading.line().t_ns
        )
        doubted = looked_twice(reading, poem["ruling"], rules)
        if doubted != reading:
            reading, found = doubted, judged(doubted)
    return reading, found.seen.get(reading.line().t_ns)
