"""Replays out of a film: the pictures around each ruling's contacts, as a live match keeps them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from desk.errors import DeskError
from desk.films.film import Film
from desk.karuta.evidence.replay import MOST_NS, bundle_of, span_of
from vision.match.evidence_ring import EvidenceRing, Kept
from vision.poem.events import PoemSeen
from vision.sources.source import SourceError

_WIDEST_PX = 1280
"""A hand at a card fills a phone's screen with that, and a hundred poems take no more than a gigabyte."""


def cut_replay(film: Film, seen: PoemSeen | None, folder: Path) -> str | None:
    """Write the replay of a poem into a folder and return its file's name; None where nobody touched a card.

    Raises
    ------
    DeskError
        Where the film cannot be read any more.
    """
    span_ns = None if seen is None else span_of(seen)
    if seen is None or span_ns is None:
        return None
    source = film.pictures()
    source.starts_ns = max(0, span_ns[0])
    scale = min(1.0, _WIDEST_PX / source.width)
    frames = EvidenceRing(2 * MOST_NS)
    try:
        for frame in source:
            if frame.t_ns > span_ns[1]:
                break
            colour = frame.colour()
            if scale < 1:
                smaller = cv2.resize(colour, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
                colour = np.asarray(smaller, np.uint8)
            done, data = cv2.imencode(".jpg", colour, [cv2.IMWRITE_JPEG_QUALITY, 85])
            if done:
                frames.append(Kept(frame.t_ns, frame.t_unc_ns, frame.index, data.tobytes()))
    except SourceError as error:
        raise DeskError(str(error)) from error
    return bundle_of(frames, seen, None, scale).write(folder).name if len(frames) else None
