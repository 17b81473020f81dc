"""A mat in a hall: sends its events and its state, follows the reading, and serves its replays."""

import asyncio
import sys
import time
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from nats.aio.msg import Msg
from nats.errors import Error

from desk.errors import DeskError
from desk.hall.clock import HallClock
from desk.hall.link import Link, LinkState, end
from desk.hall.mat.cue_reader import CueReader
from desk.hall.mat.delay import Delay
from desk.hall.mat.sender import Outbox, Sender
from desk.hall.mat.speaker import Speaker
from desk.hall.messages import (
    FirstSoundCue,
    JokaCue,
    JokaOverCue,
    LastRuling,
    MatHealth,
    MatState,
    MemoriseCue,
    MessageError,
    Pairing,
    PlayCue,
    PoemCue,
    ReadingState,
    VoidCue,
    message_in,
    pack,
    unpack,
)
from desk.hall.replays import ServedReplays
from desk.hall.store import latest
from desk.hall.subjects import READING_CUE, READING_PLAY, READING_STATE, Role, check_mat, pairing_of, state_of
from desk.hall.ticket import Ticket
from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.house.live_match import LiveMatch
from desk.log.clocks import match_clock, wall_clock
from desk.machine.camera_records import latency_unc_ns
from desk.panel.house.port import Seat as SeatShown
from desk.panel.match.port import HallLink, Health, PoemRuled, SideName, Snapshot
from referee.karuta.declarations import Misread
from referee.karuta.flow.events import IllegalEventError, MemoriseStarted
from referee.karuta.flow.state import Phase
from referee.sides import BySide, Side
from vision.sources.source_address import name_of

_STANDING = ("ruled", "confirmed", "overruled")
_NOT_BEGUN = ("set_up", "over")


def standing(
    mat: str, engine: Engine, snapshot: Snapshot, reader: CueReader | None, health: MatHealth
) -> MatState:
    """Return the state of a mat with a match.

    `reader`: follows the hall's reader; None if this match has its own reader.
    """
    state = engine.state
    poems, pause, names = snapshot["poems"], snapshot["pause"], snapshot["match"]["names"]
    is_asked = state.asked or state.phase is Phase.JOKA
    return MatState(
        mat=mat,
        wall=wall_clock(),
        match=engine.opened.id,
        seq=snapshot["seq"],
        names=BySide(**names),
        phase=snapshot["phase"],
        pause=None if pause is None else pause["reason"],
        poems=sum(poem["state"] in _STANDING for poem in poems),
        counts=BySide(**snapshot["counts"]),
        faults=BySide(**snapshot["faults"]),
        last=_ruling(poems[-1]) if poems else None,
        winner=_side(snapshot["winner"]),
        session="" if reader is None else reader.session,
        heard=0 if reader is None else reader.heard,
        follows=reader is not None and snapshot["phase"] not in _NOT_BEGUN,
        ready=reader is not None and reader.wants and reader.is_timed and is_asked,
        hands=tuple(side for side in Side if side in state.holding),
        health=health,
    )


def health_of(
    health: Health | None, unsent: int, clock_unc_ns: int | None, reader: CueReader | None
) -> MatHealth:
    """Return the health of a mat; `health` is that of its match, None without one."""
    delay = None if reader is None else reader.delay
    return MatHealth(
        fps=None if health is None else health["fps"],
        late_ms=None if health is None else health["late_ms"],
        dropped=0 if health is None else health["dropped"],
        warnings=() if health is None else tuple(health["warnings"]),
        unsent=unsent,
        clock_unc_ns=clock_unc_ns,
        delay_ns=0 if delay is None else delay.ns,
        delay_unc_ns=0 if delay is None else delay.unc_ns,
    )


def _ruling(poem: PoemRuled) -> LastRuling:
    return LastRuling(
        entry=poem["seq"],
        poem=poem["poem"],
        status=poem["status"],
        standing=poem["state"],
        taken_by=_side(poem["taken_by"]),
        faults=BySide(**poem["faults"]),
        lead_ns=poem["lead_ns"],
        lead_unc_ns=poem["lead_unc_ns"],
        appealed_by=_side(poem["appealed_by"]),
        has_replay=poem["evidence"],
    )


def _side(name: SideName | None) -> Side | None:
    return None if name is None else Side(name)


