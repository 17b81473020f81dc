"""Storing a film's rulings as a match, with the same events as a live match."""

import json
import os
import shutil
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from calibration.files.storage import leave_room, writing
from desk.card_games import CARD_GAMES
from desk.films.film import open_film, write_down
from desk.films.game import deck_of_table, head_of, seats_of, sections_of
from desk.films.judgement import FilmHints
from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.events import EvidenceKept, MatchOpened, Remark
from desk.karuta.engine.mat import Mat
from desk.karuta.engine.minutes import read_minutes
from desk.karuta.evidence.poem_json import judged_facts
from desk.karuta.eye.recorded_match import rules_named
from desk.log import database
from desk.log.clocks import name_stamp, wall_clock
from desk.log.event_log import EventLog
from desk.shelf.verdicts import FilmPoem, Verdicts
from desk.tables.source_kind import Source
from referee.facts import FieldSettled
from referee.karuta.flow.events import Confirm, FieldAccepted, PoemFinished
from referee.karuta.flow.state import Phase, Settings
from referee.karuta.ruleset import RuleSet
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
    log, clock = EventLog.create(path), _FilmClock()
    try:
        opened = MatchOpened(match_id, Source.VIDEO, settings, names, where=where)
        engine = Engine.begin(log, opened, clock=clock)
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
    alone, ruling = poem.ruling(settings.rules), minute.ruling
    if (alone.taken_by, alone.faults, alone.sends) != (ruling.taken_by, ruling.faults, ruling.sends):
        remark = "judged by itself, this poem of the film has another ruling"
        engine.note(Remark(minute.seq, remark), Origin.DESK)


_README = """A film that was judged by shinpan, handed in because somebody disagrees.

Judge it again:  shinpan judge {name}
rulings.json holds what was ruled, recording.toml and reading.jsonl what was filmed and read,
evidence the pictures around the contacts of each poem. The film was called {called}.
"""


@dataclass(frozen=True, slots=True)
class Case:
    """The content of a case."""

    name: str  # the folder inside the archive
    # the film's file, its name, its verdicts, a person's answers, and the rules
    film: Path
    called: str
    verdicts: Verdicts
    told: FilmHints
    rules: str | None


def write_archive(path: Path, case: Case, evidence: Path) -> None:
    """Write a case into a ZIP file, whole or not at all; DeskError, OSError if it cannot be written."""
    name, verdicts, told, rules = case.name, case.verdicts, case.told, case.rules
    film = open_film(case.film, told.filmed_fps)
    game = verdicts.game
    assert game, "it was judged"
    with TemporaryDirectory(prefix="shinpan-case-") as lent:
        folder = Path(lent)
        if game == "karuta":
            write_down(folder, film, "karuta", readings=[poem.reading.line() for poem in verdicts.poems])
        else:
            table = CARD_GAMES[game]
            deck = deck_of_table(film, table, told.deck)
            seats = seats_of(film, table, told.seats)
            head, sections = head_of(table, seats, rules), sections_of(table, deck, seats)
            write_down(folder, film, game, head=head, sections=sections)
        leave_room(path.parent)
        with writing(path) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr(f"{name}/README.txt", _README.format(name=name, called=case.called))
            ruled = dict(verdicts.judged)
            if game == "karuta":
                ruleset = rules_named(rules)
                ruled = {"rules": ruleset.name, "poems": [_poem(poem, ruleset) for poem in verdicts.poems]}
            archive.writestr(f"{name}/rulings.json", json.dumps(ruled, ensure_ascii=False, indent=1))
            for each in sorted(folder.iterdir()):
                archive.write(each, f"{name}/{each.name}")
            for poem in verdicts.poems:
                if poem.evidence is not None and (evidence / poem.evidence).is_file():
                    archive.write(evidence / poem.evidence, f"{name}/evidence/{poem.evidence}")
            archive.write(film.path, f"{name}/{film.path.name}")


def _poem(poem: FilmPoem, rules: RuleSet) -> dict[str, Any]:
    judged = judged_facts(poem.start, poem.look.layout, poem.look.facts, rules)
    doubt = {"reading_doubt": poem.reading.doubt} if poem.reading.doubt else {}
    return {**judged, **doubt, "evidence": poem.evidence}
