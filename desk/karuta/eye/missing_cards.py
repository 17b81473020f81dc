"""What is said where a karuta match is to be refereed and no card was read: such a field is none."""

from __future__ import annotations


def no_card_read(shapes: int) -> str:
    """Say that nothing of a card's shape could be read, and what to do about it.

    Parameters
    ----------
    shapes : how many outlines of a card's shape were found.
    """
    return (
        f"not a single karuta card could be read ({shapes} outlines of a card's shape were found): the whole "
        "field must be in view, sharp, from above, with the near player at the bottom edge; a deck that is "
        "written by hand is enrolled, and named with --deck"
    )
