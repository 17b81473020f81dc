"""Films simulated poems in many halls and writes what was measured at every card that moved, with the truth.

`python tools/make_contact_data.py OUT [--poems N] [--seed FIRST] [--jobs J] [--until SECONDS]
[--scenarios NAME ...]` appends one file for each job and run to the folder OUT. A poem takes about 7 s of one
core. The clips of one seed are the same on every machine; none is begun after `--until`.
"""

import argparse
import gzip
import multiprocessing
import os
import pickle
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from contact.styles import FAMILIES, drawn_friction, drawn_style, drawn_temper

from referee.facts import PoemStarted, Touch, Unprovable
from vision.contact import attribution
from vision.contact.approach import Hands
from vision.contact.card_case import CardCase
from vision.contact.cause import causes
from vision.contact.evidence import CardMotion, Floats, measured
from vision.field.slots import Slot
from vision.launch.strikes import Strike
from vision.match.watcher import MatchWatcher
from vision.poem.events import PoemSeen
from vision.simulator import SimulatedMatch, single_poem

SCENARIOS: Final = {
    "harai": 14,
    "pushout": 18,
    "race": 12,
    "opp": 6,
    "own": 4,
    "press": 8,
    "late": 8,
    "otetsuki": 6,
    "otetsuki_take": 6,
    "both_fault": 4,
    "card_lands_on_other": 8,
    "torison": 4,
    "dead_touch": 4,
    "dead_both": 3,
    "two_hands": 2,
    "support": 1,
    "head": 3,
    "hover": 1,
    "feint": 2,
}
"""How often each is filmed: at least as many pushed cards as touched ones come of it."""
_FPS: Final = {30.0: 10, 60.0: 50, 120.0: 28, 240.0: 12}
_SIZES: Final = {(1280, 720): 75, (960, 540): 25}


@dataclass(frozen=True)
class Told:
    """What the eye told of a card: `reason` of what it could not prove, else empty."""

    player: str | None
    t_ms: float
    t_unc_ms: float
    confidence: float
    kind: str
    reason: str = ""


@dataclass(frozen=True)
class Sample:
    """A poem: what was measured at its cards, what the eye told of them, and what was true."""

    # family, scenario, seed, fps: what was filmed
    family: str
    scenario: str
    seed: int
    fps: float
    motions: list[CardMotion]  # the cards that moved; `cards` their numbers in the deck, None where unread
    cards: list[int | None]
    delays_ms: list[float]  # for each of them how much later than the frame its row is exposed
    # for each card in the deck that was touched, when by each player, milliseconds
    touches: dict[int, dict[str, float]]
    moved: list[int]  # cards in the deck that moved at all
    told: dict[int, list[Told]]  # what the eye told of each card in the deck
    truth: dict[str, Any] = field(default_factory=dict)


class Notes:
    """What was measured at each card when a poem was last worked out, with where the card lay."""

    def __init__(self) -> None:
        self.last: list[tuple[CardMotion, Slot, float]] = []
        pending: list[tuple[CardMotion, Slot, float]] = []

        def noted(case: CardCase, hands: Hands, *others: Sequence[Strike]) -> CardMotion:
            motion = measured(case, hands, *others)
            slot = hands.field.slots[motion.number]
            pending.append((motion, slot, float(slot.centre_px[1]) / hands.field.picture.shape[0]))
            return motion

        def answered(motions: Sequence[CardMotion]) -> Floats:
            kept = [one for one in pending if any(one[0] is motion for motion in motions)]
            pending.clear()
            self.last = kept
            return causes(motions)

        setattr(attribution, "measured", noted)  # noqa: B010 (a listener, not the product's own)
        setattr(attribution, "causes", answered)  # noqa: B010


def drawn(shares: dict[Any, int], rng: np.random.Generator) -> Any:
    """Draw a key as often as its share says."""
    keys, weights = list(shares), np.array(list(shares.values()), np.float64)
    return keys[int(rng.choice(len(keys), p=weights / weights.sum()))]


def filmed(seed: int, shares: dict[str, int] = SCENARIOS) -> tuple[SimulatedMatch, str, str, int]:
    """Return the clip of a seed, its family and scenario, and the quality of its JPEG."""
    rng = np.random.default_rng([seed, 17])
    family = FAMILIES[seed % len(FAMILIES)]
    scenario = drawn(shares, rng)
    clip = single_poem(
        scenario,
        seed,
        fps=drawn(_FPS, rng),
        size=drawn(_SIZES, rng),
        style=drawn_style(family, rng),
        cards_per_side=int(rng.integers(10, 26)),
        friction=drawn_friction(rng),
        temper=drawn_temper(rng),
    )
    return clip, family, scenario, int(rng.integers(60, 96))


