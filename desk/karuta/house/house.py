"""The house: one match at a time, the set-up of the next, and earlier matches."""

import asyncio
import sys
from pathlib import Path
from typing import Protocol

from desk.errors import DeskError
from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.events import MatchOpened, PoliciesSet, ReaderAgreed
from desk.karuta.eye.equipment import Wanted
from desk.karuta.eye.watcher import Watch
from desk.karuta.house.agreed_reader import open_reader
from desk.karuta.house.agreement import Agreement
from desk.karuta.house.history import MatchBin, list_matches, log_path, match_in, no_match, unreadable
from desk.karuta.house.live_match import PATIENCE_S, LiveMatch
from desk.karuta.house.panel_port import MatchPort
from desk.karuta.house.setup import AttendantOf, SetUp
from desk.karuta.readers.reader import Reader
from desk.karuta.readers.simulated_reader import SimulatedReader
from desk.karuta.simulated_hall.source import RehearsalTable
from desk.log.clocks import match_clock, name_stamp, wall_clock
from desk.log.database import file_version
from desk.log.event_log import EventLog
from desk.panel.house.port import MatchListed, Seat
from desk.panel.match.port import HallLink, Port
from desk.tables.source_kind import Source
from referee.complaint import sentence_of
from referee.facts import FieldSettled
from referee.karuta.flow.events import FieldAccepted, MemoriseEnded, MemoriseStarted
from referee.karuta.flow.match import start
from referee.karuta.flow.state import MatchState, Phase
from referee.sentence import Sentence
from vision.sources.source_address import shown_address


class Hall(Protocol):
    """The hall in which this house's matches are played, with one reader for all mats."""

    def reader(self, camera: str) -> Reader:
        """Return the reader of the next match, which is played under `camera`."""

    def follow(self, live: LiveMatch) -> None:
        """Report a match that begins or goes on to the hall; must return at once."""

    def leave(self) -> None:
        """Learn that no match is played any more."""

    def link(self) -> HallLink:
        """Return the state of the link."""

    def seat(self) -> Seat:
        """Return this mat, and who plays here next."""


