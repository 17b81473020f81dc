"""The sources of a practice's pictures: a camera, a recording, or a simulated player."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from desk.errors import DeskError
from desk.karuta.engine.events import ReaderAgreed
from desk.karuta.eye.equipment import Wanted
from desk.karuta.eye.film_hints import doubt_of
from desk.karuta.eye.watcher import Watch
from desk.karuta.house.agreed_reader import PERSON, reading_of
from desk.karuta.readers.loudspeaker_reader import ReciterReader
from desk.karuta.readers.simulated_reader import kimariji_completed
from desk.karuta.simulated_hall.source import SimulatorWish, live_pace
from desk.karuta.simulated_hall.table import happenings
from desk.log.event_log import EventLog
from desk.machine.camera_records import latency_unc_ns
from desk.practice.events import opened_now
from desk.practice.plan import Plan
from desk.practice.practice import DueDays, OpenReader, Practice
from desk.tables.camera_table import CameraTable
from desk.tables.simulated.scripted_table import ScriptedTable
from desk.tables.source_kind import Source
from desk.tables.table import Table
from desk.tables.table_opening import recorded_table
from recitation.reading.order import Order, reading_order
from referee.cards.poems import POEMS
from referee.complaint import sentence_of
from referee.facts import PoemStarted
from vision.recordings.recording import JOKA, RecordingError, load_recording
from vision.simulator.hall.match import SimulatedMatch
from vision.sources.source_address import name_of, shown_address

SIMULATOR = "simulator"


@dataclass(frozen=True, slots=True)
class Opened:
    """An opened source."""

    watch: Watch  # the eye, not yet started
    where: str  # the address for the log, without passwords
    open_reader: OpenReader | None = None  # opens the reader; None if the poems come with the pictures
    poems: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Voice:
    """Who reads before a camera, and how."""

    voice: str = "high"
    rhythm: str = "4-3-1-5"


def open_source(where: str, plan: Plan, wanted: Wanted, voice: Voice) -> Opened:
    """Open a source; DeskError if it cannot be opened, or there is no such voice or rhythm.

    `where`: a camera's number, device or address, `phone`, a recording's folder, or `simulator`, which may be
    followed by words such as `seed=3 cards=10 speed=2`. `wanted`: what stands beside a camera.
    """
    kind, _, words = where.partition(" ")
    if kind == SIMULATOR:
        match, wish = _simulated(words, plan)
        table: Table = ScriptedTable(
            lambda: happenings(match), Source.SIMULATOR, f"{wish}", wish.fps, wish.speed
        )
        return Opened(Watch(table), f"{SIMULATOR} {wish}", poems=match.poems)
    folder = Path(where).expanduser()
    if folder.is_dir():
        return Opened(Watch(recorded_table(folder, doubt_of=doubt_of)), str(folder), poems=_recorded(folder))
    open_reader = _reader(voice, where)
    table = CameraTable(where, wanted.phone)
    try:
        watch = Watch(table, wanted.open(where))
    except BaseException:
        table.close()
        raise
    return Opened(watch, shown_address(where), open_reader)


def open_practice(
    where: str,
    player: str | None,
    plan: Plan,
    *,
    wanted: Wanted,
    voice: Voice,
    folder: Path,
    due_days: DueDays,
) -> Practice:
    """Open a source and a log for a practice without starting it; see `open_source` and `Practice`.

    Raises DeskError if the source or the log cannot be opened.

    `player`: a name; empty or None if the attempts count for nobody.
    """
    player = (player or "").strip() or None
    source = open_source(where, plan, wanted, voice)
    try:
        opened = opened_now(source.watch.table.source, player, source.where)
        log = EventLog.create(folder / f"{opened.id}.sqlite")
        return Practice(
            source.watch,
            log,
            opened,
            plan,
            open_reader=source.open_reader,
            poems=source.poems,
            due_days=due_days,
        )
    except BaseException:
        source.watch.end()
        raise


def _simulated(words: str, plan: Plan) -> tuple[SimulatedMatch, SimulatorWish]:
    wish = SimulatorWish.parse(words)
    try:
        match = SimulatedMatch(
            wish.seed,
            wish.fps,
            wish.size,
            cards_per_side=wish.cards,
            poems=plan.wanted or None,
            pace=live_pace(),
            alone=True,
        )
    except ValueError as error:
        raise DeskError("the simulator cannot do this: {error}", error=sentence_of(error)) from error
    match.poems = reading_order(Order.SHUFFLE, wish.seed if plan.seed is None else plan.seed, match.poems)
    match.known_s = dict(_known_s(match.poems))
    return match, wish


def _known_s(order: Sequence[int]) -> Iterator[tuple[int, float]]:
    """Yield each poem with the time at which a player can know it, shortly before the end of its kimariji."""
    ahead_s = 0.3  # a simulated hand moves 0.42 to 0.7 s later
    unread = set(POEMS)
    for poem in order:
        said = kimariji_completed(PoemStarted(poem, 0, 1), unread)
        yield poem, max(0.0, said.t_ns / 1e9 - ahead_s)
        unread.discard(poem)


def _recorded(folder: Path) -> tuple[int, ...]:
    with DeskError.wrapping("", RecordingError):
        return tuple(reading.poem for reading in load_recording(folder).readings if reading.poem != JOKA)


def _reader(voice: Voice, where: str) -> OpenReader:
    """Return the function that opens the reader; raises DeskError if there is no such voice or rhythm."""
    if voice.voice == PERSON:
        raise DeskError("nobody reads for who practises alone: choose a voice (see: shinpan voices)")
    agreed = ReaderAgreed(voice.voice, voice.rhythm, order_seed=0, microphone="", certainty=1.0)
    reading_of(agreed, joka=False)  # so that a wrong name fails now, not when the practice begins
    picture_unc_ns = latency_unc_ns(name_of(where))
    return lambda order: ReciterReader(reading_of(agreed, joka=False, order=order), picture_unc_ns)
