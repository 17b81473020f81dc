"""Replays cut from a film: the pictures around each ruling's contacts, as in a live match."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from desk.errors import DeskError
from desk.films.film import Film
from desk.karuta.evidence.replay import MOST_NS, bundle_of, span_of
from vision.match.evidence_ring import Bundle, EvidenceRing, Kept, cut
from vision.poem.events import PoemSeen
from vision.sources.source import SourceError

_WIDEST_PX = 1280
"""Greatest width of a replay: it shows a hand at a card well, and a hundred poems take at most a gigabyte."""


def cut_replay(film: Film, seen: PoemSeen | None, folder: Path) -> str | None:
    """Write the replay of a poem into a folder and return its file's name; None if nobody touched a card.

    Raises
    ------
    DeskError
        If the film cannot be read any more.
    """
    span_ns = None if seen is None else span_of(seen)
    if seen is None or span_ns is None:
        return None
    frames, scale = _pictures(film, *span_ns)
    return bundle_of(frames, seen, None, scale).write(folder).name if len(frames) else None


def cut_step(film: Film, before_ns: int, t_ns: int) -> Bundle | None:
    """Return the pictures of a step of a card table, None if there are none.

    Parameters
    ----------
    film : the film.
    before_ns : the instant of the previous step.
    t_ns : the instant at which the cards of this step lay still.

    Raises
    ------
    DeskError
        If the film cannot be read any more.
    """
    most_ns, after_ns, least_apart_ns = 4_000_000_000, 600_000_000, 60_000_000
    begins_ns = max(0, before_ns, t_ns - most_ns)
    frames, _ = _pictures(film, begins_ns, t_ns + after_ns, least_apart_ns)
    marks: dict[str, Any] = {"counted": "after_step", "poem": None, "t_poem_ns": t_ns, "t_poem_unc_ns": 0}
    marks |= {"t_kimariji_ns": None, "touches": [], "slower": 1}
    return cut(frames, 0, 2**63 - 1, marks) if len(frames) else None


def _pictures(film: Film, begins_ns: int, ends_ns: int, apart_ns: int = 0) -> tuple[EvidenceRing, float]:
    """Return the pictures of a part of a film, at least `apart_ns` apart, and their scale."""
    source = film.pictures()
    source.starts_ns = max(0, begins_ns)
    scale = min(1.0, _WIDEST_PX / source.width)
    frames, next_ns = EvidenceRing(2 * MOST_NS), 0
    try:
        for frame in source:
            if frame.t_ns > ends_ns:
                break
            if frame.t_ns < next_ns:
                continue
            next_ns = frame.t_ns + apart_ns
            colour = frame.colour()
            if scale < 1:
                smaller = cv2.resize(colour, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
                colour = np.asarray(smaller, np.uint8)
            done, data = cv2.imencode(".jpg", colour, [cv2.IMWRITE_JPEG_QUALITY, 85])
            if done:
                frames.append(Kept(frame.t_ns, frame.t_unc_ns, frame.index, data.tobytes()))
    except SourceError as error:
        raise DeskError(str(error)) from error
    return frames, scale
