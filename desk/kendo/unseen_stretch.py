"""The possible states of a bout of the Kendo cards after a stretch that nobody saw.

The court shows which cards lie there, not what was played, swept and scored in between. Once it is swept, a
new round begins, and only the opener and the score are unknown. All possible states are kept, and a play that
is lawful in one of them is not flagged.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from desk.kendo.events import CourtLook
from desk.tables.table_events import UNSEEN_ARM_MS
from referee.kendo.bout import Bout
from referee.kendo.events import Event
from referee.kendo.minutes import Minutes, step
from referee.kendo.standing import Nothing
from referee.sentence import Sentence

Span = tuple[float, float]  # start and end of a stretch in which the court was not seen, ms


def was_long(spans: Iterable[Span], reaches: int = 1) -> bool:
    """Tell whether somebody may have reached in and out again unseen, `reaches` times."""
    return any(to_ms - from_ms >= reaches * UNSEEN_ARM_MS for from_ms, to_ms in spans)


def told(spans: Sequence[Span]) -> Sentence:
    return Sentence(
        "from {start_s:.1f} s to {end_s:.1f} s the court was not seen: what was played then is unknown, and "
        "plays are judged again once the court has been swept",
        start_s=spans[0][0] / 1000,
        end_s=spans[-1][1] / 1000,
    )


def stepped(readings: Sequence[Minutes], event: Event) -> tuple[Minutes, ...]:
    """Return the possible states of the bout after an event; states in which it is unlawful are dropped."""
    after = [(before, step(before, event)) for before in readings]
    lawful = tuple(now for before, now in after if now.flags == before.flags)
    return lawful or tuple(now for _, now in after)


def after_sweep(before: Minutes, look: CourtLook) -> tuple[Minutes, ...]:
    """Return the possible states of the bout if the court is bare after an unseen stretch."""
    bout = before.bout
    scores = list(product(_scores(bout, look, 0), _scores(bout, look, 1)))
    return tuple(
        replace(before, bout=_opened_by_nobody(bout, scored), neutralised=False)
        for scored in sorted(scores, key=lambda each: each[0][2] + each[1][2])
    )


def _scores(bout: Bout, look: CourtLook, seat: int) -> Iterator[tuple[int, int, int]]:
    """Yield the IPPON and HANSOKU that a seat may have, each with its cost."""
    marks = Counter(look.marks[seat])
    shown = marks["hajime"] + marks["ippon"] > 0
    most = bout.rules.bout.ippons_to_win - 1
    for ippon in range(bout.ippon[seat], max(most, bout.ippon[seat]) + 1):
        for hansoku in range(max(bout.rules.bout.hansoku_for_ippon, bout.hansoku[seat] + 1)):
            differs = (marks["ippon"] > 0) != (ippon > 0), marks["hansoku"] != hansoku
            unlikely = ippon - bout.ippon[seat] + abs(hansoku - bout.hansoku[seat])
            against = sum(differs) if shown else unlikely
            yield ippon, hansoku, against


def _opened_by_nobody(bout: Bout, scored: tuple[tuple[int, int, int], tuple[int, int, int]]) -> Bout:
    return replace(
        bout,
        ippon=(scored[0][0], scored[1][0]),
        hansoku=(scored[0][1], scored[1][1]),
        to_act=None,
        standing=Nothing(),
        exchanges=(0, 0),
        draws=(0, 0),
        spare_draws=(1, 1),
        refilling=True,
        may_cede=False,
        last_round=None,
        winner=None,
    )
