"""Judge plays against the table, and say what the players may play."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, product

from referee.cards.kendo import Brown, Card, Combination, Green, Red
from referee.kendo.bout import Bout, changed, only, round_over, with_cards_lost, with_hansoku, with_ippon
from referee.kendo.rows import ROWS, Row
from referee.kendo.standing import Attack, Fudoshin, Jodan, MakiWaza, Nothing, Oshidashi, Seme, SemeAnswered
from referee.sentence import Sentence


@dataclass(frozen=True, slots=True)
class Played:
    """A lawful play."""

    row: Row
    bout: Bout


@dataclass(frozen=True, slots=True)
class Refused:
    """A play that the table does not allow; nothing changes."""

    row: str
    reason: Sentence


def judge_play(bout: Bout, cards: Sequence[Card]) -> Played | Refused:
    """Judge the cards that the seat to act puts on the court together.

    Raises ValueError if no card is laid, or it is not known yet who opens.
    """
    if not cards:
        raise ValueError("a play has at least one card")
    combination = Combination.of(cards)
    judged = _judged(bout, combination)
    if isinstance(judged, Refused):
        # the seat need not answer what stands: it may open a new round with these cards
        open_round = let_be(bout)
        opened = judged if open_round is None else _judged(open_round, combination)
        return opened if isinstance(opened, Played) else judged
    return judged


def _judged(bout: Bout, cards: Combination) -> Played | Refused:
    rows = _rows_about(cards)
    if not rows:
        return Refused(_nearest_row(cards), Sentence("no row allows {cards}", cards=str(cards)))
    (row,) = rows
    reason = row.refusal(bout, cards)
    if reason is not None:
        return Refused(row.name, Sentence("{cards}: {reason}", cards=str(cards), reason=reason))
    acting = _acting(bout, cards)
    if Green.BOGYO in cards.greens:
        # the player of BOGYO opens the next round without exchange or draw (III.3f)
        acting = replace(acting, exchanges=(0, 0), draws=(0, 0))
    after = row.effect(acting, cards)
    has_nothing = _has_nothing_to_exchange(after, bout.actor)
    return Played(row, with_ippon(after, bout.actor) if has_nothing else after)


@lru_cache(4096)
def _rows_about(cards: Combination) -> tuple[Row, ...]:
    return tuple(row for row in ROWS if row.covers(cards))


def _acting(bout: Bout, cards: Combination) -> Bout:
    """Return the bout while its seat plays: the cards leave the hand, an exchange and a draw become due."""
    seat = bout.actor
    return replace(
        bout,
        exchanges=only(seat, 1),
        draws=only(seat, 1),
        spare_draws=(0, 0),
        hand_counts=changed(bout.hand_counts, seat, -cards.size),
        refilling=False,
        may_cede=False,
        may_ask_new_deal=None,
    )


def accepted(bout: Bout, cards: Sequence[Card]) -> Bout:
    """Return the bout after the players accept a play that no row allows.

    The rules do not say what such a play does, so it does as little as possible: what stood counts as
    answered, the round is over, and the opponent opens. A lawful play has its lawful effect.
    """
    judged = judge_play(bout, cards)
    if isinstance(judged, Played):
        return judged.bout
    return round_over(_acting(bout, Combination.of(cards)), 1 - bout.actor)


def _has_nothing_to_exchange(bout: Bout, seat: int) -> bool:
    """Tell whether a player must exchange with an empty hand, which is an IPPON (I), if that is watched."""
    readings = bout.rules.readings
    watched = readings.exchange_watched and readings.exchange_when == "after_play" and bout.winner is None
    return watched and bout.exchanges[seat] > 0 and bout.hand_counts[seat] == 0


def let_be(bout: Bout) -> Bout | None:
    """Return the bout in which the seat ignores what stands and opens; None if it must answer."""
    if not isinstance(bout.standing, SemeAnswered | Fudoshin):
        return None
    over = passed(bout)
    return over if over.winner is None else None


def _nearest_row(cards: Combination) -> str:
    """Return the first row's name for the first green card, or else for the colour of the cards."""
    if not cards.greens:
        return "red" if cards.reds else "brown"
    written = cards.greens[0].value.replace("_", " ").upper()
    return next(row.name for row in ROWS if row.name.startswith(written))


def passed(bout: Bout) -> Bout:
    """Return the bout after the seat to act does not react, because it cannot or does not want to.

    An unanswered attack or SEME is an IPPON. Unanswered OSHIDASHI or MAKI WAZA is a HANSOKU, and so is
    failing to open a round. Unanswered JODAN NO KAMAE or FUDOSHIN costs two cards (I, III.3c-k).
    """
    seat, standing = bout.actor, bout.standing
    if isinstance(standing, Attack | Seme):
        return with_ippon(bout, seat)
    if isinstance(standing, Oshidashi | MakiWaza | Nothing):
        return with_hansoku(bout, seat)
    if isinstance(standing, Jodan):
        return with_cards_lost(bout, seat, bout.rules.bout.jodan_discards)
    if isinstance(standing, Fudoshin):
        return with_cards_lost(bout, seat, bout.rules.bout.fudoshin_takes)
    return round_over(bout, seat)


def legal_plays(bout: Bout, hand: Sequence[Card]) -> tuple[tuple[Card, ...], ...]:
    """Return every play that the seat to act may make from a hand; plays with equal cards occur once."""
    return tuple(cards for cards in candidates(hand) if isinstance(judge_play(bout, cards), Played))


def candidates(hand: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Iterate over the sets of cards in a hand that some row of the table covers."""
    browns = sorted({card for card in hand if isinstance(card, Brown)})
    reds = sorted({card for card in hand if isinstance(card, Red)}, key=str)
    greens = sorted({card for card in hand if isinstance(card, Green)})
    for single in chain[Card](browns, reds, greens):
        yield (single,)
    yield from product(greens, chain[Brown | Red](browns, reds))
    if Green.MUSHIN in greens:
        companions = [green for green in (Green.SEME, Green.TSUBAZERIAI) if green in greens]
        yield from product((Green.MUSHIN,), companions, reds)
