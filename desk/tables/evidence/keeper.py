"""The pictures of each step at a card table that is watched live, for the replays on its page.

A camera's own JPEG bytes are kept as they are. Memory is bounded by a ring, the disk by what one game may
take: the oldest pictures make room for the latest ones.
"""

import os
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Final

from desk.errors import EventLogError
from desk.tables.evidence.events import EvidenceKept
from desk.tables.evidence.sound import in_colour, kept_sound, step_bundle
from recitation.sound.recent_sound import TimedSound
from vision.frames.frame import Frame
from vision.match.evidence_ring import EvidenceRing, Kept

APART_NS: Final = 100_000_000
"""A hand lays a card within 0.3 s to 0.5 s: ten pictures a second show three to five of it."""
MOST_NS: Final = 6_000_000_000
"""Longest film of a step; a player who thinks for longer moves nothing meanwhile."""
AFTER_NS: Final = 500_000_000
"""How long a film goes on once the table rests, so that the hand is seen to be gone."""
_MEMORY_BYTES: Final = 64 * 2**20  # three times what 7 s of a camera of 1080p take: 70 pictures of 0.3 MB
_GAME_BYTES: Final = 2 * 2**30
"""Room for about 250 steps: a camera of 1080p sends 0.2 to 0.3 MB a picture, some 8 MB a step."""
_MOST_WAITING: Final = 3  # number of steps that may wait for a slow disk before one is left out
_KINDS: Final = (".zip", ".mp4")


class EvidenceKeeper:
    """Keeps the pictures of each step: the eye's thread feeds it, a thread of its own writes."""

    def __init__(
        self,
        folder: Path,
        note: Callable[[EvidenceKept], None],
        *,
        sound: Callable[[int, int], TimedSound | None] = lambda _from_ns, _to_ns: None,
    ) -> None:
        self._folder, self._note, self._sound = folder, note, sound
        self._ring = EvidenceRing(MOST_NS + 2 * AFTER_NS, _MEMORY_BYTES)
        self._next_ns = self._before_ns = 0
        self._rests: list[int] = []
        self._writer = ThreadPoolExecutor(1, "evidence")
        self._waiting: list[Future[None]] = []
        self.is_lost = False

    def look(self, frame: Frame, rests_ms: Iterable[float]) -> None:
        """Remember a picture, and the rests seen in it; cut the pictures of the steps that are over."""
        if frame.t_ns >= self._next_ns:
            self._next_ns = frame.t_ns + APART_NS
            jpeg = frame.jpeg  # the camera's own bytes, if there are any
            kept = None if jpeg is None else Kept(frame.t_ns, frame.t_unc_ns, frame.index, jpeg)
            self._ring.append(kept or in_colour(frame))
        self._rests += [round(1e6 * t_ms) for t_ms in rests_ms]
        while self._rests and frame.t_ns >= self._rests[0] + AFTER_NS:
            self._cut(self._rests.pop(0))

    def drain(self) -> None:
        """Cut the last steps; no more pictures come."""
        while self._rests:
            self._cut(self._rests.pop(0))

    def close(self) -> None:
        """Wait until everything is written; the log must still be open."""
        self._writer.shutdown()

    def _cut(self, t_ns: int) -> None:
        from_ns = max(self._before_ns, t_ns - MOST_NS)
        self._before_ns = t_ns
        frames = EvidenceRing(self._ring.span_ns, self._ring.limit_bytes)
        for kept in self._ring.between(from_ns, t_ns + AFTER_NS):
            frames.append(kept)
        self._waiting = [each for each in self._waiting if not each.done()]
        if len(frames) and len(self._waiting) < _MOST_WAITING:
            self._waiting.append(self._writer.submit(self._write, frames, from_ns, t_ns))
        elif len(frames):
            self._lose("the disk is too slow")

    # --- in the writing thread ---------------------------------------------------------------------------

    def _write(self, frames: EvidenceRing, from_ns: int, t_ns: int) -> None:
        try:
            heard = self._sound(from_ns, t_ns + AFTER_NS)
            frames.sound = None if heard is None else kept_sound(heard)
            path = step_bundle(frames, t_ns).write(self._folder)
            self._note(EvidenceKept(t_ns / 1e6, from_ns / 1e6, path.name))
            make_room(self._folder, _GAME_BYTES, path)
        except (OSError, EventLogError, CancelledError) as error:
            self._lose(str(error))
        else:
            self.is_lost = False

    def _lose(self, why: str) -> None:
        if not self.is_lost:
            sys.stderr.write(f"shinpan: no replay is kept: {why}\n")
        self.is_lost = True


def make_room(folder: Path, most_bytes: int, latest: Path) -> None:
    """Delete the oldest bundles and films of a folder until the rest takes at most `most_bytes`."""
    kept = [(entry.stat(), Path(entry)) for entry in os.scandir(folder) if entry.name.endswith(_KINDS)]
    size = sum(stat.st_size for stat, _ in kept)
    for stat, path in sorted(kept, key=lambda each: (each[0].st_mtime_ns, each[1])):
        if size <= most_bytes:
            return
        if path != latest:
            path.unlink(missing_ok=True)
            size -= stat.st_size
