"""Single elimination for more than two players, after drawing lots (the game's text, IV)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.lots import draw_lots


@dataclass(frozen=True, slots=True)
class Pairing:
    """One bout of the bracket.

    Attributes
    ----------
    players : the two names; None for a bye or the winner of a bout not yet played.
    winner : name, None while the bout has not been played.
    score : IPPON of both, in the order of `players`; None for a bye.
    """

    players: tuple[str | None, str | None] = (None, None)
    winner: str | None = None
    score: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Bracket:
    """A tournament.

    Attributes
    ----------
    rounds : the pairings of each round, the final alone in the last one.
    """

    rounds: tuple[tuple[Pairing, ...], ...]

    @property
    def champion(self) -> str | None:
        """The winner of the final."""
        return self.rounds[-1][0].winner

    @property
    def open_bouts(self) -> tuple[tuple[int, int], ...]:
        """Round and place, both from 0, of every bout that can be played now."""
        return tuple(
            (number, place)
            for number, pairings in enumerate(self.rounds)
            for place, pairing in enumerate(pairings)
            if pairing.winner is None and None not in pairing.players
        )

    def record_of(self, player: str) -> tuple[int, int]:
        """Return the bouts a player has won and lost; byes do not count."""
        bouts = [
            pairing
            for pairings in self.rounds
            for pairing in pairings
            if player in pairing.players and pairing.score is not None
        ]
        won = sum(pairing.winner == player for pairing in bouts)
        return won, len(bouts) - won


def bracket(players: Sequence[str], seed: str) -> Bracket:
    """Draw lots and return the bracket; byes fill the first round up to a power of two.

    Raises
    ------
    ValueError : fewer than two players, or a name twice.
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
    first = tuple(Pairing((order[place], order[place + 1])) for place in range(0, size, 2))
    later = []
    width = size // 4
    while width:
        later.append((Pairing(),) * width)
        width //= 2
    drawn = Bracket((first, *later))
    for place, pairing in enumerate(first):
        if pairing.players[1] is None:
            assert pairing.players[0] is not None
            drawn = _advanced(drawn, 0, place, replace(pairing, winner=pairing.players[0]))
    return drawn


def with_result(drawn: Bracket, number: int, place: int, score: tuple[int, int]) -> Bracket:
    """Return the bracket after a bout.

    Parameters
    ----------
    drawn : the bracket before.
    number, place : the bout, one of `open_bouts`.
    score : IPPON of its two players; never equal, since a bout has a winner.

    Raises
    ------
    ValueError : the bout is not open, or the score names no winner.
    """
    if (number, place) not in drawn.open_bouts:
        raise ValueError(f"bout {place} of round {number} is not open; open are {list(drawn.open_bouts)}")
    if score[0] == score[1]:
        raise ValueError(f"a bout has a winner, got the score {score[0]}-{score[1]}")
    pairing = drawn.rounds[number][place]
    winner = pairing.players[0] if score[0] > score[1] else pairing.players[1]
    return _advanced(drawn, number, place, replace(pairing, winner=winner, score=score))


def _advanced(drawn: Bracket, number: int, place: int, played: Pairing) -> Bracket:
    """Put a played pairing in its place and its winner into the next round."""
    rounds = _with(drawn.rounds, number, place, played)
    if number + 1 < len(rounds):
        following = rounds[number + 1][place // 2]
        first, second = following.players
        players = (played.winner, second) if place % 2 == 0 else (first, played.winner)
        rounds = _with(rounds, number + 1, place // 2, replace(following, players=players))
    return Bracket(rounds)


def _with(
    rounds: tuple[tuple[Pairing, ...], ...], number: int, place: int, pairing: Pairing
) -> tuple[tuple[Pairing, ...], ...]:
    pairings = rounds[number]
    changed = (*pairings[:place], pairing, *pairings[place + 1 :])
    return (*rounds[:number], changed, *rounds[number + 1 :])