def watched(seed: int, notes: Notes, shares: dict[str, int] = SCENARIOS) -> Sample | None:
    """Film a poem and watch it; None where the eye saw no field."""
    clip, family, scenario, quality = filmed(seed, shares)
    (truth,) = clip.truth["poems"]
    start = PoemStarted(truth["poem"], round(truth["t_ms"] * 1e6), 1_000)
    watcher, begun, seen = MatchWatcher(report_tidying=False), False, []
    notes.last = []
    for frame in clip:
        if not begun and frame.t_ns >= start.t_ns:
            begun = True
            seen += watcher.poem_started(start)
        encoded = cv2.imencode(".jpg", frame.gray, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        gray = np.asarray(cv2.imdecode(encoded, cv2.IMREAD_GRAYSCALE), np.uint8)
        seen += watcher.feed(type(frame)(gray, frame.t_ns, frame.t_unc_ns, frame.index))
    seen += watcher.close()
    poem = next((event for event in seen if isinstance(event, PoemSeen)), None)
    if poem is None:
        return None
    touches: dict[int, dict[str, float]] = {}
    for touch in truth["touches"]:
        touches.setdefault(touch["card"], {})[touch["player"]] = touch["t_ms"]
    told: dict[int, list[Told]] = {}
    for fact in poem.facts:
        if isinstance(fact, Touch | Unprovable) and fact.card is not None:
            told.setdefault(fact.card, []).append(_told(fact))
    readout_ms = clip.truth["meta"]["conditions"]["readout_ms"]
    return Sample(
        family,
        scenario,
        seed,
        clip.fps,
        [motion for motion, _, _ in notes.last],
        [slot.card for _, slot, _ in notes.last],
        [(row - 0.5) * readout_ms for _, _, row in notes.last],
        touches,
        [one["card"] for key in ("touches", "pushed_out", "displaced") for one in truth[key]],
        told,
        truth,
    )


def _told(fact: Touch | Unprovable) -> Told:
    player = None if fact.player is None else str(fact.player)
    if isinstance(fact, Unprovable):
        return Told(player, fact.t_ns / 1e6, fact.t_unc_ns / 1e6, 0.0, "unprovable", fact.reason)
    return Told(player, fact.t_ns / 1e6, fact.t_unc_ns / 1e6, fact.confidence, str(fact.contact))


def _job(number: int, jobs: int, options: argparse.Namespace, ends: float) -> None:
    cv2.setNumThreads(1)
    notes, samples = Notes(), []
    shares = {name: SCENARIOS[name] for name in options.scenarios or SCENARIOS}
    place = options.out / f"{options.seed}-{number:02}.pickle.gz"
    for seed in range(options.seed + number, options.seed + options.poems, jobs):
        if time.time() > ends:
            break
        try:
            sample = watched(seed, notes, shares)
        except ValueError as error:  # the cards of this seed have no room for its scenario
            print(f"{seed}: {error}", file=sys.stderr)
            continue
        if sample is not None:
            samples.append(sample)
    with gzip.open(place, "wb", 6) as file:
        pickle.dump(samples, file)
    print(f"{place.name}: {len(samples)} poems", flush=True)


def main() -> int:
    """Film and watch the poems, each job its share of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("out", type=Path, help="folder for the samples")
    parser.add_argument("--poems", type=int, default=1500, help="how many to film (default: 1500)")
    parser.add_argument("--seed", type=int, default=2_000_000, help="first seed (default: 2000000)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: cores)")
    parser.add_argument("--scenarios", nargs="+", choices=SCENARIOS, help="film these only")
    parser.add_argument(
        "--until", type=float, default=float("inf"), help="begin no clip after so many seconds"
    )
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    ends = time.time() + options.until
    context = multiprocessing.get_context("spawn")
    jobs = [
        context.Process(target=_job, args=(number, options.jobs, options, ends))
        for number in range(options.jobs)
    ]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    return max(job.exitcode or 0 for job in jobs)


if __name__ == "__main__":
    sys.exit(main())
