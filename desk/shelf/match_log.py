"""Storing a film's rulings as a match, with the same events as a live match."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.events import EvidenceKept, MatchOpened, Remark
from desk.karuta.engine.mat import Mat
from desk.karuta.engine.minutes import read_minutes
from desk.karuta.eye.recorded_match import rules_named
from desk.log import database
from desk.log.clocks import name_stamp, wall_clock
from desk.log.event_log import EventLog
from desk.shelf.verdicts import FilmPoem, Verdicts
from desk.tables.source_kind import Source
from referee.facts import FieldSettled
from referee.karuta.flow.events import Confirm, FieldAccepted, PoemFinished
from referee.karuta.flow.state import Phase, Settings
from referee.sides import BySide


def keep_match(
    matches: Path,
    verdicts: Verdicts,
    evidence: Path,
    *,
    names: BySide[str | None],
    rules: str | None,
    where: str,
) -> str:
    """Write a film's rulings into a new match log with its replays beside it, and return the match's id.

    The field is accepted as it was seen before each poem. If the flow of the match gives a different ruling
    on the same facts, a remark says so. Raises DeskError, OSError if it cannot be written; no part of it is
    left behind.

    `where`: name of the film.
    """
    match_id = f"match_{name_stamp(wall_clock())}"
    cards = max(max(count for _, count in poem.look.layout.counts().items()) for poem in verdicts.poems)
    settings = Settings(
        rules=replace(rules_named(rules), joka=False),
        cards_per_side=min(50, max(1, cards)),
        memorise_ns=0,
        practice_swings_ns=0,
    )
    path = matches / f"{match_id}.sqlite"
    kept = path.with_suffix(".evidence")
    log = EventLog.create(path)
    try:
        clock = _FilmClock()
        engine = Engine.begin(
            log, MatchOpened(match_id, Source.VIDEO, settings, names, where=where), clock=clock
        )
        for poem in verdicts.poems:
            _tell(engine, poem, clock)
            _prove(engine, poem, evidence, kept, settings)
    except BaseException:
        log.close()
        database.remove(path)
        shutil.rmtree(kept, ignore_errors=True)
        raise
    log.close()
    return match_id


class _FilmClock:
    """The film's own clock, by which its events are logged."""

    def __init__(self) -> None:
        self.t_ns = 0

    def __call__(self) -> int:
        return self.t_ns


def _tell(engine: Engine, poem: FilmPoem, clock: _FilmClock) -> None:
    """Submit a poem of the film to the match."""
    start, mat = poem.start, Mat(engine)
    clock.t_ns = max(clock.t_ns, start.t_ns)
    if engine.state.phase is Phase.RULING:
        engine.submit(Confirm(), Origin.POLICY)  # the match went on, so the ruling stands with its doubts
    if len(poem.look.layout) and engine.state.phase in (Phase.SET_UP, Phase.RESTORE):
        engine.submit(FieldSettled(poem.look.layout, start.t_ns), Origin.EYE)
        mat.open_match(start.t_ns)
        engine.submit(FieldAccepted(poem.look.layout), Origin.DESK)  # the match went on with this field
    mat.hear(start)
    for fact in poem.look.facts:
        engine.submit(fact, Origin.EYE)
    engine.submit(PoemFinished(), Origin.EYE)


def _prove(engine: Engine, poem: FilmPoem, evidence: Path, kept: Path, settings: Settings) -> None:
    """Store the replay of the latest ruling, and add a remark if the film's own ruling is different."""
    minutes = read_minutes(engine.history)
    if not minutes or minutes[-1].start != poem.start:
        return  # the match was over before this poem
    minute = minutes[-1]
    if poem.evidence is not None and (evidence / poem.evidence).is_file():
        kept.mkdir(parents=True, exist_ok=True)
        try:
            os.link(evidence / poem.evidence, kept / poem.evidence)
        except OSError:  # links do not work across disks
            shutil.copyfile(evidence / poem.evidence, kept / poem.evidence)
        engine.note(EvidenceKept(minute.seq, poem.evidence), Origin.DESK)
    alone = poem.ruling(settings.rules)
    if (alone.taken_by, alone.faults, alone.sends) != (
        minute.ruling.taken_by,
        minute.ruling.faults,
        minute.ruling.sends,
    ):
        engine.note(
            Remark(minute.seq, "judged by itself, this poem of the film has another ruling"), Origin.DESK
        )
