"""The floor: the state of every mat and of the reader, and the matches to look at."""

import asyncio
import math
import sys
import time
from collections.abc import Callable
from contextlib import aclosing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from nats.aio.msg import Msg
from nats.errors import Error

from desk.errors import DeskError
from desk.hall.board.copies import CopiedMatch, Copies
from desk.hall.link import Link, end
from desk.hall.messages import (
    MatState,
    ReadingCommand,
    ReadingPhase,
    ReadingState,
    ReadingWish,
    pack,
    unpack,
)
from desk.hall.page.port import FloorShown, MatShown
from desk.hall.replays import FetchedReplays
from desk.hall.store import Kept, everything, follow
from desk.hall.subjects import EVERY_EVENT, EVERY_STATE, READING_COMMAND, READING_STATE, match_of, state_of
from desk.hall.ticket import Ticket
from desk.log.fanout import Fanout
from desk.panel.house.port import MatchListed
from referee.sides import BySide

SILENT_S: Final = 6.0
"""Silence after which a mat or reader is shown as offline: they send their state every 2 s."""
_LOOK_S: Final = 1.0
_MOST_TOLD: Final = 200
_BETWEEN: Final = "~"  # separator of mat and match in an address; it occurs in neither


class Floor:
    """A board's view of a hall, a `desk.hall.page.port.FloorPort`. `open` returns at once.

    `ticket`: None for a board without a hall, on which people enter what happens at the mats.

    `copies`: copies of all matches. `titles`: returns the tournament's match on each mat: title and players.
    """

    def __init__(self, ticket: Ticket | None, folder: Path) -> None:
        self.link = None if ticket is None else Link(ticket)
        self.mats: dict[str, MatState] = {}
        self.copies = Copies(folder)
        self.titles: Callable[[], dict[str, tuple[str, BySide[str | None]]]] = dict
        self._reading: ReadingState | None = None
        self._heard_s: dict[str, float] = {}
        self._replays = None if self.link is None else FetchedReplays(self.link)
        self._matches: dict[str, CopiedMatch] = {}
        self._news = Fanout()
        self._tasks: list[asyncio.Task[None]] = []
        self._told: set[str] = set()

    def open(self) -> None:
        """Join the hall, in the running loop; do nothing without one."""
        link = self.link
        if link is None:
            return
        link.open()
        for work in (
            link.listen(EVERY_STATE, self._heard),
            link.listen(READING_STATE, self._heard),
            follow(link, "EVENTS", EVERY_EVENT, self._taken),
            self._catch_up(link),
            self._look(),
        ):
            self._tasks.append(asyncio.get_running_loop().create_task(work))

    async def close(self) -> None:
        await end(self._tasks)
        if self.link is not None:
            await self.link.close()
        self.copies.close()

    # --- the port of the pages ----------------------------------------------------------------------------

    def state(self) -> FloorShown:
        now_s, titles, reading = time.monotonic(), self.titles(), self._reading
        if reading is not None and reading.phase is ReadingPhase.WAITS:
            waited_s = reading.waited_s + now_s - self._heard_s[READING_STATE]
            reading = replace(reading, waited_s=waited_s)
        return FloorShown(
            "none" if self.link is None else self.link.state.value,
            None if self.link is None else self.link.problem,
            [self._mat(name, now_s, titles.get(name)) for name in sorted({*self.mats, *titles})],
            reading,
            self._silent_s(READING_STATE, now_s) is not None,
        )

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        return self._news.listen(wake)

    async def wish(self, wish: str, by: str) -> bool:
        is_there = self._reading is not None and self._silent_s(READING_STATE, time.monotonic()) is None
        command = ReadingCommand(ReadingWish(wish), by)
        return is_there and self.link is not None and await self.link.say(READING_COMMAND, pack(command))

    def match(self, address: str) -> CopiedMatch | None:
        """Return a read-only match by its address, None if there is none.

        DeskError if the mat sent nonsense.
        """
        known = self._matches.get(address)
        if known is None:
            mat, _, match = address.partition(_BETWEEN)
            if not match or not self.copies.last_seq(mat, match):
                return None
            try:
                known = CopiedMatch(self.copies.path(mat, match), lambda: self.copies.last_seq(mat, match))
            except DeskError as error:
                self._tell(f"{address}: {error}")
                raise
            self._matches[address] = known
        return known

    async def matches(self) -> list[tuple[str, MatchListed]]:
        """Return every copied match with its mat; the id of a match is its address here."""
        found = await asyncio.to_thread(self.copies.listed)
        return [(mat, {**match, "id": f"{mat}{_BETWEEN}{match['id']}"}) for mat, match in found]

    async def fetch_replay(self, address: str, ruling: int) -> None:
        try:
            match = self.match(address)
        except DeskError:
            return  # its page says so
        name = None if match is None else match.evidence_name(ruling)
        if self._replays is None or match is None or name is None or match.evidence_was_deleted():
            return
        mat, _, match_id = address.partition(_BETWEEN)
        try:
            await self._replays.fetch(mat, match_id, ruling, match.evidence_folder / name)
        except DeskError as error:
            self._tell(str(error))

    # --- incoming messages --------------------------------------------------------------------------------

    async def _heard(self, message: Msg) -> None:
        self._take(message.subject, message.data, time.monotonic())

    async def _catch_up(self, link: Link) -> None:
        """Look once what mats said last that may be offline by now."""
        while True:
            await link.joined()
            try:
                async with aclosing(everything(link, "STATES", "hall.>")) as states:
                    async for kept in states:
                        if kept.problem is None and kept.subject not in self._heard_s:
                            self._take(kept.subject, kept.data, time.monotonic() - kept.age_s)
            except (Error, OSError, TimeoutError):
                await asyncio.sleep(_LOOK_S)
            else:
                return

    def _take(self, subject: str, data: bytes, heard_s: float) -> None:
        try:
            state = unpack(data)
            is_own = isinstance(state, MatState) and subject == state_of(state.mat)
        except DeskError as error:
            self._tell(f"{subject}: {error}")
            return
        if isinstance(state, MatState) and is_own:
            self.mats[state.mat] = state
        elif isinstance(state, ReadingState) and subject == READING_STATE:
            self._reading = state
        else:
            self._tell(f"{subject}: expected a state of this mat or of the reader")
            return
        self._heard_s[subject] = heard_s
        self._news.tell()

    def _taken(self, message: Kept) -> None:
        try:
            taken = self.copies.take(message.subject, message.data)
        except DeskError as error:
            self._tell(f"{message.subject}: {error}")
            return
        except OSError as error:
            self._tell(str(error))
            raise
        if taken and (match := self._matches.get(_BETWEEN.join(match_of(message.subject)))):
            match.grown()

    async def _look(self) -> None:
        """Update the pages as time passes: who is silent, how long the reader has waited."""
        while True:
            await asyncio.sleep(_LOOK_S)
            self._news.tell()

    def _tell(self, problem: str) -> None:
        """Report a problem once on standard error, and no more than people read."""
        if problem not in self._told and len(self._told) < _MOST_TOLD:
            self._told.add(problem)
            with suppress(OSError):
                sys.stderr.write(f"shinpan: hall: {problem}\n")

    def _silent_s(self, subject: str, now_s: float) -> float | None:
        gone_s = now_s - self._heard_s.get(subject, now_s)
        return gone_s if gone_s > SILENT_S else None

    def _mat(self, name: str, now_s: float, title: tuple[str, BySide[str | None]] | None) -> MatShown:
        state = self.mats.get(name) or MatState(name, "")
        if title is not None and state.names == BySide.both(None):
            state = replace(state, names=title[1])
        known = state.match is not None and self.copies.last_seq(name, state.match) > 0
        return MatShown(
            state,
            f"{name}{_BETWEEN}{state.match}" if known else None,
            None if title is None else title[0],
            self._silent_s(state_of(name), now_s) if name in self.mats else math.inf,
        )
