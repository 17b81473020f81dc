"""How long it takes to score a Koi-Koi pile: the referee's tables, a plain scorer and bit masks.

Run `uv run python -m benchmarks.tables.koikoi_score [--json OUT]`; the goal is <= 1 us for a pile. All
score the same random piles in the same run and must agree.
"""

from __future__ import annotations

import platform
import random
import time
from collections.abc import Callable

from benchmarks.command import read_options, write_json
from referee.koikoi.house_rules import preset
from referee.koikoi.piles import cards_of, pile_of
from referee.koikoi.score import scorer
from referee.koikoi.yaku import YAKU, Group

PILES = 20_000
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


def masked_base(pile: int) -> int:
    """Score a pile yaku by yaku with a bit for each card; `kasu-2008` only."""
    worths = preset().yaku
    best: dict[Group, int] = {}
    for yaku in YAKU:
        number = (pile & yaku.pool).bit_count()
        if pile & yaku.needs == yaku.needs and number >= yaku.count:
            worth = getattr(worths, yaku.name)
            points = worth.points + worth.extra * (number - yaku.count)
            earlier = best.get(yaku.group, 0)
            best[yaku.group] = earlier + points if yaku.group is Group.VIEWING else max(earlier, points)
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
    arguments = read_options(__doc__, rules="kasu-2008")
    rules = preset(arguments.rules)
    rng = random.Random(1)
    piles = [pile_of(rng.sample(range(48), rng.randrange(0, 27))) for _ in range(PILES)]
    hands = [cards_of(pile) for pile in piles]
    table = scorer(rules)

    expected = [table.score(pile).base for pile in piles]
    assert [table.base(pile) for pile in piles] == expected
    if rules.name == "kasu-2008":
        assert [plain_base(hand) for hand in hands] == expected
        assert [masked_base(pile) for pile in piles] == expected

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

    print(f"{rules.name}, {platform.machine()}, Python {platform.python_version()}")

    def masked() -> None:
        for pile in piles:
            masked_base(pile)

    times_ns = {
        "score(pile), explained": best_time_ns(scored, PILES),
        "base(pile)": best_time_ns(summed, PILES),
        "plain scorer": best_time_ns(plain, PILES),
        "bit masks, yaku by yaku": best_time_ns(masked, PILES),
    }
    for name, time_ns in times_ns.items():
        print(f"{name:<24} {time_ns:10.1f} ns")
    write_json(arguments.json, times_ns)


if __name__ == "__main__":
    main()
