"""Faults at the end of a turn that no play or draw shows: cards that lie where no move brings them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from desk.koikoi.scribe.look import Cards, Look
from referee.koikoi.flags import FlagId


def faults_between(
    before: Look, after: Look, seat: int, own: Set[int], changed: Iterable[tuple[float, Cards]]
) -> Iterator[tuple[float, FlagId, str]]:
    """Yield for each fault the instant (ms), the id and the text of its flag.

    Parameters
    ----------
    before, after : the table before and after the turn.
    seat : the seat whose turn it was.
    own : the cards that it put down.
    changed : cards that it took and put back after the drawn card was turned, with the instant.
    """
    for number, (was, now) in enumerate(zip(before.captures, after.captures, strict=True)):
        moved = now & before.captured - was
        gained = now - before.captured if number != seat else frozenset()
        if moved or gained:
            text = f"{_cards(moved | gained)} came wrongly to player {number}'s pile: put that right"
            yield after.t_ms, FlagId.WRONG_STRIP, text
    if returned := before.captured & after.middle:
        text = f"{_cards(returned)} came back to the middle from a pile"
        yield after.t_ms, FlagId.CARD_RETURNED, text
    for t_ms, back in changed:
        if still := back & after.middle:
            text = f"{_cards(still)} went back to the middle after the drawn card was turned"
            yield t_ms, FlagId.LATE_CHANGE, text
    if gone := (before.middle | own) - after.cards:
        yield after.t_ms, FlagId.CARD_VANISHED, f"{_cards(gone)} left the table"
    if after.unnamed > before.unnamed:
        text = "a card on the table cannot be read: turn it so that all of it is seen"
        yield after.t_ms, FlagId.UNSURE, text


def _cards(numbers: Cards) -> str:
    return f"card{'s' * (len(numbers) > 1)} {', '.join(map(str, sorted(numbers)))}"
