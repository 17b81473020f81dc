"""Read a whole field from a picture: plane, lens, territories, rows, and each card's identity and pose."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.failure import FailedEstimation
from calibration.field.axes import Axes, find_axes, row_of
from calibration.field.geometry import MIN_CARDS, FieldGeometry, fit_plane
from calibration.field.lines import fit_to_lines
from referee.layout import CARD_HEIGHT_M, CARD_WIDTH_M, HALF_DEPTH_M, HALF_WIDTH_M, Layout, PlacedCard
from referee.sentence import Sentence
from referee.sides import Side
from vision.cards.border import CARD_WIDTH_MM, border_of, refine
from vision.cards.phantom_cards import phantom_cards
from vision.cards.poses import PRINTED, CardPoses, card_crops, sizes
from vision.cards.rectangle_finder import FoundCard, find_cards
from vision.field.further_cards import (
    READS_WELL,
    SIZE_TOLERANCE,
    SeenCards,
    read_both_ways,
    read_by_colour,
    with_further_cards,
)
from vision.field.slots import Slot
from vision.frames.frame import Colour, Gray, brightest_channel
from vision.torifuda.face_reader import MIN_LIKENESS, assign
from vision.torifuda.prior_knowledge import NOTHING_KNOWN, PriorKnowledge

Floats = NDArray[np.float64]

FEW_CARDS: Final = 8  # a field seldom has fewer cards; with fewer a second, slower look is worth its cost
HALF_TERRITORIES_M: Final = np.array([HALF_WIDTH_M, HALF_DEPTH_M])
FIELD_CORNERS_M: Final = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * HALF_TERRITORIES_M
MOSTLY_READ: Final = 0.5
"""The field is measured by legible cards alone if they are at least this share of the printed ones."""


@dataclass(frozen=True, slots=True, eq=False)
class LayoutReading:
    """A field as read from pictures."""

    layout: Layout  # the cards, including unnamed ones with `card=None`
    geometry: FieldGeometry
    # one array of shape (4, 2) per card of `layout`: its corners, border included, in the text's reading
    # order (top left, top right, bottom right, bottom left of the text)
    corners_px: tuple[Floats, ...]
    # per card of `layout`, the probability that its name is right; for an unnamed card, that of the best
    # guess
    confidences: tuple[float, ...]

    @property
    def named(self) -> int:
        """Number of cards that could be named."""
        return sum(placed.card is not None for placed in self.layout)

    def slots(self) -> list[Slot]:
        """Return the cards' places in the picture, in the order of `layout`."""
        return [
            Slot(placed.card, placed.side, corners, min(1.0, confidence))
            for placed, corners, confidence in zip(
                self.layout, self.corners_px, self.confidences, strict=True
            )
        ]


