"""A bout as an immutable value, and what IPPON, HANSOKU and the end of a round do to it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.kendo.ruleset import RuleSet
from referee.kendo.standing import Nothing, Standing

Pair = tuple[int, int]  # one number for each seat, 0 and 1


@dataclass(frozen=True, slots=True)
class Bout:
    """A bout at one instant."""

    rules: RuleSet
    # ippon, hansoku: points and standing penalties of each seat
    ippon: Pair
    hansoku: Pair
    to_act: int | None  # seat whose move it is; None until it is known who opens
    standing: Standing
    # exchanges, draws: how many cards each seat has to exchange and to draw now
    exchanges: Pair
    draws: Pair
    hand_counts: Pair  # hand cards of each seat, according to the recorded draws
    # further cards that a seat may draw: one to replace a HIKI WAZA, which cannot open (I)
    spare_draws: Pair = (0, 0)
    # whether the draws fill the hand, from any pile; otherwise from the red or green pile
    refilling: bool = False
    may_cede: bool = False  # whether that seat may leave the opening to the opponent (TSUBAZERIAI)
    last_round: int | None = None  # seat that called time at 1-0; it wins if this round ends without a touch
    may_ask_new_deal: int | None = None  # seat that called time at 1-1 and may ask for a new deal
    ippon_shobu: bool = False  # whether the next IPPON decides; JIKAN DESU is then out of the game
    winner: int | None = None  # seat, None while the bout lasts

    @property
    def opening(self) -> bool:
        """Whether the seat to act opens a round."""
        return isinstance(self.standing, Nothing)

    @property
    def actor(self) -> int:
        """The seat whose move it is; ValueError as long as it is not known who opens."""
        if self.to_act is None:
            raise ValueError("nobody has opened yet: an `open` event says whose brown number was higher")
        return self.to_act


def start(rules: RuleSet) -> Bout:
    """Return a bout after the first draw; each seat may exchange and draw once before a seat opens."""
    hand = rules.bout.start_brown + rules.bout.start_red + rules.bout.start_green
    return Bout(
        rules=rules,
        ippon=(0, 0),
        hansoku=(0, 0),
        to_act=None,
        standing=Nothing(),
        exchanges=(1, 1),
        draws=(1, 1),
        hand_counts=(hand, hand),
    )


def changed(pair: Pair, seat: int, by: int) -> Pair:
    """Return the pair with `by` added to one seat's number, but not below 0."""
    first, second = pair
    return (max(first + by, 0), second) if seat == 0 else (first, max(second + by, 0))


def only(seat: int, value: int) -> Pair:
    """Return a pair with `value` for one seat and 0 for the other."""
    return changed((0, 0), seat, value)


def facing(bout: Bout, standing: Standing) -> Bout:
    """Put `standing` against the opponent of the seat that has just acted; the opponent acts next."""
    return replace(bout, standing=standing, to_act=1 - bout.actor)


def round_over(bout: Bout, opener: int) -> Bout:
    """End the round without a touch; this ends the bout if time was called at 1-0 (III.e)."""
    return replace(
        bout, standing=Nothing(), to_act=opener, winner=bout.last_round, last_round=None, may_cede=False
    )


def with_ippon(bout: Bout, against: int) -> Bout:
    """Score an IPPON against a seat; it opens the new round, and both fill their hands for it (I)."""
    ippon = changed(bout.ippon, 1 - against, 1)
    wins = ippon[1 - against] >= bout.rules.bout.ippons_to_win or bout.ippon_shobu
    first, second = (max(bout.rules.bout.hand_after_ippon - count, 0) for count in bout.hand_counts)
    return replace(
        bout,
        ippon=ippon,
        standing=Nothing(),
        to_act=against,
        exchanges=(0, 0),
        draws=(first, second),
        refilling=True,
        may_cede=False,
        may_ask_new_deal=None,
        last_round=None,
        winner=1 - against if wins else None,
    )


def with_hansoku(bout: Bout, against: int) -> Bout:
    """Give a HANSOKU against a seat; the last one allowed is an IPPON for the opponent (I).

    The penalised seat opens next. If it failed to open, no round had begun that could end.
    """
    hansoku = changed(bout.hansoku, against, 1)
    if hansoku[against] % bout.rules.bout.hansoku_for_ippon == 0:
        if bout.rules.readings.hansoku_pair_cleared:
            hansoku = changed(hansoku, against, -hansoku[against])
        return with_ippon(replace(bout, hansoku=hansoku), against)
    penalised = replace(
        bout, hansoku=hansoku, exchanges=(0, 0), draws=(0, 0), may_cede=False, may_ask_new_deal=None
    )
    if bout.opening:
        return replace(penalised, draws=only(against, 1), spare_draws=only(against, 1))
    if bout.last_round == against and bout.rules.readings.last_round_hansoku == "goes_on":
        penalised = replace(penalised, last_round=None)
    return round_over(penalised, against)


def with_cards_lost(bout: Bout, seat: int, cards: int) -> Bout:
    """Take `cards` cards out of a seat's hand; the seat opens a new round."""
    return round_over(replace(bout, hand_counts=changed(bout.hand_counts, seat, -cards)), seat)


def new_deal(bout: Bout) -> Bout:
    """Deal anew after JIKAN DESU at 1-1: IPPON SHOBU, no HANSOKU stands (III.e)."""
    cards = bout.rules.bout.new_deal_hand
    return replace(
        start(bout.rules),
        ippon=bout.ippon,
        exchanges=(0, 0),
        draws=(cards, cards),
        hand_counts=(0, 0),
        refilling=True,
        ippon_shobu=True,
    )
