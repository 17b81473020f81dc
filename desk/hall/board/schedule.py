"""The tournament's matches on the mats, and the results that the mats report."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Final, TypedDict

from nats.errors import Error

from desk.hall.board.floor import Floor
from desk.hall.messages import Pairing, pack
from desk.hall.subjects import check_mat, pairing_of
from desk.tournament.desk import TournamentDesk
from desk.tournament.entries import entered_singly, entries_of, events_of
from desk.tournament.spreadsheet import results_csv, standings_csv
from referee.sides import BySide, Side
from referee.tournament.division import System
from referee.tournament.events import EntrantEntered, Event, MatPlaced
from referee.tournament.state import MatchId, RefusedError, Tournament

_AGAIN_S: Final = 1.0


class Proposed(TypedDict):
    """The result that a mat reports of its match: the winner, and the cards left to the loser."""

    winner: int
    cards: int


class Schedule:
    """The tournament of a hall.

    What changes it raises DeskError or RefusedError, and changes nothing then.
    """

    def __init__(self, desk: TournamentDesk, floor: Floor) -> None:
        self._desk, self._floor = desk, floor
        self._said: dict[str, Pairing] = {}
        self._wanted = asyncio.Event()
        floor.titles = self._titles
        if floor.link is not None:
            floor.link.when_joined(self._say_again)

    @property
    def state(self) -> Tournament:
        return self._desk.state

    @property
    def seq(self) -> int:
        return self._desk.seq

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` after every change and every mat's report, until the returned function is called."""
        leaves = [self._desk.listen(wake), self._floor.listen(wake)]

        def leave() -> None:
            for each in leaves:
                each()

        return leave

    def tell(self, *events: Event) -> None:
        for event in events:
            if isinstance(event, MatPlaced) and event.mat is not None:
                check_mat(event.mat)
        self._tell(
            *(
                entered_singly(event, self.state) if isinstance(event, EntrantEntered) else event
                for event in events
            )
        )

    def enter(self, data: bytes, name: str, system: System, rounds: int | None) -> int:
        entries = entries_of(data, name)
        self._tell(*events_of(entries, self.state, system, rounds))
        return len(entries)

    def place(self, division: str) -> int:
        """Assign the open matches of a class to free mats, in the order of both, and return how many.

        A mat is free if it is online, has no unfinished match of its own, and none of the tournament.
        """
        boards = self.state.course(division).division.boards
        waiting = [
            match.text(boards)
            for match, board in self.state.open_matches()
            if match.division == division and board.mat is None
        ]
        free = self._free()
        if not waiting:
            raise RefusedError("class {division}: every open match has its mat", division=division)
        if not free:
            raise RefusedError("no mat is free: wait until a match is over, or give a mat by hand")
        placed = [MatPlaced(match, mat) for match, mat in zip(waiting, free, strict=False)]
        self.tell(*placed)
        return len(placed)

    def proposals(self) -> Mapping[str, Proposed]:
        """Return the results that the mats report of finished matches.

        A report counts only if both players have the names of the tournament.
        """
        said: dict[str, Proposed] = {}
        for match, board in self.state.open_matches():
            state = None if board.mat is None else self._floor.mats.get(board.mat)
            if state is None or state.winner is None:
                continue
            names = (state.names.near, state.names.far)
            if None not in names and names in {board.players, board.players[::-1]}:
                winner = board.players.index(names[0 if state.winner is Side.NEAR else 1])
                cards = state.counts[state.winner.opponent]
                if cards:
                    said[self._text(match)] = {"winner": winner, "cards": cards}
        return said

    def mats(self) -> list[str]:
        return sorted(self._floor.mats)

    def standings_csv(self) -> str:
        return standings_csv(self.state)

    def results_csv(self) -> str:
        return results_csv(self.state)

    async def run(self) -> None:
        """Send the mats of a hall their next pairings until cancelled; what cannot be sent now waits."""
        link = self._floor.link
        while link is not None:
            await self._wanted.wait()
            self._wanted.clear()
            await link.joined()
            for pairing in self._pairings():
                if self._said.get(pairing.mat) == pairing:
                    continue
                try:
                    await link.keep(pairing_of(pairing.mat), pack(pairing))
                except (Error, OSError, TimeoutError):
                    await asyncio.sleep(_AGAIN_S)
                    self._wanted.set()
                    break
                self._said[pairing.mat] = pairing

    def _tell(self, *events: Event) -> None:
        self._desk.tell(*events)
        self._wanted.set()

    def _say_again(self) -> None:
        """Send every mat its pairing again, after a reconnection to the hall."""
        self._said.clear()
        self._wanted.set()

    def _pairings(self) -> list[Pairing]:
        """Return the pairings of all mats that this tournament has used."""
        due = {
            board.mat: Pairing(
                board.mat, self._text(match), f"{match.division} – {match.round}", BySide(*board.players)
            )
            for match, board in self.state.open_matches()
            if board.mat is not None
        }
        courses = self.state.courses.values()
        used = {board.mat for course in courses for _, board in course.matches() if board.mat is not None}
        free = sorted({*used, *self._said} - due.keys())
        return [*due.values(), *(Pairing(mat, "", "", BySide.both(None)) for mat in free)]

    def _titles(self) -> dict[str, tuple[str, BySide[str | None]]]:
        return {
            board.mat: (self._text(match), BySide(*board.players))
            for match, board in self.state.open_matches()
            if board.mat is not None
        }

    def _free(self) -> list[str]:
        taken = {board.mat for _, board in self.state.open_matches()}
        return [
            mat.state.mat
            for mat in self._floor.state().mats
            if mat.state.mat not in taken and mat.silent_s is None and mat.state.phase in {"idle", "over"}
        ]

    def _text(self, match: MatchId) -> str:
        return match.text(self.state.course(match.division).division.boards)
