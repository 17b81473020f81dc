"""What two people saw in a film of trials or poems: how far they agree, and what the eye told beside them."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from scipy.stats import binomtest

from calibration.files import typed_numbers as typed
from desk.errors import DeskError
from desk.films.trials import seconds_of, table_of
from referee.cards.poems import POEMS
from referee.sentence import Sentence
from referee.sides import Side

COLUMNS: Final = ("at", "card", "player", "seen", "taken", "faults")
_SIDES: Final = {"": None, "near": Side.NEAR, "far": Side.FAR, "手前": Side.NEAR, "向こう": Side.FAR}
_SAME_S: Final = 0.5
"""Two lines speak of one trial, or of the judge's poem, if their times differ by no more (our choice)."""
_UNKNOWN: Final = "?"


@dataclass(frozen=True, slots=True)
class Label:
    """What a person saw of a trial or poem."""

    at_s: float  # when it was called or read, seconds on the film's clock
    touch: tuple[int, Side] | None  # card and player of the first touch; None if nothing was touched
    seen_s: float | None  # the first picture that shows the touch
    # who took, and the faults of near and far; None for a trial
    ruling: tuple[Side | None, int, int] | None
    is_known: bool = True  # False where the person could not tell


def read_labels(path: Path) -> list[Label]:
    """Read what one person saw, in the form of `docs/validation.md`; DeskError names a wrong line."""
    head, *below = table_of(path, lambda head: set(COLUMNS) <= set(head), ",".join(COLUMNS))
    places = [head.cells.index(column) for column in COLUMNS]
    labels = []
    for row in below:
        try:
            labels.append(_label([row.cells[place] for place in places]))
        except (KeyError, ValueError) as error:
            raise DeskError(
                "{file}, line {line}: expected a time, a card from 1 to 100, near or far, a time, near, far "
                "or none, and faults such as 0-1 (or ? as the card), got {got!r}",
                file=path,
                line=row.number,
                got=",".join(row.cells),
            ) from error
    return labels


def _label(cells: Sequence[str]) -> Label:
    at, card, player, seen, taken, faults = (typed.plain(cell).strip().lower() for cell in cells)
    if card == _UNKNOWN:
        return Label(seconds_of(at), None, None, None, is_known=False)
    side = _SIDES[player]
    if bool(card) != (side is not None) or (card and int(card) not in POEMS):
        raise ValueError("a touch is of a card by a player")
    near, far = map(int, faults.split("-")) if faults else (0, 0)
    return Label(
        seconds_of(at),
        (int(card), side) if side is not None else None,
        seconds_of(seen) if card and seen else None,
        (_SIDES["" if taken == "none" else taken], near, far) if taken else None,
    )


def pairs_of(one: Sequence[Label], other: Sequence[Label]) -> list[tuple[Label, Label]]:
    """Return the trials that both people could tell, in order of time; DeskError if there is none."""
    pairs = [
        (mine, its)
        for mine in sorted(one, key=lambda label: label.at_s)
        for its in other
        if abs(mine.at_s - its.at_s) <= _SAME_S and mine.is_known and its.is_known
    ]
    if not pairs:
        raise DeskError("the two lists have no trial in common: both name the time at which it was called")
    return pairs


def agreement(pairs: Sequence[tuple[Label, Label]]) -> Iterator[Sentence]:
    """Yield how far two people agree on touches and rulings (Cohen's kappa) and on instants (ms)."""
    ruled = [(one.ruling, other.ruling) for one, other in pairs if one.ruling and other.ruling]
    yield _kappa(Sentence("card and hand"), [(one.touch, other.touch) for one, other in pairs])
    if ruled:
        yield _kappa(Sentence("ruling"), ruled)
    apart_ms = [
        1e3 * (other.seen_s - one.seen_s)
        for one, other in pairs
        if one.touch == other.touch and one.seen_s is not None and other.seen_s is not None
    ]
    if apart_ms:
        low, middle, high = np.percentile(apart_ms, (2.5, 50, 97.5))
        yield Sentence(
            "instants: the second is {middle} ms after the first in the median, 95 % from {low} to {high} "
            "ms, {n} touches",
            middle=f"{middle:.0f}",
            low=f"{low:.0f}",
            high=f"{high:.0f}",
            n=len(apart_ms),
        )


