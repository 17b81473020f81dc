"""One card table of the house: people choose and check a source, begin the game, and open its pages."""

import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from calibration.files import folders
from desk.errors import DeskError
from desk.log.clocks import name_stamp, wall_clock
from desk.log.damaged_log import LeftOut
from desk.log.database import file_version
from desk.log.event_log import EventLog
from desk.machine.camera_records import cameras
from desk.panel.home.port import InterruptedGame, Running, SourceChosen, TableChoices, TableShown
from desk.panel.house.port import SourceKind
from desk.panel.pages import Pages
from desk.panel.table.seat_links import SeatLinks
from desk.panel.words import Words
from desk.phone.wish import PhoneWish
from desk.tables.camera_table import CameraTable
from desk.tables.card_game import CardGame
from desk.tables.desk import TableDesk
from desk.tables.live_game import LiveGame, desk_again, new_desk
from desk.tables.log_follower import Following
from desk.tables.person import check_names, same_name
from desk.tables.table import Table
from desk.tables.table_look import TablePreview
from desk.tables.table_opening import OpenedTable
from referee.complaint import sentence_of

_LATEST: Final = 12  # number of logs that are looked at: a game goes on in the same evening, or on the next
NO_TABLE: Final = "no_table"
"""The problem of a table that nobody has opened yet; see `desk.panel.home.set_ups.PROBLEMS`."""


class CardTable:
    """A card table; see `desk.panel.home.port.TablePort`.

    `links`: returns the rights of each seat, for a number of players. `pages`, `addresses`: templates, and
    the panel's addresses for phones.
    """

    def __init__(
        self,
        game: CardGame[Any],
        folder: Path,
        links: Callable[[int], SeatLinks],
        *,
        pages: Pages,
        addresses: Sequence[str] = (),
        phone: PhoneWish | None = None,
    ) -> None:
        self._game, self._folder, self._links = game, folder, links
        self._pages, self._addresses, self._phone_wish = pages, addresses, phone
        self._source: SourceChosen | None = None
        self._opening = False
        self._problem: str | None = None
        self._players = 2
        self._opened: OpenedTable | None = None
        self._look: TablePreview | None = None
        self._playing: tuple[Running, LiveGame, EventLog] | None = None

    @property
    def running(self) -> Running | None:
        return None if self._playing is None else self._playing[0]

    @property
    def title(self) -> str:
        return self._game.title

    def choices(self, said: Words) -> TableChoices:
        return self._game.choices(cameras(), said)

    async def choose(self, kind: SourceKind, where: str, deck: str, players: int) -> None:
        if self._opening:
            return
        self._opening = True
        try:
            await self._leave()
            self._source, self._problem = {"kind": kind, "where": where}, None
            opened = await asyncio.to_thread(self._open, kind, where.strip(), deck, players)
            table = await asyncio.to_thread(opened.open_table)
            eye = await asyncio.to_thread(self._game.eye, opened)
        except DeskError as error:
            self._problem = sentence_of(error)
        else:
            self._opened, self._players = opened, opened.players
            self._look = TablePreview(table, eye)
        finally:
            self._opening = False

    def state(self) -> TableShown:
        look = self._look
        table = None if look is None else look.table
        station = table.station if isinstance(table, CameraTable) else None  # where a phone is the camera
        return {
            "source": self._source,
            "opening": self._opening,
            "problem": self._problem or (None if look is None else look.problem),
            "findings": [] if look is None else look.findings(),
            "players": self._players,
            "phone": None if station is None else station.shown(),
        }

    def preview(self) -> bytes | None:
        return None if self._look is None else self._look.preview()

    async def start(
        self, rules: str, names: Sequence[str], dealer: int, changes: Mapping[str, str] | None = None
    ) -> str | None:
        look, opened = self._look, self._opened
        if self._opening or look is None or opened is None:
            return NO_TABLE
        seats = (*(name.strip() or None for name in names), *[None] * opened.players)[: opened.players]
        if opened.source == "camera":
            opened = replace(opened, dealer=min(dealer, opened.players - 1))
        try:
            check_names(seats)
            agreed = self._game.rules(rules, changes or {}, opened.players)
            self._look = None
            table = await _taken(look, opened)
        except DeskError as error:
            return sentence_of(error)
        try:
            log = EventLog.create(self._folder / f"{self._game.name}_{name_stamp(wall_clock())}.sqlite")
        except DeskError as error:
            table.close()
            self._source = None
            return sentence_of(error)
        await self._play(new_desk(self._game, log, opened, agreed, seats), log, table, opened)
        return None

    def interrupted(self) -> list[InterruptedGame]:
        running = None if self._playing is None else self._playing[2].path.stem
        return [each for each in interrupted_games(self._game, self._folder) if each["id"] != running]

    async def go_on(self, game_id: str) -> str | None:
        """Go on with an interrupted game in its own log, or return why it cannot go on."""
        look, opened = self._look, self._opened
        if self._opening or look is None or opened is None:
            return NO_TABLE
        if game_id not in [each["id"] for each in await asyncio.to_thread(self.interrupted)]:
            return sentence_of(DeskError("there is no interrupted game {game_id!r}", game_id=game_id))
        try:
            log = EventLog.open(self._folder / f"{game_id}.sqlite")
            try:
                desk = desk_again(self._game, log, opened)
                self._look = None
                table = await _taken(look, opened)
            except DeskError:
                log.close()
                raise
        except DeskError as error:
            return sentence_of(error)
        await self._play(desk, log, table, opened)
        return None

    async def _play(self, desk: TableDesk[Any], log: EventLog, table: Table, opened: OpenedTable) -> None:
        await self.end()
        live = LiveGame(self._game, desk, table, opened)
        router = live.routes(self._pages, self._links(opened.players), self._addresses)
        live.begin(asyncio.get_running_loop())
        self._playing = Running(router), live, log
        self._source = self._opened = None

    async def end(self) -> None:
        if self._playing is None:
            return
        (running, live, log), self._playing = self._playing, None
        running.over.set()
        await live.end()
        log.close()
        if live.failure is not None:
            sys.stderr.write(f"shinpan serve: {self._game.name}: {live.failure}\n")

    async def close(self) -> None:
        """Close the game and the source."""
        await self._leave()
        await self.end()

    async def _leave(self) -> None:
        """Close the source of the set-up."""
        look, self._look, self._opened, self._source = self._look, None, None, None
        if look is not None:
            await look.end()

    def _open(self, kind: SourceKind, where: str, deck: str, players: int) -> OpenedTable:
        game = self._game
        if kind == "simulator":
            return game.simulated_table(where, players)
        if kind == "video":
            return game.recorded_table(Path(where).expanduser())
        if not (deck or game.own_deck):
            raise DeskError(
                "no deck of these cards is enrolled yet: shinpan enrol --game {cards}", cards=game.cards
            )
        return game.camera_table(where, deck or game.own_deck, players, phone=self._phone_wish)


