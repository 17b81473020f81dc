"""Read growing piles of captured hanafuda: what the table's memory names, beside one look alone.

`uv run python -m benchmarks.tables.piles [--tables N] [--seed FIRST] [--deck FOLDER ...] [--json OUT]`

On each simulated table two piles grow by one or two cards at a time, each card laid over the last one as in a
fan, and eight times the resting table is read. Counted are the cards of which at least `SEEN` is seen: named
rightly, not named, named wrongly (chaff of a month counts as one). The floor is the same reader without
memory, which sees every picture as if it were the first.
"""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import read_options, write_json
from benchmarks.photos.laid_photos import LOOKS
from benchmarks.tables.koikoi_games import deck_of
from benchmarks.tables.koikoi_table import DECKS
from calibration.decks.deck import Deck
from referee.cards.hanafuda import HANAFUDA, by_index
from vision.hanafuda.gallery import CardGallery
from vision.hanafuda.placed_card import PlacedCard
from vision.plane.printed_table import koikoi_table
from vision.plane.zones import Rect, zones_of
from vision.simulator.cardtable.card_readers import PictureReader
from vision.simulator.cardtable.card_set import CardSet
from vision.simulator.cardtable.film import Film
from vision.simulator.cardtable.looks import find_look
from vision.simulator.cardtable.script import Pose, Script, Track
from vision.simulator.cardtable.visible_cards import visible_cards

SEEN: Final = 0.25
HERE_MM: Final = 6.0
_STEPS: Final = 8
_PITCH_MM: Final = (12.0, 17.0)
_UNTIDY: Final = (0.6, 1.0, 0.02)
"""Standard deviations of a card's place along the pile and across it, mm, and of its direction, radians."""
_FIRST_SEED: Final = 88_000


def main() -> int:
    """Read the piles, print a table and optionally write JSON."""
    arguments = read_options(__doc__, tables=1, seed=_FIRST_SEED, deck=[*sorted(DECKS.glob("*/"))])
    counts = {}
    print(f"{'deck':<16} {'cards':>6} {'named':>6} {'wrong':>6}   {'by one look':>11} {'wrong':>6}")
    for folder in arguments.deck:
        deck, counts[folder.name] = deck_of(folder), Counter[str]()
        for number in range(arguments.tables * len(LOOKS)):
            counts[folder.name] += _read(deck, LOOKS[number % len(LOOKS)], arguments.seed + number)
        _print(folder.name, counts[folder.name])
    _print("all", sum(counts.values(), Counter()))
    write_json(arguments.json, counts)
    return 0


def _read(deck: Deck, look: str, seed: int) -> Counter[str]:
    """Return how many cards of one table were read how, with memory and without."""
    zones = koikoi_table(2)
    rng = np.random.default_rng(seed)
    script = Script(length_s=_STEPS)
    order = [int(card) for card in rng.permutation(48)]
    for strip in zones.capture:
        _grow(script, order, strip, rng)
    chosen = find_look(look)
    film = Film(script, CardSet.of_hanafuda(deck, chosen.back), zones, chosen, seed=seed)
    gallery = CardGallery.of(deck)
    table = zones_of(tomllib.loads(zones.to_toml())["table"], "the simulated table")
    remembering = PictureReader(film, gallery, table)
    counts = Counter[str]()
    for step in range(_STEPS):
        t_s = step + 0.5
        shares = {one["card"]: one["visible"] for one in visible_cards(film, t_s)["cards"]}
        poses = {card: script.cards[card].at(t_s) for card in shares}
        counts["cards"] += sum(share >= SEEN for share in shares.values())
        once = PictureReader(film, gallery, table)
        for prefix, cards in (("", remembering.read(t_s)), ("once_", once.read(t_s))):
            lying = [
                _lying(card, gallery, poses) for card in cards if card.card is not None and not card.covered
            ]
            counts[prefix + "named"] += sum(card is not None and shares[card] >= SEEN for card in lying)
            counts[prefix + "wrong"] += lying.count(None)
    return counts


def _grow(script: Script, order: list[int], strip: Rect, rng: np.random.Generator) -> None:
    """Lay cards of `order` into a strip, one or two each second."""
    left, top, right, bottom = strip
    way = int(rng.choice([-1, 1]))
    along, across = (left + 30 if way > 0 else right - 30), (top + bottom) / 2
    angle, pitch_mm = float(rng.choice([0, np.pi])), float(rng.uniform(*_PITCH_MM))
    for step in range(_STEPS):
        for number in range(int(rng.integers(1, 3))):
            x_off, y_off, turn = rng.normal(0, _UNTIDY)
            track = Track()
            track.add(step + 0.01 * number, Pose(along + x_off, across + y_off, angle + turn))
            script.cards[order.pop()] = track
            along += way * pitch_mm


def _lying(read: PlacedCard, gallery: CardGallery, poses: Mapping[int, NDArray[np.float64]]) -> int | None:
    """Return the card that lies where one of its name, or of a like one, was read; None where none does."""
    assert read.card is not None
    name = HANAFUDA[gallery.ids[read.card]]
    for card, pose in poses.items():
        is_like = (by_index(card).month, by_index(card).category) == (name.month, name.category)
        if is_like and np.linalg.norm(pose[:2] - read.seen.pose[:2]) < HERE_MM:
            return card
    return None


def _print(name: str, counts: Mapping[str, int]) -> None:
    keys = ("cards", "named", "wrong", "once_named", "once_wrong")
    cards, named, wrong, once, once_wrong = (counts.get(key, 0) for key in keys)
    print(f"{name:<16} {cards:>6} {named:>6} {wrong:>6}   {once:>11} {once_wrong:>6}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