class Seat:
    """The next pairing at one mat, from the hall's tournament."""

    def __init__(self, link: Link, mat: str) -> None:
        self._link, self._mat = link, mat
        self._pairing: Pairing | None = None

    async def listen(self) -> None:
        await self._link.listen(pairing_of(self._mat), self._hear)

    async def catch_up(self) -> None:
        """Fetch the latest pairing, which may have been sent before this mat joined."""
        before = self._pairing
        try:
            found = await latest(self._link, "PAIRINGS", pairing_of(self._mat))
        except (Error, OSError, TimeoutError):
            return
        is_news = self._pairing is before  # else a newer one arrived
        if found is not None and found.problem is None and is_news:
            self._take(found.data)

    def shown(self, over: BySide[str | None] | None) -> SeatShown:
        """Return the seat for the set-up's page.

        `over`: the players of this mat's latest match if it is over: a pairing of these two was played.
        """
        pairing = self._pairing
        if pairing is not None and over is not None and pairing.names in (over, over.swap()):
            pairing = None
        names: BySide[str | None] = BySide.both(None) if pairing is None else pairing.names
        return {
            "mat": self._mat,
            "title": pairing.title if pairing is not None and pairing.id else None,
            "names": {"near": names.near, "far": names.far},
        }

    async def _hear(self, message: Msg) -> None:
        self._take(message.data)

    def _take(self, data: bytes) -> None:
        said = message_in(data)
        if isinstance(said, Pairing) and said.mat == self._mat:
            self._pairing = said


_LOOKS_EVERY_S: Final = 0.1  # interval of the checks whether the mat's state has changed
_LIFE_S: Final = 2.0
_CLOCK_WITHIN_S: Final = 5.0
_FRESH_NS: Final = 30_000_000_000
"""A reading that began longer ago is over; a mat that joins then waits for the next one."""


