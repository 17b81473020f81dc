"""The record of a match, poem by poem: takes, faults, sent cards and reaction times of each side."""

import math
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any, TypedDict

from desk.panel.cells import csv_of
from desk.panel.match.poem_view import reaction_ns
from desk.panel.match.port import PoemRuled, SideName, Snapshot

NS_PER_MS = 1_000_000
WITHDRAWN = ("reverted", "void")  # states in which a ruling does not count


class PoemRow(TypedDict):
    """One poem of the record; what is not explained is as in `desk.panel.match.port.PoemRuled`."""

    order: int
    poem: int
    kimariji: str
    target_side: SideName | None
    taken_by: SideName | None
    faults_near: int
    faults_far: int
    sends_near: int
    sends_far: int
    state: str
    reaction_ms: float | None  # after the end of the kimariji, negative if before it; None if unknown
    lead_ms: float | None  # over the other player's contact, None without one
    lead_unc_ms: float | None
    reasons: str  # ids of the rulebook, separated by spaces
    note: str | None
    simulated: bool


def poem_rows(snapshot: Snapshot) -> list[PoemRow]:
    """Return the poems of a match in the order in which they were read."""
    return [_row(ruled) for ruled in snapshot["poems"]]


def side_sums(rows: Iterable[PoemRow], side: SideName) -> dict[str, Any]:
    """Return the sums of `side`; rulings that were taken back do not count.

    Times are of the takes whose time is known, negative before the end of the kimariji, or None.
    """
    standing = [row for row in rows if row["state"] not in WITHDRAWN]
    takes = [row for row in standing if row["taken_by"] == side]
    reactions_ms = [row["reaction_ms"] for row in takes if row["reaction_ms"] is not None]
    own = sum(row["target_side"] == side for row in takes)
    return {
        "own_takes": own,
        "opponent_takes": len(takes) - own,
        "faults": sum(row["faults_near" if side == "near" else "faults_far"] for row in standing),
        "sent": sum(row["sends_near" if side == "near" else "sends_far"] for row in standing),
        "timed": len(reactions_ms),
        "median_reaction_ms": round(median(reactions_ms), 1) if reactions_ms else None,
        "fastest_reaction_ms": min(reactions_ms, default=None),
    }


def fastest(rows: Iterable[PoemRow]) -> PoemRow | None:
    """Return the fastest take; one before the end of the kimariji is the faster the earlier it came."""
    timed = [row for row in rows if row["state"] not in WITHDRAWN and row["reaction_ms"] is not None]
    return min(timed, key=lambda row: row["reaction_ms"] or 0.0, default=None)


def closest(rows: Iterable[PoemRow]) -> PoemRow | None:
    """Return the take with the smallest difference between the two players' contacts."""
    races = [row for row in rows if row["state"] not in WITHDRAWN and row["lead_ms"] is not None]
    return min(races, key=lambda row: abs(row["lead_ms"] or 0.0), default=None)


def most_doubtful(poems: Iterable[PoemRuled], most: int = 3) -> list[PoemRuled]:
    """Return the poems that are most worth a second look, the most doubtful first.

    What no person has looked at yet comes first; then what is in doubt, the closest races, and the rulings
    with the least confidence.
    """
    standing = [ruled for ruled in poems if ruled["state"] not in WITHDRAWN and ruled["touches"]]
    return sorted(standing, key=_certainty)[:most]


def _certainty(ruled: PoemRuled) -> tuple[bool, bool, float, float]:
    lead_ns, unc_ns = ruled["lead_ns"], ruled["lead_unc_ns"]
    margin = math.inf if lead_ns is None or unc_ns is None else abs(lead_ns) / max(unc_ns, 1)
    looked_at = ruled["state"] in ("confirmed", "overruled")
    return looked_at, not ruled["doubts"], margin, ruled["confidence"]


def is_taken(ruled: PoemRuled) -> bool:
    """Tell whether a card was taken from the field and the ruling stands."""
    counts = ruled["state"] not in WITHDRAWN
    return counts and ruled["taken_by"] is not None and ruled["target_at_mm"] is not None


def as_csv(snapshot: Snapshot) -> str:
    """Return the poems as CSV with a header line, for spreadsheets."""
    return csv_of([PoemRow.__annotations__, *(row.values() for row in poem_rows(snapshot))])


def as_json(snapshot: Snapshot, problems: Sequence[str] = ()) -> dict[str, object]:
    """Return the whole record as JSON data; `problems` say what of the log is not in it."""
    rows = poem_rows(snapshot)
    return {
        "format": 1,
        "match": snapshot["match"],
        "winner": snapshot["winner"],
        "stopped": snapshot["stopped"],
        "cards_left": snapshot["counts"],
        "sums": {"near": side_sums(rows, "near"), "far": side_sums(rows, "far")},
        "poems": rows,
        **({"problems": list(problems)} if problems else {}),
    }


def _row(ruled: PoemRuled) -> PoemRow:
    return {
        "order": ruled["order"],
        "poem": ruled["poem"],
        "kimariji": ruled["kimariji"],
        "target_side": ruled["target_side"],
        "taken_by": ruled["taken_by"],
        "faults_near": ruled["faults"]["near"],
        "faults_far": ruled["faults"]["far"],
        "sends_near": ruled["sends"]["near"],
        "sends_far": ruled["sends"]["far"],
        "state": ruled["state"],
        "reaction_ms": _ms(reaction_ns(ruled)),
        "lead_ms": _ms(ruled["lead_ns"]),
        "lead_unc_ms": _ms(ruled["lead_unc_ns"]),
        "reasons": " ".join(ruled["reasons"]),
        "note": ruled["note"],
        "simulated": ruled.get("simulated", False),
    }


def _ms(t_ns: int | None) -> float | None:
    return None if t_ns is None else round(t_ns / NS_PER_MS, 1)
