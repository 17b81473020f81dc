"""How often rulings are right, by how sure they are, on fresh poems whose truth is known.

`nice uv run python -m benchmarks.reliability [--poems N] [--jobs J] [--minutes M] [--first SEED] [--json OUT]
[--write]` films the first N poems that are not there yet, and begins none after M minutes.

Poems of simulated matches are drawn as often as they happen in one (half of the readings are of no card that
lies there), in six halls with hands, cloth and friction drawn anew, 720p at 30 or 60 pictures a second, and
watched one film each. What the eye told of each is kept in `benchmarks/cache/reliability`, a line a poem; a
later run goes on there, and judges all of them by today's rules. Other poems are shown by the same measures:
`--recordings FOLDER`, or `--first SEED`, those of other seeds in a folder of their own. `--write` puts the
counts into `referee/karuta/evidence.toml`.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.command import read_options, table, write_json
from benchmarks.reliability import figures
from benchmarks.reliability.figures import Floats, Outcome, outcome_of
from benchmarks.reliability.poems import FIRST_SEED, Watched, folder_of, read, watch_clips, watched_folder
from desk.book.intervals import share_of
from referee.karuta import risk
from referee.karuta.judge import SEEN
from referee.karuta.risk import THRESHOLDS, Risk, upper_bound
from referee.karuta.ruleset import KYOGI
from referee.karuta.ruling import Doubt

EVIDENCE = Path(risk.__file__).with_name("evidence.toml")


def main() -> None:
    """Film, watch, judge and print."""
    options = read_options(
        __doc__, poems=0, jobs=2, minutes=float("inf"), recordings=[Path], first=FIRST_SEED, write=False
    )
    if options.poems:
        watch_clips(options.poems, options.jobs, 60 * options.minutes, options.first)
    poems: Sequence[Watched] = [
        poem for folder in options.recordings for poem in watched_folder(folder)
    ] or read(folder_of(options.first))
    outcomes = [outcome_of(poem) for poem in poems]
    found = dict(tables(outcomes))
    for title, rows in found.items():
        print(f"\n{title}")
        table(rows)
    told = [
        {
            "film": one.film,
            "sure": one.sure,
            "told": one.told,
            "doubts": sorted(one.doubts),
            "right": one.right,
        }
        for one in outcomes
    ]
    write_json(options.json, {"tables": found, "poems": told})
    if options.write and not options.recordings:
        EVIDENCE.write_text(evidence(outcomes), "utf-8")


def tables(outcomes: Sequence[Outcome]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Iterate over titles and rows."""
    films = [one.film for one in outcomes]
    sure, told = (np.array([getattr(one, name) for one in outcomes]) for name in ("sure", "told"))
    right = np.array([one.right for one in outcomes])
    yield "poems", [_counts(outcomes)]
    for title, chances in (("confidence by the contacts alone", sure), ("confidence as told", told)):
        yield f"reliability, {title}", [_bin(one) for one in figures.bins(chances, right)]
        yield f"losses, {title}", [_losses(chances, right, films)]
    yield "decided rulings told surer, fitted on one half and shown on the other", list(_surer(outcomes))
    yield "right, by doubt", list(_doubts(outcomes))
    yield "ceilings of doubts, fitted on one half and shown on the other", list(_ceilings(outcomes))
    yield (
        "decided from a confidence on",
        [
            _risk(Risk(KYOGI.wrong_per_thousand, each, *figures.decided(outcomes, each)))
            for each in THRESHOLDS
        ],
    )
    closed = [one for one in outcomes if not one.is_open]
    missed = sum(one.missed for one in closed)
    yield (
        "a touch that bears on the ruling left no trace",
        [
            {
                "poems without a doubt": len(closed),
                "missed": missed,
                "at most, 95 %": f"{upper_bound(missed, len(closed)):.2%}",
            }
        ],
    )


