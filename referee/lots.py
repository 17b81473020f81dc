"""Lots: an order that a seed decides and that everybody can work out again."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256


def draw_lots(players: Iterable[str], seed: str) -> tuple[str, ...]:
    """Return the players in an order that the seed decides, whatever order they come in.

    Parameters
    ----------
    players : names, each once.
    seed : any text that is agreed on before, such as the date.
    """
    return tuple(sorted(players, key=lambda name: sha256(f"{seed}\n{name}".encode()).hexdigest()))
