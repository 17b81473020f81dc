"""Pictures that come a second time: they show nothing of the instant they are stamped with.

A camera that exposes for longer than its mode allows, and a program that writes a film of an even rate, fill
up what is missing with the picture before. Taken at its word, a card that has gone lies there still: its
instant is told late, by more than its interval. Amid motion such a picture is known by what surrounds it:
things move, then nothing does, then they have moved on. What really comes to rest does not go on at once, and
what turns back shows again what was there before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames.frame import EIGHTH, Frame, Gray
from vision.sources.source import Counters

T = TypeVar("T")

_SLIGHT = 0.001  # share of the samples: the motion that will do in a film that has repeated pictures


class _Shown:
    """What the latest picture that was no repeat shows, a sample of each block, and what it changed."""

    def __init__(self, sample: Gray, t_ns: int, before: _Shown | None = None) -> None:
        self.sample, self.t_ns = sample, t_ns
        self.before = None if before is None else before.sample
        self.changed = np.zeros(sample.shape, np.bool_) if before is None else _differs(before.sample, sample)
        self.share = float(self.changed.mean())
        # to half its speed and none a hand that turns; what is repeated stops at its full speed
        slowed_share = 0.6
        self.slows = before is not None and self.share < slowed_share * before.share

    def is_shown_by(self, after: _Shown) -> bool:
        """Tell whether the next picture may be this one once more."""
        same_share = 0.02  # of the changes before; codecs touch up a few blocks of a picture that is repeated
        longest_ns = 55_000_000  # each of 15 a second four times; hands that rest do so for longer
        return after.t_ns - self.t_ns < longest_ns and after.share <= same_share * self.share

    def went_on(self, after: _Shown) -> bool:
        """Tell whether what moved here has moved on in the next picture, and not back."""
        if self.before is None:
            return False
        back = self.changed & ~_differs(self.before, after.sample)
        back_share = 0.6  # of what changed; as things move on, 0.4 and more looks so in one picture of twenty
        return float(back.mean()) < back_share * max(self.share, after.share)


def without_repeats(items: Iterable[T], counters: Counters) -> Iterator[T]:
    """Pass on what a source has, without the pictures that came before: those are counted.

    A picture that may be one waits for the next: a camera's own noise makes that rare.

    Parameters
    ----------
    items : frames, and gaps between them.
    counters : of the source; `repeated` is counted here.
    """
    shown: _Shown | None = None
    held: list[T] = []
    run, most = 0, 1  # as many in a row as were seen amid motion may wait
    # share of the samples that a hand under way changes; one that lays down a card may stop
    moving_share = 0.004
    fewest_samples = 12  # samples, or what moves is not seen in each picture
    for item in items:
        sample = _sample(item)
        if sample is None or shown is None or sample[0].shape != shown.sample.shape:
            yield from held
            yield item
            shown, held, run = None if sample is None else _Shown(*sample), [], 0
            continue
        known_repeats = 4
        is_known = counters.repeated >= known_repeats
        least = max(_SLIGHT if is_known else moving_share, fewest_samples / shown.sample.size)
        latest = _Shown(*sample, shown)
        if shown.share >= least and shown.is_shown_by(latest):
            run += 1
            held.append(item)
            if run > most:
                yield from held
                held = []
            continue
        if run and latest.share >= least and shown.went_on(latest) and (is_known or not shown.slows):
            most = max(most, run)
            counters.repeated += len(held)
            held = []
        yield from held
        yield item
        shown, held, run = latest, [], 0
    yield from held


def _differs(before: Gray, now: Gray) -> NDArray[np.bool_]:
    """Return which samples show something else, whatever lamps do to each row of them."""
    other_gray = 10  # more than noise and what codecs change
    plain = cv2.absdiff(before, now) > other_gray
    if plain.mean() < _SLIGHT:
        return plain
    gains = now.mean(axis=1) / np.maximum(before.mean(axis=1), 1.0)
    return np.asarray(np.abs(now - before * gains[:, None].astype(np.float32)) > other_gray)


def _sample(item: object) -> tuple[Gray, int] | None:
    """Return a pixel of each block of a frame, and when it was taken; None where it is not decoded."""
    if not isinstance(item, Frame) or item.glance is not None:
        return None
    return item.gray.reshape(-1)[_places(*item.gray.shape)], item.t_ns


@lru_cache(8)
def _places(tall: int, wide: int) -> NDArray[np.intp]:
    """Return which pixel of each block is looked at: not the same, or an edge that moves would skip some."""
    down, across = np.indices((tall // EIGHTH, wide // EIGHTH))
    rows, columns = EIGHTH * down + 5 * across % EIGHTH, EIGHTH * across + 3 * down % EIGHTH
    return np.asarray(rows * wide + columns, np.intp)
