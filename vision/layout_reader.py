"""Reads a whole field from a picture: plane and lens, territories, rows, and every card's identity and pose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.failed import FailedEstimation
from calibration.field_axes import find_axes, row_of
from calibration.geometry import MIN_CARDS, FieldGeometry, fit_plane
from referee.layout import CARD_HEIGHT_M, CARD_WIDTH_M, Layout, PlacedCard
from referee.sides import Side
from vision.card_edges import CARD_WIDTH_MM, border_mm, refine
from vision.card_finder import find_cards
from vision.card_search import search
from vision.frames import Gray
from vision.identity import MIN_LIKENESS, FaceReadings, Identity, TorifudaReader, assign

Floats = NDArray[np.float64]

SIZE_TOLERANCE: Final = 0.09
"""What differs more than this from a card's size is no card: a hand, a sheet, a merged pair."""
FEW_CARDS: Final = 8
"""Seldom are fewer on a field; then a second look, at some cost, is worth its while."""
READS_WELL: Final = -1.2
"""Log-likelihood per slot above which a face need not be tried the other way up."""
SLIPPED: Final = 0.03
"""Known geometry in which cards come out this much too large or small belongs to another camera position."""


@dataclass(frozen=True, slots=True, eq=False)
class LayoutReading:
    """A field as read from pictures.

    Attributes
    ----------
    layout : the cards, those that could not be named among them with `card=None`.
    geometry : map between picture and field.
    corners_px : one array of shape (4, 2) per card of `layout`: its corners, border included, in the text's
        reading order (top left, top right, bottom right, bottom left of the text).
    confidences : probability, per card of `layout`, that its name is right; for an unnamed card, how likely
        the best guess would have been.
    """

    layout: Layout
    geometry: FieldGeometry
    corners_px: tuple[Floats, ...]
    confidences: tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Poses:
    """Centres, shape (N, 2) in metres, and clockwise turns from upright in the picture, shape (N,)."""

    centres_m: Floats
    angles_rad: Floats

    def corners_m(self) -> Floats:
        """Return the corners of the cards, shape (N, 4, 2), from the picture's top left, clockwise."""
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array([CARD_WIDTH_M, CARD_HEIGHT_M]) / 2
        cos, sin = np.cos(self.angles_rad), np.sin(self.angles_rad)
        turns = np.stack([np.stack([cos, sin], -1), np.stack([-sin, cos], -1)], -2)
        return np.asarray(half @ turns + self.centres_m[:, None])

    def only(self, keep: NDArray[np.bool_] | NDArray[np.intp]) -> _Poses:
        return _Poses(self.centres_m[keep], self.angles_rad[keep])


def read_layout(
    frames: Sequence[Gray], geometry: FieldGeometry | None = None
) -> LayoutReading | FailedEstimation:
    """Read the field.

    Parameters
    ----------
    frames : one or a few gray pictures of the resting field, each of shape (height, width), uint8. With three or
        more, whatever passes through a single one (a hand, a flicker) does not matter.
    geometry : a known map between picture and field. Where it still fits, axes and scale are kept, so that
        places can be compared between readings; where it does not (a knocked camera), it is measured anew.

    Returns
    -------
    LayoutReading, or FailedEstimation where the field could not be measured.
    """
    if not frames:
        raise ValueError("read_layout needs at least one frame, got none")
    gray = _steady(frames)
    size_px = (gray.shape[1], gray.shape[0])
    papers, profiles = refine(gray, _outlines(gray))
    known = geometry if geometry is not None and _fits(geometry, papers, size_px) else None
    if known is None:
        border = border_mm(papers, profiles)
        share = CARD_WIDTH_MM / (CARD_WIDTH_MM + 2 * border)
        paper_m = (CARD_WIDTH_M * share, CARD_HEIGHT_M - 2e-3 * border * share)
        plane = fit_plane(papers, paper_m, size_px)
        if not plane:
            return plane
        assert isinstance(plane, FieldGeometry)
    else:
        plane = known
    poses = _poses(plane, papers)
    reader = _reader()
    readings, upside_down = _read_both_ways(reader, gray, plane, poses, poses.centres_m[:, 1] < 0)
    clear = readings.best() > READS_WELL
    if known is None:
        sure = clear if clear.sum() >= MIN_CARDS else np.ones(len(clear), bool)
        axes = find_axes(poses.centres_m[sure], poses.angles_rad[sure], upside_down[sure])
        plane = plane.moved(axes.turn_rad, axes.shift_m)
        poses = _Poses(axes.apply(poses.centres_m), poses.angles_rad + axes.turn_rad)
    if clear.any():
        poses, upside_down, readings = _completed(reader, gray, plane, poses, upside_down, readings)
    return _reading(plane, poses, upside_down, assign(readings))