def read_layout(
    frames: Sequence[Gray],
    geometry: FieldGeometry | None = None,
    known: PriorKnowledge = NOTHING_KNOWN,
    colour: Callable[[], Colour] | None = None,
) -> LayoutReading | FailedEstimation:
    """Read the field.

    Returns: LayoutReading, or FailedEstimation if the field could not be measured.

    `frames`: one or a few gray pictures of the resting field, shape (height, width), uint8. With three or
    more, something that passes through a single one (a hand, a flicker) does no harm. `geometry`: a known map
    between picture and field. If it still fits, axes and scale are kept, so that places can be compared
    between readings; if it does not (a knocked camera), it is measured anew. `known`: prior knowledge of the
    camera's lens and of the deck. `colour`: returns one of the frames in colour, at any size. It is called
    only if a card cannot be named, since coloured print may have spoiled it.
    """
    if not frames:
        raise ValueError("read_layout needs at least one frame, got none")
    gray = _steady(frames)
    found = find_cards(gray)
    outlines = _outlines(gray, found)
    second = find_cards(gray, wipe_text=True) if len(outlines) < FEW_CARDS else []
    papers = refine(gray, _outlines(gray, found + second) if second and geometry is None else outlines)
    if geometry is not None and _fits(geometry, papers, (gray.shape[1], gray.shape[0])):
        seen = _see(gray, geometry, papers[_of_a_cards_shape(geometry, papers)], known)
        if second:
            # Beside the cards the second look finds patches of floor, so only what can be read counts here.
            others = refine(gray, _outlines(gray, second))
            more = _see(gray, geometry, others[_of_a_cards_shape(geometry, others)], known)
            seen = seen.completed_by(more.only(more.readings.best() > MIN_LIKENESS))
        if not _slipped(seen):
            seen = with_further_cards(gray, geometry, seen, known)
            return _reading(gray, geometry, _read_by_colour(gray, geometry, seen, known, colour))
    measured = _measured(gray, papers, _printed(gray, papers) & _inside(gray, papers), known)
    if isinstance(measured, FailedEstimation):
        return measured
    measured = _measured_by_what_is_read(gray, papers, measured, known)
    seen, axes = measured.seen, _axes(measured.seen)
    rough = measured.plane.moved(axes.turn_rad, axes.shift_m)
    plane = fit_to_lines(rough, papers[measured.by], measured.paper_m, measured.spreads_m, known.lens)
    poses = CardPoses(axes.apply(seen.poses.centres_m), seen.poses.angles_rad + axes.turn_rad)
    poses = CardPoses.of_corners(plane.to_field(rough.to_image(poses.corners_m())))
    seen = with_further_cards(gray, plane, replace(seen, poses=poses), known)
    return _reading(gray, plane, _read_by_colour(gray, plane, seen, known, colour))


@dataclass(frozen=True, slots=True, eq=False)
class _Measured:
    plane: FieldGeometry  # its axes lie along the picture's
    by: NDArray[np.bool_]  # shape (N,); the papers to which it was fitted
    paper_m: tuple[float, float]  # size of the paper inside the border
    spreads_m: tuple[float, float]  # its uncertainty, see `calibration.field.lines.fit_to_lines`
    on: NDArray[np.bool_]  # shape (N,); the papers on it that have a card's shape, M in all
    seen: SeenCards  # these M papers, read


def _measured(
    gray: Gray, papers: Floats, by: NDArray[np.bool_], known: PriorKnowledge, before: _Measured | None = None
) -> _Measured | FailedEstimation:
    """Measure the plane by some of the papers, and read everything on it that has a card's shape.

    What was read `before` on another plane is reused: it lies a little elsewhere on this one and reads the
    same.
    """
    border = border_of(gray, papers[by])
    paper_m, spreads_m = _paper_m(border.width_mm), (border.spread_mm / 1e3, border.smear_mm / 1e3)
    plane = fit_plane(papers[by], paper_m, (gray.shape[1], gray.shape[0]), known.lens)
    if not isinstance(plane, FieldGeometry):
        return plane
    on = _of_a_cards_shape(plane, papers, by)
    if not on.any():
        return FailedEstimation(
            Sentence("what was found is not of one shape: most of it cannot be cards"),
            Sentence("keep the whole field in the picture and light the cards evenly"),
        )
    if before is None or (on & ~before.on).any():
        return _Measured(plane, by, paper_m, spreads_m, on, _see(gray, plane, papers[on], known))
    poses = CardPoses.of_corners(plane.to_field(papers[on]))
    return _Measured(plane, by, paper_m, spreads_m, on, replace(before.seen.only(on[before.on]), poses=poses))


def _measured_by_what_is_read(
    gray: Gray, papers: Floats, first: _Measured, known: PriorKnowledge
) -> _Measured:
    """Measure again by the legible cards if the first measurement used others, too.

    Floor between two planks has lines that look like print, and is never 52 x 73 mm. With a part of a card on
    it, it has more contrast than any card.
    """
    by = _inside(gray, papers) & first.on
    by[first.on] &= first.seen.readings.best() > MIN_LIKENESS
    if (by == first.by).all() or by.sum() < max(MIN_CARDS, MOSTLY_READ * first.by.sum()):
        return first
    again = _measured(gray, papers, by, known, first)
    return first if isinstance(again, FailedEstimation) else again


