"""Tell whose hand it is: everything that lies over the resting field, divided by the edge it came in from.

The field is seen at about 7 mm per pixel. What differs from the resting picture (hands, sleeves, heads,
shadows, flying cards) is cut into connected regions. A region that reaches the bottom edge belongs to the
near player, one that reaches the top edge to the far player. A region that reaches neither, or both because
two arms have met, is tracked: each pixel belongs to whoever owned the spot it moved from. A new region that
is much nearer to one edge than to any arm has come in from that edge; one that reaches the left or right edge
alone is a stranger's, never the nearer player's. A hand that passes under the other arm
comes out on its other side as something new. Pixels that clearly lie along one of the two arms that met
belong to that arm (`vision.hands.arm_crossing`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.field.resting_map import Lighting, RestingMap
from vision.frames.frame import Gray
from vision.frames.pyramid import halved, halvings_for
from vision.hands.arm_crossing import Meeting
from vision.hands.frame_map import FAR, NEAR, NOBODY, STRANGER, FrameMap
from vision.hands.regions import Regions
from vision.imaging.optical_flow import Motion


class PlayerMap:
    """Tracks which player each region over the field belongs to.

    `lighting`: how bright the field was in the frames.

    `bare`: the resting field without its cards, since bare floor where a card has left is nobody's hand.
    `px_per_mm`: scale of the full picture.
    """

    def __init__(self, resting: Sequence[Gray], bare: NDArray[np.float32], px_per_mm: float) -> None:
        pixel_mm = 7.0  # approximate size of a pixel of the map
        self.halvings = halvings_for(px_per_mm, pixel_mm)
        self.scale = 0.5**self.halvings
        small = [halved(gray, self.halvings) for gray in resting]
        self._ground = RestingMap(small, halved(np.rint(bare).astype(np.uint8), self.halvings))
        min_region_mm2 = 300.0  # about a fingertip
        self._min_region = max(3, round(min_region_mm2 * (px_per_mm * self.scale) ** 2))
        self._nobody = np.zeros(self._ground.rest.shape, np.uint8)
        self._never = np.zeros(self._ground.rest.shape, np.int64)
        for shared in (self._nobody, self._never):
            shared.setflags(write=False)
        self._cell_mm = 1 / (px_per_mm * self.scale)
        self._met_ns = self._never
        self._trail = _Trail(self._nobody, self._nobody, self._ground.rest, Meeting(self._cell_mm))
        self._motion = Motion()
        self.lighting = Lighting()

    @property
    def size(self) -> tuple[int, int]:
        height, width = self._ground.rest.shape
        return width, height

    def feed(self, gray: Gray, t_ns: int = 1) -> FrameMap:
        """Divide what lies over the field in the next frame, taken at `t_ns` (> 0)."""
        small = halved(gray, self.halvings)
        light, wide, changed = self._ground.changed(small, t_ns)
        self.lighting.note(light, t_ns)
        mask = changed
        if cv2.countNonZero(changed) >= self._min_region:
            mask = changed & self._ground.covered(small, wide)
        area = cv2.countNonZero(mask)
        if area < self._min_region:
            self._trail.players = self._trail.singly = self._nobody
            self._met_ns = self._never
            self._trail.small = small
        else:
            regions = Regions.of(mask, self._min_region, self._trail.singly)
            self._follow(self._trail, regions, small, t_ns)
            self._met_ns = regions.met_since(self._met_ns, t_ns)
        return FrameMap(mask, changed, self._trail.players, area, light, small, gray.shape, self._met_ns)

    def is_floor(self, over: FrameMap) -> NDArray[np.bool_]:
        """Tell where a frame may show bare floor, (h, w), in the light around it or in the whole picture's.

        The second light is needed since arms that fill a corner of the picture spoil the estimate of the
        light there.
        """
        return self._ground.is_floor(over.small, over.light)

    def _follow(self, trail: _Trail, regions: Regions, small: Gray, t_ns: int) -> None:
        """Extend a trail to the next frame."""
        players = regions.owner[regions.number]
        if regions.contested.any():
            inside = regions.contested[regions.number]
            followed = self._followed(inside, small, trail) if trail.players.any() else players
            clear = (
                trail.arms.divided(regions.largest_meeting(), small, t_ns) if regions.meets.any() else None
            )
            if clear is not None:
                followed = np.where(clear[0], NEAR, np.where(clear[1], FAR, followed))
            labels = np.asarray(np.where(inside, followed, players), np.uint8)
            nearest, away = _nearest_label(labels)
            for region in np.flatnonzero(regions.without(labels) & regions.contested):
                part = regions.number == region
                nearest[part] = self._from_edge(part, away) or nearest[part]
            # whatever moves where a stranger's arm has met a player's may be the stranger's
            nearest[regions.strange[regions.number] & (labels == NOBODY)] = STRANGER
            players = np.where(inside, nearest, players)
        trail.players = np.asarray(players * regions.joined, np.uint8)
        trail.small = small
        trail.singly = trail.players
        if regions.through.any():
            through = regions.through[regions.number]
            trail.singly = np.where(through, NOBODY, trail.players).astype(np.uint8)
        if not regions.meets.any():
            trail.arms.apart(trail.players == NEAR, trail.players == FAR, small, t_ns)

    def _from_edge(self, part: NDArray[np.bool_], away: NDArray[np.float32]) -> int:
        """Return from whose edge something new has come in, `NOBODY` if it is not that close to an edge.

        It need not touch a player's edge: an arm may be as gray as the floor there, and a film may have a
        black rim. What reaches the left or right edge farther from the players is a stranger's.

        `part`: (h, w), its pixels. `away`: (h, w), the distance of each pixel from the nearest one with a
        known player, pixels.
        """
        rows = np.flatnonzero(part.any(axis=1))
        from_top, from_bottom = int(rows[0]) + 1, len(part) - int(rows[-1])
        nearest = min(from_top, from_bottom)
        # A new region this near to a player's edge, and nearer to it by this factor than to any arm, is that
        # player's.
        edge_mm, edge_weight = 100.0, 3.0
        rim_cells, corner_mm = 2, 30.0  # an arm that comes in as near to a corner may be a player's
        rim = np.flatnonzero(part[:, :rim_cells].any(axis=1) | part[:, -rim_cells:].any(axis=1))
        if len(rim) and min(rim[0] + 1, len(part) - rim[-1]) * self._cell_mm > corner_mm:
            return STRANGER
        if nearest * self._cell_mm > edge_mm or nearest * edge_weight > away[part].min():
            return NOBODY
        return FAR if from_top < from_bottom else NEAR

    def _followed(self, inside: NDArray[np.bool_], small: Gray, trail: _Trail) -> NDArray[np.uint8]:
        """Return for each pixel of contested regions the owner of the spot it moved from."""
        # range of the flow: a pixel farther from the other player's is not in doubt
        flow_mm = 150.0
        reach = 2 * round(flow_mm / self._cell_mm) + 1
        around = np.ones((reach, reach), np.uint8)
        near, far = (cv2.dilate((trail.players == player).astype(np.uint8), around) for player in (NEAR, FAR))
        between = inside & (near > 0) & (far > 0)
        if not between.any():  # only one player's arm was there
            return trail.players
        origin = self._motion.origins(small, trail.small, between)
        carried = cv2.remap(trail.players, *origin, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(cv2.medianBlur(carried * inside, 3), np.uint8)


@dataclass(slots=True, eq=False)
class _Trail:
    """The tracking of the arms so far.

    Attributes
    ----------
    players, small : the players' map of the last frame, and that frame at the map's size.
    singly : the same map without regions that reached both players' edges.
    arms : follows two arms that have met.
    """

    players: NDArray[np.uint8]
    singly: NDArray[np.uint8]
    small: Gray
    arms: Meeting


def _nearest_label(labels: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return for each pixel the label of the nearest labelled pixel, and its distance in pixels.

    If no pixel is labelled, they are `NOBODY` and infinite.
    """
    if not labels.any():
        return np.zeros_like(labels), np.full(labels.shape, np.inf, np.float32)
    free = (labels == NOBODY).astype(np.uint8)
    away, index = cv2.distanceTransformWithLabels(free, cv2.DIST_L2, 3, labelType=cv2.DIST_LABEL_PIXEL)
    table = np.zeros(int(index.max()) + 1, np.uint8)
    at = free == 0
    table[index[at]] = labels[at]
    return table[index], np.asarray(away, np.float32)
