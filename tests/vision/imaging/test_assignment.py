"""Assignment: the total value of all pairs counts."""

import subprocess
import sys
from itertools import permutations

import numpy as np
import pytest

from vision.imaging.assignment import assigned


@pytest.mark.parametrize(("cards", "places"), [(4, 4), (3, 5), (5, 3), (2, 7), (3, 1)])
def test_no_other_pairs_are_worth_more(cards: int, places: int) -> None:
    generator = np.random.default_rng(5)
    for _ in range(30):
        worth = generator.normal(size=(cards, places))
        rows, columns = assigned(worth)
        wide = worth if cards <= places else worth.T
        best = max(
            sum(wide[row, column] for row, column in enumerate(chosen))
            for chosen in permutations(range(wide.shape[1]), len(wide))
        )
        assert len(rows) == len(set(columns.tolist())) == min(cards, places)
        assert worth[rows, columns].sum() == pytest.approx(best)


def test_a_judge_starts_without_what_few_recordings_need() -> None:
    # it takes longer to load than most clips to judge
    simple = "assigned(np.array([[5.0, 4.0, 0.0], [5.0, 1.0, 0.0], [0.0, 0.0, 2.0]]))"
    script = (
        "import sys, desk.commands.judge.command, numpy as np; from vision.imaging.assignment import assigned"
    )
    loaded = f"{script}; {simple}; sys.exit('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", loaded], check=False).returncode == 0
