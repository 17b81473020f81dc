"""Tell whether a card's confidence on a photo is the share of such cards that are named rightly.

`uv run python -m benchmarks.photos.card_confidence [--fit] [--photos N] [--grounds FOLDER] [--json OUT]`:
photos of worn cards (`benchmarks.photos.worn_photos`), two in five read with another deck enrolled; outlines
are slightly off, and some hold halves of cards. Of the pictures in FOLDER (none of them with Japanese cards)
whatever has an outline is read as well. Prints how many claims of each confidence are right, and the same by
width. `--fit` takes the decks and grounds to fit on, and prints the weights of `vision.hanafuda.identity`.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from benchmarks.command import read_options, table, write_json
from benchmarks.photos.laid_photos import DECKS, enrolled
from benchmarks.photos.worn_photos import pale_rimmed, worn_photo
from calibration.decks.deck import Deck
from referee.cards.hanafuda import HANAFUDA, by_index
from vision.hanafuda.crops import rectify
from vision.hanafuda.finder import CardSurvey
from vision.hanafuda.identity import NAMED, HanafudaReader
from vision.photo.outline_fits import WORTH_FITTING, distinct, in_view

_FITTED: Final = ("mantia", "jhanafuda", "hwatu_spencjo")
_MEASURED: Final = ("shogundo_scan", "hwatu_aaron", "timomt")
_OWN: Final = 0.6  # share of photos whose deck is the one that is enrolled
_HALVES: Final = 0.15
_OUTLINES: Final = 80  # so many outlines of a picture without cards are read
_LONGEST_PX: Final = 1280
_BANDS: Final = (0.0, 0.05, 0.2, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)
_WIDTHS_PX: Final = (0, 18, 28, 50, 100, 400)


@dataclass(frozen=True)
class Claim:
    """What an outline was read as: how sure, how wide it is (px), whether it is right, what speaks for it."""

    confidence: float
    width_px: float
    is_right: bool
    is_card: bool
    evidence: tuple[float, ...]


def _claims(
    reader: HanafudaReader, picture: Any, outlines: Sequence[Any], truth: Sequence[Any]
) -> list[Claim]:
    """Read outlines as `find_hanafuda` does; `truth` is the kind of each card, None for what is none."""
    kinds = [truth[number] for number in range(len(outlines)) if in_view([outlines[number]], picture.shape)]
    quads = in_view(outlines, picture.shape)
    first = reader.read([rectify(picture, quad) for quad in quads])
    near = [number for number, reading in enumerate(first) if reading.likeness >= WORTH_FITTING]
    quads = [np.roll(quads[number], -2 * first[number].upside_down, axis=0) for number in near]
    cards = [reader.gallery.ids.index(first[number].best_id) for number in near]
    moved = reader.aligner.refine([rectify(picture, quad) for quad in quads], quads, cards)
    claims = []
    for number, quad in zip(near, moved, strict=True):
        crop = rectify(picture, quad)
        (reading,) = reader.read([crop])
        width_px = float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2
        seen = HANAFUDA[reading.best_id].month, HANAFUDA[reading.best_id].category
        evidence = tuple(map(float, reader.evidence(crop)))
        claims.append(
            Claim(reading.confidence, width_px, seen == kinds[number], kinds[number] is not None, evidence)
        )
    return claims


def _of_cards(
    decks: dict[str, Deck], number: int, seed: int, grounds: Sequence[Path]
) -> Iterator[list[Claim]]:
    readers = {name: HanafudaReader(deck) for name, deck in decks.items()}
    names = list(decks)
    for photo in range(number):
        dice = np.random.default_rng(seed + photo)
        printed = names[photo % len(names)]
        own = printed if dice.random() < _OWN else names[int(dice.integers(len(names)))]
        ground = cv2.imread(str(grounds[photo % len(grounds)])) if photo % 3 and grounds else None
        laid = worn_photo(decks[printed], seed + photo, None, ground)
        outlines: list[Any] = []
        truth: list[Any] = []
        for card in laid.cards:
            width = float(np.linalg.norm(card.corners_px[1] - card.corners_px[0]))
            off = card.corners_px + dice.normal(0, max(0.3, 0.02 * width), (4, 2))
            face = by_index(card.card)
            outlines.append(off if dice.random() < 0.5 else np.roll(off, -2, axis=0))
            truth.append((face.month, face.category))
            if dice.random() < _HALVES:
                outlines.append(card.corners_px + np.array([0.5, 0.2]) * width * dice.choice([-1, 1], 2))
                truth.append(None)
        yield _claims(readers[own], laid.picture, outlines, truth)


def _of_others(decks: dict[str, Deck], grounds: Sequence[Path]) -> Iterator[list[Claim]]:
    readers = [HanafudaReader(deck) for deck in decks.values()]
    for number, path in enumerate(grounds):
        picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if picture is None:
            continue
        scale = min(1.0, _LONGEST_PX / max(picture.shape[:2]))
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        survey = CardSurvey(np.asarray(picture, np.uint8), 2.0)
        found = distinct([*survey.by_colour(), *survey.whole().by_edges(2.0)][: 5 * _OUTLINES])
        some = [found[at] for at in np.random.default_rng(number).permutation(len(found))[:_OUTLINES]]
        yield _claims(readers[number % len(readers)], picture, some, [None] * len(some))


def fitted(claims: Sequence[Claim]) -> tuple[Any, float]:
    """Return weights and offset of the logistic regression that makes the outcomes likeliest.

    Newton's method; a weight of one standard deviation costs as much as half a unit of likelihood.
    """
    of = np.array([claim.evidence for claim in claims])
    right = np.array([claim.is_right for claim in claims], float)
    mean, spread = of.mean(axis=0), of.std(axis=0)
    design = np.column_stack([(of - mean) / spread, np.ones(len(of))])
    held = np.append(np.ones(of.shape[1]), 1e-6)
    weights = np.zeros(len(held))
    for _ in range(60):
        chance = 1 / (1 + np.exp(-design @ weights))
        bend = (design * (chance * (1 - chance))[:, None]).T @ design + np.diag(held)
        weights += np.linalg.solve(bend, design.T @ (right - chance) - held * weights)
    return weights[:-1] / spread, float(weights[-1] - (weights[:-1] / spread) @ mean)


def _rows(claims: Sequence[Claim]) -> list[dict[str, Any]]:
    """Return how many claims are right by confidence, then how many cards are named by width."""
    rows: list[dict[str, Any]] = []
    for low, high in pairwise((*_BANDS[:-1], 1.01)):
        some = [claim for claim in claims if low <= claim.confidence < high]
        if some:
            rows.append({"confidence": f"{low:g} to {high:g}", "claims": len(some), **_shares(some)})
    for low, high in pairwise(_WIDTHS_PX):
        some = [claim for claim in claims if low <= claim.width_px < high and claim.is_card]
        named = [claim for claim in some if claim.confidence >= NAMED]
        if some:
            wrong = sum(not claim.is_right for claim in named)
            counts = {"cards": len(some), "named": len(named), "wrong": wrong}
            rows.append({"width_px": f"{low} to {high}", **counts, **_shares(some)})
    nothing = [claim for claim in claims if not claim.is_card]
    named = [claim for claim in nothing if claim.confidence >= NAMED]
    return [*rows, {"no card": len(nothing), "named": len(named)}]


def _shares(some: Sequence[Claim]) -> dict[str, float]:
    """Return how sure claims are, and what share of them is right."""
    return {
        "said": round(float(np.mean([claim.confidence for claim in some])), 3),
        "right": round(float(np.mean([claim.is_right for claim in some])), 3),
    }


def main() -> int:
    """Read all photos and print the table."""
    options = read_options(__doc__, fit=False, photos=80, grounds=Path)
    cv2.setNumThreads(1)
    every = sorted(options.grounds.iterdir()) if options.grounds is not None else []
    # neighbours in a folder are alike: three by three they go to one side or the other
    grounds = [path for number, path in enumerate(every) if (number // 3) % 2 != options.fit]
    decks = {name: enrolled(DECKS / name) for name in (_FITTED if options.fit else _MEASURED)}
    decks |= {f"{name} pale": pale_rimmed(deck) for name, deck in decks.items()}
    seed = 10_000 if options.fit else 50_000
    claims = [claim for some in _of_cards(decks, options.photos, seed, grounds) for claim in some]
    claims += [claim for some in _of_others(decks, grounds) for claim in some]
    if options.fit:
        weights, offset = fitted(claims)
        sys.stdout.write(f"weights {np.round(weights, 2).tolist()}, offset {offset:.2f}\n")
    rows = _rows(claims)
    for head in ("confidence", "width_px", "no card"):
        table(row for row in rows if head in row)
    write_json(options.json, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
