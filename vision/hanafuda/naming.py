"""Name a print only if its card leads every other kind of card by more than noise."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.hanafuda.gallery import CardGallery, Floats

ALMOST_WHOLE: Final = 0.8
LEAST_LEAD: Final = 0.008
"""Lower bound of the lead required between two prints that are nearly alike: less is noise."""


def named(gallery: CardGallery, worth: Floats, card: int, visible: float) -> tuple[int | None, float]:
    """Return the card, None if others are as likely, and the confidence 0..1 that it is this one.

    `worth`: shape (K,), likeness to every card, plus all other evidence for or against it. `visible`: visible
    share of the card, 0..1.
    """
    others = np.where(gallery.classes != gallery.classes[card], worth, -2)
    rival = int(others.argmax())
    lead = float(worth[card] - others[rival])
    # Least lead in likeness over the next card of another kind; below it the card stays unnamed.
    min_lead = 0.03
    # similar prints cannot lead by much, however certain it is which of them it is
    wanted = min_lead
    if visible > ALMOST_WHOLE:
        share_of_lead = 0.3
        wanted = max(min(min_lead, share_of_lead * float(1 - gallery.alike[card, rival])), LEAST_LEAD)
    confidence = float(1 / (1 + np.exp(-np.clip((lead - wanted) / (0.6 * wanted), -30, 30))))
    return (card if lead >= wanted else None), confidence
