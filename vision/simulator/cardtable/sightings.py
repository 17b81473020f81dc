"""An eye's sightings of a simulated table: the table whenever it rests, and cards that lie still meanwhile.

The instants come from the script instead of pictures, so only the pictures in which something is read are
drawn, or none at all. How cards are read is up to the reader, see `card_readers`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from referee.cards.hanafuda import by_index
from vision.hanafuda.placed_card import PlacedCard
from vision.plane.printed_table import PrintedTable
from vision.plane.zones import TableZones
from vision.simulator.cardtable.bustle import Bustle, corners_mm
from vision.simulator.cardtable.card_readers import CardReader
from vision.simulator.cardtable.film import Film
from vision.simulator.cardtable.script import Track
from vision.simulator.drawing.paths import Floats
from vision.table.arms import Reaches
from vision.table.glance import QUIET_NS
from vision.table.stillness import LOOK_BACK_NS
from vision.table.watcher import (
    ON_TOP_MM,
    REST_NS,
    CardGlimpsed,
    StripGlimpsed,
    TableCard,
    TableFact,
    TableSettled,
)

_S: Final = 1e-9


class Sightings:
    """Goes through a film and reports what is seen.

    `fps`: looks per second.
    """

    def __init__(
        self,
        film: Film,
        table: PrintedTable,
        zones: TableZones,
        reader: CardReader,
        fps: float = 12.0,
    ) -> None:
        self._film, self._zones, self._reader, self._fps = film, zones, reader, fps
        self._bustle = Bustle(film, table)
        self._arms: set[str] = set()
        self._reaches = Reaches()
        self._visited_ns: dict[str, int] = {}
        self._read_s = 0.0
        self._is_read = False
        self._shown: dict[int, float] = {}

    def seen(self) -> Iterator[tuple[float, TableFact | None]]:
        """Yield every instant, seconds, with each thing seen then, or with None."""
        step_s = 1 / self._fps
        back_s = max(step_s, LOOK_BACK_NS * _S)
        for number in range(int(self._film.script.length_s * self._fps)):
            t_s = (number + 0.5) * step_s
            self._bustle.feed(t_s, t_s - back_s)
            self._note_arms(t_s)
            settled = self._settled(t_s)
            if settled is not None:
                yield t_s, settled
            elif not self._is_read and self._read_s:
                for glimpsed in self._glimpses(t_s):
                    yield t_s, glimpsed
            yield t_s, None

    def _note_arms(self, t_s: float) -> None:
        self._arms |= self._bustle.sides
        self._reaches.feed(_ns(t_s), self._bustle.sides)
        for zone in self._zones.zones:
            left, top, right, bottom = zone.rect
            moved_s = self._bustle.moved_s((left + right) / 2, (top + bottom) / 2)
            if zone.name not in self._visited_ns and moved_s > self._read_s:
                self._visited_ns[zone.name] = _ns(moved_s)

    def _settled(self, t_s: float) -> TableSettled | None:
        since_s = self._bustle.still_since_s
        if since_s is None or self._bustle.sides:
            self._is_read = False
            return None
        if self._is_read or t_s - since_s < REST_NS * _S:
            return None
        self._is_read = True
        cards = tuple(map(self._table_card, self._reader.read(t_s)))
        settled = TableSettled(_ns(since_s), cards, frozenset(self._arms), self._visited_ns)
        self._read_s = t_s
        self._arms.clear()
        self._visited_ns = {}
        self._reaches.clear()
        self._shown = {card: track.rested_at(t_s) for card, track in self._lying(t_s)}
        return settled

    def _glimpses(self, t_s: float) -> Iterator[CardGlimpsed | StripGlimpsed]:
        for card, track in self._lying(t_s):
            pose = track.at(t_s)
            rested_s = track.rested_at(t_s)
            if np.cos(pose[4]) < 0 or self._shown.get(card) == rested_s:
                continue
            if not self._bustle.lies_open(corners_mm(pose), t_s - QUIET_NS * _S):
                continue
            self._shown[card] = rested_s
            placed = self._reader.glimpse(t_s, card)
            if placed is None:
                continue
            seen = self._table_card(placed)
            if seen.card_id is None:
                yield StripGlimpsed(_ns(t_s), seen.zone, seen.alike)
                continue
            under = self._under(t_s, card, pose)
            reached_ns, arms = self._reaches.at(seen.rested_ns)
            visited = frozenset(name for name, ns in self._visited_ns.items() if ns <= seen.rested_ns)
            yield CardGlimpsed(
                _ns(t_s),
                seen.card_id,
                seen.zone,
                seen.rested_ns,
                visited,
                under,
                reached_ns,
                arms,
            )

    def _lying(self, t_s: float) -> list[tuple[int, Track]]:
        cards = self._film.script.cards_at(t_s)
        return [
            (card, track)
            for card, track in cards.items()
            if track.is_there(t_s) and card not in self._bustle.moving
        ]

    def _under(self, t_s: float, card: int, pose: Floats) -> str | None:
        away_mm = {
            float(np.hypot(*(track.at(t_s)[:2] - pose[:2]))): other
            for other, track in self._lying(t_s)
            if other != card and self._shown.get(other) == track.rested_at(t_s)
        }
        nearest = min(away_mm, default=ON_TOP_MM + 1)
        return by_index(away_mm[nearest]).id if nearest <= ON_TOP_MM else None

    def _table_card(self, placed: PlacedCard) -> TableCard:
        x_mm, y_mm, angle_rad = map(float, placed.seen.pose)
        return TableCard(
            None if placed.card is None else self._reader.name(placed.card),
            self._zones.at(x_mm, y_mm),
            x_mm,
            y_mm,
            angle_rad,
            0.0 if placed.covered else placed.seen.visible,
            placed.confidence,
            _ns(self._bustle.moved_s(x_mm, y_mm)),
            self._reader.alike(placed) if placed.card is None or not placed.sure else {},
        )


def _ns(t_s: float) -> int:
    return round(t_s * 1e9)
