"""Which hanafuda lie on a photo: the product beside ORB, SIFT and a perceptual hash.

`uv run python -m benchmarks.peers.card_names [--decks FOLDER ...] [--photos N] [--seed S] [--json OUT]`:
N photos of 24 cards with each deck of `../shared/data/hanafuda_decks`, drawn as for
`benchmarks.photos.identify`.

The product gets the photo. The peers get each card cut out along its true edges and set upright by either
end; they name the enrolled picture with the most matches (ORB and SIFT, Lowe's ratio test at 0.75) or the
fewest bits that differ (64 bits of a DCT). Chaff of one month counts as one card.
"""

import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from benchmarks.command import read_options, table, write_json
from benchmarks.photos.identify import examined
from benchmarks.photos.laid_photos import DECKS, LOOKS, Photo, enrolled, laid_photo
from calibration.decks.deck import Deck, Picture
from referee.cards.hanafuda import HANAFUDA, by_index
from vision.hanafuda.identity import HanafudaReader

_RATIO: Final = 0.75
"""As in OpenCV's tutorials; Lowe, "Distinctive image features from scale-invariant keypoints" (2004): 0.8."""
_LEAST_MATCHES: Final = 4  # fewer matches name no card: so many define a homography
_BITS: Final = 8  # a perceptual hash keeps the 8 x 8 lowest frequencies of a 32 x 32 picture

Namer = Callable[[Picture], str | None]


def features(deck: Deck, detector: Any, norm: int) -> Namer:
    """Return what names a card by the local features that it shares with an enrolled picture."""
    known = {card: detector.detectAndCompute(picture, None)[1] for card, picture in deck.pictures.items()}
    matcher = cv2.BFMatcher(norm)

    def name(crop: Picture) -> str | None:
        found = detector.detectAndCompute(crop, None)[1]
        counts = {card: _matches(matcher, found, each) for card, each in known.items()}
        best = max(counts, key=lambda card: counts[card])
        return best if counts[best] >= _LEAST_MATCHES else None

    return name


def _matches(matcher: Any, found: Any, known: Any) -> int:
    two = 2
    if found is None or known is None or min(len(found), len(known)) < two:
        return 0
    pairs = matcher.knnMatch(found, known, k=two)
    return sum(len(pair) == two and pair[0].distance < _RATIO * pair[1].distance for pair in pairs)


def hashes(deck: Deck) -> Namer:
    """Return what names a card by its perceptual hash, held either way up."""
    known = {card: _hash(picture) for card, picture in deck.pictures.items()}

    def name(crop: Picture) -> str | None:
        ways = [_hash(crop), _hash(np.rot90(crop, 2))]
        return min(known, key=lambda card: min(int((way != known[card]).sum()) for way in ways))

    return name


def _hash(picture: Any) -> Any:
    gray = cv2.resize(
        cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_BGR2GRAY),
        (32, 32),
        interpolation=cv2.INTER_AREA,
    )
    low = cv2.dct(gray.astype(np.float32))[:_BITS, :_BITS]
    return low > np.median(low)


def cut_out(photo: Photo, deck: Deck) -> Iterator[tuple[str, Picture]]:
    """Yield each whole card's id and its picture, rectified at the deck's scale."""
    width, height = deck.picture_size_px
    upright = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    for card in photo.cards:
        matrix = cv2.getPerspectiveTransform(np.asarray(card.corners_px, np.float32), upright)
        yield (
            by_index(card.card).id,
            np.asarray(cv2.warpPerspective(photo.picture, matrix, (width, height))),
        )


def peers(deck: Deck) -> Mapping[str, Namer]:
    """Return the peers, each with the deck enrolled."""
    return {
        "ORB": features(deck, cv2.ORB.create(500), cv2.NORM_HAMMING),
        "SIFT": features(deck, cv2.SIFT.create(), cv2.NORM_L2),
        "perceptual hash": hashes(deck),
    }


def _same(one: str, other: str) -> bool:
    first, second = HANAFUDA[one], HANAFUDA[other]
    return (first.month, first.category) == (second.month, second.category)


def compared(decks: list[Deck], photos: int, seed: int) -> dict[str, dict[str, float]]:
    """Return cards, named rightly and wrongly, and CPU milliseconds a photo, by judge."""
    told: dict[str, dict[str, float]] = defaultdict(
        lambda: dict.fromkeys(("cards", "right", "wrong", "cpu_ms"), 0.0)
    )
    for number, deck in enumerate(decks):
        reader, others = HanafudaReader(deck), peers(deck)
        for photo in range(photos):
            laid = laid_photo(deck, seed + 1000 * number + photo, LOOKS[(number + photo) % len(LOOKS)])
            own = examined(laid, reader)
            crops = list(cut_out(laid, deck))
            row = told["shinpan"]
            row["cards"] += len(crops)
            row["right"] += own["whole_named"] + own["covered_named"]
            row["wrong"] += own["wrong"] + own["phantoms"]
            row["cpu_ms"] += own["cpu_ms"] / (photos * len(decks))
            for name, named_by in others.items():
                row = told[name]
                began_s = time.process_time()
                names = [(card, named_by(crop)) for card, crop in crops]
                row["cpu_ms"] += (time.process_time() - began_s) * 1e3 / (photos * len(decks))
                row["cards"] += len(names)
                row["right"] += sum(said is not None and _same(card, said) for card, said in names)
                row["wrong"] += sum(said is not None and not _same(card, said) for card, said in names)
    return told


def main() -> int:
    """Print one line for each way of naming cards; 2 where there is no deck."""
    arguments = read_options(__doc__, decks=[Path], photos=2, seed=510_000)
    folders = arguments.decks or sorted(path for path in DECKS.glob("*") if path.is_dir())
    if not folders:
        print(f"no decks in {DECKS}", file=sys.stderr)
        return 2
    told = compared([enrolled(folder) for folder in folders], arguments.photos, arguments.seed)
    table({"named by": name, **row} for name, row in told.items())
    write_json(arguments.json, told)
    return 0


if __name__ == "__main__":
    sys.exit(main())
