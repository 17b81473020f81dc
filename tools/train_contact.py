"""Learns why cards move from what `make_contact_data.py` wrote, and tests it on halls that it has not seen.

`python tools/train_contact.py DATA [--others FILE ...] [--out WEIGHTS]`: DATA is a folder of samples. Each
family of halls is left out once; then all of them teach the weights that the product ships. OTHERS are files
of `measure_recordings.py`, on which the result is only tested. `--without PATTERN` says what columns are
worth: it tests on families without those whose names match, and writes nothing. `--traced FILE ...` are files
of `measure_recordings.py` on path-traced films, which teach too, each card `--weight` times. Needs the group
`train`; a minute.
"""

from __future__ import annotations

import argparse
import gzip
import pickle
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import lightgbm
import make_contact_data
import numpy as np
from make_contact_data import SCENARIOS, Sample
from numpy.typing import NDArray

from vision.contact.cause import BoostedTrees, causes
from vision.contact.evidence import evidence_table
from vision.simulator.play.scenarios import DEAD_WEIGHTS, LIVE_WEIGHTS

Floats = NDArray[np.float64]
_WEIGHTS: Final = Path(__file__).resolve().parents[1] / "vision" / "weights" / "contact.npz"
_SETTINGS: Final = {
    "objective": "multiclass",
    "num_class": 3,
    "learning_rate": 0.05,
    "num_leaves": 10,
    "min_data_in_leaf": 25,
    "lambda_l2": 3.0,
    "feature_fraction": 0.35,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "max_bin": 63,
    "seed": 1,
    "deterministic": True,
    "force_row_wise": True,
    "verbose": -1,
}
_ROUNDS: Final = 250


@dataclass(frozen=True)
class Lessons:
    """What is learned from: (N, 2, C) rows, and (N,) causes, weights and families."""

    rows: Floats
    causes: NDArray[np.intp]
    weights: Floats
    families: NDArray[np.str_]
    columns: tuple[str, ...]


def lessons(samples: Sequence[Sample]) -> Lessons:
    """Return a lesson for each card that moved."""
    natural = {**LIVE_WEIGHTS, **DEAD_WEIGHTS}
    rows, causes, weights, families = [], [], [], []
    columns: tuple[str, ...] = ()
    for sample in samples:
        if not sample.motions:
            continue
        table, columns = evidence_table(sample.motions)
        # the dice favour scenarios with pushed cards; in a match they are as frequent as the script says
        least = 2
        weight = natural.get(sample.scenario, least) / SCENARIOS.get(sample.scenario, least)
        for row, card in zip(table, sample.cards, strict=True):
            touched = sample.touches.get(card, {}) if card is not None else {}
            who = min(touched, key=lambda player: touched[player], default="card")
            rows.append(row)
            causes.append(("near", "far", "card").index(who))
            weights.append(weight)
            families.append(sample.family)
    return Lessons(np.array(rows), np.array(causes), np.array(weights), np.array(families), columns)


def joined(one: Lessons, other: Lessons, weight: float) -> Lessons:
    """Return the lessons of both, those of the other so many times as important."""
    return replace(
        one,
        rows=np.concatenate([one.rows, other.rows]),
        causes=np.concatenate([one.causes, other.causes]),
        weights=np.concatenate([one.weights, weight * other.weights]),
        families=np.concatenate([one.families, np.full(len(other.families), "traced")]),
    )


def recorded(files: Sequence[Path]) -> Lessons:
    """Return the lessons of recordings in which something was touched."""
    return lessons([sample for sample in loaded(files) if sample.touches])


def without(given: Lessons, pattern: str) -> Lessons:
    """Return the lessons without the columns that a pattern matches."""
    kept = [number for number, name in enumerate(given.columns) if not re.search(pattern, name)]
    return replace(given, rows=given.rows[..., kept], columns=tuple(given.columns[number] for number in kept))


def learned(given: Lessons, which: NDArray[np.bool_]) -> lightgbm.Booster:
    """Return trees learned from some lessons, each seen by both players."""
    rows = np.concatenate([given.rows[which, 0], given.rows[which, 1]])
    causes = given.causes[which]
    mirrored = np.where(causes == 2, 2, 1 - causes)
    weights = np.tile(given.weights[which], 2)
    data = lightgbm.Dataset(rows, np.concatenate([causes, mirrored]), weight=weights)
    return lightgbm.train(_SETTINGS, data, _ROUNDS)