def _paper_m(border_mm: float) -> tuple[float, float]:
    """Return width and height of the paper inside the border of a card whose paper is 52 mm wide."""
    share = CARD_WIDTH_MM / (CARD_WIDTH_MM + 2 * border_mm)
    return CARD_WIDTH_M * share, CARD_HEIGHT_M - 2e-3 * border_mm * share


def _printed(gray: Gray, papers: Floats, whole: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
    """Tell which papers have print, shape (N,).

    `papers`: shape (N, 4, 2). `whole`: shape (N,); those with an outline of their own. If they are enough,
    the others are compared with them, since there may be more pieces of floor than cards. By default all are
    compared.
    """
    if not len(papers):
        return np.zeros(0, bool)
    if whole is None or whole.sum() < MIN_CARDS:
        whole = np.ones(len(papers), bool)
    faces = card_crops(gray, papers)[:, *PRINTED][:, ::2, ::2].reshape(len(papers), -1)
    # Contrast relative to the paper's brightness is the same in shadow and in light.
    bright = np.maximum(np.percentile(faces, 85, axis=1), 1.0)
    contrasts = faces.std(axis=1) / bright
    # Least contrast of paper with print, as a share of what most cards show; wood grain has less.
    min_print = 0.6
    return np.asarray(contrasts > min_print * np.percentile(contrasts[whole], 80))


def _inside(gray: Gray, papers: Floats) -> NDArray[np.bool_]:
    """Tell which papers end inside the picture, shape (N,); cut cards and stretches of floor do not."""
    within_px = 1.0  # an outline closer to the picture's edge may go on beyond it
    last = np.array([gray.shape[1], gray.shape[0]]) - 1 - within_px
    return np.asarray(((papers > within_px) & (papers < last)).all(axis=(1, 2)))


def _see(gray: Gray, geometry: FieldGeometry, papers: Floats, known: PriorKnowledge) -> SeenCards:
    """Fit cards to outlines and read them, in the upper half of the field upside down first."""
    poses = CardPoses.of_corners(geometry.to_field(papers))
    return read_both_ways(gray, geometry, poses, poses.centres_m[:, 1] < 0, known.faces)


def _axes(seen: SeenCards) -> Axes:
    """Find the field's axes from the cards whose way up is known, or else from all that were read."""
    best = seen.readings.best()
    read, sure = best > MIN_LIKENESS, best > READS_WELL
    if sure.sum() < max(MIN_CARDS, MOSTLY_READ * read.sum()):
        sure = read if read.sum() >= MIN_CARDS else np.ones(len(best), bool)
    return find_axes(seen.poses.centres_m[sure], seen.poses.angles_rad[sure], seen.upside_down[sure])


def _slipped(seen: SeenCards) -> bool:
    """Tell whether rows and territories have left their places in the known geometry: a knocked camera."""
    if len(seen.poses.centres_m) < FEW_CARDS:
        return False
    axes = _axes(seen)
    slipped_rad = 0.015
    slipped_m = 0.012  # rows that are farther off than this have moved because the camera did
    return abs(axes.turn_rad) > slipped_rad or abs(axes.shift_m[1]) > slipped_m


def _read_by_colour(
    gray: Gray,
    geometry: FieldGeometry,
    seen: SeenCards,
    known: PriorKnowledge,
    colour: Callable[[], Colour] | None,
) -> SeenCards:
    """Read unnamed cards again where coloured print pales; without colour nothing changes."""
    unnamed = np.array([identity.card is None for identity in assign(seen.readings)], bool)
    if colour is None or not unnamed.any():
        return seen
    pale = brightest_channel(colour())
    if pale.shape != gray.shape:  # the eye enlarges small pictures
        size = gray.shape[1], gray.shape[0]
        pale = np.asarray(cv2.resize(pale, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    return read_by_colour(pale, geometry, seen, unnamed, known.faces)


def _reading(gray: Gray, geometry: FieldGeometry, seen: SeenCards) -> LayoutReading:
    identities = assign(seen.readings)
    named = np.array([identity.card is not None for identity in identities], bool)
    # A thing more than half outside is no card of the field unless it can be read: a foot, a cushion.
    outside = (np.abs(seen.poses.centres_m) > HALF_TERRITORIES_M).any(axis=1) & ~named
    bare = phantom_cards(gray, geometry.to_image(seen.poses.corners_m()), named)
    phantom = outside | (bare & ~seen.printed)
    if phantom.any():
        seen = seen.only(~phantom)
        identities = assign(seen.readings)
    poses, upside_down = seen.poses, seen.upside_down
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
    corners = geometry.to_image(poses.corners_m())
    corners[upside_down] = np.roll(corners[upside_down], -2, axis=1)
    confidences = tuple(identity.confidence for identity in identities)
    return LayoutReading(Layout(tuple(placed)), geometry, tuple(corners), confidences)


def _steady(frames: Sequence[Gray]) -> Gray:
    """Return the one frame, or the median of the first, the middle and the last."""
    if len(frames) < 3:
        return frames[-1]
    first, middle, last = frames[0], frames[len(frames) // 2], frames[-1]
    return np.asarray(
        np.maximum(np.minimum(first, middle), np.minimum(np.maximum(first, middle), last)), np.uint8
    )


def _outlines(gray: Gray, found: Sequence[FoundCard]) -> Floats:
    found = sorted(found, key=lambda card: card.split)
    if not found:
        return np.zeros((0, 4, 2))
    if found[-1].split:
        # The floor between two edges of tatami has the shape of a row of cards, but no print.
        whole = np.array([not card.split for card in found])
        corners = np.array([card.corners_px for card in found])
        if whole.any():
            # A stretch of floor with cards on it has more contrast than any card.
            widths, _ = sizes(corners)
            whole &= np.abs(widths / np.median(widths[whole]) - 1) < 0.25
        printed = _printed(gray, corners, whole)
        found = [card for card, has_print in zip(found, printed, strict=True) if has_print or not card.split]
    # A card that was found both alone and as part of a row is taken alone.
    papers: Floats = np.array([card.corners_px for card in found])
    centres = papers.mean(axis=1)
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    reach = 0.5 * np.linalg.norm(papers[:, 1] - papers[:, 0], axis=1)
    papers = papers[~np.tril(apart < reach[:, None], -1).any(axis=1)]
    if len(papers) < MIN_CARDS:
        return papers
    # Most things on a field that look like cards are cards; those of another size are not.
    widths, heights = sizes(papers)
    alike = (np.abs(widths / np.median(widths) - 1) < 0.25) & (
        np.abs(heights / np.median(heights) - 1) < 0.25
    )
    return np.asarray(papers[alike])


def _fits(geometry: FieldGeometry, papers: Floats, size_px: tuple[int, int]) -> bool:
    """Tell whether the cards still have the size of cards in this geometry."""
    if (geometry.width_px, geometry.height_px) != size_px:
        return False
    if len(papers) < MIN_CARDS:
        return True  # too few to say otherwise, or to measure anything anew
    widths, heights = sizes(geometry.to_field(papers))
    # The border is equally wide on all sides, so the sides' difference is the card's own, with or without it.
    difference = float(np.median(heights - widths)) / (CARD_HEIGHT_M - CARD_WIDTH_M)
    unsure = 0.04 + 0.2 / np.sqrt(len(papers))
    return bool(abs(difference - 1) < unsure) and float(np.median(widths)) < 1.04 * CARD_WIDTH_M


def _of_a_cards_shape(
    geometry: FieldGeometry, papers: Floats, by: NDArray[np.bool_] | None = None
) -> NDArray[np.bool_]:
    """Tell which papers have a card's shape, (N,): that of most papers `by` which the field was measured."""
    widths, heights = sizes(geometry.to_field(papers))
    by = np.ones(len(papers), bool) if by is None else by
    if len(papers) < MIN_CARDS:
        # The border may take up to a sixth of a card's width.
        good = (np.abs(widths / CARD_WIDTH_M - 0.91) < 0.15) & (np.abs(heights / CARD_HEIGHT_M - 0.93) < 0.13)
    else:
        good = (np.abs(widths / np.median(widths[by]) - 1) < SIZE_TOLERANCE) & (
            np.abs(heights / np.median(heights[by]) - 1) < SIZE_TOLERANCE
        )
    return np.asarray(good)
