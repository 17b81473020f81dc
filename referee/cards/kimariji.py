"""Kimariji: the first sounds that decide a poem; they get shorter as poems are read."""

from collections.abc import Collection
from dataclasses import dataclass

from referee.cards.poems import POEMS, decisive_prefix

ALONE = "むすめふさほせ"  # first sounds that a single poem has, in the order in which players learn them
FIRST_SOUNDS = ALONE + "うつしもゆいちひきはやよかみたこおわなあ"
"""First sounds in the order in which players learn them, from those with one poem to that with sixteen."""


def kimariji(number: int, among: Collection[int] | None = None) -> str:
    """Return the sounds that decide poem `number`; ValueError if a number is not 1..100.

    `among`: the poems that can still be read (with or without `number`); all hundred if omitted.
    """
    unread = POEMS.keys() if among is None else among
    unknown = sorted({number, *unread} - POEMS.keys())
    if unknown:
        raise ValueError(f"poems are numbered 1..100, got {unknown}")
    return decisive_prefix(POEMS[number].sounds, (POEMS[other].sounds for other in unread if other != number))


@dataclass(frozen=True, slots=True)
class Shrunk:
    """The kimariji of poem `poem` is now `now` instead of `before`, because poem `since` was read."""

    poem: int
    before: str
    now: str
    since: int


def shrunk_by(read: int, unread: Collection[int]) -> tuple[Shrunk, ...]:
    """Return the poems in `unread` whose kimariji gets shorter because `read` can no longer come."""
    # A kimariji has at least one sound: only poems that begin with the same sound can be affected.
    first = POEMS[read].sounds[0]
    remaining = set(unread) - {read}
    changes = (
        Shrunk(poem, kimariji(poem, {*remaining, read}), kimariji(poem, remaining), read)
        for poem in sorted(remaining)
        if POEMS[poem].sounds[0] == first
    )
    return tuple(change for change in changes if change.now != change.before)
