"""Replays cut from a film: the pictures around each ruling's contacts, as in a live match."""

from __future__ import annotations

from pathlib import Path

from calibration.files.storage import keep_bytes, leave_room
from desk.errors import DeskError
from desk.films.film import Film, open_film
from desk.karuta.evidence.replay import MOST_NS, bundle_of, span_of
from desk.tables.evidence.pictures import WIDEST_PX, in_colour, step_bundle
from desk.tables.evidence.sound import film_sound, kept_sound
from referee.complaint import sentence_of
from vision.match.evidence_ring import EvidenceRing, KeptSound
from vision.poem.events import PoemSeen
from vision.sources.source import SourceError


def cut_replay(film: Film, seen: PoemSeen | None, folder: Path) -> str | None:
    """Write the replay of a poem into a folder and return its file's name; None if nobody touched a card.

    Raises DeskError if the film cannot be read any more.
    """
    span_ns = None if seen is None else span_of(seen)
    if seen is None or span_ns is None:
        return None
    frames, scale = _pictures(film, *span_ns)
    frames.sound = _sound(film, *span_ns)
    return bundle_of(frames, seen, None, scale).write(folder).name if len(frames) else None


def keep_step(film: Path, filmed_fps: float | None, span_ns: tuple[int, int], target: Path) -> bool:
    """Write the bundle of a step of a card table; return False if there are no pictures of it.

    Raises DeskError if the film cannot be read any more. Raises OSError if the bundle cannot be stored.

    `film`, `filmed_fps`: as for `desk.films.film.open_film`. `span_ns`: the instant of the previous step, and
    the one at which the cards of this step lay still.
    """
    before_ns, t_ns = span_ns
    most_ns, after_ns, least_apart_ns = 4_000_000_000, 600_000_000, 60_000_000
    begins_ns = max(0, before_ns, t_ns - most_ns)
    opened, ends_ns = open_film(film, filmed_fps), t_ns + after_ns
    frames, _ = _pictures(opened, begins_ns, ends_ns, least_apart_ns)
    if not len(frames):
        return False
    frames.sound = _sound(opened, begins_ns, ends_ns)
    leave_room(target.parent)
    target.parent.mkdir(exist_ok=True)
    keep_bytes(target, step_bundle(frames, t_ns).data)
    return True


def _sound(film: Film, begins_ns: int, ends_ns: int) -> KeptSound | None:
    """Return the film's own sound of a part of it, None if it is silent."""
    sound = film_sound(film.path, begins_ns, ends_ns, film.slow_motion)
    return None if sound is None else kept_sound(sound)


def _pictures(film: Film, begins_ns: int, ends_ns: int, apart_ns: int = 0) -> tuple[EvidenceRing, float]:
    """Return the pictures of a part of a film, at least `apart_ns` apart, and their scale."""
    source = film.pictures()
    source.starts_ns = max(0, begins_ns)
    scale = min(1.0, WIDEST_PX / source.width)
    frames, next_ns = EvidenceRing(2 * MOST_NS), 0
    try:
        for frame in source:
            if frame.t_ns > ends_ns:
                break
            if frame.t_ns < next_ns:
                continue
            next_ns = frame.t_ns + apart_ns
            frames.append(in_colour(frame))
    except SourceError as error:
        raise DeskError(sentence_of(error)) from error
    return frames, scale
