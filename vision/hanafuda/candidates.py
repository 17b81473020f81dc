"""Propose places where cards may lie: every straight line on the table may be a piece of a card's border.

Far more places are proposed than there are cards, in any direction and even if only a corner of a card is
seen. Comparing the print with the deck decides which of them are cards.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Picture
from vision.frames.frame import Gray
from vision.hanafuda.pose import Poses, on_table
from vision.plane.table_plane import PX_PER_MM, view_mm

MIN_LINE_MM: Final = 9.0
FAN_TURNS_RAD: Final = np.array([0.1, 0.18, 0.26, 0.34])
FAN_ARMS: Final = np.array([0.5, 0.75, 1.0, 1.3, 1.6])
"""Angles by which the cards of a hand's fan are turned, and distances from a card's centre, in card heights,
at which it is held."""


def lines_mm(view: Picture, where: Gray, lit: Picture | None = None) -> NDArray[np.float64]:
    """Return straight lines in the view from above, shape (N, 2, 2), table millimetres.

    `view`: the table from above. `where`: mask of the same size; lines are searched for where it is not 0.
    `lit`: picture that tells the brightness of the light, if the view shows too little of the table for that.
    """
    x, y, width, height = cv2.boundingRect(where)
    if not width or not height:
        return np.zeros((0, 2, 2))
    part, mask = view[y : y + height, x : x + width], where[y : y + height, x : x + width]
    edges = np.zeros(mask.shape, np.uint8)
    # in dim light a border has less contrast
    light = float(np.clip(np.percentile((view if lit is None else lit)[::8, ::8], 99) / 230, 0.4, 1))
    for channel in cv2.split(part):
        edges |= np.asarray(cv2.Canny(channel, 40 * light, 110 * light), np.uint8)
    edges[mask == 0] = 0
    max_gap_mm = 3.0
    found = cv2.HoughLinesP(
        edges, 1, np.pi / 180, 11, minLineLength=MIN_LINE_MM * PX_PER_MM, maxLineGap=max_gap_mm * PX_PER_MM
    )
    if found is None:
        return np.zeros((0, 2, 2))
    return view_mm(found.reshape(-1, 2, 2).astype(np.float64) + np.array([x, y]))


def sides_mm(mask: Gray) -> NDArray[np.float64]:
    """Return the straight sides of the shapes in a mask of the view, shape (N, 2, 2), table millimetres.

    They begin and end in the shapes' corners, which are corners of cards where cards overlap.
    """
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    # How far a side may bend from the line between its corners: round corners, blur, the table's grain.
    bent_mm = 1.6
    corners = [cv2.approxPolyDP(each, bent_mm * PX_PER_MM, True)[:, 0] for each in contours]
    sides = [np.stack([each, np.roll(each, -1, axis=0)], axis=1) for each in corners]
    lines = view_mm(np.concatenate([np.zeros((0, 2, 2)), *sides]))
    return np.asarray(lines[np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1) >= MIN_LINE_MM])


def poses_along(lines: NDArray[np.float64], size_mm: tuple[float, float]) -> Poses:
    """Return the poses with one side of a card on a line and one of its corners at the line's end.

    A card and the same card upside down count as one proposal.
    """
    if not len(lines):
        return np.zeros((0, 3))
    start, end = lines[:, 0], lines[:, 1]
    along = end - start
    length = np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-6)
    unit = along / length
    normal = np.stack([-unit[:, 1], unit[:, 0]], axis=1)
    angle = np.arctan2(unit[:, 1], unit[:, 0])
    poses = []
    for side, other, turn in ((size_mm[0], size_mm[1], 0.0), (size_mm[1], size_mm[0], np.pi / 2)):
        fits = length[:, 0] < 1.15 * side
        for middle in (start + unit * side / 2, end - unit * side / 2):
            for across in (normal, -normal):
                place = middle + across * other / 2
                poses.append(np.column_stack([place, (angle + turn) % np.pi])[fits])
    return distinct(np.concatenate(poses))


def poses_beside(poses: Poses, size_mm: tuple[float, float]) -> Poses:
    """Return the poses of cards beside others or half under them, as in a row or a fan."""
    beside_step_mm = 2.0
    reach, slack = (
        np.arange(-size_mm[1], size_mm[1] + 1, beside_step_mm),
        np.arange(-4.0, 5.0, beside_step_mm),
    )
    along = np.stack(np.meshgrid(reach, slack), axis=-1).reshape(-1, 2)
    steps = np.concatenate([along, along[:, ::-1]])
    angles = np.array([-0.06, 0.0, 0.06])
    beside = [
        np.column_stack([on_table(pose[None], steps)[0], np.full(len(steps), (pose[2] + angle) % np.pi)])
        for pose in poses
        for angle in angles
    ]
    return distinct(np.concatenate(beside)) if beside else np.zeros((0, 3))


def poses_turned(poses: Poses, size_mm: tuple[float, float]) -> Poses:
    """Return the poses of the neighbours of cards in a fan spread by a hand: turned about one end."""
    turns = np.concatenate([FAN_TURNS_RAD, -FAN_TURNS_RAD])
    arms = np.concatenate([FAN_ARMS, -FAN_ARMS]) * size_mm[1]
    turn, arm = (each.ravel() for each in np.meshgrid(turns, arms))
    # shift of a card's centre when it turns about a point that lies below it by the arm
    steps = np.column_stack([arm * np.sin(turn), arm * (1 - np.cos(turn))])
    fans = [np.column_stack([on_table(pose[None], steps)[0], (pose[2] + turn) % np.pi]) for pose in poses]
    return distinct(np.concatenate(fans)) if fans else np.zeros((0, 3))


def poses_of_blobs(mask: Gray, size_mm: tuple[float, float]) -> Poses:
    """Return the poses of cards that lie alone: single pieces of their size in a mask of the view."""
    poses = []
    card_px = size_mm[0] * size_mm[1] * PX_PER_MM**2
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    same_size = (0.7, 1.3)  # smallest and largest area, in cards, of a piece that may be a card lying alone
    for contour in contours:
        hull = cv2.convexHull(contour)
        if not same_size[0] < cv2.contourArea(hull) / card_px < same_size[1]:
            continue
        middle, (width, height), degrees = cv2.minAreaRect(hull)
        x_mm, y_mm = view_mm(np.array(middle))
        upright = degrees if width < height else degrees + 90
        poses.append((float(x_mm), float(y_mm), np.deg2rad(upright) % np.pi))
    return np.array(poses, np.float64).reshape(-1, 3)


def distinct(poses: Poses) -> Poses:
    """Return the poses without near duplicates."""
    same_place_mm = 2.0
    same_angle_rad = 0.06  # proposals closer than this are one: the fit moves over such distances
    steps = np.array([same_place_mm, same_place_mm, same_angle_rad])
    _, first = np.unique(np.rint(poses / steps).astype(int), axis=0, return_index=True)
    return poses[np.sort(first)]
