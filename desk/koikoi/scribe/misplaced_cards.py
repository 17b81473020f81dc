"""Faults at the end of a turn that no play or draw shows: cards that lie where no move brings them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from desk.koikoi.scribe.look import Cards, Look
from referee.koikoi.flags import FlagId
from referee.sentence import Sentence


def faults_between(
    before: Look, after: Look, seat: int, own: Set[int], changed: Iterable[tuple[float, Cards]]
) -> Iterator[tuple[float, FlagId, Sentence]]:
    """Yield for each fault the instant (ms), the id and the text of its flag.

    `own`: the cards that it put down. `changed`: cards that it took and put back after the drawn card was
    turned, with the instant.
    """
    for number, (was, now) in enumerate(zip(before.captures, after.captures, strict=True)):
        moved = now & before.captured - was
        gained = now - before.captured if number != seat else frozenset()
        if moved or gained:
            text = Sentence(
                "{cards} came wrongly to {player}'s pile: put that right",
                cards=_cards(moved | gained),
                player=f"player {number}",
            )
            yield after.t_ms, FlagId.WRONG_STRIP, text
    if returned := before.captured & after.middle:
        text = Sentence("{cards} came back to the middle from a pile", cards=_cards(returned))
        yield after.t_ms, FlagId.CARD_RETURNED, text
    for t_ms, back in changed:
        if still := back & after.middle:
            text = Sentence(
                "{cards} went back to the middle after the drawn card was turned", cards=_cards(still)
            )
            yield t_ms, FlagId.LATE_CHANGE, text
    if gone := (before.middle | own) - after.cards:
        yield after.t_ms, FlagId.CARD_VANISHED, Sentence("{cards} left the table", cards=_cards(gone))
    if after.unnamed > before.unnamed:
        text = Sentence("a card on the table cannot be read: turn it so that all of it is seen")
        yield after.t_ms, FlagId.UNSURE, text


def _cards(numbers: Cards) -> Sentence:
    listed = ", ".join(map(str, sorted(numbers)))
    if len(numbers) == 1:
        return Sentence("card {card}", card=listed)
    return Sentence("cards {taken}", taken=listed)
