"""What a pile is worth, and why.

`Scorer` turns a ruleset into tables once. The points for lights, animals and ribbons are looked up by the
bits of the pile, so that scoring a pile takes three lookups and one count.
"""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from referee.koikoi.payout import call_effect, formula, lights_factor, threshold_factor
from referee.koikoi.piles import (
    ANIMALS,
    DECK,
    LIGHTS,
    PAULOWNIA,
    RAIN_MAN,
    RIBBONS,
    SAKE_CUP,
    WILLOW,
    Pile,
    cards_of,
    subsets,
)
from referee.koikoi.ruleset import RuleSet, Spoiling, Worth
from referee.koikoi.yaku import MONTH_YAKU, YAKU, YAKU_BY_NAME, Group, Yaku


class YakuPoints(NamedTuple):
    """A reached yaku and its points, increments included."""

    name: str
    points: int


_Rows = tuple[YakuPoints, ...]
_Part = tuple[int, _Rows]  # points and rows of the yaku that one kind of cards makes
_VIEWING = frozenset(yaku.name for yaku in YAKU if yaku.group is Group.VIEWING)


def _spoils(when: Spoiling, month: Pile, pile: Pile, field: Pile) -> bool:
    """Tell whether a month's cards spoil a viewing yaku of the pile's owner."""
    return when != "never" and bool((pile if when == "captured" else field) & month)


class Score(NamedTuple):
    """A scored pile."""

    pile: Pile
    yaku: tuple[YakuPoints, ...]
    base: int  # their sum, before any doubling
    points: int  # what the owner gets for stopping now
    # own_calls, other_calls: koi-koi calls of the owner and of all others in this round
    own_calls: int
    other_calls: int
    month: int  # 1..12 if the round's month cards can count, else 0
    lights: int  # how many lights were dealt to the field
    rules: RuleSet

    @property
    def formula(self) -> str:
        """The points as a sum that players can follow, such as `(5 + 1) x 2 = 12`."""
        if not self.base:
            return "0"  # nobody can stop without a yaku
        rules = self.rules
        calls = call_effect(rules.calls.effect, self.own_calls, self.other_calls)
        large = threshold_factor(self.base, rules)
        lights = lights_factor(rules.field.lights_multiply, self.lights)
        return formula([row.points for row in self.yaku], self.points, calls, large, lights)

    def cards(self, name: str) -> tuple[int, ...]:
        """Return the cards that make the yaku `name` in this pile; ValueError if it does not score it."""
        if name not in (row.name for row in self.yaku):
            raise ValueError(f"the pile scores {[row.name for row in self.yaku]}, not {name!r}")
        yaku = MONTH_YAKU[self.month - 1] if name == "month" else YAKU_BY_NAME[name]
        cards = yaku.cards_in(self.pile)
        if name == "kasu" and not self.rules.sake_cup.counts_as_kasu:
            cards &= ~SAKE_CUP
        return cards_of(cards)


_new_score = tuple.__new__


