"""Detect what spoils a whole poem for the eye: a knocked camera, a lens out of focus, or a switched lamp.

They are looked for once, when a poem is over, by comparing the field with its resting picture. Each may
have falsified everything that was seen, so the poem gets a gap and goes to the officials. A lamp's gap is
short if nothing happened as it was switched. If nothing was touched, the field itself is proof: realigned
with the resting picture, all its cards lie in their places.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.facts import Gap, Testimony
from vision.field.layout_reader import LayoutReading
from vision.field.slots import SEEN_BLOCKS, SlotGrid, sights_of
from vision.frames.frame import Gray

_LIGHT = "light_changed"


def disturbance(
    grid: SlotGrid, now: Gray, px_per_mm: float, t_from_ns: int, t_to_ns: int, *, light: float | None = None
) -> Gap | None:
    """Tell whether the camera moved, or focus or light changed, between the resting picture and `now`.

    Parameters
    ----------
    now : the field after the poem.
    t_from_ns, t_to_ns : the time between the two pictures, which the gap covers.
    light : how much brighter the floor has become, a factor; None if unknown. Paper cannot tell: white paper
        gets no brighter.
    """
    looks = grid.look(now)
    # If fewer cards than this show their faces in place, most were swept away or the camera turned.
    seen_share = 0.3
    if looks.seen.any(axis=1).mean() > seen_share:
        # the cards that were not played share the camera's motion
        shift_px = float(np.hypot(*np.median(looks.shift_px[looks.seen], axis=0)))
        gain = float(np.median(looks.gain[looks.seen]))
    else:
        shift_px, gain = _shift_px(grid.picture, now), 1.0
    # As far as a card must move to count as touched: beyond this the camera could invent a contact.
    knock_mm = 0.3
    if shift_px > knock_mm * px_per_mm:
        return Gap(t_from_ns, t_to_ns, "lost_calibration")
    light_step = 1.2  # factor by which the light may change while a poem is played
    if not all(1 / light_step < factor < light_step for factor in (gain, light or 1.0)):
        # a blur of 0.6 pixels takes a fifth of the contrast away, and leaves the floor as bright as it was
        even_step = 1.1
        is_even = light is not None and 1 / even_step < light < even_step
        return Gap(t_from_ns, t_to_ns, "focus_changed" if is_even else _LIGHT)
    return None


def as_long_as(gap: Gap, switched_ns: tuple[int, int] | None, facts: Iterable[Testimony]) -> Gap:
    """Shorten the gap of a switched lamp to the moment of switching if nothing happened then.

    Before and after that moment each picture is compared in its own light.

    `switched_ns`: the two instants between which a lamp was switched; None if unknown. `facts`: what was seen
    of the poem; a fact at the moment of switching may be wrong.
    """
    if gap.reason != _LIGHT or switched_ns is None:
        return gap
    switch_ns = 60_000_000  # a touch this close to the change is judged by pictures of both lights
    from_ns, to_ns = switched_ns[0] - switch_ns, switched_ns[1] + switch_ns
    told = [fact for fact in facts if not isinstance(fact, Gap)]
    if any(one.latest_ns >= from_ns and one.earliest_ns <= to_ns for one in told):
        return gap
    from_ns = min(max(from_ns, gap.t_from_ns), gap.t_to_ns)
    return Gap(from_ns, min(max(to_ns, from_ns), gap.t_to_ns), _LIGHT)


def lies_as_it_lay(
    grid: SlotGrid, resting: Sequence[Gray], before: LayoutReading, now: LayoutReading, proof_px: float
) -> bool:
    """Tell whether all cards lie as before relative to each other, whatever camera and lamps did.

    Parameters
    ----------
    resting : pictures of the field as it lies now.
    before, now : the layouts read before the poem and in `resting`.
    proof_px : how far from its place a card must lie to count as moved.
    """
    again = {placed.card: placed for placed in now.layout if placed.card is not None}
    both = [(placed, again[placed.card]) for placed in before.layout if placed.card in again]
    least_cards = 6  # found in both pictures
    if len(both) < least_cards:
        return False
    was_m, lies_m = (np.array([(one.x_m, one.y_m) for one in cards]) for cards in zip(*both, strict=True))
    alike_m = 0.001
    motion: NDArray[Any] | None = cv2.estimateAffine2D(was_m, lies_m, ransacReprojThreshold=alike_m)[0]
    if motion is None:
        return False
    # where the resting picture's points are now: exact on a coarse mesh, interpolated in between
    height, width = resting[0].shape
    mesh_points = 41  # along each side: a lens distorts smoothly
    columns, rows = np.meshgrid(*(np.linspace(0, side - 1, mesh_points) for side in (width, height)))
    points_m = before.geometry.to_field(np.column_stack([columns.ravel(), rows.ravel()]))
    points_px = now.geometry.to_image(points_m @ motion[:, :2].T + motion[:, 2]).reshape(
        mesh_points, mesh_points, 2
    )
    across, down = (np.linspace(0, mesh_points - 1, side, dtype=np.float32) for side in (width, height))
    finer = np.meshgrid(across, down)
    x, y = (
        cv2.remap(one.astype(np.float32), *finer, cv2.INTER_LINEAR) for one in np.moveaxis(points_px, 2, 0)
    )
    mean = np.rint(np.mean(resting, axis=0)).astype(np.uint8)
    laid = np.asarray(cv2.remap(mean, x, y, cv2.INTER_CUBIC), np.uint8)
    sights = sights_of(grid.look(laid), 0)
    if any(sight.seen < SEEN_BLOCKS for sight in sights):
        return False
    centres_px = np.array([slot.centre_px for slot in grid.slots])
    shifts_px = np.array([sight.shift_px for sight in sights])
    return _go_together(centres_px, centres_px + shifts_px, proof_px)


def _go_together(was_px: NDArray[np.floating], lie_px: NDArray[np.floating], proof_px: float) -> bool:
    """Tell whether all places (N, 2) have moved together, up to the difference of two readings of a field.

    That difference is a homography. It is free enough to follow a single moved card in a corner, so it needs
    many cards, and an affine map must nearly fit, too.
    """
    flat = np.column_stack([was_px, np.ones(len(was_px))])
    plain_px = flat @ np.linalg.lstsq(flat, lie_px, rcond=None)[0]
    off_px = float(np.hypot(*(lie_px - plain_px).T).max())
    many_cards = 10  # with fewer cards a homography follows a card that moved
    if len(was_px) < many_cards:
        return off_px < proof_px
    plane: NDArray[Any] | None = cv2.findHomography(was_px, lie_px, 0)[0]
    plain_times = 2.0  # of `proof_px`: how far an affine map may miss a card
    if plane is None or off_px > plain_times * proof_px:
        return False
    seen_px = cv2.perspectiveTransform(np.asarray(was_px, np.float64)[None], plane)[0]
    return float(np.hypot(*(lie_px - seen_px).T).max()) < proof_px


def _shift_px(rest: NDArray[np.float32], now: Gray) -> float:
    """Return how far the whole picture has moved, in its own pixels.

    Phase correlation follows most of the picture, and most of a picture of the field stays the same even when
    cards are swept away.
    """
    height, width = now.shape
    width_px = 640  # size at which the motion is measured, to about a tenth of a pixel
    scale = min(1.0, width_px / width)
    size = round(width * scale), round(height * scale)
    before, after = (
        cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32) for picture in (rest, now)
    )
    (dx, dy), _ = cv2.phaseCorrelate(before, after, cv2.createHanningWindow(size, cv2.CV_32F))
    return float(np.hypot(dx, dy) / scale)
