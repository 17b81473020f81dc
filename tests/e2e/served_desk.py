"""A desk with its panel on a free port of this machine, driven by the real engine."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np
from playwright.sync_api import Page, expect

from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.events import EvidenceKept, MatchOpened
from desk.karuta.engine.minutes import read_minutes
from desk.karuta.engine.snapshot import layout_before, touch_seen
from desk.karuta.house.panel_port import MatchPort
from desk.log.event_log import EventLog
from desk.panel.app import create_app
from desk.panel.films.port import FilmsPort
from desk.panel.match.port import Health
from desk.panel.roles import Roles
from desk.tables.evidence.sound import kept_sound
from desk.tables.source_kind import Source
from recitation.sound.recent_sound import TimedSound
from referee.facts import FieldSettled, KimarijiCompleted, PoemStarted, Touch
from referee.karuta.flow.events import Event, PoemFinished
from referee.karuta.flow.state import Settings
from referee.karuta.ruleset import KYOGI
from referee.sides import BySide, Side
from tests.desk.karuta.scripted_house import ScriptedHouse
from tests.desk.panel.panel_port import dealt_layout
from tests.e2e.served_table import ServedApp
from vision.frames.frame import Frame
from vision.match.evidence_ring import EvidenceRing, cut

MS = 1_000_000
FRAME_NS = 8_333_333
T = TypeVar("T")
PATIENCE_S = 60  # only what hangs takes so long


class Desk(ServedApp):
    """A match on the real engine, with the panel served from a thread of its own.

    `click_ms`: when the sound of the replays clicks, after the first sound; None for replays without sound.
    """

    def __init__(
        self,
        folder: Path,
        roles: Roles | None = None,
        house: ScriptedHouse | None = None,
        films: FilmsPort | None = None,
    ) -> None:
        self.t_ms = 10_000
        self.layout = dealt_layout()
        self.click_ms: float | None = None
        self.folder = folder
        self._roles = roles
        self.house = house
        self._films = films
        settings = Settings(rules=replace(KYOGI, joka=False), appeals=1)
        log = EventLog.create(folder / "match.sqlite")
        opened = MatchOpened("e2e", Source.SIMULATOR, settings, BySide.both(None))
        self.engine = Engine.begin(log, opened, clock=lambda: self.t_ms * MS)
        self.port: MatchPort
        self._number = 0
        self.start()

    # --- serving -----------------------------------------------------------------------------------------
    def start(self) -> None:
        """Serve the panel, after `stop` on the same port as before."""
        self.port = MatchPort(
            self.engine,
            clock=lambda: self.t_ms * MS,
            evidence_folder=self.folder / "evidence",
            health=self._health,
        )
        if self.house is not None:
            self.house.match = self.port
        app = create_app(self.port, house=self.house, roles=self._roles, films=self._films)
        super().__init__(app, port=self._number)
        self._number = int(self.address.rpartition(":")[2])

    def stop(self) -> None:
        """Cut every connection, like a desk that died."""
        self._loop.call_soon_threadsafe(self.port.close)
        super().close()

    def close(self) -> None:
        if self._thread.is_alive():
            self.stop()

    def _health(self) -> Health:
        return {
            "now_ns": self.t_ms * MS,
            "fps": 119.8,
            "fps_nominal": 120.0,
            "dropped": 0,
            "late_ms": 9.0,
            "warnings": [],
        }

    # --- what happens at the table -----------------------------------------------------------------------
    def do(self, action: Callable[[], T]) -> T:
        """Run `action` on the engine's loop and return what it returns."""
        return super().do(action) if self._thread.is_alive() else action()

    def run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run a coroutine on the panel's loop and return what it returns."""
        return asyncio.run_coroutine_threadsafe(work(), self._loop).result(PATIENCE_S)

    def submit(self, *events: Event) -> None:
        for event in events:
            self.do(lambda event=event: self.engine.submit(event, Origin.EYE))  # type: ignore[misc]

    def lay_out(self) -> None:
        self.submit(FieldSettled(self.layout, self.t_ms * MS))

    def card_of(self, side: str, place: int = 0) -> int:
        card = self.layout.of(Side(side))[place].card
        assert card is not None
        return card

    def dead_card(self) -> int:
        return next(number for number in range(1, 101) if self.layout.find(number) is None)

    def read(self, poem: int) -> None:
        self.t_ms += 10_000
        start_ns = self.t_ms * MS
        self.submit(PoemStarted(poem, start_ns, MS), KimarijiCompleted(poem, start_ns + 400 * MS, 5 * MS))

    def rule(self, *touches: tuple[int, str, float], unc_ms: float = 1.5) -> int:
        """Let contacts happen (card, player, ms after the first sound); return the ruling's number."""
        for card, player, after_ms in touches:
            at_ns = self.t_ms * MS + int(after_ms * MS)
            self.submit(Touch(card, Side(player), at_ns, int(unc_ms * MS), confidence=0.99))
        self.submit(PoemFinished())
        minute = read_minutes(self.engine.history)[-1]
        self.do(lambda: self._keep_evidence(minute.seq))
        return minute.seq

    def settle(self, *gone: int) -> None:
        """Let the field come to rest after cards have left it."""
        for card in gone:
            self.layout = self.layout.without(card)
        self.submit(FieldSettled(self.layout, self.t_ms * MS + 3_000 * MS))

    def _keep_evidence(self, ruling: int) -> None:
        minutes = read_minutes(self.engine.history)
        minute = minutes[-1]
        before = layout_before(self.engine.state, minutes, minute)
        start_ns = self.t_ms * MS
        ring = EvidenceRing()
        for index in range(120):
            ring.append(Frame(_picture(index), start_ns + 400 * MS + index * FRAME_NS, MS, 7000 + index))
        if self.click_ms is not None:
            ring.sound = kept_sound(_click(start_ns, self.click_ms))
        touches = [{**touch_seen(contact, before), "at_px": [160, 90]} for contact in minute.contacts]
        marks: dict[str, Any] = {
            "poem": minute.ruling.poem,
            "t_poem_ns": start_ns,
            "t_poem_unc_ns": MS,
            "t_kimariji_ns": start_ns + 400 * MS,
            "touches": touches,
            "to_mm": [[2.0, 0.0, -320.0], [0.0, 2.0, -180.0], [0.0, 0.0, 1.0]],  # 2 mm a pixel
        }
        path = cut(ring, start_ns, start_ns + 10_000 * MS, marks).write(self.folder / "evidence")
        self.engine.note(EvidenceKept(ruling, path.name), Origin.DESK)


def _click(start_ns: int, click_ms: float) -> TimedSound:
    """Return the sound of a replay, from 400 ms after its poem's first sound on, with a click."""
    wave = np.zeros(48_000, np.float32)
    wave[round(48 * (click_ms - 400)) :][:480] = 0.5
    return TimedSound(wave, start_ns + 400 * MS, MS)


def _picture(index: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    picture = np.full((180, 320), 90, np.uint8)
    cv2.putText(picture, str(7000 + index), (90, 100), cv2.FONT_HERSHEY_SIMPLEX, 1.2, 255, 2)
    return picture


def begin(desk: Desk, page: Page) -> None:
    """Lay the cards out and let the operator start the match."""
    desk.lay_out()
    expect(page.locator("#field .card")).to_have_count(50)
    page.keyboard.press("s")
    expect(page.locator("#phase")).to_have_text("Memorising")
    page.keyboard.press("s")
    expect(page.locator("#phase")).not_to_have_text("Memorising")


def one_take(desk: Desk, page: Page, side: str = "far") -> int:
    begin(desk, page)
    target = desk.card_of(side)
    desk.read(target)
    desk.rule((target, "near", 800), (target, "far", 830))
    expect(page.locator("#timeline li")).to_have_count(1)
    return target