class Scorer:
    """Scores piles under one ruleset. Get it from `scorer(rules)`, which keeps the tables."""

    __slots__ = (
        "_after_call",
        "_animals",
        "_before_call",
        "_kasu",
        "_kasu_cards",
        "_large",
        "_large_factor",
        "_ribbons",
        "_spoiled",
        "rules",
    )

    _BRIGHT = LIGHTS | SAKE_CUP

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._before_call = {pile: self._bright(pile, called=False) for pile in subsets(self._BRIGHT)}
        self._after_call = {pile: self._bright(pile, called=True) for pile in subsets(self._BRIGHT)}
        animals = rules.stacking.animals == "best"
        self._animals = {pile: self._group(Group.ANIMALS, pile, best=animals) for pile in subsets(ANIMALS)}
        ribbons = rules.stacking.ribbons == "best"
        self._ribbons = {pile: self._group(Group.RIBBONS, pile, best=ribbons) for pile in subsets(RIBBONS)}
        kasu = YAKU_BY_NAME["kasu"]
        self._kasu_cards = kasu.pool if rules.sake_cup.counts_as_kasu else kasu.pool & ~SAKE_CUP
        self._kasu = tuple(self._counted(kasu, number) for number in range(self._kasu_cards.bit_count() + 1))
        viewing = rules.viewing
        self._spoiled = viewing.rain != "never" or viewing.fog != "never" or viewing.beside_another
        threshold = rules.threshold
        self._large = threshold.points + (1 if threshold.mode == "gt" else 0)
        self._large_factor = 1 if threshold.mode == "off" else threshold.factor

    def base(self, pile: Pile, *, called: bool = False, month: int = 0, field: Pile = 0) -> int:
        """Return the undoubled points of a pile; some rulesets pay more after a call. See `score`."""
        if self._spoiled:
            return self.score(pile, int(called), month=month, field=field).base
        bright = self._after_call if called else self._before_call
        base = (
            bright[pile & self._BRIGHT][0]
            + self._animals[pile & ANIMALS][0]
            + self._ribbons[pile & RIBBONS][0]
            + self._kasu[(pile & self._kasu_cards).bit_count()][0]
        )
        return base + self._month_part(pile, month)[0] if month else base

    def score(
        self,
        pile: Pile,
        own_calls: int = 0,
        other_calls: int = 0,
        month: int = 0,
        *,
        field: Pile = 0,
        lights: int = 0,
    ) -> Score:
        """Return what a pile is worth if its owner stops now, with every yaku that counts.

        `month`: 1..12 where the round's month cards count, else 0. `field`: the cards in the middle, which
        can spoil a viewing yaku. `lights`: how many were dealt to the field, which can multiply the points.
        """
        bright = self._after_call if own_calls else self._before_call
        brights, bright_rows = bright[pile & self._BRIGHT]
        animals, animal_rows = self._animals[pile & ANIMALS]
        ribbons, ribbon_rows = self._ribbons[pile & RIBBONS]
        kasu, kasu_rows = self._kasu[(pile & self._kasu_cards).bit_count()]
        base = brights + animals + ribbons + kasu
        rows = bright_rows + animal_rows + ribbon_rows + kasu_rows
        if month:
            month_points, month_rows = self._month_part(pile, month)
            base += month_points
            rows += month_rows
        if self._spoiled:
            rows = self._unspoiled(rows, pile, field)
            base = sum(row.points for row in rows)
        points = self.points(base, own_calls, other_calls, lights) if base else 0
        # same as `Score(...)`, but the whole method takes a third less time
        return _new_score(
            Score, (pile, rows, base, points, own_calls, other_calls, month, lights, self.rules)
        )

    def points(self, base: int, own_calls: int = 0, other_calls: int = 0, lights: int = 0) -> int:
        """Return what the sum `base` pays its owner for stopping now; `Score.formula` explains it."""
        if not base:
            return 0
        factor, bonus = call_effect(self.rules.calls.effect, own_calls, other_calls)
        points = base * factor + bonus
        if lights:
            points *= lights_factor(self.rules.field.lights_multiply, lights)
        return points * self._large_factor if base >= self._large else points

    def _unspoiled(self, rows: _Rows, pile: Pile, field: Pile) -> _Rows:
        """Return the rows without the viewing yaku that rain, fog or the lack of another yaku spoils."""
        viewing = self.rules.viewing
        alone = viewing.beside_another and all(row.name in _VIEWING for row in rows)
        spoiled = {
            "hanamizake": alone or _spoils(viewing.rain, WILLOW, pile, field),
            "tsukimizake": alone or _spoils(viewing.fog, PAULOWNIA, pile, field),
        }
        return tuple(row for row in rows if not spoiled.get(row.name))

    def _month_part(self, pile: Pile, month: int) -> _Part:
        return self._part(pile, [MONTH_YAKU[month - 1]], called=False)

    def _bright(self, pile: Pile, *, called: bool) -> _Part:
        """Score lights and sake: the best yaku of the lights, plus each viewing yaku."""
        points, rows = self._group(Group.LIGHTS, pile, best=True)
        if self.rules.viewing.rained_off and pile & RAIN_MAN:
            return points, rows
        viewing = self._part(pile, (yaku for yaku in YAKU if yaku.group is Group.VIEWING), called=called)
        return points + viewing[0], rows + viewing[1]

    def _group(self, group: Group, pile: Pile, *, best: bool) -> _Part:
        """Score the yaku of one group: all that are reached, or only the best (the first of equals)."""
        points, rows = self._part(pile, (yaku for yaku in YAKU if yaku.group is group), called=False)
        if best and len(rows) > 1:
            row = max(rows, key=lambda row: row.points)
            return row.points, (row,)
        return points, rows

    def _part(self, pile: Pile, candidates: Iterable[Yaku], *, called: bool) -> _Part:
        rows = []
        for yaku in candidates:
            further = yaku.further_cards(pile)
            points = self._worth(yaku, further, called=called) if further >= 0 else 0
            if points:
                rows.append(YakuPoints(yaku.name, points))
        return sum(row.points for row in rows), tuple(rows)

    def _counted(self, yaku: Yaku, number: int) -> _Part:
        points = self._worth(yaku, number - yaku.count, called=False) if number >= yaku.count else 0
        return points, (YakuPoints(yaku.name, points),) if points else ()

    def _worth(self, yaku: Yaku, further_cards: int, *, called: bool) -> int:
        """Return the points of a reached yaku; a yaku worth 0 is not played, whatever its increment."""
        worth: Worth = getattr(self.rules.yaku, yaku.name)
        return worth.of(further_cards, called=called) if worth.points else 0


@cache
def scorer(rules: RuleSet) -> Scorer:
    """Return the scorer of a ruleset; its tables are built once."""
    return Scorer(rules)


class OneCardAway(NamedTuple):
    """A yaku that a single card would complete."""

    yaku: str
    cards: tuple[int, ...]  # the cards that complete it, each alone, by index
    base: int  # the pile's undoubled points with that yaku, for the best of these cards


def one_card_away(
    scores: Scorer, pile: Pile, available: Pile = DECK, *, month: int = 0, field: Pile = 0
) -> tuple[OneCardAway, ...]:
    """Return the yaku that one more card of those `available` would complete, the most valuable first."""
    have = {row.name for row in scores.score(pile, month=month, field=field).yaku}
    found: dict[str, tuple[list[int], int]] = {}
    for card in cards_of(available & ~pile):
        score = scores.score(pile | 1 << card, month=month, field=field & ~(1 << card))
        for row in score.yaku:
            if row.name not in have:
                cards, base = found.get(row.name, ([], 0))
                found[row.name] = ([*cards, card], max(base, score.base))
    rows = [OneCardAway(name, tuple(cards), base) for name, (cards, base) in found.items()]
    return tuple(sorted(rows, key=lambda row: (-row.base, row.yaku)))
