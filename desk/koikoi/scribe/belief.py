"""Correcting what the eye reads at a Koi-Koi table by what is known: there are 48 cards, one of each.

Cards of one kind (same month and category) look alike, so the eye may read one as the other.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from desk.koikoi.scribe.appearances import CLEAR, TELLING, Appearance, Glimpses, kind_of, newly_taken
from desk.koikoi.scribe.look import Cards, Look, renamed_look
from referee.koikoi.piles import month_of


class Belief:
    """Remembers which prints of a round were misread; see `corrected`."""

    def __init__(self) -> None:
        self.names: dict[int, int] = {}
        self._concluded: set[int] = set()
        self._strange: set[int] = set()

    def conclude(self, card: int) -> None:
        self._concluded.add(card)

    def refuted(self, look: Look, known: Cards, glimpsed: Collection[int]) -> dict[int, int]:
        """Return new names for concluded cards that now lie in the middle, if one kind is left."""
        names: dict[int, int] = {}
        for card in sorted(self._concluded & look.middle - set(self.names)):
            month = [other for other in range(48) if month_of(other) == month_of(card)]
            left = [other for other in month if other not in known and other not in glimpsed]
            kinds = set(map(kind_of, left))
            if len(kinds) == 1 and kind_of(card) not in kinds:
                names |= {card: left[0], left[0]: card}
                self._concluded = (self._concluded - {card}) | {left[0]}
        return names

    def distrust(self, cards: Collection[int]) -> None:
        self._strange |= set(cards)

    def judged(self, moved: Collection[int], seen: Collection[int]) -> None:
        """Note the cards that a turn put down; other cards that seemed new in it (`seen`) were slivers."""
        self._strange = (self._strange | set(seen)) - set(moved)

    def freed(self, look: Look) -> Look:
        """Return a look without the slivers that are known to be other cards."""
        return look.without(frozenset(self._strange & look.captured & (look.slivers | look.hidden)))

    def corrected(self, look: Look, latest: Look, known: Cards, glimpses: Glimpses, reread: Cards) -> Look:
        """Return the corrected table with what others cover; `reread` were slivers of others."""
        glimpsed = glimpses.since_ms.keys() | reread
        look = _still_there(renamed_look(look, self.names), latest)
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
        """Return the names of new cards that are read as captured ones; they are others of the same kind.

        A captured card cannot be drawn, and a card covered by its pile cannot be played.
        """
        names = _exchanged(look, latest, known)
        for card in sorted(look.middle & latest.captured - names.keys()):
            others = [other for other in range(48) if other not in known | look.cards]
            like = [other for other in others if kind_of(other) == kind_of(card)]
            seen = card in look.turn or card in latest.hidden or bool(set(like) & set(glimpsed))
            if like and seen and not _has_left_pile(card, look, latest):
                names |= {card: like[0], like[0]: card}
        self.names |= names
        return names

    def _taken_under_another_name(
        self, look: Look, latest: Look, known: Cards, glimpses: Glimpses
    ) -> dict[int, int]:
        """Return the names of captured cards, each swapped with a new one of its kind in the middle.

        The new card is read as the captured one, and the captured one as the new one. This is certain if two
        new cards of the month were captured, or if the card was seen on the pile.
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
        self.names |= names
        return names

    def _likes_of_taken(self, look: Look, latest: Look, known: Cards, glimpses: Glimpses) -> dict[int, int]:
        """Return the names of captured cards that seem new but are taken cards, misread as their own kind.

        This holds if a card of the month took it, there was no second card of the month to take, and the card
        that it is read as was seen nowhere else. It also holds for one of two cards lying on each other, if
        only the other one is read in the pile. A plainly seen print keeps the new name from now on.
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
        self.names |= {card: name for card, name in names.items() if name in names}
        glimpses.rename_piled(names)
        return names

    def _recognised(self, look: Look, latest: Look, known: Cards) -> dict[int, int]:
        """Return the numbers under which concluded cards are read now, and remember these names."""
        names: dict[int, int] = {}
        just_taken = {month_of(card) for card in look.captured & latest.middle}
        for concluded in sorted(self._concluded):
            if concluded in look.middle or _is_elsewhere(concluded, look, latest):
                # it lies there, so another one of its kind was captured
                others = [card for card in range(48) if card not in known | look.cards]
                like = [card for card in others if kind_of(card) == kind_of(concluded)]
            elif concluded in look.cards or month_of(concluded) in just_taken:
                like = []
            else:
                like = [card for card in look.captured - known if kind_of(card) == kind_of(concluded)]
            if like:
                names |= {concluded: like[0], like[0]: concluded}
                self._concluded.discard(concluded)
        self.names |= names
        return names


def _exchanged(look: Look, latest: Look, known: Cards) -> dict[int, int]:
    """Return names for captured cards read in the middle while a new one of their kind is in the pile."""
    names: dict[int, int] = {}
    for now, before in zip(look.captures, latest.captures, strict=True):
        for card in sorted(look.middle & before):
            like = [new for new in sorted(now - known) if kind_of(new) == kind_of(card)]
            if len(like) == 1:
                names |= {card: like[0], like[0]: card}
    return names


def _has_left_pile(card: int, look: Look, latest: Look) -> bool:
    """Tell whether a plainly seen captured card is gone from a pile to which nothing was added.

    Two chaff cards of a month may be confused at a glance, so the pile decides.
    """
    if card in look.turn or card in latest.hidden | latest.slivers:
        return False
    return any(
        card in before and now == before - {card}
        for now, before in zip(look.captures, latest.captures, strict=True)
    )


def _is_elsewhere(card: int, look: Look, latest: Look) -> bool:
    """Tell whether a card that was assumed in one pile is seen plainly in another."""
    if card in look.slivers | look.hidden:
        return False
    return any(card in now - was for now, was in zip(look.captures, latest.captures, strict=True)) and (
        card in latest.captured
    )


def _seen_openly(look: Look, known: Cards, glimpsed: Collection[int]) -> dict[int, int]:
    """Return the names of new slivers that are a card of the same month that was just seen openly."""
    names: dict[int, int] = {}
    for card in sorted(set(glimpsed) - known - look.cards):
        new = (look.captured & look.slivers) - known - set(glimpsed) - set(names)
        same = [sliver for sliver in sorted(new) if month_of(sliver) == month_of(card)]
        if same:
            names |= {same[0]: card}
    return names


def _twins_of_covered(look: Look, latest: Look, seen: Cards) -> set[int]:
    """Return new slivers that are covered cards of their pile, misread as another of their kind.

    A card that was really captured would come with another card of its month.

    `look`, `latest`: the table as read, and the previous table. `seen`: cards that were on the table before,
    or were seen openly since.
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
    """Return captured cards that appear as a sliver in another pile: these prints were misread."""
    return frozenset(
        card
        for now, before in zip(look.captures, latest.captures, strict=True)
        for card in now & look.slivers & (latest.captured - before)
    )