def _counts(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    wrong = [one for one in outcomes if not one.doubts and not one.right]
    return {
        "n": len(outcomes),
        "films": len({one.film for one in outcomes}),
        "decided": sum(not one.doubts for one in outcomes),
        "of these wrong": len(wrong),
        **Counter(one.source for one in outcomes),
        "named": " ".join(one.film for one in wrong) or "-",
    }


def _bin(one: figures.Bin) -> dict[str, Any]:
    low, high = one.interval
    return {
        "sure": f"{one.sure:.3f}",
        "right": f"{one.right} of {one.n}",
        "95 %": f"{low:.3f} to {high:.3f}",
        "inside": "yes" if one.is_inside else "NO",
    }


def _losses(sure: Floats, right: Any, films: Sequence[str]) -> dict[str, Any]:
    losses = {"Brier": figures.brier(sure, right), "log loss": figures.log_loss(sure, right)}
    share = np.full(len(sure), right.mean())
    losses["log loss of one share for all"] = figures.log_loss(share, right)
    return {name: _interval(each, films) for name, each in losses.items()}


def _interval(losses: Floats, films: Sequence[str]) -> str:
    mean, low, high = figures.by_films(losses, films)
    return f"{mean:.4f} ({low:.4f} to {high:.4f})"


def _doubts(outcomes: Sequence[Outcome]) -> Iterator[dict[str, Any]]:
    for doubt in sorted({doubt for one in outcomes for doubt in one.doubts}):
        own = [one for one in outcomes if doubt in one.doubts]
        share = share_of(sum(one.right for one in own), len(own))
        low, high = share["interval"] or (0.0, 1.0)
        yield {
            "doubt": doubt,
            "right": f"{share['won']} of {share['n']}",
            "95 %": f"{low:.3f} to {high:.3f}",
            "told": f"{np.mean([one.told for one in own]):.3f}",
        }


def _halves(outcomes: Sequence[Outcome]) -> dict[str, bool]:
    """Return of each film whether it belongs to the second half."""
    return {film: number % 2 == 1 for number, film in enumerate(sorted({one.film for one in outcomes}))}


def _surer(outcomes: Sequence[Outcome]) -> Iterator[dict[str, Any]]:
    is_odd = _halves(outcomes)
    for half in (True, False):
        fitted = [one for one in outcomes if is_odd[one.film] is not half and not one.doubts]
        shown = [one for one in outcomes if is_odd[one.film] is half]
        share = figures.fitted_share(
            np.array([one.sure for one in fitted]), sum(not one.right for one in fitted)
        )
        right, films = np.array([one.right for one in shown]), [one.film for one in shown]
        plain = np.array([one.told if one.doubts else one.sure for one in shown])
        keeps = np.array([1.0 if one.doubts else share for one in shown])
        surer = SEEN - keeps * (SEEN - plain)
        yield {
            "fitted on": len(fitted),
            "keeps": f"{share:.2f}",
            "shown on": len(shown),
            "log loss, less that of products": _interval(
                figures.log_loss(surer, right) - figures.log_loss(plain, right), films
            ),
            "Brier": _interval(figures.brier(surer, right) - figures.brier(plain, right), films),
            "bins inside": " against ".join(
                f"{sum(one.is_inside for one in bins)} of {len(bins)}"
                for bins in (figures.bins(surer, right), figures.bins(plain, right))
            ),
        }


def _ceilings(outcomes: Sequence[Outcome]) -> Iterator[dict[str, Any]]:
    is_second = _halves(outcomes)
    for doubt in (Doubt.CONTACT_UNSEEN, Doubt.GAP):
        own = [one for one in outcomes if doubt in one.doubts]
        sure, right = np.array([one.sure for one in own]), np.array([one.right for one in own])
        is_odd = np.array([is_second[one.film] for one in own])
        for shown in (is_odd, ~is_odd) if 0 < is_odd.sum() < len(own) else ():
            ceiling = figures.fitted_ceiling(sure[~shown], right[~shown])
            lowered = figures.log_loss(np.minimum(sure, ceiling), right)
            halved = figures.log_loss(sure / 2, right)
            films = [one.film for one, is_shown in zip(own, shown, strict=True) if is_shown]
            yield {
                "doubt": doubt,
                "fitted on": int((~shown).sum()),
                "ceiling": f"{ceiling:.2f}",
                "shown on": len(films),
                "log loss, less that of halving": _interval((lowered - halved)[shown], films),
            }


def _risk(one: Risk) -> dict[str, Any]:
    told = one.to_json()
    return {name: told[name] for name in ("threshold", "decided", "wrong", "at_most_per_thousand")}


def evidence(outcomes: Sequence[Outcome]) -> str:
    """Return the counts as `referee.karuta.risk` reads them."""
    rows = "".join(
        f"    {{ threshold = {each}, decided = {decided}, wrong = {wrong} }},\n"
        for each in THRESHOLDS
        for decided, wrong in [figures.decided(outcomes, each)]
    )
    return (
        "# Written by `python -m benchmarks.reliability --write`; `risk.py` says what the rows count.\n"
        f"# Poems of six simulated halls, each filmed on its own: {len(outcomes)}.\n"
        f"row = [\n{rows}]\n"
    )


if __name__ == "__main__":
    main()