async def _taken(look: TablePreview, opened: OpenedTable) -> Table:
    """Return the table of the set-up for the game: a live one goes on, a film begins anew."""
    if not look.table.can_wait:
        return await look.leave()
    await look.end()
    return await asyncio.to_thread(opened.open_table)


def interrupted_games(game: CardGame[Any], folder: Path) -> list[InterruptedGame]:
    """Return the interrupted games of a folder, the latest first. It reads logs and may take seconds."""
    paths = sorted(folders.listed(folder, f"{game.name}_*.sqlite"), reverse=True)[:_LATEST]
    found = (_interrupted(game, path, file_version(path)) for path in paths)
    return [each for each in found if each is not None]


@lru_cache(maxsize=64)
def _interrupted(game: CardGame[Any], path: Path, _version: object) -> InterruptedGame | None:
    try:
        with EventLog.read(path) as log:
            entries = list(LeftOut(log).readable(game.desk.codec))
        played = Following(game.desk.read, [(entry.seq, event) for entry, event in entries]).game
    except (DeskError, ValueError):
        return None  # what cannot be read cannot go on; the evening tells why
    opened = played.opened
    if played.is_over or opened.source != "camera":
        return None
    return {
        "id": path.stem,
        "started": entries[0][0].wall,
        "left": entries[-1][0].wall,
        "names": [same_name(name) for name in (*opened.names, *[None] * played.players)][: played.players],
        "players": played.players,
        "deck": opened.deck,
    }
