"""Which parts of a picture must be drawn anew, and how they join the resting picture without a seam."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Light = NDArray[np.float32]
Box = tuple[int, int, int, int]  # left, top, right, bottom in pixels; right and bottom are outside
COARSER = 4  # a quick picture of the whole, so many times smaller, tells where the light differs


def changed_boxes(now: Light, resting: Light, least: float = 0.16, margin_px: int = 10) -> list[Box]:
    """Return the boxes, in fine pixels, where two coarse pictures differ by at least a share."""
    floor = 0.05 * float(np.mean(resting))  # below that a share means nothing
    ratio = (now + floor) / (resting + floor)
    differs = (np.abs(ratio - 1) > least).any(axis=2).astype(np.uint8)
    differs = cv2.morphologyEx(differs, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(differs)
    height, width = now.shape[:2]
    boxes = []
    least_cells = 3
    for left, top, wide, high, cells in stats[1:count].tolist():
        if cells >= least_cells:
            grown = (left * COARSER - margin_px, top * COARSER - margin_px)
            ends = ((left + wide) * COARSER + margin_px, (top + high) * COARSER + margin_px)
            boxes.append((*grown, *ends))
    return merged([*map(_plain, boxes)], width * COARSER, height * COARSER)


def _plain(box: Sequence[int]) -> Box:
    left, top, right, bottom = box
    return left, top, right, bottom


def merged(boxes: Sequence[Box], width: int, height: int, cost_px: int = 6_000) -> list[Box]:
    """Clip boxes to the picture and join two where one around both costs less."""
    joined: list[Box] = []
    for box in boxes:
        cut = max(box[0], 0), max(box[1], 0), min(box[2], width), min(box[3], height)
        if cut[0] >= cut[2] or cut[1] >= cut[3]:
            continue
        while True:
            hit = next((o for o in joined if area(union(cut, o)) < area(cut) + area(o) + cost_px), None)
            if hit is None:
                break
            joined.remove(hit)
            cut = union(cut, hit)
        joined.append(cut)
    return joined


def union(a: Box, b: Box) -> Box:
    """Return the box around two."""
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def area(box: Box) -> int:
    """Return how many pixels a box has."""
    return (box[2] - box[0]) * (box[3] - box[1])


def relit(fine: Light, now: Light, resting: Light) -> Light:
    """Return the fine resting picture in the light of now: by the smooth ratio of two coarse pictures."""
    floor = 0.05 * float(np.mean(resting))
    ratio = cv2.GaussianBlur((now + floor) / (resting + floor), (0, 0), 0.8)
    ratio = np.clip(ratio, 0.75, 1.3)  # more than that is drawn anew
    return np.asarray(fine * cv2.resize(ratio, fine.shape[1::-1], interpolation=cv2.INTER_CUBIC), np.float32)


def pasted(under: Light, drawn: Sequence[tuple[Box, Light]], soft_px: int = 8) -> Light:
    """Return a picture with freshly drawn boxes laid over it, their rims mixed over some pixels."""
    picture = under.copy()
    height, width = under.shape[:2]
    for (left, top, right, bottom), part in drawn:
        share = np.ones(part.shape[:2], np.float32)
        for axis, (start, stop, end) in enumerate(((top, bottom, height), (left, right, width))):
            ramp = np.ones(stop - start, np.float32)
            rise = (np.arange(min(soft_px, stop - start)) + 0.5) / soft_px
            if start > 0:
                ramp[: len(rise)] = np.minimum(ramp[: len(rise)], rise)
            if stop < end:
                ramp[-len(rise) :] = np.minimum(ramp[-len(rise) :], rise[::-1])
            share *= ramp[:, None] if axis == 0 else ramp[None, :]
        place = picture[top:bottom, left:right]
        place += (part - place) * share[..., None]
    return picture