def exported(booster: lightgbm.Booster, columns: tuple[str, ...]) -> BoostedTrees:
    """Return LightGBM's trees as arrays."""
    nodes: list[tuple[int, float, int, int, bool, float]] = []
    deepest = 0

    def add(tree: dict[str, Any], depth: int) -> int:
        nonlocal deepest
        deepest, at = max(deepest, depth), len(nodes)
        if "leaf_value" in tree:
            nodes.append((0, 0.0, at, at, True, tree["leaf_value"]))
            return at
        nodes.append((0, 0.0, at, at, True, 0.0))
        missing = tree["default_left"] if tree["missing_type"] == "NaN" else tree["threshold"] >= 0
        left, right = (add(tree[f"{side}_child"], depth + 1) for side in ("left", "right"))
        nodes[at] = tree["split_feature"], tree["threshold"], left, right, missing, 0.0
        return at

    roots = [add(one["tree_structure"], 0) for one in booster.dump_model()["tree_info"]]
    column, threshold, left, right, missing, value = (np.array(each) for each in zip(*nodes, strict=True))
    return BoostedTrees(
        columns,
        np.array(roots, np.int32),
        column.astype(np.int16),
        np.clip(threshold, -1e30, 1e30).astype(np.float32),
        left.astype(np.int32),
        right.astype(np.int32),
        missing.astype(np.bool_),
        value.astype(np.float32),
        3,
        deepest,
    )


def described(name: str, chances: Floats, causes: NDArray[np.intp]) -> str:
    """Return a line of a table: how well chances (N, 3) tell the causes (N,)."""
    told = chances.argmax(axis=1)
    loss = -np.log(chances[np.arange(len(causes)), causes]).mean()
    hands = causes < 2
    player = (chances[hands, 0] > chances[hands, 1]) == (causes[hands] == 0)
    sure = chances.max(axis=1) > 0.9
    wrong = (told[sure] != causes[sure]).mean() if sure.any() else 0.0
    return (
        f"| {name} | {len(causes)} | {loss:.3f} | {(told == causes).mean():.1%} | {sure.mean():.0%} "
        f"| {wrong:.1%} | {player.mean():.1%} |"
    )


def reliability(chances: Floats, given: Lessons) -> Iterator[str]:
    """Yield a table: of answers (N, 3) that are about so sure, how many are right in each family of halls."""
    families, edges = sorted(set(given.families)), (0.0, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0)
    yield "| surest answer | " + " | ".join([*families, "all"]) + " |"
    yield "|" + "---|" * (len(families) + 2)
    right = chances.argmax(axis=1) == given.causes
    for low, high in pairwise(edges):
        inside = (chances.max(axis=1) > low) & (chances.max(axis=1) <= high)
        sets = [inside & (given.families == family) for family in families]
        cells = [f"{right[one].sum()} of {one.sum()}" for one in (*sets, inside)]
        yield f"| {low} to {high} | " + " | ".join(cells) + " |"


def loaded(files: Sequence[Path]) -> Iterator[Sample]:
    """Yield the samples in some files."""
    # they were written by a main program
    sys.modules["__mp_main__"] = make_contact_data
    for file in files:
        with gzip.open(file) as opened:
            yield from pickle.load(opened)


def main() -> int:
    """Learn, test, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of make_contact_data.py")
    parser.add_argument("--others", type=Path, nargs="*", default=[], help="files of measure_recordings.py")
    parser.add_argument("--traced", type=Path, nargs="*", default=[], help="such files that teach too")
    parser.add_argument("--weight", type=float, default=1.0, help="what such a card counts")
    parser.add_argument("--out", type=Path, default=_WEIGHTS, help="where the weights go")
    parser.add_argument("--without", metavar="PATTERN", help="test what the columns of such names are worth")
    options = parser.parse_args()
    given = lessons([*loaded(sorted(options.data.glob("*.pickle.gz")))])
    if options.traced:
        given = joined(given, recorded(options.traced), options.weight)
    if options.without is not None:
        given = without(given, options.without)
    print("| tested on | cards | log loss | right | surer than 0.9 | of these wrong | player right |")
    print("|---|---|---|---|---|---|---|")
    of_all = np.zeros((len(given.causes), 3))
    for family in sorted(set(given.families)):
        out = given.families == family
        of_all[out] = exported(learned(given, ~out), given.columns).chances(given.rows[out])
        print(described(f"{family}, left out: trees", of_all[out], given.causes[out]), flush=True)
    print(described("all, each left out: trees", of_all, given.causes))
    if options.without is not None:
        return 0
    print("", *reliability(of_all, given), "", sep="\n")
    trees = exported(learned(given, np.ones(len(given.causes), bool)), given.columns)
    for file in options.others:
        seen = recorded([file])
        shipped = np.concatenate(
            [causes(one.motions) for one in loaded([file]) if one.touches and one.motions]
        )
        print(described(f"{file.stem}: the weights that ship", shipped, seen.causes))
        print(described(f"{file.stem}: trees", trees.chances(seen.rows), seen.causes))
    kept: dict[str, Any] = {name: np.asarray(getattr(trees, name)) for name in trees.__slots__}
    np.savez_compressed(options.out, **kept)
    print(f"{options.out.name}: {options.out.stat().st_size / 1000:.0f} kB, {len(trees.roots)} trees")
    return 0


if __name__ == "__main__":
    sys.exit(main())
