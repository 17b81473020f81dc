"""Controls the hall's reader: waits until every mat is ready, reads, and sends the times of all sounds."""

import asyncio
import sys
import time
from collections import deque
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Final

from nats.aio.msg import Msg
from nats.errors import Error

from desk.errors import DeskError
from desk.hall.clock import answer_clock
from desk.hall.link import Link
from desk.hall.messages import (
    ID_HEADER,
    Cue,
    MatState,
    MemoriseCue,
    PoemCue,
    ReadingCommand,
    ReadingPhase,
    ReadingState,
    ReadingWish,
    VoidCue,
    message_in,
    pack,
    unpack,
)
from desk.hall.reading.cues import CueMaker
from desk.hall.store import everything, latest
from desk.hall.subjects import EVERY_STATE, READING_COMMAND, READING_CUE, READING_STATE, state_of
from desk.karuta.readers.reader import JokaOver, Reader
from desk.log.clocks import Clock, match_clock
from referee.cards.poems import POEMS
from referee.karuta.declarations import Misread
from referee.karuta.flow.events import Pause, Resume
from referee.karuta.flow.follow_ups import MatchEnded, ReadJoka, ReadPoem
from referee.sentence import Sentence

SILENT_S = 8.0  # mats send their state every 2 s; a mat that is silent for this long has lost the link
_ON_ITS_WAY_S = 2.0  # for this long after a poem began, a mat's ready may still refer to the previous poem


@dataclass(frozen=True, slots=True)
class Call:
    """The mats that delay the next poem, each under one reason."""

    unready: tuple[str, ...] = ()
    hands: tuple[str, ...] = ()  # mats where a player asks the reader to wait
    silent: tuple[str, ...] = ()  # mats that take part and have gone silent

    @property
    def waits_for(self) -> tuple[str, ...]:
        """All of these mats, in the order of their names."""
        return tuple(sorted({*self.unready, *self.hands, *self.silent}))


@dataclass
class _Mat:
    state: MatState
    at_s: float
    joined: bool
    left: bool = False


class Attendance:
    """The mats that take part in the reading, and whether they are ready.

    Before the first poem, the reader waits for every mat whose match has begun. Later, a mat joins when it is
    ready for the first time, so that a mat that still memorises delays nobody. A mat leaves when its match is
    over. The reader waits for a silent mat only once: if it reads on without the mat, the mat has left until
    its next message.
    """

    def __init__(self, session: str) -> None:
        self._session = session
        self._mats: dict[str, _Mat] = {}
        self._number = 0
        self._begun_s = 0.0

    def told(self, state: MatState, now_s: float) -> None:
        """Receive the state of a mat; `now_s` is on any monotonic clock."""
        known = self._mats.get(state.mat)
        if not state.follows:
            self._mats.pop(state.mat, None)
            return
        joined = self._number == 0 or state.ready or (known is not None and known.joined)
        same_match = known is not None and known.state.match == state.match
        if known is not None and not same_match and self._number:
            joined = state.ready  # the next match of the same mat joins anew
        self._mats[state.mat] = _Mat(state, now_s, joined)

    def begun(self, number: int, now_s: float) -> None:
        """Note that a reading has begun to sound."""
        self._number, self._begun_s = number, now_s

    def left_behind(self, now_s: float) -> None:
        """Note that the reader reads on: silent mats have left."""
        for mat in self._mats.values():
            mat.left = mat.left or now_s - mat.at_s > SILENT_S

    @property
    def count(self) -> int:
        """Number of mats that take part."""
        return sum(mat.joined and not mat.left for mat in self._mats.values())

    def call(self, now_s: float) -> Call:
        """Return the mats that delay the next poem."""
        unready, hands, silent = list[str](), list[str](), list[str]()
        for name, mat in self._mats.items():
            if not mat.joined or mat.left:
                continue
            if now_s - mat.at_s > SILENT_S:
                silent.append(name)
            elif mat.state.hands:
                hands.append(name)
            elif not self._is_ready(mat):
                unready.append(name)
        return Call(tuple(unready), tuple(hands), tuple(silent))

    def _is_ready(self, mat: _Mat) -> bool:
        heard = mat.state.heard if mat.state.session == self._session else 0
        is_of_now = heard == self._number or mat.at_s - self._begun_s >= _ON_ITS_WAY_S
        return mat.state.ready and is_of_now


