"""Single elimination for more than two players, after drawing lots (the game's text, IV)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.lots import draw_lots


@dataclass(frozen=True, slots=True)
class Pairing:
    """One bout of the bracket."""

    # the two names; None for a bye or the winner of a bout not yet played
    players: tuple[str | None, str | None] = (None, None)
    winner: str | None = None  # name of who has a bye, None before a bout is played


def bracket(players: Sequence[str], seed: str) -> list[tuple[Pairing, ...]]:
    """Draw lots and return the pairings of each round; byes fill the first one up to a power of two.

    Raises ValueError for fewer than two players, or a name twice.
    """
    if len(players) < 2:
        raise ValueError(f"a tournament has at least two players, got {len(players)}")
    doubles = sorted({name for name in players if players.count(name) > 1})
    if doubles:
        raise ValueError(f"each player enters once, but these came twice: {doubles}")
    size = 2
    while size < len(players):
        size *= 2
    lots: list[str | None] = list(draw_lots(players, seed))
    # the byes go to the first lots, one per pairing, so that no two byes meet
    byes = size - len(players)
    order: list[str | None] = []
    for name in lots[:byes]:
        order += [name, None]
    order += lots[byes:]
    rounds = [tuple(Pairing((one, other), one if other is None else None) for one, other in _pairs(order))]
    while len(rounds[-1]) > 1:
        rounds.append(tuple(map(Pairing, _pairs([pairing.winner for pairing in rounds[-1]]))))
    return rounds


def _pairs(names: Sequence[str | None]) -> Iterable[tuple[str | None, str | None]]:
    return zip(names[::2], names[1::2], strict=True)
