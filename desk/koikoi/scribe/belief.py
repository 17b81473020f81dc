"""What the eye reads at a Koi-Koi table, put right by what is known: 48 cards, one of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace

from desk.koikoi.scribe.appearances import CLEAR, TELLING, Glimpses, kind_of
from desk.koikoi.scribe.look import Cards, Look, renamed_look
from referee.koikoi.piles import month_of


class Belief:
    """Remembers for a round which prints are not what they are read as; see `corrected`."""

    def __init__(self) -> None:
        self._names: dict[int, int] = {}
        self._concluded: set[int] = set()
        self._strange: set[int] = set()

    def name(self, card: int) -> int:
        """Return which card a print is that is read as `card`."""
        return self._names.get(card, card)

    def conclude(self, card: int) -> None:
        """Take in that nobody has read a card and that it must lie among the captured ones."""
        self._concluded.add(card)

    def refuted(self, look: Look, known: Cards, glimpsed: Collection[int]) -> dict[int, int]:
        """Return the names of concluded cards that lie in the middle: each was another of its month.

        Nothing is said where that may be of several kinds, or of its own: see `corrected`.

        Parameters
        ----------
        look : the table as it is read.
        known : cards that are on the table.
        glimpsed : cards that have lain openly since the look before.
        """
        names: dict[int, int] = {}
        for card in sorted(self._concluded & look.middle - set(self._names)):
            month = [other for other in range(48) if month_of(other) == month_of(card)]
            left = [other for other in month if other not in known and other not in glimpsed]
            kinds = set(map(kind_of, left))
            if len(kinds) == 1 and kind_of(card) not in kinds:
                names |= {card: left[0], left[0]: card}
                self._concluded = (self._concluded - {card}) | {left[0]}
        return names

    def distrust(self, cards: Collection[int]) -> None:
        """Take in that these cards were slivers of others."""
        self._strange |= set(cards)

    def judged(self, moved: Collection[int], seen: Collection[int]) -> None:
        """Take in which cards a turn has put down, and which seemed new in it: what else did were slivers."""
        self._strange = (self._strange | set(seen)) - set(moved)

    def freed(self, look: Look) -> Look:
        """Return a look without the slivers that were told to be others."""
        return look.without(frozenset(self._strange & look.captured & (look.slivers | look.hidden)))

    def corrected(self, look: Look, latest: Look, known: Cards, glimpses: Glimpses, reread: Cards) -> Look:
        """Return the table as it must be, with the cards of the piles that lie under others.

        Parameters
        ----------
        look : the table as it is read.
        latest : the table before.
        known : cards that were on the table before.
        glimpses : cards that lay openly somewhere since `latest`.
        reread : cards that were slivers of others before.
        """
        glimpsed = glimpses.since_ms.keys() | reread
        look = _still_there(renamed_look(look, self._names), latest)
        look = renamed_look(look, self._twins(look, latest, known, glimpsed))
        look = renamed_look(look, self._taken_under_another_name(look, latest, known, glimpses))
        look = renamed_look(look, self._recognised(look, latest, known))
        look = renamed_look(look, self._likes_of_taken(look, latest, known, glimpses))
        look = _with_takers(look, latest, known, glimpses)
        look = look.without(_strayed(look, latest) - set(glimpsed))
        look = renamed_look(look, _seen_openly(look, known, glimpsed))
        slivers = look.captured & (look.slivers | look.hidden)
        self._strange -= (look.cards - slivers) | set(glimpsed)
        new = slivers - known - set(glimpsed)
        look = look.without(_alone(look, latest, new))
        self._strange |= (new & _untouched(look, latest)) - _of_laid_months(look, glimpses)
        self._strange |= _twins_of_covered(look, latest, known | set(glimpsed))
        strange = frozenset(self._strange)
        look = _uncovered(look.without(strange), latest, known, glimpsed - glimpses.piled.keys())
        look = _laid_upon(look, known, glimpses)
        return look.remembering(latest.without(strange))

    def _twins(self, look: Look, latest: Look, known: Cards, glimpsed: Collection[int]) -> dict[int, int]:
        """Return the names of new cards that are read as captured ones: they are others of their like.

        No captured card is drawn, and one that its pile covers is not played.
        """
        names = _exchanged(look, latest, known)
        for card in sorted(look.middle & latest.captured - names.keys()):
            others = [other for other in range(48) if other not in known | look.cards]
            like = [other for other in others if kind_of(other) == kind_of(card)]
            seen = card in look.turn or card in latest.hidden or bool(set(like) & set(glimpsed))
            if like and seen and not _has_left_pile(card, look, latest):
                names |= {card: like[0], like[0]: card}
        self._names |= names
        return names

    def _taken_under_another_name(
        self, look: Look, latest: Look, known: Cards, glimpses: Glimpses
    ) -> dict[int, int]:
        """Return the names of cards of the middle that were captured, each with its like that lies there now.

        What lay in the middle was read as that one, which came only then. With two new cards of a month no
        third one stays behind; nor was it that one which has been seen on the pile.
        """
        names: dict[int, int] = {}
        for now, before in zip(look.captures, latest.captures, strict=True):
            came, new = now - before, now - known
            for card in sorted(look.middle & latest.middle - names.keys()):
                like = [other for other in sorted(new) if kind_of(other) == kind_of(card)]
                company = {other for other in came if month_of(other) == month_of(card)} - set(like)
                has_come = look.rested_ms.get(card, look.t_ms) > latest.t_ms
                if len(like) == 1 and has_come and (company & new or (company and card in glimpses.piled)):
                    names |= {card: like[0], like[0]: card}
        self._names |= names
        return names

    def _likes_of_taken(self, look: Look, latest: Look, known: Cards, glimpses: Glimpses) -> dict[int, int]:
        """Return the names of new captured cards that are rather those that were taken, read as their like.

        Another card of its month has taken it, no second one of the month was there to take, and the one that
        it is read as has lain openly nowhere else. So it is with one of two cards that lay on one another, if
        only the other is read in the pile. A print that is seen plainly, with its taker only, will be read as
        its like from now on.
        """
        names: dict[int, int] = {}
        new = (look.captured | set(glimpses.since_ms)) - known
        for like in sorted(look.captured - known - glimpses.laid):
            month = month_of(like)
            left = [card for card in latest.middle - look.middle if month_of(card) == month]
            takers = {card for card in new if month_of(card) == month and card != like}
            if len(left) == 2 and set(left) in [set(pair) for pair in latest.over.items()]:
                takers |= set(left) & look.captured
                left = [card for card in left if card not in takers]
            if len(left) != 1 or not takers or left[0] in look.cards | names.keys() | set(names.values()):
                continue
            together = any(like in pile and takers <= pile for pile in look.captures)
            if kind_of(like) == kind_of(left[0]) and (together or like in look.slivers):
                names |= {like: left[0]} if like in look.slivers else {like: left[0], left[0]: like}
        self._names |= {card: name for card, name in names.items() if name in names}
        glimpses.rename_piled(names)
        return names

    def _recognised(self, look: Look, latest: Look, known: Cards) -> dict[int, int]:
        """Return under which numbers cards that were concluded are read now, and remember it."""
        names: dict[int, int] = {}
        just_taken = {month_of(card) for card in look.captured & latest.middle}
        for concluded in sorted(self._concluded):
            if concluded in look.middle or _is_elsewhere(concluded, look, latest):
                # it lies there: then it was another of its like that was concluded
                others = [card for card in range(48) if card not in known | look.cards]
                like = [card for card in others if kind_of(card) == kind_of(concluded)]
            elif concluded in look.cards or month_of(concluded) in just_taken:
                like = []
            else:
                like = [card for card in look.captured - known if kind_of(card) == kind_of(concluded)]
            if like:
                names |= {concluded: like[0], like[0]: concluded}
                self._concluded.discard(concluded)
        self._names |= names
        return names


def _exchanged(look: Look, latest: Look, known: Cards) -> dict[int, int]:
    """Return names for captured cards that are read in the middle, with a new one of their like in the pile.

    What was captured is captured still, so that it is the new one that lies in the middle.
    """
    names: dict[int, int] = {}
    for now, before in zip(look.captures, latest.captures, strict=True):
        for card in sorted(look.middle & before):
            like = [new for new in sorted(now - known) if kind_of(new) == kind_of(card)]
            if len(like) == 1:
                names |= {card: like[0], like[0]: card}
    return names


def _has_left_pile(card: int, look: Look, latest: Look) -> bool:
    """Tell whether a captured card was seen plainly, and is gone from a pile to which nothing was added.

    Two chaff cards of a month may look so alike that a glance tells one for the other: the pile tells.
    """
    if card in look.turn or card in latest.hidden | latest.slivers:
        return False
    return any(
        card in before and now == before - {card}
        for now, before in zip(look.captures, latest.captures, strict=True)
    )


def _is_elsewhere(card: int, look: Look, latest: Look) -> bool:
    """Tell whether a card that was taken to lie in one pile is seen plainly in another."""
    if card in look.slivers | look.hidden:
        return False
    return any(card in now - was for now, was in zip(look.captures, latest.captures, strict=True)) and (
        card in latest.captured
    )


def _seen_openly(look: Look, known: Cards, glimpsed: Collection[int]) -> dict[int, int]:
    """Return the names of new slivers instead of which a card of their month has just lain openly."""
    names: dict[int, int] = {}
    for card in sorted(set(glimpsed) - known - look.cards):
        new = (look.captured & look.slivers) - known - set(glimpsed) - set(names)
        same = [sliver for sliver in sorted(new) if month_of(sliver) == month_of(card)]
        if same:
            names |= {same[0]: card}
    return names


def _twins_of_covered(look: Look, latest: Look, seen: Cards) -> set[int]:
    """Return new slivers that are cards of their pile, read as their like just as they were covered.

    A card that was captured comes with another of its month, and its like need not be covered by it.

    Parameters
    ----------
    look, latest : the table as it is read, and before.
    seen : cards that were on the table before, or lay openly since.
    """
    twins = set()
    for now, before in zip(look.captures, latest.captures, strict=True):
        covered = {kind_of(card) for card in (before & look.hidden) - latest.hidden}
        for card in (now & look.slivers) - before - seen:
            company = {month_of(other) for other in now - before - {card}}
            if kind_of(card) in covered and month_of(card) not in company:
                twins.add(card)
    return twins


def _strayed(look: Look, latest: Look) -> Cards:
    """Return the cards of a pile of which a sliver seems to lie in another one: such a print was misread."""
    return frozenset(
        card
        for now, before in zip(look.captures, latest.captures, strict=True)
        for card in now & look.slivers & (latest.captured - before)
    )


def _alone(look: Look, latest: Look, new: Cards) -> Cards:
    """Return new slivers, read once, that came to a pile without their month beside a whole capture.

    Nobody captures one card alone, but strips of two cards may look like a third. What is really there is
    sure when it is read a second time; where a captured card lacks company, it may have taken that.
    """
    alone: set[int] = set()
    for pile in look.captures:
        months = Counter(month_of(card) for card in pile - latest.captured)
        lonely = {card for card in pile - latest.captured if months[month_of(card)] == 1}
        if lonely <= new & look.alike.keys() and len(months) > len(lonely):
            alone |= lonely
    return frozenset(alone)


def _with_takers(look: Look, latest: Look, known: Cards, glimpses: Glimpses) -> Look:
    """Return a look with cards that have just taken others lying with them, under what was put there since.

    Such a card was glimpsed on a pile after the arm of one seat only. A sliver in a pile to which nothing can
    have come is not it, although it is read as that: nobody sees both.
    """
    for seat in sorted(look.seats):
        came = look.captures[seat] - latest.captured
        months = {month_of(card) for card in came & latest.middle} - {month_of(card) for card in came - known}
        read = _untouched(look, latest) & look.slivers - look.captures[seat] - known
        takers = read & glimpses.of(seat).piled.keys()
        if own := frozenset(card for card in takers if month_of(card) in months):
            look = look.without(own).hiding(own, seat)
    return look


def _still_there(look: Look, latest: Look) -> Look:
    """Return a look with cards of the middle that lie there still, although their print is not told any more.

    A neighbour that was nudged, or the shade of an arm, may cost a strip its name.
    """
    gone, there = set(latest.field - look.cards), set[int]()
    for seen in look.unread[: look.unnamed] if gone else ():
        likeliest = max(seen.alike.values(), default=0.0)
        card = max(gone - there, key=lambda card: seen.alike.get(card, 0.0), default=None)
        if card is not None and seen.alike.get(card, 0.0) >= max(TELLING, likeliest - CLEAR):
            there.add(card)
    return replace(look, field=look.field | there, unnamed=look.unnamed - len(there)) if there else look


def _untouched(look: Look, latest: Look) -> Cards:
    """Return the cards of the piles to which nothing can have come.

    Without a capture that is any of them, else one to which no card of the middle has come and whose owner
    was not at the table: who lays cards on it by mistake lays down what he has captured.
    """
    if not look.captured & latest.middle:
        return look.captured
    piles = [
        pile for seat, pile in enumerate(look.captures) if seat not in look.seats and not pile & latest.middle
    ]
    return frozenset().union(*piles)


def _of_laid_months(look: Look, glimpses: Glimpses) -> Cards:
    """Return the captured cards that may have taken what had only just been laid down."""
    piles = [(pile, set(map(month_of, pile & glimpses.laid))) for pile in look.captures]
    return frozenset(card for pile, months in piles for card in pile if month_of(card) in months)


def _uncovered(look: Look, latest: Look, known: Cards, glimpsed: Collection[int]) -> Look:
    """Return a look with the cards of a pair of which nothing can be read but that one lies over the other.

    The one above was glimpsed as it was laid down, the one below vanished when the table came to rest.
    """
    vanished = frozenset() if look.captured & latest.middle else latest.field - look.cards
    above = {card for card in glimpsed if card not in known and card not in look.cards}
    months = {month_of(card) for card in above} & {month_of(card) for card in vanished}
    pairs = frozenset(card for card in above | vanished if month_of(card) in months)
    return replace(look, field=look.field | pairs, assumed=pairs) if pairs else look


def _laid_upon(look: Look, known: Cards, glimpses: Glimpses) -> Look:
    """Return a look with the cards that have lain openly and on which a card lies that is seen still."""
    new = glimpses.laid - glimpses.piled.keys() - known - look.cards
    under = frozenset(below for card, below in glimpses.under.items() if card in look.middle and below in new)
    return look.lying(under) if under else look