class House:
    """Where matches are set up, played and kept; see `desk.panel.house.port.HousePort`.

    `hall`: the hall whose reader reads all matches under a live camera, regardless of the agreement.
    """

    def __init__(
        self,
        folder: Path,
        agreed: Agreement,
        *,
        wanted: Wanted | None = None,
        hall: Hall | None = None,
    ) -> None:
        self._folder, self._agreed = folder, agreed
        self._hall = hall
        self.live: LiveMatch | None = None
        self._log: EventLog | None = None
        self._leaving: set[asyncio.Task[None]] = set()
        self.set_up = SetUp(agreed, self._begin, wanted, None if hall is None else hall.seat)
        self.bin = MatchBin(folder, self._is_running)
        self._stored: dict[str, tuple[object, MatchPort]] = {}
        self._reading = asyncio.Lock()

    @property
    def match(self) -> Port | None:
        return None if self.live is None else self.live.port

    def matches(self) -> list[MatchListed]:
        return list_matches(self._folder)

    def unreadable(self) -> dict[str, Sentence]:
        return unreadable(self._folder)

    def _is_running(self, match_id: str) -> bool:
        return self.live is not None and self._log is not None and self._log.path.stem == match_id

    async def stored(self, match_id: str) -> Port | None:
        """Return an earlier match for viewing; None if there is none, DeskError if it cannot be read.

        Logs are read outside the loop, one at a time, and the latest are kept.
        """
        if self.live is not None and self.live.engine.opened.id == match_id:
            return self.live.port
        path = log_path(self._folder, match_id)
        if path is None:
            return None
        version = file_version(path)
        if (known := self._stored.get(match_id)) is not None and known[0] == version:
            return known[1]
        async with self._reading:
            if (known := self._stored.get(match_id)) is not None and known[0] == version:
                return known[1]  # somebody else asked for it meanwhile
            found = await asyncio.to_thread(match_in, path, is_stored=True)
            self._stored[match_id] = version, found
            most_kept = 4  # a match of a hundred poems takes some megabytes
            for oldest in list(self._stored)[:-most_kept]:
                del self._stored[oldest]
        return found

    def resume(self, match_id: str, watch: Watch | None = None) -> None:
        """Continue an interrupted match, with eye and agreed reader or, without an eye, with officials alone.

        Raises DeskError if there is no such match, or its log cannot be replayed.
        """
        path = log_path(self._folder, match_id)
        if path is None:
            raise no_match(match_id, self._folder)
        log = EventLog.open(path)
        try:
            live = self._go(log, None, watch)
        except DeskError:
            log.close()
            raise
        reading = None if watch is None else watch.eye.reading
        if watch is not None and reading is not None:  # the eye tells a field once, and told it to the set-up
            live.mat.tell([FieldSettled(reading.layout, watch.table.clock())])

    async def go_on(self, match_id: str) -> str | None:
        if self._is_running(match_id):
            return None
        try:
            await self._continue(match_id)
        except DeskError as error:
            return sentence_of(error)
        return None

    async def _continue(self, match_id: str) -> None:
        listed = await asyncio.to_thread(self.matches)
        match = next((each for each in listed if each["id"] == match_id), None)
        if match is None:
            raise no_match(match_id, self._folder)
        if match["over"]:
            raise DeskError("this match is over: there is nothing to go on with")
        watch = self.set_up.watch
        if Source.SIMULATOR in {Source(match["source"]), watch and watch.table.source}:
            raise DeskError("a match on a simulated table ends with its table; open a camera for any other")
        self.resume(match_id, watch)
        self.set_up.take_watch()  # the match owns it now
        await self.set_up.leave()

    async def end(self) -> None:
        """Leave the running match, if there is one: its camera, reader and log are closed."""
        live, log, self.live, self._log = self.live, self._log, None, None
        if live is not None and log is not None:
            if self._hall is not None:
                self._hall.leave()
            await _leave(live, log)

    async def close(self) -> None:
        await self.set_up.leave()
        await self.end()
        await asyncio.gather(*self._leaving)

    def _begin(self, agreement: Agreement, watch: Watch, attendant_of: AttendantOf | None) -> None:
        source, table = watch.table.source, watch.table
        settings = agreement.settings(source, rehearses=isinstance(table, RehearsalTable))
        agreed = agreement.reader
        reader: Reader | None = None
        if isinstance(table, RehearsalTable):
            reader = SimulatedReader(table.clock, table.is_read.set)
        if source is Source.CAMERA:
            reader = self._reader(agreed, table.where, start(settings), agreement.keeps_sound)
        stamp = name_stamp(wall_clock())
        opening = MatchOpened(
            f"match_{stamp}", source, settings, agreement.names, where=shown_address(table.where)
        )
        log = EventLog.create(self._folder / f"{opening.id}.sqlite")
        live = self._go(log, opening, watch, reader, attendant_of, keeps_sound=agreement.keeps_sound)
        engine = live.engine
        engine.note(PoliciesSet(agreement.policies), Origin.OPERATOR)
        if reader is not None and source is Source.CAMERA:
            engine.note(agreed, Origin.OPERATOR)
        if (reading := watch.eye.reading) is not None:
            engine.submit(FieldSettled(reading.layout, watch.table.clock()), Origin.EYE)
        if engine.state.problems:
            engine.submit(FieldAccepted(), Origin.OPERATOR)  # the official has seen the field
        waits_for_hall = reader is not None and self._hall is not None and settings.memorise_ns > 0
        if engine.state.phase is Phase.SET_UP and len(engine.state.home) and not waits_for_hall:
            engine.submit(MemoriseStarted(watch.table.clock()), Origin.OPERATOR)
            if not settings.memorise_ns:
                engine.submit(MemoriseEnded(), Origin.OPERATOR)

    def _go(
        self,
        log: EventLog,
        opening: MatchOpened | None,
        watch: Watch | None,
        reader: Reader | None = None,
        attendant_of: AttendantOf | None = None,
        *,
        keeps_sound: bool | None = None,
    ) -> LiveMatch:
        loop = asyncio.get_running_loop()
        clock = match_clock if watch is None else watch.table.clock
        if opening is None:
            engine = Engine.resume(log, clock=clock)
            reader = self._reader_again(engine, watch)
        else:
            engine = Engine.begin(log, opening, clock=clock)
        if self.live is not None and self._log is not None:
            self._leaving.add(loop.create_task(_leave(self.live, self._log)))
        speed = 1.0 if watch is None else watch.table.speed
        live = LiveMatch(
            engine,
            watch,
            log.path.with_suffix(".evidence"),
            reader=reader,
            attendant=None if attendant_of is None else attendant_of(engine),
            patience_s=PATIENCE_S / speed,
            hall_link=None if self._hall is None else self._hall.link,
            keeps_sound=self._agreed.keeps_sound if keeps_sound is None else keeps_sound,
        )
        live.begin(loop)
        self.live, self._log = live, log
        if self._hall is not None:
            self._hall.follow(live)
        return live

    def _reader_again(self, engine: Engine, watch: Watch | None) -> Reader | None:
        """Return the reader of an interrupted match; None if none was agreed on, or it cannot be opened."""
        agreed = [each.event for each in engine.history if isinstance(each.event, ReaderAgreed)]
        if watch is None or watch.table.source is not Source.CAMERA or not agreed:
            return None
        try:
            return self._reader(agreed[-1], watch.table.where, engine.state, self._agreed.keeps_sound)
        except DeskError as error:
            sys.stderr.write(f"shinpan serve: nobody reads: {error}\n")
            return None

    def _reader(self, agreed: ReaderAgreed, camera: str, state: MatchState, keeps_sound: bool) -> Reader:
        if self._hall is not None:
            return self._hall.reader(camera)
        return open_reader(agreed, camera, state, keeps_sound=keeps_sound)


async def _leave(live: LiveMatch, log: EventLog) -> None:
    await live.end()
    log.close()
