"""A film's rulings as a match of the list: the same events that a match leaves which was watched live."""

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
from desk.log.clocks import wall_clock
from desk.log.event_log import EventLog, remove_log
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

    The field is taken as it was seen before each poem; where the flow of a match makes another ruling of the
    same facts, a remark says so.

    Parameters
    ----------
    matches : where the match logs lie.
    verdicts : of karuta.
    evidence : where the film's replays lie.
    names : the players.
    rules : the house rules by name.
    where : what the film is called.

    Raises
    ------
    DeskError, OSError
        Where it cannot be written; nothing of it is left then.
    """
    wall = wall_clock()
    match_id = f"match_{wall[:23].translate(str.maketrans('', '', '-:.')).replace('T', '_')}"
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
        remove_log(path)
        shutil.rmtree(kept, ignore_errors=True)
        raise
    log.close()
    return match_id


class _FilmClock:
    """The film's own time: what happens in it is logged as it happened."""

    def __init__(self) -> None:
        self.t_ns = 0

    def __call__(self) -> int:
        return self.t_ns


def _tell(engine: Engine, poem: FilmPoem, clock: _FilmClock) -> None:
    """Let a poem of the film happen in the match."""
    start, mat = poem.start, Mat(engine)
    clock.t_ns = max(clock.t_ns, start.t_ns)
    if engine.state.phase is Phase.RULING:
        engine.submit(Confirm(), Origin.POLICY)  # the match went on: it stands, with its doubts
    if len(poem.look.layout) and engine.state.phase in (Phase.SET_UP, Phase.RESTORE):
        engine.submit(FieldSettled(poem.look.layout, start.t_ns), Origin.EYE)
        mat.open_match(start.t_ns)
        engine.submit(FieldAccepted(poem.look.layout), Origin.DESK)  # it was played on as it lay
    mat.hear(start)
    for fact in poem.look.facts:
        engine.submit(fact, Origin.EYE)
    engine.submit(PoemFinished(), Origin.EYE)


def _prove(engine: Engine, poem: FilmPoem, evidence: Path, kept: Path, settings: Settings) -> None:
    """Lay the replay of the latest ruling beside the log, and say where the film alone is ruled otherwise."""
    minutes = read_minutes(engine.history)
    if not minutes or minutes[-1].start != poem.start:
        return  # the match was over before it
    minute = minutes[-1]
    if poem.evidence is not None and (evidence / poem.evidence).is_file():
        kept.mkdir(parents=True, exist_ok=True)
        try:
            os.link(evidence / poem.evidence, kept / poem.evidence)
        except OSError:  # another disk
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
