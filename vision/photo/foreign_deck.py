"""Name hanafuda of another printing than the enrolled one by their motifs, if these are unambiguous.

The net tells which kinds a card may be; likeness to the enrolled deck counts, too, since printings resemble
each other more or less. No kind lies on a table more often than a deck has it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Picture
from vision.hanafuda.crops import rectify
from vision.hanafuda.finder import CardSurvey, Corners
from vision.hanafuda.fitting.card_plane import AGREES, laid_cards, laid_pieces, off_plane, plane_through
from vision.hanafuda.identity import HanafudaReader
from vision.hanafuda.kinds import KIND_OF, NONE
from vision.imaging.assignment import assigned
from vision.photo.outline_fits import distinct, in_view, one_for_each_place

Floats = NDArray[np.float64]

REACH: Final = 1.4
"""Half a card looks like one, too: of outlines with centres this close, in half sizes, one is kept."""
BOTH_WAYS: Final = (0.5, 0.95)
"""If one kind is seen as a card lies and another upside down, both with the first probability, the card is
named only from the second confidence on: wisteria hangs the way clover stands (measured on decks left
out)."""
_COPIES: Final = np.bincount(list(KIND_OF.values()), minlength=NONE)


@dataclass(frozen=True, slots=True, eq=False)
class ForeignCard:
    """A card of a printing that is not enrolled."""

    card_id: str | None  # a card of its kind, None if the motif is ambiguous
    confidence: float  # probability of the kind, 0..1, named or not
    corners_px: Corners  # shape (4, 2), clockwise from the card's upper left corner


def find_foreign(
    picture: Picture, reader: HanafudaReader, survey: CardSurvey, outlines: Sequence[Corners]
) -> list[ForeignCard]:
    """Name the cards in outlines, whatever their printing.

    `picture`: shape (height, width, 3), uint8. `outlines`: shape (4, 2) each, px, clockwise, a short side
    first; several for one place.
    """
    size_mm = reader.gallery.size_mm
    # Outlines closer than this, in card widths, are read once: the net tolerates a few pixels.
    same_place = 0.08
    outlines = distinct(in_view(outlines, picture.shape), same_place)
    # Largest probability of showing no card for an outline, as it was found, and as laid on the plane.
    max_none = (0.75, 0.4)
    cards = _cards_of_places(outlines, _read(picture, reader, outlines), max_none[0], 1.0)
    to_px = plane_through([outlines[number] for number in cards], size_mm)
    if to_px is None:
        return []
    quads = np.stack(outlines)
    # Least number of outlines, as they were found, that fit cards of one size on one plane. One always does,
    # and squares of a chessboard gave no more; of 24 cards of another printing at least 14 do
    # (`benchmarks.photos.identify --foreign`).
    on_one_plane = 3
    # any single outline defines a plane: only others that agree with it prove cards on a table
    if np.count_nonzero(off_plane(to_px, quads[cards], size_mm) < AGREES) < on_one_plane:
        return []
    max_off = 0.2  # an outline farther off the plane than this share of its size shows no card
    # what looks like no card where it was seen may be one at a place of the right size
    near = laid_cards(to_px, quads[off_plane(to_px, quads, size_mm) < max_off], size_mm)
    of_a_size = distinct(in_view(list(near), picture.shape), same_place)
    found = [outlines[number] for number in cards]
    beside = laid_pieces(to_px, survey.pieces_beside(found), size_mm)
    laid = distinct([*of_a_size, *in_view(beside, picture.shape)], same_place)
    logs = _read(picture, reader, laid)
    places = len(_cards_of_places(of_a_size, logs[:, : len(of_a_size)], np.inf, REACH))
    cards = _cards_of_places(laid, logs, max_none[1], REACH)
    if not cards:
        return []
    logs = _read(picture, reader, [laid[number] for number in cards], closely=True)
    least = np.where(_shows_two(logs), BOTH_WAYS[1], 0.0)
    decisive = 1.25  # the net was trained with softened labels, so its logarithms are scaled up
    logs *= decisive
    per_none = 0.3  # weight of the evidence that the same outline, upside down, shows no upright card
    ways = logs[..., :NONE] + per_none * logs[::-1, :, NONE:]
    # Reduction, in logarithms, of the probability of no card for outlines with a card's size on the table.
    unlikely_none = 2.7
    of_card = np.concatenate(
        [np.logaddexp(*ways), logs[..., NONE].sum(axis=0)[:, None] - unlikely_none], axis=1
    )
    of_card -= np.log(np.exp(of_card).sum(axis=1, keepdims=True))
    upside_down = ways[1].max(axis=1) > ways[0].max(axis=1)
    return [
        ForeignCard(card, confidence, np.roll(laid[number], -2 if turned else 0, axis=0))
        for (card, confidence), number, turned in zip(
            _named(of_card, places, least), cards, upside_down, strict=True
        )
    ]


def _cards_of_places(outlines: Sequence[Corners], logs: Floats, max_none: float, reach: float) -> list[int]:
    """Return which outlines hold a card, the likeliest one of every place."""
    none = np.exp(logs[..., NONE].min(axis=0))
    best = [int(number) for number in np.argsort(none, kind="stable") if none[number] < max_none]
    return [best[number] for number in one_for_each_place([outlines[number] for number in best], reach)]


def _read(
    picture: Picture, reader: HanafudaReader, outlines: Sequence[Corners], *, closely: bool = False
) -> Floats:
    """Return log probabilities of the kinds and of no card, as it lies and upside down; (2, N, NONE + 1)."""
    crops = [rectify(picture, outline) for outline in outlines]
    logs = reader.kinds.mean_logs(crops) if closely else reader.kinds.logs(crops)
    likeness = reader.likeness_of_kinds(crops)
    # Weight of the squared likeness to the enrolled deck's card of a kind in the kind's logarithm.
    per_likeness = 3.0
    speaks = per_likeness * np.square(np.maximum(likeness, 0))
    logs[..., :NONE] += speaks - speaks.max(axis=(0, 2), keepdims=True, initial=0)
    return logs


def _shows_two(logs: Floats) -> NDArray[np.bool_]:
    """Tell which cards show one kind as they lie and another upside down; shape (N,)."""
    kinds = logs[..., :NONE]
    one, other = kinds.argmax(axis=2)
    return np.asarray((one != other) & (np.exp(kinds.max(axis=2).min(axis=0)) >= BOTH_WAYS[0]))


def _named(logs: Floats, places: int = 0, least: Floats | None = None) -> list[tuple[str | None, float]]:
    """Give every card the kind that suits all cards best, with its confidence.

    `logs`: shape (N, NONE + 1), log probability of each kind, or of no card; up to a constant per card.
    `places`: how many things of a card's size lie on the table, including these cards. `least`: shape (N,),
    least confidence for naming a card, whatever the others are.
    """
    shares = _shared(logs)
    columns = np.repeat(np.arange(NONE), _COPIES)
    rows, chosen = assigned(shares[:, columns])
    kinds = dict(zip(map(int, rows), map(int, columns[chosen]), strict=True))
    confidence = np.zeros(len(logs))
    for card, kind in kinds.items():
        confidence[card] = np.exp(shares[card, kind])
    told = float(confidence.sum()) / max(len(logs), places)
    familiar_means = (0.78, 0.96)
    # Mean confidence of everything of a card's size, and the confidence from which each is named then,
    # interpolated in between: a printing that is read with doubt is also read wrongly (measured on decks left
    # out).
    wanted_confidences = (0.9, 0.8)
    enough_cards = 4
    min_alone = 0.99  # needed for each card if there are too few for a mean
    wanted = (
        float(np.interp(told, familiar_means, wanted_confidences)) if len(logs) >= enough_cards else min_alone
    )
    # Mean confidence up to which nothing is named: what lies there is no hanafuda, or drawn unlike any that
    # the net knows, even if some look similar. A deck of entirely new motifs reached 0.66 when left out of
    # training, one of odd inks 0.79 and more.
    strange_mean = 0.68
    if places >= enough_cards and told <= strange_mean:
        wanted = np.inf
    named = confidence >= np.maximum(wanted, 0.0 if least is None else least)
    free = {kind: [card for card, own in KIND_OF.items() if own == kind] for kind in range(NONE)}
    return [
        (free[kinds[card]].pop(0) if named[card] else None, float(confidence[card]))
        for card in range(len(logs))
    ]


def _shared(logs: Floats) -> Floats:
    """Return log probabilities of each card's kinds, given that no two are the same card of the deck.

    Each row is divided among the deck's cards; what the other rows leave of a card is computed by sums and
    products (B. Huang and T. Jebara, Approximating the Permanent with Belief Propagation, 2009). Unlike with
    a price per kind, which even a card without competitors has to pay, a row's own claim does not count
    against it.
    """
    of_kind = np.append(np.repeat(np.arange(NONE), _COPIES), NONE)
    chance = np.exp(logs - logs.max(axis=1, keepdims=True)) / np.append(_COPIES, 1)
    chance = chance[:, of_kind]
    left = np.ones_like(chance)  # the part of each card of the deck that the others leave to a row
    rounds = 40
    tiny = 1e-12
    # Share of every message that is kept in a round: without it they may oscillate for ever.
    inertia = 0.5
    for _ in range(rounds):
        fitting = chance * left
        rivals = fitting.sum(axis=1, keepdims=True) - fitting
        claims = chance / np.maximum(rivals, tiny)
        now = 1 / (1 + claims.sum(axis=0) - claims)
        now[:, -1] = 1  # any number of outlines may show no card
        left = inertia * left + (1 - inertia) * now
    fitting = chance * left
    shares = np.zeros_like(logs)
    np.add.at(shares.T, of_kind, fitting.T)
    return np.asarray(np.log(np.maximum(shares / shares.sum(axis=1, keepdims=True), tiny)))
