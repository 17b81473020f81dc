"""Chooses how sure a ruling must be to be decided, by poems that taught nobody.

`python tools/choose_threshold.py FILE ... [--most-wrong SHARE]`: FILES are what `benchmarks.practice` and
`benchmarks.simulated` write with `--json`. A poem that goes to the officials for another reason than its
confidence has no say. Prints how many poems each threshold would decide and how many of these wrongly, and
the least threshold whose upper bound keeps within the share: few poems without a wrong one show little.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log
from pathlib import Path
from typing import Final

from scipy.stats import beta

from referee.karuta.ruleset import RuleSet
from referee.karuta.ruling import Doubt

THRESHOLDS: Final = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98)
MOST_WRONG: Final = 0.003
"""Of the poems decided, at most so many may be decided wrongly."""


@dataclass(frozen=True, slots=True)
class Row:
    """What one threshold would do: poems decided, and of these decided wrongly."""

    threshold: float
    decided: int
    wrong: int

    @property
    def wrong_at_most(self) -> float:
        """Upper end of the one-sided 95 % interval of the share decided wrongly (Clopper and Pearson)."""
        if self.wrong == self.decided:
            return 1.0
        return float(beta.ppf(0.95, self.wrong + 1, self.decided - self.wrong))


def rows(poems: Sequence[tuple[float, bool]]) -> list[Row]:
    """Return what each threshold would do to poems, given how sure each ruling is and whether it is right."""
    return [
        Row(
            threshold,
            sum(sure >= threshold for sure, _ in poems),
            sum(sure >= threshold and not right for sure, right in poems),
        )
        for threshold in THRESHOLDS
    ]


def chosen(table: Sequence[Row], most_wrong: float) -> float | None:
    """Return the least threshold from which on no more than a share is decided wrongly, at 95 %.

    None if so few poems cannot show it for any threshold.
    """
    found = None
    for row in reversed(table):
        if row.wrong > most_wrong * row.decided:
            break
        if row.wrong_at_most <= most_wrong:
            found = row.threshold
    return found


def poems_of(file: Path) -> list[tuple[float, bool]]:
    """Return how sure the rulings in a file are and whether they are right, where all else is clear."""
    return [
        (poem["confidence"], poem["ruling_right"])
        for poem in json.loads(file.read_text("utf-8"))["poems"]
        if set(poem["doubts"]) <= {Doubt.LOW_CONFIDENCE}
    ]


def main(words: Sequence[str] | None = None) -> int:
    """Print the table and the choice; 1 where no threshold is good enough."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+", help="what a benchmark wrote with --json")
    parser.add_argument("--most-wrong", type=float, default=MOST_WRONG, help="share (default: %(default)s)")
    options = parser.parse_args(words)
    table = rows([poem for file in options.files for poem in poems_of(file)])
    print("| threshold | decided | wrong | at most wrong, 95 % |")
    print("|---|---|---|---|")
    for row in table:
        print(f"| {row.threshold} | {row.decided} | {row.wrong} | {row.wrong_at_most:.1%} |")
    least = chosen(table, options.most_wrong)
    print(f"least threshold with at most {options.most_wrong:.1%} wrong, at 95 %: {least or 'none'}")
    if least is None:
        needed = ceil(log(0.05) / log(1 - options.most_wrong))
        print(f"to show it takes {needed:,} decided poems without a wrong one")
    print(f"threshold in use (`min_confidence`): {RuleSet().min_confidence}")
    return 1 if least is None else 0


if __name__ == "__main__":
    sys.exit(main())
