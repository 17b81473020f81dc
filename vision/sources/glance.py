"""Decide whether a glance at a picture shows what was seen a moment ago.

Decoding a JPEG at an eighth of its size takes less than half as long as the whole. While a field rests, most
pictures are only glanced at: each pixel of a glance is the mean of 8 x 8, so grain is averaged out and a
fingertip that comes in is seen at once. Lamps brighten whole rows, which are exposed together, so a block
counts as changed if it changed otherwise than its row. Something as wide as the picture would pass for a
lamp, so rows may not change more than lamps change them.
"""

import numpy as np
from numpy.typing import NDArray

from vision.frames.frame import EIGHTH, Gray

_PAUSES_NS = (0, 0, 0, 40_000_000, 120_000_000, 280_000_000, 600_000_000, 1_240_000_000)
"""Pauses without glances, by the number of false alarms in a row."""

Floats = NDArray[np.float32]


class Calm:
    """Compares glances with the latest picture that was looked at in full."""

    def __init__(self) -> None:
        self._part: tuple[slice, slice] = (slice(None), slice(None))
        self._known: tuple[int, Floats, Floats] | None = None
        self._alarms, self._is_alarmed, self._alarmed_until_ns = 0, False, 0

    def look_only_at(self, region: tuple[slice, slice]) -> None:
        """From now on compare only a part of the picture, given in pixels of the whole picture."""
        rows, columns = (slice(part.start // EIGHTH, -(-part.stop // EIGHTH)) for part in region)
        self._part, self._known = (rows, columns), None

    def note(self, glance: Gray, t_ns: int) -> None:
        """Remember a fully decoded picture of the field at rest, by its glance."""
        if self._is_alarmed:  # the alarm was false: grain, or motion beside the field
            self._is_alarmed, self._alarms = False, min(self._alarms + 1, len(_PAUSES_NS) - 1)
            self._alarmed_until_ns = t_ns + _PAUSES_NS[self._alarms]
        blocks = glance[self._part].astype(np.float32)
        self._known = t_ns, blocks, _rows_of(blocks)

    def holds(self, glance: Gray, t_ns: int) -> bool:
        """Tell whether a glance shows the same as the latest noted picture, and that picture is recent."""
        self._is_alarmed = False
        longest_ns = 400_000_000  # then the reference is renewed, so that drifting light does not matter
        if self._known is None or t_ns - self._known[0] >= longest_ns:
            return False
        self._is_alarmed = not _is_like(*self._known[1:], glance[self._part].astype(np.float32))
        if not self._is_alarmed:
            self._alarms = self._alarmed_until_ns = 0
        return not self._is_alarmed

    def is_worth_it(self, t_ns: int) -> bool:
        """Tell whether a glance may save a full look: not after recent false alarms."""
        return t_ns >= self._alarmed_until_ns


def alike(known: Gray, glance: Gray) -> bool:
    """Tell whether two glances at whole pictures show the same, however lamps changed."""
    blocks = known.astype(np.float32)
    return _is_like(blocks, _rows_of(blocks), glance.astype(np.float32))


def _is_like(known: Floats, known_rows: Floats, blocks: Floats) -> bool:
    if known.shape != blocks.shape:  # the picture's size has changed
        return False
    gain = _rows_of(blocks) / known_rows
    lamps_share = 0.15
    if np.abs(gain - 1).max() > lamps_share:
        return False
    changed_gray = 4.0  # ten times the grain of a webcam's block
    changed = np.abs(blocks - gain * known) > changed_gray
    fewest_blocks = 3  # that make a change: about half a fingertip
    return int(np.count_nonzero(changed)) < fewest_blocks


def _rows_of(blocks: Floats) -> Floats:
    return np.asarray(np.maximum(blocks.mean(axis=1, keepdims=True), 1), np.float32)
