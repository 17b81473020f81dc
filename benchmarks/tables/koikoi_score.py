"""How long it takes to score a Koi-Koi pile: the referee's tables, the vectorised batch and a plain scorer.

Run `uv run python benchmarks/tables/koikoi_score.py`; goals are <= 1 us for `score(pile)` and <= 50 ns per
pile in a batch. All three score the same random piles in the same run and must agree.
"""

from __future__ import annotations

import argparse
import platform
import random
import time
from collections.abc import Callable

import numpy as np

from desk.koikoi.batch_score import BatchScorer
from referee.koikoi.house_rules import PRESET_NAMES, preset
from referee.koikoi.piles import cards_of, pile_of
from referee.koikoi.score import scorer
from referee.koikoi.yaku import YAKU, Group

PILES = 20_000
BATCH = 1_000_000
REPEATS = 7


def plain_base(cards: tuple[int, ...]) -> int:
    """Score a pile yaku by yaku with sets, as one writes it first; `kasu-2008` only."""
    pile = set(cards)
    worths = preset().yaku
    best: dict[Group, int] = {}
    for yaku in YAKU:
        needs, pool = set(cards_of(yaku.needs)), set(cards_of(yaku.pool))
        number = len(pile & pool)
        if needs <= pile and number >= yaku.count:
            worth = getattr(worths, yaku.name)
            points = worth.points + worth.extra * (number - yaku.count)
            if yaku.group is Group.VIEWING:
                best[yaku.group] = best.get(yaku.group, 0) + points
            else:
                best[yaku.group] = max(best.get(yaku.group, 0), points)
    return sum(best.values())


def best_time_ns(run: Callable[[], object], number: int) -> float:
    """Return the shortest of several timings, per item."""
    times = []
    for _ in range(REPEATS):
        begin = time.perf_counter_ns()
        run()
        times.append(time.perf_counter_ns() - begin)
    return min(times) / number


def main() -> None:
    """Print one line per way of scoring."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default="kasu-2008", choices=PRESET_NAMES)
    rules = preset(parser.parse_args().rules)
    rng = random.Random(1)
    piles = [pile_of(rng.sample(range(48), rng.randrange(0, 27))) for _ in range(PILES)]
    hands = [cards_of(pile) for pile in piles]
    many = np.array(piles * (BATCH // PILES), np.uint64)
    table, batch = scorer(rules), BatchScorer(rules)

    expected = [table.score(pile).base for pile in piles]
    assert [table.base(pile) for pile in piles] == expected
    assert batch.base(np.array(piles, np.uint64)).tolist() == expected
    if rules.name == "kasu-2008":
        assert [plain_base(hand) for hand in hands] == expected

    def scored() -> None:
        score = table.score
        for pile in piles:
            score(pile)

    def summed() -> None:
        base = table.base
        for pile in piles:
            base(pile)

    def plain() -> None:
        for hand in hands:
            plain_base(hand)

    print(f"{rules.name}, {platform.machine()}, Python {platform.python_version()}, numpy {np.__version__}")
    print(f"score(pile), explained   {best_time_ns(scored, PILES):8.0f} ns")
    print(f"base(pile)               {best_time_ns(summed, PILES):8.0f} ns")
    print(f"batch, per pile          {best_time_ns(lambda: batch.base(many), BATCH):8.1f} ns")
    print(f"plain scorer             {best_time_ns(plain, PILES):8.0f} ns")


if __name__ == "__main__":
    main()
