"""Names hanafuda of another printing than the enrolled one: by their motifs, and only where these tell.

The net says which kinds a card may be; likeness with the enrolled deck speaks too, for printings resemble
each other more or less. No kind lies on a table more often than a deck has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Picture
from vision.hanafuda.card_plane import AGREES, laid_cards, laid_pieces, off_plane, plane_through
from vision.hanafuda.crops import rectify
from vision.hanafuda.finder import CardSurvey, Corners
from vision.hanafuda.identity import HanafudaReader
from vision.hanafuda.kinds import KIND_OF, NONE
from vision.imaging.assignment import assigned
from vision.photo.places import distinct, in_view, one_for_each_place

Floats = NDArray[np.float64]

REACH: Final = 1.4
"""Half a card looks like one too: of two whose middles are nearer than this, in half sizes, one is none."""
BOTH_WAYS: Final = (0.5, 0.95)
"""Where one kind is seen as a card lies and another upside down, both with the first probability, the card is
named from the second confidence only: wisteria hangs as clover stands (measured on decks left out)."""
_COPIES: Final = np.bincount(list(KIND_OF.values()), minlength=NONE)


@dataclass(frozen=True, slots=True, eq=False)
class ForeignCard:
    """A card of a printing that is not enrolled.

    Attributes
    ----------
    card_id : a card of its kind, None where the motif does not tell.
    confidence : 0..1 of the kind, named or not.
    corners_px : shape (4, 2), clockwise from the card's upper left corner.
    """

    card_id: str | None
    confidence: float
    corners_px: Corners


def find_foreign(
    picture: Picture, reader: HanafudaReader, survey: CardSurvey, outlines: Sequence[Corners]
) -> list[ForeignCard]:
    """Name the cards in outlines that hold any, whatever their printing.

    Parameters
    ----------
    picture : shape (height, width, 3), uint8.
    reader : of an enrolled deck.
    survey : of the picture.
    outlines : shape (4, 2) each, px, clockwise, a short side first; more than one for a place.
    """
    size_mm = reader.gallery.size_mm
    # Outlines nearer than this, in card widths, are read as one: the net minds a few pixels little.
    same_place = 0.08
    outlines = distinct(in_view(outlines, picture.shape), same_place)
    # Probability of showing no card up to which an outline may be one, as it was found and laid on the plane.
    max_none = (0.75, 0.4)
    cards = _cards_of_places(outlines, _read(picture, reader, outlines), max_none[0], 1.0)
    to_px = plane_through([outlines[number] for number in cards], size_mm)
    if to_px is None:
        return []
    quads = np.stack(outlines)
    # So many outlines, as they were found, are of cards of one size on one plane. One always is, and squares
    # of a chessboard gave no more; of 24 cards of another printing at least 14 are
    # (`benchmarks.photos.identify --foreign`).
    on_one_plane = 3
    # a plane can be laid through any one outline: only others that agree with it tell of cards on a table
    if np.count_nonzero(off_plane(to_px, quads[cards], size_mm) < AGREES) < on_one_plane:
        return []
    max_off = 0.2  # Off the plane of all cards by more than this share of its size an outline is of no card.
    # what is none where it was seen may be one where a card of the right size lies
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
    decisive = 1.25  # The net was taught with softened answers: its logarithms count so much more.
    logs *= decisive
    ways = _of_kinds(logs)
    # How much less likely, in logarithms, what has a card's size on the table is to be none.
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
    """Return which outlines hold a card, the likeliest of every place."""
    none = np.exp(logs[..., NONE].min(axis=0))
    best = [int(number) for number in np.argsort(none, kind="stable") if none[number] < max_none]
    return [best[number] for number in one_for_each_place([outlines[number] for number in best], reach)]


def _read(
    picture: Picture, reader: HanafudaReader, outlines: Sequence[Corners], *, closely: bool = False
) -> Floats:
    """Return logarithms of how likely kinds and none are, as it lies and upside down; (2, N, NONE + 1)."""
    crops = [rectify(picture, outline) for outline in outlines]
    logs = reader.kinds.mean_logs(crops) if closely else reader.kinds.logs(crops)
    likeness = reader.likeness_of_kinds(crops)
    # What the square of the likeness with the enrolled deck's card of a kind adds to the kind's logarithm.
    per_likeness = 3.0
    speaks = per_likeness * np.square(np.maximum(likeness, 0))
    logs[..., :NONE] += speaks - speaks.max(axis=(0, 2), keepdims=True, initial=0)
    return logs


def _of_kinds(logs: Floats) -> Floats:
    """Return how likely cards are of each kind, upright and upside down; shape (2, N, NONE), logarithms."""
    per_none = 0.3  # How much it counts that the same outline, turned upside down, shows no upright card.
    return np.asarray(logs[..., :NONE] + per_none * logs[::-1, :, NONE:])


def _shows_two(logs: Floats) -> NDArray[np.bool_]:
    """Tell which cards show one kind as they lie and another upside down; shape (N,)."""
    kinds = logs[..., :NONE]
    one, other = kinds.argmax(axis=2)
    return np.asarray((one != other) & (np.exp(kinds.max(axis=2).min(axis=0)) >= BOTH_WAYS[0]))


def _named(logs: Floats, places: int = 0, least: Floats | None = None) -> list[tuple[str | None, float]]:
    """Give every card the kind that suits all cards best, and say how sure that is.

    Parameters
    ----------
    logs : shape (N, NONE + 1), how likely each card is of each kind, or none; up to a constant per card.
    places : how many things as large as a card lie on the table, these cards among them.
    least : shape (N,), confidence below which a card is not named, whatever the others are.
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
    # Mean confidence of what is as large as a card, and from which confidence each is named then, in between
    # in proportion: a printing that is read with doubt is also read wrongly (measured on decks left out).
    wanted_confidences = (0.9, 0.8)
    enough_cards = 4
    min_alone = 0.99  # With fewer cards than the first the mean tells nothing: each needs the second.
    wanted = (
        float(np.interp(told, familiar_means, wanted_confidences)) if len(logs) >= enough_cards else min_alone
    )
    # The same mean up to which nothing is named: what lies there is no hanafuda, or drawn like none that the
    # net knows, though one or another looks like it. A deck of motifs drawn wholly anew reached 0.66 where it
    # was left out, one of odd inks 0.79 and more.
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
    """Return logarithms of each card's kinds, given that no two are the same card of the deck.

    Each row is divided among the deck's cards; what the other rows leave of a card is weighed by sums and
    products (B. Huang and T. Jebara, Approximating the Permanent with Belief Propagation, 2009). Unlike a
    price per kind, which a card that alone claims its kind must pay as well, a row's own claim does not
    count against it.
    """
    of_kind = np.append(np.repeat(np.arange(NONE), _COPIES), NONE)
    chance = np.exp(logs - logs.max(axis=1, keepdims=True)) / np.append(_COPIES, 1)
    chance = chance[:, of_kind]
    left = np.ones_like(chance)  # how much of each card of the deck the others leave to a row
    rounds = 40
    tiny = 1e-12
    # Share of every message that stays as it was in a round: without any they may swing for ever.
    inertia = 0.5
    for _ in range(rounds):
        fitting = chance * left
        rivals = fitting.sum(axis=1, keepdims=True) - fitting
        claims = chance / np.maximum(rivals, tiny)
        now = 1 / (1 + claims.sum(axis=0) - claims)
        now[:, -1] = 1  # any number of outlines may be of no card
        left = inertia * left + (1 - inertia) * now
    fitting = chance * left
    shares = np.zeros_like(logs)
    np.add.at(shares.T, of_kind, fitting.T)
    return np.asarray(np.log(np.maximum(shares / shares.sum(axis=1, keepdims=True), tiny)))
