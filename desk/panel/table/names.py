"""Names of seats and zones on the pages of card tables, in one language."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from desk.panel.koikoi.phrases import ZONES
from desk.panel.words import Words


def seat_name(seat: int, name: str | None, said: Words) -> str:
    """Return what a seat is called."""
    return name or said("Player {n}", n=seat + 1)


def by_name(text: str, names: Sequence[str]) -> str:
    """Return the referee's own words with the names of seats, which it counts from 0: `player 1`."""

    def name(found: re.Match[str]) -> str:
        seat = int(found[1])
        return names[seat] if seat < len(names) else found[0]

    return re.sub(r"\bplayer (\d)\b", name, text)


def zone_names(zones: Mapping[str, Sequence[object]], said: Words) -> dict[str, list[str]]:
    """Return what the zones of a table are called; of several of one name, each belongs to a seat."""
    return {
        name: [said(ZONES[name])] if name in ZONES else [_strip(seat, said) for seat in range(len(rects))]
        for name, rects in zones.items()
    }


def _strip(seat: int, said: Words) -> str:
    return said("Captured cards of {player}", player=seat_name(seat, None, said))