def _completed(
    reader: TorifudaReader,
    gray: Gray,
    geometry: FieldGeometry,
    poses: _Poses,
    upside_down: NDArray[np.bool_],
    readings: FaceReadings,
) -> tuple[_Poses, NDArray[np.bool_], FaceReadings]:
    """Add the cards that had no outline of their own; only such as can be read."""
    clear = readings.best() > MIN_LIKENESS
    centres, turned = search(gray, geometry, poses.centres_m[clear], upside_down[clear])
    if not len(centres):
        return poses, upside_down, readings
    angle = float(np.median(poses.angles_rad))
    more = _settled(gray, geometry, _Poses(centres, np.full(len(centres), angle)))
    more_readings, turned = _read_both_ways(reader, gray, geometry, more, turned)
    readable = more_readings.best() > MIN_LIKENESS
    # What was found before in the same place and could not be read was a bad outline of the same card.
    distance = np.linalg.norm(poses.centres_m[:, None] - more.centres_m[readable][None], axis=2)
    stays = clear | (distance > 0.7 * CARD_WIDTH_M).all(axis=1)
    return (
        _Poses(
            np.concatenate([poses.centres_m[stays], more.centres_m[readable]]),
            np.concatenate([poses.angles_rad[stays], more.angles_rad[readable]]),
        ),
        np.concatenate([upside_down[stays], turned[readable]]),
        FaceReadings(
            np.concatenate([readings.poem_logs[stays], more_readings.poem_logs[readable]]),
            np.concatenate([readings.illegible[stays], more_readings.illegible[readable]]),
        ),
    )


def _settled(gray: Gray, geometry: FieldGeometry, poses: _Poses) -> _Poses:
    """Move poses onto the edges around them, where these agree with a card's shape."""
    outlines = geometry.to_image(poses.corners_m())
    refined, _ = refine(gray, outlines)
    corners = geometry.to_field(refined)
    across = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2
    down = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / 2
    size = np.column_stack([np.linalg.norm(across, axis=1), np.linalg.norm(down, axis=1)])
    fits = (np.abs(size / np.array([CARD_WIDTH_M, CARD_HEIGHT_M]) - 1) < SIZE_TOLERANCE).all(axis=1)
    better = _laid(corners)
    return _Poses(
        np.where(fits[:, None], better.centres_m, poses.centres_m),
        np.where(fits, better.angles_rad, poses.angles_rad),
    )


def _reading(
    geometry: FieldGeometry, poses: _Poses, upside_down: NDArray[np.bool_], identities: Sequence[Identity]
) -> LayoutReading:
    corners = geometry.to_image(poses.corners_m())
    placed = []
    for identity, centre, angle, turned in zip(
        identities, poses.centres_m, poses.angles_rad, upside_down, strict=True
    ):
        side, row = row_of(float(centre[1]))
        faces_owner = identity.card is None or bool(turned) == (side is Side.FAR)
        placed.append(
            PlacedCard(
                identity.card, side, row, float(centre[0]), float(centre[1]), float(angle), faces_owner
            )
        )
    reading_order = tuple(
        np.roll(card, -2, axis=0) if turned else card
        for card, turned in zip(corners, upside_down, strict=True)
    )
    return LayoutReading(
        Layout(tuple(placed)), geometry, reading_order, tuple(identity.confidence for identity in identities)
    )


