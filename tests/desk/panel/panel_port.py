"""A match for the panel's tests: the real rules judge facts at the times of a script."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from desk.errors import DeskError
from desk.karuta.engine.minutes import Minute, Standing
from desk.karuta.engine.snapshot import card_on_field, pair, poem_ruled
from desk.panel.match.port import (
    Caption,
    CommandResult,
    EventSeen,
    Health,
    PoemRuled,
    Refusal,
    SideName,
    Snapshot,
)
from desk.panel.match.requests import Command, Confirm, Plain
from referee.cards.kimariji import kimariji
from referee.facts import KimarijiCompleted, PoemStarted, Touch
from referee.karuta.judge import judge_poem
from referee.karuta.risk import Risk
from referee.karuta.ruleset import KYOGI
from referee.layout import TERRITORY_WIDTH_M, Layout, PlacedCard, row_centre_y_m
from referee.sides import Side

MS = 1_000_000
S = 1_000_000_000
_PITCH_M = 0.0525


def dealt_layout(seed: int = 7) -> Layout:
    """Deal 25 + 25 cards in three rows, from both ends of each row towards the middle."""
    cards = random.Random(seed).sample(range(1, 101), 50)
    return Layout(tuple(_placed(Side.NEAR, cards[:25])) + tuple(_placed(Side.FAR, cards[25:])))


def _placed(side: Side, cards: Iterable[int]) -> Iterator[PlacedCard]:
    numbers = iter(cards)
    for row, (left, right) in enumerate(((4, 4), (4, 4), (5, 4))):
        y_m = row_centre_y_m(side, row)
        first_m = -TERRITORY_WIDTH_M / 2 + _PITCH_M / 2
        for place in range(left):
            yield PlacedCard(next(numbers), side, row, first_m + place * _PITCH_M, y_m)
        for place in range(right):
            yield PlacedCard(next(numbers), side, row, -first_m - place * _PITCH_M, y_m)


class ScriptedPort:
    """A port whose match moves on when the script says so.

    Attributes
    ----------
    commands : what the panel asked for, in order.
    bundle : the evidence that every ruling has, if any.
    now_ns : the match clock.
    """

    def __init__(self, match: str = "m1", seed: int = 7, bundle: Path | None = None) -> None:
        self.commands: list[Command] = []
        self.bundle = bundle
        self.deleted = False
        self.now_ns = 100 * S
        self.layout = dealt_layout(seed)
        self.log: list[EventSeen] = []
        self._changed = asyncio.Condition()
        self._closed = False
        self.snapshot: Snapshot = {
            "seq": 0,
            "match": {
                "id": match,
                "source": "simulator",
                "rules": "kyogi",
                "risk": Risk(0.56, 0.85, 1000, 2).to_json(),
                "names": {"near": None, "far": None},
                "started_wall": "2026-01-04T10:00:00+09:00",
            },
            "phase": "set_up",
            "pause": None,
            "memorise_ends_t_ns": None,
            "layout": [],
            "missing": [],
            "counts": {"near": 25, "far": 25},
            "owes": {"near": 0, "far": 0},
            "to_do": [],
            "news": [],
            "reading": None,
            "takes_names": False,
            "suggested": [],
            "poems": [],
            "faults": {"near": 0, "far": 0},
            "appeals_left": {"near": 2, "far": 2},
            "revertible": [],
            "policies": {"take": "auto", "fault": "auto"},
            "winner": None,
            "stopped": None,
        }
        self._lay()

    # --- the port ----------------------------------------------------------------------------------------
    def state(self) -> Snapshot:
        return deepcopy(self.snapshot)

    def health(self) -> Health:
        return {
            "now_ns": self.now_ns,
            "fps": 59.9,
            "fps_nominal": 60.0,
            "dropped": 0,
            "late_ms": 14.2,
            "warnings": [],
        }

    async def events(self, after_seq: int) -> AsyncIterator[EventSeen]:
        place = after_seq
        while True:
            while place < len(self.log):
                place += 1
                yield self.log[place - 1]
            if self._closed:
                return
            async with self._changed:
                await self._changed.wait()

    async def command(self, command: Command) -> CommandResult:
        self.commands.append(command)
        poems = self.snapshot["poems"]
        match asked := command.request:
            case Confirm():
                if poems[-1]["seq"] != asked.ruling:
                    return CommandResult(refusal=Refusal.NO_SUCH_EVENT)
                poems[-1]["state"] = "confirmed"
            case Plain(name="pause"):
                self.snapshot["pause"] = {"reason": "operator", "side": None}
        arguments = asked.model_dump(exclude={"name"})
        return CommandResult(seq=await self.tell(asked.name, command.origin, arguments))

    def evidence(self, ruling_seq: int) -> Path | None:
        known = any(ruled["seq"] == ruling_seq for ruled in self.snapshot["poems"])
        return self.bundle if known else None

    def evidence_was_deleted(self) -> bool:
        return self.deleted

    async def clip(self, ruling_seq: int, caption: Caption) -> Path | None:
        if self.bundle is not None and not self.bundle.read_bytes().startswith(b"PK"):
            raise DeskError(f"the evidence {self.bundle} cannot be read")
        return self.evidence(ruling_seq)

    def preview(self) -> bytes | None:
        return None

    # --- the script --------------------------------------------------------------------------------------
    async def tell(self, kind: str, origin: str = "engine", payload: dict[str, Any] | None = None) -> int:
        """Append an event to the log."""
        seq = len(self.log) + 1
        self.log.append(
            {
                "seq": seq,
                "kind": kind,
                "origin": origin,
                "wall": "2026-01-04T10:00:00+09:00",
                "payload": payload or {},
            }
        )
        self.snapshot["seq"] = seq
        async with self._changed:
            self._changed.notify_all()
        return seq

    async def close(self) -> None:
        self._closed = True
        async with self._changed:
            self._changed.notify_all()

    async def read(self, poem: int) -> int:
        """Begin to read a poem; its ku sound a second apart."""
        order = len(self.snapshot["poems"]) + 1
        self.snapshot["phase"] = "poem"
        self.snapshot["reading"] = {
            "poem": poem,
            "order": order,
            "t_ku_ns": [self.now_ns + number * S for number in range(5)],
        }
        return await self.tell("poem_started", "reader", {"poem": poem})

    async def rule(self, poem: int, touches: list[Touch], *, state: str | None = None) -> PoemRuled:
        """Judge the poem that is being read by the real rules and show the ruling."""
        started = PoemStarted(poem, self.now_ns, 2 * MS)
        ruling = judge_poem(poem, self.layout, [started, *touches], KYOGI)
        told, read = ruling.to_json(), frozenset(ruled["poem"] for ruled in self.snapshot["poems"])
        if state is None:
            state = "ruled" if told["status"] == "decided" else "proposed"
        decided_ns = self.now_ns + 200 * MS * len(kimariji(poem, {*range(1, 101)} - read))
        minute = Minute(
            len(read) + 1,
            (len(self.log) + 1,),
            ruling,
            Standing(state),
            started,
            KimarijiCompleted(poem, decided_ns, MS),
            tuple(sorted(touches, key=lambda touch: touch.t_ns)),
            evidence=None if self.bundle is None else self.bundle.name,
        )
        ruled = poem_ruled(minute, self.layout, read)
        self.snapshot["poems"].append(ruled)
        self.snapshot["reading"] = None
        self.snapshot["phase"] = "restore"
        if ruling.taken_by is not None and self.layout.find(poem):
            self.layout = self.layout.without(poem)
        self._lay()
        self.snapshot["owes"] = told["sends"]
        self.snapshot["to_do"] = [
            {"id": "owes_cards", "params": {"side": side, "count": count}}
            for side, count in told["sends"].items()
            if count
        ]
        self.snapshot["faults"]["near"] += told["faults"]["near"]
        self.snapshot["faults"]["far"] += told["faults"]["far"]
        self.snapshot["pause"] = {"reason": "review", "side": None} if state == "proposed" else None
        self.snapshot["revertible"] = [{"seq": ruled["seq"], "kind": "ruling", "poem": poem}]
        await self.tell("ruling", "engine", told)
        return ruled

    def _lay(self) -> None:
        self.snapshot["layout"] = [card_on_field(placed) for placed in self.layout]
        self.snapshot["counts"] = pair(self.layout.counts())

    def touch(self, card: int, player: SideName, after_ms: float, unc_ms: float = 2.0) -> Touch:
        """Make a contact at a delay after the present instant."""
        return Touch(card, Side(player), self.now_ns + int(after_ms * MS), int(unc_ms * MS), confidence=0.98)

    def card_of(self, side: SideName, place: int = 0) -> int:
        card = self.layout.of(Side(side))[place].card
        assert card is not None
        return card

    def dead_card(self) -> int:
        """Return a poem whose card is not on the field."""
        return next(number for number in range(1, 101) if self.layout.find(number) is None)
