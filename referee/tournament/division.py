"""A class of a tournament, its entrants, and how it is played.

Sanctioned tournaments are single eliminations in the classes A to E. A large class is split into parts such
as D1 and D2, each with its own winner
(https://karutadoujou.hatenablog.com/entry/games/general/taikai-oneday/).
Team matches have five boards, and a team of three may enter
(https://www.wikiwand.com/ja/articles/全国職域学生かるた大会).
"""

from dataclasses import dataclass
from enum import StrEnum

TEAM_BOARDS = 5  # boards of a team match
FEWEST_MEMBERS = 3  # with fewer members a team cannot win three of five boards


class System(StrEnum):
    """How opponents are paired."""

    ELIMINATION = "elimination"
    SWISS = "swiss"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player or a team."""

    number: int  # unique in the tournament, 1, 2, ...
    name: str
    club: str = ""  # the club (kai) or school, empty where there is none
    # of a team, in the order of the boards unless a line-up says otherwise; empty for a player
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Division:
    """A class."""

    name: str  # such as A, D2, 小学生 or team_B; letters, digits and `_`, since it begins a match's id
    system: System = System.ELIMINATION  # elimination or Swiss
    # number of rounds of a Swiss; None in an elimination, which ends with its final
    rounds: int | None = None
    boards: int = 1  # 1 for players, 5 for teams
    # number of first rounds in which members of one club do not meet if that can be avoided; the default of
    # two is the desk's choice, not a rule
    clubs_apart: int = 2
    # whether a round of a Swiss without play counts for tie-breaks by a virtual opponent (`standings`); not
    # so in logs of shinpan 0.2 and before
    virtual_opponents: bool = True
