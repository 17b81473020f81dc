"""How often the told interval holds the instant at which a hand had swept a card out of its territory.

`uv run python -m benchmarks.touches.sweeps [--json OUT]` takes the poems that `benchmarks.reliability`
filmed, and plays each again without pictures: the simulator knows every card's path.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.command import read_options, table, write_json
from benchmarks.reliability.poems import Watched, clip, read
from desk.book.intervals import share_of
from referee.facts import Contact, Touch
from vision.simulator.play.field import is_completely_out
from vision.simulator.play.moving_cards import Track


@dataclass(frozen=True)
class Sweep:
    """A card that a hand touched."""

    # poem, card: the poem's name, and the card
    poem: str
    card: int
    told_ms: tuple[float, float] | None  # the told interval in which it was out; None where none was told
    out_ms: float | None  # when it was completely out first; None if it never was
    lies_out: bool  # whether it lies outside in the end

    @property
    def is_inside(self) -> bool:
        """Whether the told interval holds the instant."""
        return bool(self.told_ms and self.out_ms and self.told_ms[0] <= self.out_ms <= self.told_ms[1])


def sweeps(poem: Watched) -> Iterator[Sweep]:
    """Play a watched poem again and compare what was told of each card that a hand touched."""
    told = [fact for fact in poem.look[1] if isinstance(fact, Touch) and fact.contact is Contact.TOUCH]
    if not told:
        return
    match, _ = clip(int(poem.name.partition("/")[0]))
    tracks = next(match.episodes()).tracks
    for touch in told:
        if touch.card is None or touch.territory is None:
            continue
        track = tracks.get(touch.card, Track(np.empty(0), np.empty((0, 4))))
        out = np.array([is_completely_out(pose, touch.territory) for pose in track.pose], bool)
        yield Sweep(
            poem.name,
            touch.card,
            touch.out_ns and (touch.out_ns[0] / 1e6, touch.out_ns[1] / 1e6),
            float(track.t_s[out][0]) * 1e3 if out.any() else None,
            bool(out[-1:].any()),
        )


def counts(found: Iterable[Sweep]) -> dict[str, object]:
    """Return how many intervals were told, how many hold, and how many cards lie outside without one."""
    found = list(found)
    told = [one for one in found if one.told_ms]
    share = share_of(sum(one.is_inside for one in told), len(told))
    low, high = share["interval"] or (0.0, 1.0)
    return {
        "touched": len(found),
        "told": len(told),
        "inside": share["won"],
        "95 %": f"{low:.1%} to {high:.1%}",
        "never out": sum(one.out_ms is None for one in told),
        "not told, and lies outside": sum(one.lies_out for one in found if not one.told_ms),
    }


def main() -> None:
    """Compare and print."""
    options = read_options(__doc__)
    found = [sweep for poem in read() for sweep in sweeps(poem)]
    table([counts(found)])
    write_json(options.json, [vars(one) for one in found])


if __name__ == "__main__":
    main()
