"""Detect repeated pictures, which show nothing of the instant in their stamp.

A camera that exposes longer than its mode allows, and a program that writes a film at an even rate, fill
missing pictures with the previous one. Taken at its word, such a picture shows a card in place that has
already gone, and the card's instant would be late by more than its interval. Within motion a repeat is
recognised by its neighbours: things move, then nothing moves, then they have moved on. Things that really
come to rest do not go on at once, and things that turn back show again what was there before.
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

_SLIGHT = 0.001  # share of the samples: smallest motion that counts in a film known to have repeats


class _Shown:
    """The latest picture that was no repeat, a sample per block, and the samples that it changed."""

    def __init__(self, sample: Gray, t_ns: int, before: _Shown | None = None) -> None:
        self.sample, self.t_ns = sample, t_ns
        self.before = None if before is None else before.sample
        self.changed = np.zeros(sample.shape, np.bool_) if before is None else _differs(before.sample, sample)
        self.share = float(self.changed.mean())
        # a hand that turns slows to half its speed and less; a repeat stops at full speed
        slowed_share = 0.6
        self.slows = before is not None and self.share < slowed_share * before.share

    def is_shown_by(self, after: _Shown) -> bool:
        """Tell whether the next picture may be a repeat of this one."""
        same_share = 0.02  # of the changes before; codecs touch up a few blocks of a repeated picture
        longest_ns = 55_000_000  # each of 15 pictures a second shown four times; resting hands rest longer
        return after.t_ns - self.t_ns < longest_ns and after.share <= same_share * self.share

    def went_on(self, after: _Shown) -> bool:
        """Tell whether what moved here has moved on in the next picture, and not back."""
        if self.before is None:
            return False
        back = self.changed & ~_differs(self.before, after.sample)
        back_share = 0.6  # of what changed; even in steady motion one picture in twenty has 0.4 and more
        return float(back.mean()) < back_share * max(self.share, after.share)


def without_repeats(items: Iterable[T], counters: Counters) -> Iterator[T]:
    """Pass on a source's items without repeated pictures, which are counted.

    A picture that may be a repeat waits for the next one; a camera's own noise makes that rare.

    `counters`: the source's; `repeated` is counted here.
    """
    shown: _Shown | None = None
    held: list[T] = []
    run, most = 0, 1  # repeats in a row that may wait: as many as were seen within motion
    # share of the samples that a moving hand changes; a hand that lays down a card may stop
    moving_share = 0.004
    fewest_samples = 12  # with fewer samples motion is not seen in every picture
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
    """Return which samples show something else, apart from lamps that change whole rows of them."""
    other_gray = 10  # gray levels: more than noise and codecs change
    plain = cv2.absdiff(before, now) > other_gray
    if plain.mean() < _SLIGHT:
        return plain
    gains = now.mean(axis=1) / np.maximum(before.mean(axis=1), 1.0)
    return np.asarray(np.abs(now - before * gains[:, None].astype(np.float32)) > other_gray)


def _sample(item: object) -> tuple[Gray, int] | None:
    """Return a pixel of each block of a frame, and its instant; None if it is not decoded."""
    if not isinstance(item, Frame) or item.glance is not None:
        return None
    return item.gray.reshape(-1)[_places(*item.gray.shape)], item.t_ns


@lru_cache(8)
def _places(tall: int, wide: int) -> NDArray[np.intp]:
    """Return which pixel of each block to sample: a different one in each, or moving edges skip some."""
    down, across = np.indices((tall // EIGHTH, wide // EIGHTH))
    rows, columns = EIGHTH * down + 5 * across % EIGHTH, EIGHTH * across + 3 * down % EIGHTH
    return np.asarray(rows * wide + columns, np.intp)