class Station:
    """A mat's part in a hall. `open` returns at once, and nothing here blocks the match."""

    def __init__(self, ticket: Ticket, folder: Path, delay: Delay) -> None:
        self.mat = check_mat(ticket.user)
        self._delay = delay
        self._outbox = Outbox(folder, self.mat)
        self._link = Link(ticket)
        self._link.when_joined(self._joined)
        self._sender = Sender(self._link, self._outbox)
        self._seat = Seat(self._link, self.mat)
        self._replays = ServedReplays(self._link, self._outbox, folder)
        self._clock = HallClock(self._link)
        self._speaker = Speaker(self._clock) if ticket.role is Role.SPEAKER else None
        self._live: LiveMatch | None = None
        self._reader: CueReader | None = None
        self._seen: tuple[Any, ...] | None = None
        self._said_s = 0.0
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        self._link.open()
        listening = [
            self._link.listen(READING_CUE, self._hear),
            self._seat.listen(),
            self._replays.listen(self.mat),
        ]
        if self._speaker is not None:
            listening += [self._link.listen(each, self._play) for each in (READING_STATE, READING_PLAY)]
        for work in (self._sender.run(), self._clock.run(), self._tell(), *listening):
            self._spawn(work)

    async def close(self) -> None:
        """Send what can be sent quickly, and leave the hall. The rest is sent next time."""
        with suppress(TimeoutError, DeskError):
            async with asyncio.timeout(1.0):
                while self._link.is_joined and self._sender.unsent:
                    self._sender.wake()
                    await asyncio.sleep(0.02)
        await end(self._tasks)
        await self._link.close()
        self._outbox.close()
        if self._speaker is not None:
            await asyncio.to_thread(self._speaker.close)

    def reader(self, camera: str) -> CueReader:
        """Return a reader for the next match, which follows the hall's reader.

        `camera`: address of the camera, to look up its latency.
        """
        self._reader = CueReader(self._clock, self._delay, latency_unc_ns(name_of(camera)))
        return self._reader

    def follow(self, live: LiveMatch) -> None:
        """Send the events of a match that begins or is continued."""
        self._live = live
        self._replays.follow(live)
        if live.reader is not self._reader:
            self._reader = None
        try:
            self._outbox.join(live.engine.opened.id)
        except DeskError as error:
            sys.stderr.write(f"shinpan: hall: {error}\n")
        live.engine.news.listen(self._sender.wake)
        self._sender.wake()

    def leave(self) -> None:
        """Learn that no match is played at this mat any more; what it has logged is still sent."""
        self._live = self._reader = None

    def link(self) -> HallLink:
        problem = self._sender.problem if self._link.is_joined else self._link.problem
        if problem is None and self._speaker is not None:
            problem = self._speaker.problem
        unc_ns = self._clock.unc_ns
        return {
            "mat": self.mat,
            "state": "troubled" if self._link.is_joined and problem else self._link.state.value,
            "unsent": self._unsent(),
            "problem": problem,
            "clock_unc_ms": None if unc_ns is None else unc_ns / 1e6,
        }

    def seat(self) -> SeatShown:
        """Return this mat's name and its next pairing, for the set-up."""
        live = self._live
        is_over = live is not None and live.engine.state.phase is Phase.ENDED
        return self._seat.shown(live.engine.opened.names if live is not None and is_over else None)

    # --- outgoing messages --------------------------------------------------------------------------------

    def _joined(self) -> None:
        self._seen = None
        self._spawn(self._catch_up())
        self._spawn(self._seat.catch_up())

    async def _tell(self) -> None:
        """Send the mat's state at every change and as a sign of life."""
        while True:
            await asyncio.sleep(_LOOKS_EVERY_S)
            if self._speaker is not None:
                self._speaker.look()
            if self._reader is not None:
                is_joined = self._link.state is LinkState.JOINED
                self._reader.problem = None if is_joined else self._link.problem or "no link"
            if not self._link.is_joined:
                continue
            seen, now_s = self._glance(), time.monotonic()
            if seen == self._seen and now_s - self._said_s < _LIFE_S:
                continue
            live = self._live
            try:
                health = None if live is None else live.port.health()
                told = health_of(health, self._unsent(), self._clock.unc_ns, self._reader)
                if live is None:
                    state = MatState(self.mat, wall_clock(), health=told)
                else:
                    state = standing(self.mat, live.engine, live.port.state(), self._reader, told)
            except DeskError as error:
                sys.stderr.write(f"shinpan: hall: {error}\n")
                continue
            self._seen, self._said_s = seen, now_s
            await self._link.say(state_of(self.mat), pack(state))

    def _glance(self) -> tuple[Any, ...]:
        """Return a cheap summary that differs whenever people or the reader would notice a change.

        The whole state takes 8 ms at the end of a match (81 poems, 792 entries).
        """
        live, reader = self._live, self._reader
        return (
            None if live is None else (live.engine.opened.id, live.engine.last_seq),
            None if live is None else tuple(live.port.health()["warnings"]),
            None if reader is None else (reader.session, reader.heard, reader.wants, reader.is_timed),
        )

    def _unsent(self) -> int:
        try:
            return self._sender.unsent
        except DeskError:
            return 0

    # --- incoming messages --------------------------------------------------------------------------------

    async def _play(self, message: Msg) -> None:
        speaker = self._speaker
        assert speaker is not None, "only a mat with a loudspeaker listens to this"
        told = message_in(message.data)
        if isinstance(told, ReadingState) and told.voice:
            await asyncio.to_thread(speaker.open, told.voice, told.rhythm)
        elif isinstance(told, PlayCue):
            speaker.play(told)

    async def _catch_up(self) -> None:
        """Fetch the cues of the current reading, for a mat that joins in its middle."""
        ends_s = time.monotonic() + _CLOCK_WITHIN_S
        while not self._clock.is_known and time.monotonic() < ends_s:
            await asyncio.sleep(_LOOKS_EVERY_S)
        try:
            found = await latest(self._link, "READING", READING_CUE)
            if found is None or found.problem is not None:
                return
            cue = unpack(found.data)
        except (Error, OSError, TimeoutError, MessageError):
            return
        clock, reader = self._clock, self._reader
        if reader is None or not isinstance(cue, FirstSoundCue | PoemCue):
            return
        if clock.is_known and clock.session == cue.session:
            age_ns = match_clock() - clock.laid_onto(cue.hall_ns).t_ns
            if age_ns < _FRESH_NS:
                reader.hear(cue)

    async def _hear(self, message: Msg) -> None:
        cue, live, reader = message_in(message.data), self._live, self._reader
        if reader is None:
            return
        phase = None if live is None else live.engine.state.phase
        is_latest = isinstance(cue, VoidCue) and (cue.session, cue.number) == (reader.session, reader.heard)
        with suppress(IllegalEventError, DeskError):
            if live is not None and isinstance(cue, MemoriseCue) and phase is Phase.SET_UP:
                # the whole hall memorises; the field may not be seen yet
                live.engine.submit(MemoriseStarted(live.port.health()["now_ns"]), Origin.READER)
            elif live is not None and is_latest and phase in (Phase.READING, Phase.RULING):
                live.engine.submit(Misread(), Origin.READER)  # for the whole hall
        if isinstance(cue, VoidCue) and self._speaker is not None:
            self._speaker.stop()
        if isinstance(cue, FirstSoundCue | PoemCue | VoidCue | JokaCue | JokaOverCue):
            reader.hear(cue)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
