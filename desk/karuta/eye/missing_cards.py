"""The message for a karuta match in which no card was read, so that there is no field to referee."""

from __future__ import annotations

from referee.sentence import Sentence


def no_card_read(shapes: int) -> Sentence:
    """Return the message that no card could be read, and what to do about it.

    `shapes`: number of outlines of a card's shape that were found.
    """
    return Sentence(
        "not a single karuta card could be read ({n} outlines of a card's shape were found): the whole field "
        "must be in view, sharp, from above, with the near player at the bottom edge; a deck that is written "
        "by hand is enrolled, and named with --deck",
        n=shapes,
    )
