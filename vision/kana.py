"""The kana a torifuda can show, and the slots of its face that hold them."""

from __future__ import annotations

from typing import Final

KANA: Final = (
    "いろはにほへとちりぬるをわかよたれそつねならむうゐのおくやまけふこえてあさきゆめみしゑひもせすん"
)
"""The 47 kana of the iroha and ん, which some decks print where the old spelling has む."""

BLANK: Final = len(KANA)
"""Class of a slot with nothing printed in it."""
ILLEGIBLE: Final = len(KANA) + 1
"""Class of a slot that something covers, or that shows no torifuda at all."""
CLASSES: Final = len(KANA) + 2

COLUMN_SLOTS: Final = (5, 5, 6)
"""Slots per column, right to left: 5-5-n kana, where n is 4 on most cards and 6 on one."""
SLOTS: Final = sum(COLUMN_SLOTS)


def slot_classes(torifuda: str) -> tuple[int, ...]:
    """Return the class of each slot of a face.

    Parameters
    ----------
    torifuda : unvoiced hiragana, read top to bottom in columns from the right, 10..16 kana.

    Returns
    -------
    SLOTS classes, column by column from the right, top to bottom; empty slots are BLANK.
    """
    if not 2 * COLUMN_SLOTS[0] <= len(torifuda) <= SLOTS:
        raise ValueError(f"a torifuda shows 10..{SLOTS} kana, got {len(torifuda)}: {torifuda!r}")
    return tuple(KANA.index(kana) for kana in torifuda) + (BLANK,) * (SLOTS - len(torifuda))