def _alone(look: Look, latest: Look, new: Cards) -> Cards:
    """Return new slivers, read once, that came to a pile beside a capture but without their month.

    Nobody captures a single card, but strips of two cards may look like a third. A second reading confirms a
    sliver. If another captured card lacks company too, the sliver may have taken it.
    """
    alone: set[int] = set()
    for pile in look.captures:
        months = Counter(month_of(card) for card in pile - latest.captured)
        lonely = {card for card in pile - latest.captured if months[month_of(card)] == 1}
        if lonely <= new & look.alike.keys() and len(months) > len(lonely):
            alone |= lonely
    return frozenset(alone)


def _with_takers(look: Look, latest: Look, known: Cards, glimpses: Glimpses) -> Look:
    """Return a look in which cards that have just taken others lie with them, below later cards.

    Such a card was seen briefly on a pile after the arm of one seat only. A sliver that is read as this card
    in a pile to which nothing can have come is another card.
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
    """Return a look with the cards that still lie in the middle although their prints can no longer be read.

    A nudged neighbour or the shade of an arm may make a strip unreadable.
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

    Without a capture these are all piles; otherwise those that got no card of the middle and whose owner was
    not at the table, since a player who lays cards there by mistake lays his capture.
    """
    if not look.captured & latest.middle:
        return look.captured
    piles = [
        pile for seat, pile in enumerate(look.captures) if seat not in look.seats and not pile & latest.middle
    ]
    return frozenset().union(*piles)


def _of_laid_months(look: Look, glimpses: Glimpses) -> Cards:
    """Return the captured cards of a month that was just laid down; they may have taken it."""
    piles = [(pile, set(map(month_of, pile & glimpses.laid))) for pile in look.captures]
    return frozenset(card for pile, months in piles for card in pile if month_of(card) in months)


def _uncovered(look: Look, latest: Look, known: Cards, glimpsed: Collection[int]) -> Look:
    """Return a look with pairs of cards lying on each other, neither of which can be read.

    The upper card was seen briefly as it was laid down; the lower one vanished when the table came to rest.
    """
    vanished = frozenset() if look.captured & latest.middle else latest.field - look.cards
    above = {card for card in glimpsed if card not in known and card not in look.cards}
    months = {month_of(card) for card in above} & {month_of(card) for card in vanished}
    pairs = frozenset(card for card in above | vanished if month_of(card) in months)
    return replace(look, field=look.field | pairs, assumed=pairs) if pairs else look


def _laid_upon(look: Look, known: Cards, glimpses: Glimpses) -> Look:
    """Return a look with the cards that were seen openly and are now covered by a card that is still seen."""
    new = glimpses.laid - glimpses.piled.keys() - known - look.cards
    under = frozenset(below for card, below in glimpses.under.items() if card in look.middle and below in new)
    return look.lying(under) if under else look


def is_slip(new: Appearance, turn: Sequence[Appearance], before: Look, look: Look, seat: int) -> bool:
    """Tell whether a sliver that seems new may be one of the pile, as no card of its month was taken."""
    if not new.sliver or new.certain or seat not in new.seats:
        return False
    own = {month_of(card.card) for card in turn}
    taken = set(map(month_of, newly_taken(before, look, seat))) - own
    return month_of(new.card) not in taken and new.may_be(look.captures[seat])


def misread(
    turn: Sequence[Appearance], latest: Look, look: Look, seat: int
) -> Iterator[tuple[Appearance, Cards]]:
    """Yield misread slivers of a turn, each with the cards of its month that are read now instead.

    These are empty if the card itself lies in the middle and `seat` was not at the table: then somebody else
    laid it there, and it was in no pile.

    `turn`: the cards of the turn of `seat`, which has begun.
    """
    new = look.captures[seat] & look.slivers - latest.cards
    for card in turn:
        if not card.sliver or card.certain:
            continue
        same = frozenset(other for other in new if month_of(other) == month_of(card.card))
        if card.card in look.middle and seat not in look.seats:
            yield card, frozenset()
        elif same and card.card not in look.cards:
            new -= same
            yield card, same
