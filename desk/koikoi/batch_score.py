"""Scoring many Koi-Koi piles at once, for statistics and simulations: numpy tables of the referee's scorer.

Each pile is cut into three pieces of 16 cards. A table turns a piece into packed counts (which lights, how
many animals, ribbons, chaff cards), the three are added, and two tables turn the sum into points. The tables
hold the referee's score of one example pile for every sum, so that no rule is written twice.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from referee.koikoi.piles import (
    ANIMALS,
    BLUE_RIBBONS,
    BOAR_DEER_BUTTERFLIES,
    CHAFF,
    LIGHTS,
    POETRY_RIBBONS,
    RIBBONS,
    SAKE_CUP,
    Pile,
    cards_of,
)
from referee.koikoi.ruleset import RuleSet
from referee.koikoi.score import scorer

Piles = npt.NDArray[np.uint64]
Points = npt.NDArray[np.int32]

_PIECE_BITS = 16
_BLOCK = 1 << 13
"""Piles per block, so that the intermediate arrays stay in the processor's cache."""

# One table of points depends on each single light, the sake cup, and the number of chaff cards; the other on
# the number of cards in each set of animals and ribbons. The sake cup is in both: alone it makes neither a
# yaku of animals nor kasu, so the points of both add up.
_BRIGHT_AND_CHAFF: tuple[Pile, ...] = (*(1 << card for card in cards_of(LIGHTS | SAKE_CUP)), CHAFF)
_ANIMALS_AND_RIBBONS: tuple[Pile, ...] = (
    BOAR_DEER_BUTTERFLIES,
    ANIMALS & ~BOAR_DEER_BUTTERFLIES,
    POETRY_RIBBONS,
    BLUE_RIBBONS,
    RIBBONS & ~POETRY_RIBBONS & ~BLUE_RIBBONS,
)


class BatchScorer:
    """Scores arrays of piles under one ruleset.

    Parameters
    ----------
    rules : the ruleset.
    called : whether the piles' owners have called koi-koi; some rulesets pay more then.

    Raises
    ------
    ValueError : rain, fog or another yaku decides about a viewing yaku, which these tables cannot say.
    """

    def __init__(self, rules: RuleSet, *, called: bool = False) -> None:
        viewing = rules.viewing
        if viewing.rain != "never" or viewing.fog != "never" or viewing.beside_another:
            raise ValueError(f"many piles are scored at once only without rain and fog, got {viewing}")
        table = scorer(rules)
        self._low_bits = _width(_BRIGHT_AND_CHAFF)
        low, high = (
            np.array([table.base(pile, called=called) for pile in _examples(groups)], np.int32)
            for groups in (_BRIGHT_AND_CHAFF, _ANIMALS_AND_RIBBONS)
        )
        self._low, self._high = low, high
        self._pieces = _piece_tables((*_BRIGHT_AND_CHAFF, *_ANIMALS_AND_RIBBONS))

    def base(self, piles: Piles) -> Points:
        """Return the undoubled points of each pile.

        Parameters
        ----------
        piles : (N,) unsigned 64-bit masks, bit `i` is card index `i`; bits above 47 must be 0.

        Returns
        -------
        (N,) points.
        """
        points = np.empty(len(piles), np.int32)
        low_mask = (1 << self._low_bits) - 1
        for begin in range(0, len(piles), _BLOCK):
            words = np.ascontiguousarray(piles[begin : begin + _BLOCK], "<u8").view("<u2").reshape(-1, 4)
            counts = self._pieces[0][words[:, 0]]
            counts += self._pieces[1][words[:, 1]]
            counts += self._pieces[2][words[:, 2]]
            block = points[begin : begin + _BLOCK]
            np.take(self._low, counts & low_mask, out=block, mode="clip")
            block += self._high[counts >> self._low_bits]
        return points


def _bits(group: Pile) -> int:
    """Return the number of bits for the count of a group's cards in a pile."""
    return group.bit_count().bit_length()


def _width(groups: tuple[Pile, ...]) -> int:
    return sum(map(_bits, groups))


def _examples(groups: tuple[Pile, ...]) -> list[Pile]:
    """Return a pile for every packed sum of counts; for impossible sums, that of the nearest possible one."""
    piles = [0]
    for group in groups:
        cards = cards_of(group)
        first = [sum(1 << card for card in cards[:count]) for count in range(1 << _bits(group))]
        piles = [pile | part for part in first for pile in piles]
    return piles


def _piece_tables(groups: tuple[Pile, ...]) -> list[npt.NDArray[np.int32]]:
    """Return the packed counts of every 16 cards, for the three pieces of a pile."""
    shifts = [_width(groups[:place]) for place in range(len(groups))]
    values = np.arange(1 << _PIECE_BITS, dtype=np.uint32)
    tables = []
    for piece in range(3):
        packed = np.zeros(1 << _PIECE_BITS, np.int32)
        for group, shift in zip(groups, shifts, strict=True):
            cards = group >> piece * _PIECE_BITS & (1 << _PIECE_BITS) - 1
            packed += (np.bitwise_count(values & cards).astype(np.int32)) << shift
        tables.append(packed)
    return tables
