"""How often the ear is right where it first calls itself sure, and whether it notices its own mistakes.

    uv run --extra voices python -m benchmarks.recitation.crossing [--every 3] [--json OUT]

Each upper verse is followed as the desk follows it, by a listener who knows the reader from the joka, with a
part of the poems read already: the first look that names a poem at 0.9 or more names it for the match. None
of these readers taught the listener; its constants were chosen while the human one was measured.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.command import read_options, write_json
from benchmarks.recitation.listening import Read, readers
from desk.book.intervals import share_of
from recitation.listening.hearing import Hearing, learn_reader
from recitation.listening.listener import Listener
from recitation.listening.live_listener import LOOKS_S
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import samples
from referee.cards.poems import POEMS

_CERTAIN, _DOUBTED, _SOON_S = 0.9, 0.5, 3.0


def main() -> None:
    """Print one row per reader."""
    options = read_options(__doc__, every=3)
    asked = list(POEMS)[:: options.every]
    rows = {}
    print(f"of {len(asked)} verses of each reader; doubted: below {_DOUBTED} within {_SOON_S:g} s")
    for name, read in readers().items():
        rows[name] = row = _row(read, asked)
        low, high = row["right"]["interval"]
        print(
            f"{name:22s} named {row['right']['n']:3d}, rightly {row['right']['won']:3d} "
            f"(95 %: {low:.1%} to {high:.1%}), told {row['told']:.1%}, after {row['after_s']:.1f} s; "
            f"doubted: wrong {row['wrong_doubted']}, right {row['right_doubted']}",
            flush=True,
        )
    write_json(options.json, rows)


def _row(read: Read, asked: Sequence[int]) -> dict[str, Any]:
    usual, dice = learn_reader([read(Phrase(JOKA, half)) for half in Half]), np.random.default_rng(2)
    told: list[float] = []
    right: list[bool] = []
    doubted: list[bool] = []
    after_s: list[float] = []
    for poem in asked:
        unread = {poem, *(int(one) for one in dice.permutation(list(POEMS))[: dice.integers(20, 100)])}
        wave, hearing, listener, at = read(Phrase(poem, Half.KAMI)), Hearing(usual), Listener(unread), 0
        named: int | None = None
        for look_s in LOOKS_S:
            hearing.hear(wave[at : samples(look_s)])
            at = samples(look_s)
            found = {one.poem: one.confidence for one in listener.begun(hearing) if one.poem != JOKA}
            if named is not None:
                doubted[-1] |= look_s <= _SOON_S and found.get(named, 0.0) < _DOUBTED
            elif found and max(found.values()) >= _CERTAIN:
                named = max(found, key=lambda one: found[one])
                told.append(found[named])
                right.append(named == poem)
                doubted.append(False)
                after_s.append(look_s)
    rightly, mistrusted = np.array(right), np.array(doubted)
    return {
        "right": share_of(int(rightly.sum()), len(right)),
        "told": float(np.mean(told)),
        "after_s": float(np.median(after_s)),
        "wrong_doubted": f"{int((mistrusted & ~rightly).sum())} of {int((~rightly).sum())}",
        "right_doubted": f"{int((mistrusted & rightly).sum())} of {int(rightly.sum())}",
    }


if __name__ == "__main__":
    main()
