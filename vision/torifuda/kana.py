"""The kana a torifuda can show, and the slots of its face that hold them."""

from __future__ import annotations

from typing import Final

KANA: Final = (
    "いろはにほへとちりぬるをわかよたれそつねならむうゐのおくやまけふこえてあさきゆめみしゑひもせすん"
)
"""The 47 kana of the iroha and ん, which some decks print where the old spelling has む."""

BLANK: Final = len(KANA)  # class of a slot with nothing printed in it
ILLEGIBLE: Final = len(KANA) + 1  # class of a slot that is covered, or that shows no torifuda at all
CLASSES: Final = len(KANA) + 2

COLUMN_SLOTS: Final = (5, 5, 6)
"""Slots per column, right to left: 5-5-n kana, where n is 4 on most cards and 6 on one."""
SLOTS: Final = sum(COLUMN_SLOTS)


def slot_classes(torifuda: str) -> tuple[int, ...]:
    """Return the class of each slot of a face.

    `torifuda`: unvoiced hiragana, read top to bottom in columns from the right, 10..16 kana.

    Returns: SLOTS classes, column by column from the right, top to bottom; empty slots are BLANK.
    """
    if not 2 * COLUMN_SLOTS[0] <= len(torifuda) <= SLOTS:
        raise ValueError(f"a torifuda shows 10..{SLOTS} kana, got {len(torifuda)}: {torifuda!r}")
    return tuple(KANA.index(kana) for kana in torifuda) + (BLANK,) * (SLOTS - len(torifuda))


def slot_variants(torifuda: str) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return what each slot of a face may show, for every way in which decks break its columns.

    Only a text of 16 kana has more than one way: its sixth kana usually stands in the third column, but may
    stand in the first or the second.

    `torifuda`: as for `slot_classes`.

    Returns: one tuple for each way; in it two classes for each of the SLOTS slots, mostly the same one twice.
    """
    classes = slot_classes(torifuda)
    usual = tuple((kana, kana) for kana in classes)
    if classes[-1] == BLANK:
        return (usual,)
    variants = [usual]
    for begins in range(0, 2 * COLUMN_SLOTS[0], COLUMN_SLOTS[0]):
        # Five slots look at six kana: the middle slot lies between the third and the fourth kana.
        third, fourth = begins + 2, begins + 3
        middle, last = (classes[third], classes[fourth]), (BLANK, classes[-1])
        variants.append((*usual[:third], middle, *usual[fourth + 1 :], last))
    return tuple(variants)
