"""The replay of a ruling: the frames around its contacts, with marks for the panel."""

from typing import Any

import cv2
import numpy as np

from desk.karuta.engine.snapshot import touch_seen
from referee.facts import KimarijiCompleted, Touch, Unprovable
from referee.karuta.contacts import as_told
from vision.match.evidence_ring import Bundle, EvidenceRing, cut
from vision.poem.events import PoemSeen

BEFORE_NS = 600_000_000
AFTER_NS = 500_000_000
_FEWEST_CARDS = 4  # a homography has eight unknowns, and each card's centre gives two
MOST_NS = 3_000_000_000  # longest replay; a longer one is cut at its end, because the first contacts matter


def frames_of(ring: EvidenceRing, seen: PoemSeen) -> EvidenceRing | None:
    """Return the frames that show a poem's contacts, for another thread to encode; None if there are none."""
    span_ns = span_of(seen)
    if span_ns is None:
        return None
    frames = EvidenceRing(span_ns=ring.span_ns, limit_bytes=ring.limit_bytes)
    for frame in ring.between(*span_ns):
        frames.append(frame)
    return frames if len(frames) else None


def span_of(seen: PoemSeen) -> tuple[int, int] | None:
    """Return the first and last instant of a poem's replay, in nanoseconds; None without a contact."""
    instants_ns = [contact.t_ns for contact in _contacts(seen)]
    if not instants_ns:
        return None
    t_from_ns = min(instants_ns) - BEFORE_NS
    return t_from_ns, min(max(instants_ns) + AFTER_NS, t_from_ns + MOST_NS)


def bundle_of(
    frames: EvidenceRing, seen: PoemSeen, decided: KimarijiCompleted | None, scale: float = 1.0
) -> Bundle:
    """Encode frames from `frames_of` as a bundle, with the marks for the panel.

    `decided`: the end of the poem's kimariji, None if it is not known. `scale`: size of these frames relative
    to those that the eye watched.
    """
    marks = {
        "poem": seen.start.poem,
        "t_poem_ns": seen.start.t_ns,
        "t_poem_unc_ns": seen.start.t_unc_ns,
        "t_kimariji_ns": None if decided is None else decided.t_ns,
        "touches": [_mark(contact, seen, scale) for contact in as_told(_contacts(seen), seen.start.poem)],
        "to_mm": _to_mm(seen, scale),
    }
    return cut(frames, 0, 2**63 - 1, marks)


def _contacts(seen: PoemSeen) -> list[Touch | Unprovable]:
    contacts = [fact for fact in seen.facts if isinstance(fact, Touch | Unprovable)]
    return sorted(contacts, key=lambda contact: contact.t_ns)


def _to_mm(seen: PoemSeen, scale: float) -> list[list[float]] | None:
    """Return the homography from the pictures to the mat in millimetres, (3, 3); None with too few cards.

    Cards lie where they were seen to, so it is as right as the layout: a millimetre or two over the field.
    """
    layout = list(seen.before.layout)
    if len(layout) < _FEWEST_CARDS:
        return None
    at_px = scale * np.array([corners_px.mean(axis=0) for corners_px in seen.before.corners_px])
    at_mm = 1000 * np.array([[placed.x_m, placed.y_m] for placed in layout])
    found: Any = cv2.findHomography(at_px, at_mm)[0]  # None where they lie in one line
    return None if found is None else [[float(value) for value in row] for row in found]


def _mark(contact: Touch | Unprovable, seen: PoemSeen, scale: float) -> dict[str, Any]:
    at_px = None
    for placed, corners_px in zip(seen.before.layout, seen.before.corners_px, strict=True):
        if contact.card is not None and placed.card == contact.card:
            x_px, y_px = scale * corners_px.mean(axis=0)
            at_px = [round(float(x_px), 1), round(float(y_px), 1)]
    return {**touch_seen(contact, seen.before.layout), "at_px": at_px}
