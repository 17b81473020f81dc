"""The set-up of a match: people choose a source, check its pictures and cards, and agree on the rest."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibration.failure import FailedEstimation
from desk.errors import DeskError
from desk.karuta.engine.engine import Engine
from desk.karuta.engine.snapshot import card_on_field, pair
from desk.karuta.eye.equipment import Equipment, Wanted
from desk.karuta.eye.film_hints import doubt_of, no_card_read
from desk.karuta.eye.prior_knowledge import known_of
from desk.karuta.eye.watcher import Watch, WatchListener
from desk.karuta.house.agreed_reader import PERSON, SILENT
from desk.karuta.house.agreement import RHYTHMS, Agreement, rule_settings
from desk.karuta.house.live_match import Attendant
from desk.karuta.simulated_hall.official import SimulatedOfficial
from desk.karuta.simulated_hall.source import SimulatorWish, simulated_table
from desk.machine.camera_records import PHONE, cameras
from desk.machine.decks import decks_of
from desk.panel.house.port import Choices, FindingShown, Seat, SetUpShown, SourceKind, SourceOffered
from desk.phone.wish import PhoneWish
from desk.reciter.voice_folders import voice_folders
from desk.tables.camera_table import CameraTable
from desk.tables.rules_option import load_rules
from desk.tables.simulated.scripted_table import ScriptedTable
from desk.tables.source_kind import Source
from desk.tables.table import Table
from desk.tables.table_opening import recorded_table
from recitation.voices.catalogue import voice_names
from referee.complaint import sentence_of
from referee.facts import FieldSettled
from referee.karuta.house_rules import PRESETS
from referee.layout import Layout
from vision.field.wrong_view import WrongView
from vision.match.evidence_ring import EvidenceRing
from vision.poem.events import WatchEvent

if TYPE_CHECKING:
    from desk.phone.station import PhoneStation

_LOOK_S = 0.5
PHONE_AWAITED, PHONE_AWAY = "phone_awaited", "phone_away"
FILM_WITHOUT_CARDS = "film_without_cards"  # the problem of a recording in which no field was found
_SIMULATOR = "seed=7 cards=25 speed=1"

AttendantOf = Callable[[Engine], Attendant]
Start = Callable[[Agreement, Watch, AttendantOf | None], None]
"""Function that begins a match with the eye of its set-up; raises DeskError if it cannot."""


class SetUp(WatchListener):
    """The set-up of one match: its port for the panel, and the eye's listener until the start.

    `seat`: returns the place of the match in a hall; None without a hall. `watch`: the eye of the chosen
    source, None if none is open.
    """

    def __init__(
        self,
        agreed: Agreement,
        start: Start,
        wanted: Wanted | None = None,
        seat: Callable[[], Seat] | None = None,
    ) -> None:
        self._wanted = wanted or Wanted()
        self._seat = seat
        self._agreed = agreed
        self._start = start
        self._offered: SourceOffered | None = None
        self._deck = self._wanted.deck
        self._opening = False
        self._problem: str | None = None
        self.watch: Watch | None = None
        self._attendant_of: AttendantOf | None = None
        self._layout = Layout(())
        self._findings: list[FindingShown] = []
        self._looking: asyncio.Task[None] | None = None

    # --- desk.panel.house.port.SetUpPort -----------------------------------------------------------------

    def sources(self) -> list[SourceOffered]:
        found: list[SourceOffered] = [
            {"kind": "camera", "where": where, "label": Path(where).name} for where in (*cameras(), PHONE)
        ]
        return [*found, {"kind": "simulator", "where": _SIMULATOR, "label": _SIMULATOR}]

    def choices(self) -> Choices:
        decks = decks_of("karuta")
        wanted = self._wanted.deck
        return {
            "rules": [
                {"name": name, "settings": rule_settings(load_rules(PRESETS, name))}
                for name in dict.fromkeys([*PRESETS.names, self._agreed.rules])
            ],
            "voices": [*voice_names(voice_folders()), SILENT, PERSON],
            "rhythms": list(RHYTHMS),
            "decks": decks if wanted is None or wanted in decks else [wanted, *decks],
            "agreed": self._agreed.to_json(),
        }

    async def choose(self, kind: SourceKind, where: str, deck: str | None = None) -> None:
        if self._opening:
            return
        self._opening = True
        try:
            await self.leave()
            self._offered = {"kind": kind, "where": where, "label": where}
            self._problem, self._findings, self._layout = None, [], Layout(())
            self._take_deck(deck)
            table, attendant_of = await asyncio.to_thread(_open, kind, where.strip(), self._wanted.phone)
            beside = await asyncio.to_thread(self._open_beside, table)
        except DeskError as error:
            self._problem = sentence_of(error)
        else:
            self._attendant_of = attendant_of
            self.watch = Watch(table, beside)
            self.watch.listener = self
            self.watch.begin()
            self._looking = asyncio.get_running_loop().create_task(self._look(self.watch))
        finally:
            self._opening = False

    def state(self) -> SetUpShown:
        watch = self.watch
        given = frozenset[int]() if watch is None else watch.eye.given
        return {
            "source": self._offered,
            "deck": self._deck,
            "opening": self._opening,
            "problem": self._lacks,
            "findings": self._findings,
            "layout": [card_on_field(placed) for placed in self._layout],
            "corrected": [place for place, placed in enumerate(self._layout) if placed.card in given],
            "counts": pair(self._layout.counts()),
            "phone": None if self._station is None else self._station.shown(),
            "seat": None if self._seat is None else self._seat(),
        }

    def preview(self) -> bytes | None:
        return None if self.watch is None else self.watch.preview()

    def correct(self, place: int, card: int | None) -> bool:
        watch = self.watch
        if watch is None or not place < len(self._layout):
            return False

        def name() -> None:
            reading = watch.eye.reading
            if reading is not None and place < len(reading.layout):
                self.seen(watch.eye.name_card(place, card), None)

        watch.between_pictures(name)
        return True

    async def start(self, agreed: Mapping[str, Any]) -> str | None:
        watch = self.watch
        if watch is None or self._lacks is not None:
            return self._lacks or "no_field"
        try:
            agreement = Agreement.of(agreed)
            self._start(agreement, watch, self._attendant_of if agreement.official else None)
        except DeskError as error:
            return sentence_of(error)
        self.take_watch()  # the match owns it now
        await self.leave()
        return None

    def take_watch(self) -> Watch | None:
        """Return the eye and hand it over to the caller; None if no source is open."""
        watch, self.watch, self._offered = self.watch, None, None
        return watch

    async def leave(self) -> None:
        watch, self.watch = self.watch, None
        looking, self._looking = self._looking, None
        if looking is not None:
            looking.cancel()
        if watch is not None:
            await asyncio.to_thread(watch.end)

    # --- desk.karuta.eye.watcher.WatchListener, in the eye's thread -----------------------------------------

    def seen(self, events: Sequence[WatchEvent], replay: EvidenceRing | None) -> None:  # noqa: ARG002
        for event in events:
            if isinstance(event, FieldSettled):
                self._layout = event.layout

    def failed(self, error: Exception) -> None:
        self._problem = sentence_of(error)

    @property
    def _lacks(self) -> str | None:
        """Why no match can begin with the chosen source; None if it can, or if none is chosen."""
        watch = self.watch
        if self._problem is not None or watch is None or self._layout.is_read:
            return self._problem
        station = self._station
        if station is not None and station.stage != "streaming":
            return PHONE_AWAY if station.stage == "lost" else PHONE_AWAITED
        if not len(self._layout) and (watch.table.problem or isinstance(watch.eye.problem, WrongView)):
            return watch.table.problem or _unread_because(watch.eye.problem)
        if watch.table.source is Source.VIDEO and watch.shows_no_more:
            return FILM_WITHOUT_CARDS
        return "no_card_read" if len(self._layout) else _unread_because(watch.eye.problem)

    @property
    def _station(self) -> PhoneStation | None:
        """The station that a phone connects to, None if the chosen camera is no phone."""
        table = None if self.watch is None else self.watch.table
        return table.station if isinstance(table, CameraTable) else None

    def _take_deck(self, deck: str | None) -> None:
        if deck and deck not in self.choices()["decks"]:
            raise DeskError(
                "there is no deck of torifuda {deck!r}; enrol it: shinpan enrol --game karuta", deck=deck
            )
        if deck is not None:
            self._deck = deck or None

    def _open_beside(self, table: Table) -> Equipment:
        try:
            if table.source is not Source.CAMERA:
                # a recorded or simulated table has no second camera here and no camera's record
                recorded = table.sound if isinstance(table, ScriptedTable) else None
                return Equipment(known=known_of(self._deck), recorded=recorded)
            return replace(self._wanted, deck=self._deck).open(table.where)
        except BaseException:
            table.close()
            raise

    # --- looking at the pictures -------------------------------------------------------------------------

    async def _look(self, watch: Watch) -> None:
        """Refresh the findings about the pictures, and note a recording in which no field was found."""
        told = False
        while self.watch is watch:
            await asyncio.sleep(_LOOK_S)
            self._findings = watch.checks.findings
            if self._lacks == FILM_WITHOUT_CARDS and not told:
                told = True
                sys.stderr.write(f"shinpan serve: {watch.table.where}: {no_card_read(len(self._layout))}\n")
            if self._station is not None and self._findings:
                self._station.show_findings(self._findings)


def _unread_because(problem: FailedEstimation | None) -> str:
    """Return the id of why there is no field; `desk.panel.house.setup_view` has its text."""
    if problem is None:
        return "no_field"
    return problem.wrong.value if isinstance(problem, WrongView) else "field_not_read"


def _open(kind: SourceKind, where: str, phone: PhoneWish) -> tuple[Table, AttendantOf | None]:
    match Source(kind):
        case Source.CAMERA:
            return CameraTable(where, phone), None
        case Source.VIDEO:
            return recorded_table(Path(where).expanduser(), doubt_of=doubt_of), None
        case Source.SIMULATOR:
            return simulated_table(SimulatorWish.parse(where)), SimulatedOfficial