def _steady(frames: Sequence[Gray]) -> Gray:
    """Return the one frame, or the median of the first, the middle and the last."""
    if len(frames) < 3:
        return frames[-1]
    first, middle, last = frames[0], frames[len(frames) // 2], frames[-1]
    return np.asarray(
        np.maximum(np.minimum(first, middle), np.minimum(np.maximum(first, middle), last)), np.uint8
    )


def _outlines(gray: Gray) -> Floats:
    found = find_cards(gray)
    if len(found) < FEW_CARDS:
        found = found + find_cards(gray, wipe_text=True)
    found = sorted(found, key=lambda card: card.split)
    if not found:
        return np.zeros((0, 4, 2))
    # Where a card was found both alone and as part of a row, it is taken alone.
    papers = np.array([card.corners_px for card in found])
    centres = papers.mean(axis=1)
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    reach = 0.5 * np.linalg.norm(papers[:, 1] - papers[:, 0], axis=1)
    papers = papers[~np.tril(apart < reach[:, None], -1).any(axis=1)]
    widths = np.linalg.norm(papers[:, 1] - papers[:, 0], axis=1)
    heights = np.linalg.norm(papers[:, 3] - papers[:, 0], axis=1)
    # Most of what looks like a card on a field is one; what is of another size is not.
    alike = (np.abs(widths / np.median(widths) - 1) < 0.25) & (
        np.abs(heights / np.median(heights) - 1) < 0.25
    )
    return np.asarray(papers[alike])


def _fits(geometry: FieldGeometry, papers: Floats, size_px: tuple[int, int]) -> bool:
    """Tell whether the cards still come out as cards: an eyeful of equal rectangles of the right size."""
    if (geometry.width_px, geometry.height_px) != size_px or len(papers) < 2:
        return bool(len(papers)) and (geometry.width_px, geometry.height_px) == size_px
    corners = geometry.to_field(papers)
    widths = np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)
    heights = np.linalg.norm(corners[:, 3] - corners[:, 0], axis=1)
    # The border is as wide on all sides, so the difference of the sides is a card's own, border or not.
    difference = float(np.median(heights - widths)) / (CARD_HEIGHT_M - CARD_WIDTH_M)
    return abs(difference - 1) < 0.12 and float(np.median(widths)) < (1 + SLIPPED) * CARD_WIDTH_M


def _poses(geometry: FieldGeometry, papers: Floats) -> _Poses:
    """Lay cards onto the outlines and drop what is not of a card's shape."""
    corners = geometry.to_field(papers)
    widths = np.linalg.norm(corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3], axis=1)
    heights = np.linalg.norm(corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1], axis=1)
    good = (np.abs(widths / np.median(widths) - 1) < SIZE_TOLERANCE) & (
        np.abs(heights / np.median(heights) - 1) < SIZE_TOLERANCE
    )
    return _laid(corners[good])


def _laid(corners_m: Floats) -> _Poses:
    """Lay rigid cards onto corners of shape (N, 4, 2) in metres."""
    across = corners_m[:, 1] - corners_m[:, 0] + corners_m[:, 2] - corners_m[:, 3]
    down = corners_m[:, 3] - corners_m[:, 0] + corners_m[:, 2] - corners_m[:, 1]
    # Long sides show the turn better than short ones: they have their length as weight.
    share = CARD_HEIGHT_M / CARD_WIDTH_M
    angles = np.arctan2(across[:, 1] - share * down[:, 0], across[:, 0] + share * down[:, 1])
    return _Poses(corners_m.mean(axis=1), angles)


def _read_both_ways(
    reader: TorifudaReader,
    gray: Gray,
    geometry: FieldGeometry,
    poses: _Poses,
    upside_down: NDArray[np.bool_],
) -> tuple[FaceReadings, NDArray[np.bool_]]:
    """Read every face the way it is expected, and those that read badly the other way up too."""
    corners = geometry.to_image(poses.corners_m())
    corners[upside_down] = np.roll(corners[upside_down], -2, axis=1)
    first = reader.read(gray, corners)
    doubtful = np.flatnonzero(first.best() < READS_WELL)
    second = reader.read(gray, np.roll(corners[doubtful], -2, axis=1))
    better = second.best() > first.best()[doubtful]
    turned = doubtful[better]
    poem_logs, illegible, upside_down = first.poem_logs.copy(), first.illegible.copy(), upside_down.copy()
    poem_logs[turned], illegible[turned] = second.poem_logs[better], second.illegible[better]
    upside_down[turned] = ~upside_down[turned]
    return FaceReadings(poem_logs, illegible), upside_down


@cache
def _reader() -> TorifudaReader:
    return TorifudaReader()
