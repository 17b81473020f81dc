"""Decide what became of a card when the hands have left: in place, moved, gone, or hidden."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import BLOCKS, Sight, SlotGrid, is_floor, sights_of
from vision.frames.frame import Frame, Gray

_PER_GRAIN = 5.0  # times the still cards' median shift: no still card was measured this far off


class End(Enum):
    """The state of a card's place in the end."""

    IN_PLACE = "in_place"
    MOVED = "moved"  # the card's face is seen, but not in its place
    GONE = "gone"  # the floor is seen where the card was
    HIDDEN = "hidden"  # something else is seen: a hand, or another card that landed there


@dataclass(frozen=True, slots=True, eq=False)
class Ending:
    """What became of one card."""

    end: End
    # (2,), how far it lies from its place if that is near, else None
    shift_px: NDArray[np.float64] | None = None


def proof_px(px_per_mm: float) -> float:
    """Return how far from its place a card must lie to have been moved, in pixels."""
    least_mm = 0.2
    least_px = 0.15  # a block's noise, shadows and compression together stay below this
    return max(least_mm * px_per_mm, least_px)


def endings(field: FieldModel, grid: SlotGrid, frame: Frame) -> dict[int, Ending]:
    """Tell what became of each slot's card, by slot number.

    `frame`: the last frame; nothing lies over the field in it.
    """
    sights = sights_of(grid.look(frame.gray), frame.t_ns)
    many_blocks, many_cards = 6, 5  # blocks of a card, and cards, from which the camera's own motion is known
    # the shift common to all cards is the camera's own motion
    whole = [sight.shift_px for sight in sights if sight.seen >= many_blocks]
    camera_px, grain_px = np.zeros(2, np.float32), 0.0
    if len(whole) >= many_cards:
        camera_px = np.median(whole, axis=0)
        grain_px = float(np.median(np.hypot(*(np.array(whole) - camera_px).T)))
    return {
        number: ending(
            field, number, replace(sight, shift_px=sight.shift_px - camera_px), frame.gray, grain_px=grain_px
        )
        for number, sight in enumerate(sights)
    }


def ending(field: FieldModel, number: int, sight: Sight, gray: Gray, *, grain_px: float = 0.0) -> Ending:
    """Tell what became of the card in slot `number`.

    `sight`: what the last frame showed of the card's face. `grain_px`: median shift at which still cards seem
    to lie in this frame: a film coded with few bits shifts them.
    """
    proof = max(proof_px(field.px_per_mm), _PER_GRAIN * grain_px)
    if sight.seen and sight.length_px < proof:
        return Ending(End.IN_PLACE)
    face = field.face(number)
    # A card has slid if more than this share of its blocks have moved alike. Cards share kana and their grid:
    # what lay over a card's place showed up to half of its blocks, a card that slid nine tenths.
    most_blocks = 0.5
    least = most_blocks * face.blocks
    if sight.seen > least and sight.is_moved(proof):
        return Ending(End.MOVED, sight.shift_px.astype(np.float64))
    bare = _floor_blocks(field, number, gray)
    # With more than this many of the twelve blocks bare, the card is not searched for beside its place: of
    # 363 cards that were found there none left a block bare.
    most_bare = 5
    if bare > most_bare:
        return Ending(End.GONE)
    # blocks that disagree have moved farther than a look can measure, or have a shadow's edge on them
    found = face.find(gray)
    if found is not None and float(np.hypot(*found.shift_px)) < proof:
        return Ending(End.IN_PLACE)
    if found is not None and found.blocks > least:
        return Ending(End.MOVED, found.shift_px)
    floor_blocks = 2
    return Ending(End.GONE if bare >= floor_blocks else End.HIDDEN)


def may_be_hands(
    ends: Mapping[int, Ending], departures: Mapping[int, Departure], covered: Collection[int]
) -> set[int]:
    """Return the cards that seem gone but may lie below a hand that looks like the floor.

    `ends`, `departures`: what seems to have become of the cards, and how they went, by slot number.
    `covered`: the slot numbers of cards that a hand covers, if only in part.
    """
    return {
        number
        for number, one in departures.items()
        if number in ends
        and ends[number].end is End.GONE
        and ((number in covered and not one.bared) or one.may_be_veiled)
    }


def have_moved(
    ends: Mapping[int, Ending], departures: Mapping[int, Departure], now_ns: int
) -> dict[int, Departure]:
    """Return the departures of the cards that moved, given what became of them, and note that there.

    `now_ns`: the instant at which the cards looked so.
    """
    moved: dict[int, Departure] = {}
    for number, one in ends.items():
        departure = departures.get(number)
        if departure is None or (one.end is End.HIDDEN and not departure.proven):
            continue
        proof = departure.proof_shift_px
        if one.end is End.IN_PLACE and proof is None:
            continue  # nobody puts a card back to a tenth of a millimetre: what hid it was not the floor
        proof = proof if departure.proven and one.end is not End.GONE else None
        departure.final_shift_px = proof if one.shift_px is None else one.shift_px
        departure.settled_ns = now_ns
        moved[number] = departure
    return moved


def _floor_blocks(field: FieldModel, number: int, gray: Gray) -> int:
    """Count the blocks of a card's place that show bare floor."""
    slot = field.slots[number]
    rows, columns = BLOCKS
    width, height = 8 * columns, 8 * rows
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    straight = cv2.getPerspectiveTransform(slot.upright_corners_px().astype(np.float32), corners)
    rim_px = 2  # around a card's place, for interpolation between pixels
    low = np.maximum(np.floor(slot.corners_px.min(axis=0)).astype(int) - rim_px, 0)
    high = np.ceil(slot.corners_px.max(axis=0)).astype(int) + rim_px + 1
    part = slice(low[1], high[1]), slice(low[0], high[0])
    straight = straight @ np.array([[1, 0, low[0]], [0, 1, low[1]], [0, 0, 1]], np.float64)
    now, floor, card = (
        np.asarray(
            cv2.warpPerspective(picture[part].astype(np.float32), straight, (width, height)), np.float32
        )
        .reshape(rows, 8, columns, 8)
        .swapaxes(1, 2)
        for picture in (gray, field.floor, field.picture)
    )
    factor = field.light_around(number, gray)
    seen = (now / factor).mean(axis=(2, 3))
    bare, face = floor.mean(axis=(2, 3)), card.mean(axis=(2, 3))
    return int(is_floor(seen, now.std(axis=(2, 3)), bare, face, card.std(axis=(2, 3))).sum())