def _kappa(what: Sentence, answers: Sequence[tuple[Any, Any]]) -> Sentence:
    """Tell how often two people answer alike, beside chance (Cohen, 1960)."""
    n = len(answers)
    alike = sum(one == other for one, other in answers)
    ones, others = (Counter(answer) for answer in zip(*answers, strict=True))
    chance = sum(ones[answer] * others[answer] for answer in ones) / n**2
    kappa = "1.00" if chance == 1 else f"{(alike / n - chance) / (1 - chance):.2f}"
    return Sentence(
        "{what}: {alike} of {n} alike, Cohen's kappa {kappa}", what=what, alike=alike, n=n, kappa=kappa
    )


def marks(pairs: Sequence[tuple[Label, Label]], judged: Path) -> list[tuple[Sentence, bool]]:
    """Score what `shinpan judge --json` wrote against what two people agree on, by `docs/validation.md`.

    Returns lines, and whether each passes. Raises DeskError if the file cannot be read, or tells of no poem
    that both people tell of alike.
    """
    try:
        poems = json.loads(judged.read_text("utf-8"))["poems"]
        both = [
            (one, other, poem)
            for one, other in pairs
            for poem in poems
            if one.ruling and one.ruling == other.ruling and abs(poem["t_ms"] / 1e3 - one.at_s) <= _SAME_S
        ]
        decided = [each for each in both if each[2]["ruling"]["status"] == "decided"]
        wrong = sum(_ruling(poem) != one.ruling for one, _, poem in decided)
        inside = [hit for one, other, poem in both for hit in _inside(one, other, poem)]
    except (ValueError, KeyError, TypeError) as error:
        raise DeskError("{file}: expected what shinpan judge --json writes", file=judged) from error
    if not both:
        raise DeskError("{file} tells of no poem on which both people agree", file=judged)
    few_inside, few_decided = 0.93, 0.8
    return [
        (_share(Sentence("rulings decided wrongly"), wrong, len(decided)), wrong == 0),
        (
            _share(Sentence("touches inside their 95 % interval"), sum(inside), len(inside)),
            sum(inside) >= few_inside * len(inside),
        ),
        (
            _share(Sentence("poems decided of those on which both agree"), len(decided), len(both)),
            len(decided) >= few_decided * len(both),
        ),
    ]


def _ruling(poem: dict[str, Any]) -> tuple[Side | None, int, int]:
    taken, faults = poem["ruling"]["taken_by"], poem["ruling"]["faults"]
    return None if taken is None else Side(taken), faults["near"], faults["far"]


def _inside(one: Label, other: Label, poem: dict[str, Any]) -> Iterator[bool]:
    """Yield whether the touch that both saw is told inside its interval, half of what parts them aside."""
    if one.touch is None or one.touch != other.touch or one.seen_s is None or other.seen_s is None:
        return
    seen_ms, theirs_ms = 500 * (one.seen_s + other.seen_s), 500 * abs(one.seen_s - other.seen_s)
    for touch in poem["touches"]:
        if (touch["card"], touch["player"]) == one.touch:
            yield touch["t_low_ms"] - theirs_ms <= seen_ms <= touch["t_high_ms"] + theirs_ms
            return


def _share(what: Sentence, count: int, n: int) -> Sentence:
    if not n:
        return Sentence("{what}: none to count", what=what)
    bound = binomtest(count, n).proportion_ci(method="wilson")
    low, high = (f"{100 * share:.1f}" for share in bound)
    return Sentence(
        "{what}: {count} of {n} (95 % interval {low} to {high} %)",
        what=what,
        count=count,
        n=n,
        low=low,
        high=high,
    )
