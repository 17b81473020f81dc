"""What came of judging a film with a hole in it."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.holes.hole import Hole


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was ruled of a film, or of a part of one, with one hole or none in it.

    Attributes
    ----------
    recording : its name.
    hole : what was cut out, None where nothing was.
    rulings : how many rulings were to be made.
    decided : how many of them were decided, rightly or wrongly.
    wrong : how many were decided wrongly.
    false_flags : faults in what was decided that truly were none.
    told : what was ruled and what is true, in a line for people.
    """

    recording: str
    hole: Hole | None
    rulings: int
    decided: int
    wrong: int
    false_flags: int
    told: str
