"""Lots: an order that follows from a seed, so that anybody can check it."""

from collections.abc import Iterable
from hashlib import sha256


def draw_lots(players: Iterable[str], seed: str) -> tuple[str, ...]:
    """Return the players in the order of their lots; it depends on the seed and the names alone.

    `players`: names, each once. `seed`: any text agreed on beforehand, such as the date.
    """
    return tuple(sorted(players, key=lambda name: sha256(f"{seed}\n{name}".encode()).hexdigest()))
