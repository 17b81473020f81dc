"""A class of a tournament, who enters it, and how it is played.

Sanctioned tournaments are single eliminations in the classes A to E. One defeat ends the day, and a large
class is split into parts such as D1 and D2 with a winner each
(https://karutadoujou.hatenablog.com/entry/games/general/taikai-oneday/).
Team matches have five boards, and a team of three may enter
(https://www.wikiwand.com/ja/articles/全国職域学生かるた大会).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

TEAM_BOARDS = 5
"""Boards of a team match."""
FEWEST_MEMBERS = 3
"""Members without whom a team cannot win three of five boards."""


class System(StrEnum):
    """How opponents are found."""

    ELIMINATION = "elimination"
    SWISS = "swiss"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player or a team.

    Attributes
    ----------
    number : unique in the tournament, 1, 2, ...
    name : what the board shows.
    club : the club (kai) or school, empty where there is none.
    members : of a team, in the order of the boards where it names no other; empty for a player.
    """

    number: int
    name: str
    club: str = ""
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Division:
    """A class.

    Attributes
    ----------
    name : such as A, D2 or team-B; letters, digits and `_`, since mats and files are told it.
    system : elimination or Swiss.
    rounds : how many a Swiss has; None in an elimination, which ends with its final.
    boards : 1 for players, 5 for teams.
    clubs_apart : rounds in which members of one club do not meet where that can be avoided; two are the
        desk's choice, no rule.
    """

    name: str
    system: System = System.ELIMINATION
    rounds: int | None = None
    boards: int = 1
    clubs_apart: int = 2
