"""One card game at a table: all that eye, desk, films, commands and the house need to know of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from desk.errors import DeskError
from desk.machine.decks import decks_of, open_deck
from desk.phone.wish import PhoneWish
from desk.tables.camera_table import CameraTable
from desk.tables.desk import TableDesk
from desk.tables.drawn_table import kept_table
from desk.tables.eye import CardTableEye
from desk.tables.film import FilmStats, TableFilm
from desk.tables.log_follower import Following
from desk.tables.recording import TableRecording, declarations_in, load_table, read_zones
from desk.tables.rules_option import load_rules
from desk.tables.table_opening import OpenedTable, filmed_table
from referee.house_rules import Presets
from vision.plane.printed_table import PrintedTable
from vision.plane.zones import TableZones

if TYPE_CHECKING:
    from fastapi import APIRouter

    from desk.panel.films.port import FilmPage
    from desk.panel.home.port import TableChoices
    from desk.panel.words import Words
    from desk.tables.game_page import GamePage, PageFrame

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class WatchedTable:
    """A recording that was watched to its end."""

    game: Any
    dealer_known: bool  # whether somebody has said who deals first
    stats: FilmStats
    failures: tuple[str, ...] = ()  # the errors at what was left out, for people


class CardGame(ABC, Generic[R]):
    """A card game whose ruleset is an `R`."""

    name: ClassVar[str]  # in addresses, logs, recordings and on the command line
    title: ClassVar[str]  # its English name for people, a message of the panel's catalogue
    cards: ClassVar[str]  # the kind of deck, as in `calibration.decks.deck`
    own_deck: ClassVar[str] = ""  # the deck that is taken if nobody names one; empty if a deck must be named
    presets: Presets[R]  # the house rules; `film_rules` are those of a recording that names none
    film_rules: ClassVar[str]
    # their titles for people, messages of the panel's catalogue
    rule_titles: ClassVar[Mapping[str, str]] = MappingProxyType({})
    players: ClassVar[tuple[int, ...]] = (2,)
    has_dealer: ClassVar[bool] = False  # whether somebody deals first; a recording may say who
    own_zone: ClassVar[str]
    spoken: ClassVar[tuple[str, ...]] = ()  # the words that a film's players may say
    can_draw: ClassVar[bool] = False  # whether the table may be drawn over the picture on a page
    # width of the pictures of cards on its page; None for that of the deck's own
    picture_width_px: ClassVar[int | None] = None
    desk: ClassVar[type[TableDesk[Any]]]

    # --- what every game says ----------------------------------------------------------------------------

    @staticmethod
    @abstractmethod
    def printed(players: int) -> PrintedTable:
        """Return the table of the printed mat."""

    @abstractmethod
    def eye(self, opened: OpenedTable) -> CardTableEye[Any]:
        """Return what watches the table."""

    @abstractmethod
    def opening(self, game_id: str, opened: OpenedTable, rules: R, names: tuple[str | None, ...]) -> object:
        """Return the first event of a log; `names` has one entry for each seat."""

    def simulated_table(self, text: str, players: int) -> OpenedTable:  # noqa: ARG002 (by default there is none)
        """Return a simulated table from a text such as `seed=7 speed=1`; DeskError if it is wrong."""
        raise DeskError("there is no simulated game of {game}", game=self.title)

    @staticmethod
    @abstractmethod
    def state(desk: Any) -> Mapping[str, Any]:
        """Return a running game as JSON data: its `id`, `seq`, and what its page needs in any language."""

    def routes(self, page: GamePage[Any], frame: PageFrame) -> APIRouter:
        """Return the pages of a running game under `/NAME`: by default a plain one of a `PlainGame`."""
        from desk.panel.table.plain import PlainRoutes

        plain: Any = page
        return PlainRoutes(self.name, plain, frame.pages, frame.links, frame.addresses).router

    @staticmethod
    @abstractmethod
    def film_page(judged: Mapping[str, Any], stories: Sequence[Any], said: Words) -> FilmPage:
        """Return what the page of a film shows of these minutes and stories, in one language."""

    @staticmethod
    @abstractmethod
    def minutes(seen: WatchedTable) -> dict[str, Any]:
        """Return what `shinpan judge` writes of a recording."""

    @staticmethod
    @abstractmethod
    def lines(judged: Mapping[str, Any]) -> list[str]:
        """Return these minutes as lines for people."""

    @staticmethod
    def stories(game: Any) -> Sequence[Any]:  # noqa: ARG004 (see Koi-Koi)
        """Return what the page of a film tells step by step beside the minutes."""
        return ()

    # --- its house rules ---------------------------------------------------------------------------------

    def rules(self, name: str, changes: Mapping[str, str], players: int) -> R:  # noqa: ARG002 (see Koi-Koi)
        """Return house rules with some switches changed; DeskError if not for so many players."""
        return load_rules(self.presets, name)

    @staticmethod
    def check_players(rules: Any, players: int) -> None:
        """Raise DeskError if rules are not for so many players."""

    def choices(self, cameras: list[str], said: Words) -> TableChoices:
        decks = decks_of(self.cards)
        return {
            "cameras": cameras,
            "decks": decks if self.own_deck in ("", *decks) else [*decks, self.own_deck],
            "rules": [
                {
                    "name": name,
                    "players": [*self.players],
                    "settings": {},
                    "title": said(self.rule_titles.get(name, name)),
                    "lines": [],
                    "only": "",
                }
                for name in self.presets.names
            ],
            "default_rules": self.presets.default,
            "switches": [],
            "players": [*self.players],
        }

    # --- its table ---------------------------------------------------------------------------------------

    def camera_table(
        self,
        where: str,
        deck: str,
        players: int,
        dealer: int = 0,
        drawn: Path | None = None,
        *,
        phone: PhoneWish | None = None,
    ) -> OpenedTable:
        """Return a table under a camera.

        Raises DeskError if deck or table cannot be used.

        `where`: the camera's number or device, the address of a stream, or `phone`. `drawn`: a TOML file with
        the table's zones; by default the drawn zones, or else the printed ones.
        """
        zones = self._zones(drawn, players)
        opening = partial(CameraTable, where, phone)
        return OpenedTable(opening, "camera", open_deck(deck), zones, (), players, dealer)

    def recorded_table(self, folder: Path) -> OpenedTable:
        """Return a table as its recording describes it; DeskError if something is wrong."""
        return self._of_recording(self._recording(folder))

    def watch(
        self, folder: Path, rules: str | None = None, watched: Callable[[int], None] | None = None
    ) -> WatchedTable:
        """Watch a whole recording.

        Raises DeskError if the recording, its deck or its video cannot be read, or its table is never seen.

        `rules`: a ruleset to use instead of the recording's. `watched`: called with the instant of every
        picture, in nanoseconds.
        """
        recording = self._recording(folder)
        ruleset = load_rules(self.presets, rules or recording.rules)
        opened, word = self._of_recording(recording), self.desk.word
        film, eye = TableFilm(recording.video, recording.filmed_fps, opened.words, watched), self.eye(opened)
        events: list[object] = []
        for frame, declared in film:
            events += [*eye.feed(frame), *map(word, declared)]
        watcher = eye.watcher
        events += map(word, film.end(table_was_seen=watcher.plane is not None, markers=watcher.markers))
        following = self._followed(opened, ruleset, events)
        failures = (*eye.failures, *following.failures)
        return WatchedTable(following.game, opened.dealer is not None, film.stats, failures)

    def judge(self, folder: Path, rules: str | None = None) -> dict[str, Any]:
        return self.minutes(self.watch(folder, rules))

    def _followed(self, opened: OpenedTable, rules: R, events: Iterable[object]) -> Following[Any]:
        """Return the game after all events and its end."""
        opening = self.opening("recording", opened, rules, (None,) * opened.players)
        following = Following(self.desk.read, [(0, opening)])
        for event in events:
            following.tell(event)
        following.finish()
        return following

    def _recording(self, folder: Path) -> TableRecording:
        table = load_table(folder, rules=self.film_rules)
        players = table.number("players") if len(self.players) > 1 else self.players[0]
        dealer = table.number("dealer") if self.has_dealer and "dealer" in table.head else None
        table.need_zones(self.own_zone, players)
        if dealer is not None and dealer >= players:
            raise DeskError(
                "{path}: dealer is a seat 0..{last}, got {dealer}",
                path=table.path,
                last=players - 1,
                dealer=dealer,
            )
        words = declarations_in(folder, players, self.spoken)
        return replace(table, players=players, dealer=dealer, words=words)

    def _of_recording(self, table: TableRecording) -> OpenedTable:
        opening = partial(filmed_table, table.video, table.filmed_fps)
        return OpenedTable(
            opening, "video", table.deck, table.zones, table.words, table.players, table.dealer
        )

    def _zones(self, path: Path | None, players: int) -> TableZones:
        kept = kept_table(self.name, players)
        file = kept if path is None and kept.is_file() else path
        zones = self.printed(players).zones if file is None else read_zones(file)
        there = sum(zone.name == self.own_zone for zone in zones.zones)
        if there < players:
            raise DeskError(
                "{path}: {zone} needs a rectangle for each of {players} players, got {there}",
                path=path,
                zone=self.own_zone,
                players=players,
                there=there,
            )
        return zones
