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
            text = f"{_names(moved | gained)} lies in player {number}'s pile: put it right"
            yield after.t_ms, FlagId.WRONG_STRIP, text
    if returned := before.captured & after.middle:
        text = f"{_names(returned)} was captured and lies in the middle again"
        yield after.t_ms, FlagId.CARD_RETURNED, text
    for t_ms, back in changed:
        if still := back & after.middle:
            text = f"{_names(still)} was taken and put back after the drawn card was turned"
            yield t_ms, FlagId.LATE_CHANGE, text
    if gone := (before.middle | own) - after.cards:
        yield after.t_ms, FlagId.CARD_VANISHED, f"{_names(gone)} is not on the table any more"
    if after.unnamed > before.unnamed:
        text = "a card on the table cannot be told: turn it so that it is seen wholly"
        yield after.t_ms, FlagId.UNSURE, text


def _names(cards: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(cards)))