TICK_S: Final = 0.02
_TOLD_EVERY_S: Final = 2.0
_KEPT_S: Final = 0.5
_LAST_HALF_S: Final = 3.0
"""The upper half continues after its kimariji, so no mat has to be ready before it ends."""
FIRST_WORDS_S: Final = 2.5
"""Time before the first reading in which every mat is heard: mats send their state every 2 s, and ask every
second for a new clock."""
LIMIT_S: Final = 120.0
"""A minute to put the field in order and another for an official to look; then the reader reads on."""


class ReaderControl:
    """Controls a reader by the states of the mats.

    `state`: the state of the reading, as sent to the mats and the board.

    `link`: of the user `reader`. `session`: unique id of this run of the reader. `read`: the poems that
    another run read before. `spoken`: voice and rhythm for the mats' own loudspeakers; empty if these are not
    used. `limit_s`: longest wait for mats that are not ready; None for no limit. `clock`: it is the hall's.
    """

    def __init__(
        self,
        link: Link,
        reader: Reader,
        session: str,
        *,
        joka: bool = True,
        read: Sequence[int] = (),
        spoken: tuple[str, str] = ("", ""),
        limit_s: float | None = LIMIT_S,
        clock: Clock = match_clock,
    ) -> None:
        self._link, self._reader, self._session = link, reader, session
        self._joka, self._limit_s, self._clock = joka, limit_s, clock
        self._cues = CueMaker(session, read)
        self._attendance = Attendance(session)
        self._owed: deque[Cue] = deque()
        self._waits_since_s = self._opened_s = time.monotonic()
        self._told_s = 0.0
        self._told_cues = 0
        self._goes_on = self._paused = False
        self._asked_after = -1  # the number of the latest reading when the next one was requested
        voice, rhythm = spoken
        self.state = ReadingState(session, ReadingPhase.WAITS, limit_s=limit_s, voice=voice, rhythm=rhythm)
        self._said = self.state

    async def run(self) -> None:
        """Read for the hall until everything was read, or somebody stops it."""
        await self._link.listen(EVERY_STATE, self._hear_mat)
        await self._link.listen(READING_COMMAND, self._hear_wish)
        await answer_clock(self._link, self._session, self._clock)
        while self.state.phase is not ReadingPhase.OVER:
            await self._tick()
            await asyncio.sleep(TICK_S)

    def wish(self, wish: ReadingWish) -> None:
        """Carry out a person's command."""
        match wish:
            case ReadingWish.GO_ON:
                if self.state.phase is ReadingPhase.READS:  # its poem was never recognised
                    self._wait(time.monotonic())
                self._goes_on = True
            case ReadingWish.PAUSE:
                self._paused = True
                self._reader.follow(Pause(), self._unread)
            case ReadingWish.RESUME:
                self._paused = False
                self._reader.follow(Resume(), self._unread)
            case ReadingWish.AGAIN:
                self._read_again()
            case ReadingWish.MEMORISE:
                self._owed.append(MemoriseCue(self._session))
            case ReadingWish.STOP:
                self._end()

    @property
    def _unread(self) -> frozenset[int]:
        return frozenset(POEMS.keys() - set(self._cues.read))

    async def _tick(self) -> None:
        now_s = time.monotonic()
        sounds = self._reader.sounds()
        self._owed.extend(self._cues.take(sounds, self._clock()))
        if any(isinstance(sound, JokaOver) for sound in sounds):
            self._joka = False
            if self._cues.number == self._asked_after:  # else the first poem followed at once
                self._wait(now_s)
        if self._cues.number > self.state.number:
            self._attendance.begun(self._cues.number, now_s)
        is_known = self._cues.poem is not None and self._cues.number > self._asked_after
        if self.state.phase is ReadingPhase.READS and is_known:
            self._wait(now_s + _LAST_HALF_S)
        await self._tell_cues()
        if self.state.phase in (ReadingPhase.WAITS, ReadingPhase.HELD):
            self._consider(now_s)
        await self._tell_state(now_s)

    def _consider(self, now_s: float) -> None:
        """Read on unless the reader has to wait for a mat."""
        if self._paused or not self._link.is_joined:
            self._change(ReadingPhase.HELD)
            return
        call = self._attendance.call(now_s)
        waited_s = max(0.0, now_s - self._waits_since_s)
        is_late = self._limit_s is not None and waited_s > self._limit_s and not call.hands
        is_heard = now_s - self._opened_s > FIRST_WORDS_S  # before, only some mats have said anything
        is_ready = is_heard and self._attendance.count > 0 and not call.waits_for and waited_s > 0
        self.state = replace(
            self.state,
            phase=ReadingPhase.HELD if call.hands else ReadingPhase.WAITS,
            waits_for=call.waits_for,
            hands=call.hands,
            silent=call.silent,
            waited_s=round(waited_s, 1),
        )
        if is_ready or self._goes_on or (is_late and self._attendance.count):
            self._attendance.left_behind(now_s)
            self._goes_on = False
            self._read_on()

    def _end(self) -> None:
        self._reader.follow(MatchEnded(None), self._unread)
        self._change(ReadingPhase.OVER)

    def _read_on(self) -> None:
        if not self._unread:
            self._end()
            return
        self._asked_after = self._cues.number
        self._reader.follow(ReadJoka() if self._joka else ReadPoem(), self._unread)
        self._change(ReadingPhase.READS)

    def _read_again(self) -> None:
        if not self._cues.number:
            return
        poem = self._cues.poem
        self._owed.extend(self._cues.void())
        self._reader.follow(Misread(), self._unread)
        if poem is not None:
            self._reader.follow(ReadPoem(poem), self._unread)
        self._asked_after = self._cues.number
        self._change(ReadingPhase.READS)

    def _wait(self, since_s: float) -> None:
        self._waits_since_s = since_s
        self._change(ReadingPhase.WAITS)

    def _change(self, phase: ReadingPhase) -> None:
        if phase is not self.state.phase:
            self.state = replace(self.state, phase=phase, waits_for=(), hands=(), silent=(), waited_s=0.0)
            self._told_s = 0.0

    async def _tell_cues(self) -> None:
        """Send the cues in order, each again until it is stored; mats ignore duplicates."""
        while self._owed and self._link.is_joined:
            cue_id = {ID_HEADER: f"{self._session}/{self._told_cues}"}
            try:
                await self._link.keep(READING_CUE, pack(self._owed[0]), cue_id, _KEPT_S)
            except (Error, OSError, TimeoutError):
                return
            self._owed.popleft()
            self._told_cues += 1

    async def _tell_state(self, now_s: float) -> None:
        self.state = replace(
            self.state,
            number=self._cues.number,
            read=self._cues.read,
            mats=self._attendance.count,
            problem=None if self._reader.problem is None else Sentence(self._reader.problem),
        )
        is_due = now_s - self._told_s >= _TOLD_EVERY_S or replace(self.state, waited_s=0.0) != self._said
        if is_due and await self._link.say(READING_STATE, pack(self.state)):
            self._told_s = now_s
            self._said = replace(self.state, waited_s=0.0)

    async def _hear_mat(self, message: Msg) -> None:
        try:
            state = unpack(message.data)
            is_own = isinstance(state, MatState) and message.subject == state_of(state.mat)
        except DeskError as error:
            sys.stderr.write(f"shinpan: hall: {error}\n")
            return
        if isinstance(state, MatState) and is_own:
            self._attendance.told(state, time.monotonic())

    async def _hear_wish(self, message: Msg) -> None:
        command = message_in(message.data)
        if isinstance(command, ReadingCommand):
            self.wish(command.wish)


async def poems_read(link: Link) -> tuple[int, ...]:
    """Return the public poems of the reader's last session and of those it went on from; empty if none.

    What a reader said last of itself may be older than its last cue: it died in between, or the server did.
    """
    found = await latest(link, "STATES", READING_STATE)
    state = None if found is None or found.problem is not None else unpack(found.data)
    if not isinstance(state, ReadingState):
        return ()
    told: dict[int, int] = {}  # by the number of the reading
    void: set[int] = set()
    async with aclosing(everything(link, "READING", READING_CUE)) as kept:
        async for each in kept:
            cue = unpack(each.data) if each.problem is None else None
            match cue:
                case PoemCue(session=state.session):
                    told[cue.number] = cue.poem
                case VoidCue(session=state.session):
                    void |= {told.pop(cue.number)} if cue.number in told else set()
                case _:
                    pass
    before = tuple(poem for poem in state.read if poem not in void and poem not in told.values())
    return (*before, *told.values())
