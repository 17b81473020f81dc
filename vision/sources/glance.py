"""Whether a glance at a picture shows what was seen a moment ago.

To decode a JPEG at an eighth of its size takes less than half as long as the whole. While a field rests that
is all that is looked at of most pictures: each of its pixels is the mean of 8 x 8, so grain is averaged out
and a fingertip that comes in is seen at once. Lamps brighten whole rows, which are exposed together: what is
asked is whether a block changed otherwise than its row. Something as wide as the picture would pass for a
lamp, so rows must not change more than lamps do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.frames.frame import EIGHTH, Gray

_PAUSES_NS = (0, 0, 0, 40_000_000, 120_000_000, 280_000_000, 600_000_000, 1_240_000_000)
"""Without glances after so many false alarms in a row."""

Floats = NDArray[np.float32]


class Calm:
    """Compares glances with the latest picture that was looked at in full."""

    def __init__(self) -> None:
        self._part: tuple[slice, slice] = (slice(None), slice(None))
        self._known: tuple[int, Floats, Floats] | None = None
        self._alarms, self._is_alarmed, self._alarmed_until_ns = 0, False, 0

    def look_only_at(self, region: tuple[slice, slice]) -> None:
        """Compare nothing but a part of the whole picture, in its pixels, from now on."""
        rows, columns = (slice(part.start // EIGHTH, -(-part.stop // EIGHTH)) for part in region)
        self._part, self._known = (rows, columns), None

    def note(self, glance: Gray, t_ns: int) -> None:
        """Remember a picture of the field at rest that was looked at in full, by its glance."""
        if self._is_alarmed:  # grain, or what moves aside
            self._is_alarmed, self._alarms = False, min(self._alarms + 1, len(_PAUSES_NS) - 1)
            self._alarmed_until_ns = t_ns + _PAUSES_NS[self._alarms]
        blocks = glance[self._part].astype(np.float32)
        self._known = t_ns, blocks, _rows_of(blocks)

    def holds(self, glance: Gray, t_ns: int) -> bool:
        """Tell whether a glance shows what the latest noted picture showed, and that is not long ago."""
        self._is_alarmed = False
        longest_ns = 400_000_000  # light that drifts is followed by then
        if self._known is None or t_ns - self._known[0] >= longest_ns:
            return False
        self._is_alarmed = not _is_like(*self._known[1:], glance[self._part].astype(np.float32))
        if not self._is_alarmed:
            self._alarms = self._alarmed_until_ns = 0
        return not self._is_alarmed

    def is_worth_it(self, t_ns: int) -> bool:
        """Tell whether a glance may save the look in full: not where the latest ones raised false alarms."""
        return t_ns >= self._alarmed_until_ns


def alike(known: Gray, glance: Gray) -> bool:
    """Tell whether two glances at whole pictures show the same, however lamps changed."""
    blocks = known.astype(np.float32)
    return _is_like(blocks, _rows_of(blocks), glance.astype(np.float32))


def _is_like(known: Floats, known_rows: Floats, blocks: Floats) -> bool:
    if known.shape != blocks.shape:  # another size from here on
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
