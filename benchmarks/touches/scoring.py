"""How a judged recording is compared with its truth: layout, touches, rulings.

Both sides are the JSON of the recording format: what `shinpan judge` writes, and `truth.json`.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

PLACE_TOLERANCE_MM = 20.0
SAME_INSTANT_MS = 1.0
"""A sweep's hand may meet several cards within a render step: each of them counts as the first card."""

Json = dict[str, Any]


@dataclass(frozen=True)
class LayoutScore:
    """How many cards were expected, found right, given a wrong identity, and found where there was none."""

    expected: int
    right: int
    wrong: int
    extra: int
    rms_mm: float


@dataclass
class PoemScore:
    """One poem: its ruling against the truth and its touches against the true ones."""

    recording: str
    poem: int
    scenario: str
    fps: float
    status: str
    ruling_right: bool
    first_right: bool | None
    gap_ms: float | None
    layout: LayoutScore
    doubts: Sequence[str]
    judged: str
    truth: str
    confidence: float
    time_errors_ms: list[float] = field(default_factory=list)
    covered: list[bool] = field(default_factory=list)
    half_widths_ms: list[float] = field(default_factory=list)
    sureness: list[tuple[float, bool]] = field(default_factory=list)
    """Of each judged touch: its confidence, and whether that player truly touched that card."""
    inside: list[tuple[str, bool]] = field(default_factory=list)
    """Of each judged contact that truly happened: its kind (`touch`, `pushed_out`), and whether its interval
    holds the true instant."""
    target_error_ms: float | None = None
    false_faults: int = 0

    @property
    def verdict(self) -> str:
        """`right`, `WRONG` (decided and wrong), or `review`."""
        if self.status != "decided":
            return "review"
        return "right" if self.ruling_right else "WRONG"


def score_layout(judged: Sequence[Json], true: Sequence[Json]) -> LayoutScore:
    """Match cards by identity and side, within 20 mm after a rigid fit."""
    by_card = {placed["card"]: placed for placed in judged if placed["card"] is not None}
    pairs = [(by_card[placed["card"]], placed) for placed in true if placed["card"] in by_card]
    extra = len(judged) - len(pairs)
    if len(pairs) < 2:
        return LayoutScore(len(true), 0, len(pairs), extra, math.inf)
    found = np.array([[a["x_mm"], a["y_mm"]] for a, _ in pairs])
    wanted = np.array([[b["x_mm"], b["y_mm"]] for _, b in pairs])
    residual = np.linalg.norm(_rigid_fit(found, wanted) - wanted, axis=1)
    right = [
        bool(distance <= PLACE_TOLERANCE_MM and a["side"] == b["side"])
        for distance, (a, b) in zip(residual, pairs, strict=True)
    ]
    rms_mm = float(np.sqrt(np.mean(residual[right] ** 2))) if any(right) else math.inf
    return LayoutScore(len(true), sum(right), len(right) - sum(right), extra, rms_mm)


def _rigid_fit(found: NDArray[np.float64], wanted: NDArray[np.float64]) -> NDArray[np.float64]:
    # Robust against a few wrong identities: fit, drop what is far off, fit again.
    keep = np.ones(len(found), bool)
    moved = found
    for _ in range(3):
        centre_a, centre_b = np.median(found[keep], axis=0), np.median(wanted[keep], axis=0)
        u, _, vt = np.linalg.svd((found[keep] - centre_a).T @ (wanted[keep] - centre_b))
        turn = u @ np.diag([1.0, float(np.sign(np.linalg.det(u @ vt)))]) @ vt
        moved = (found - centre_a) @ turn + centre_b
        distance = np.linalg.norm(moved - wanted, axis=1)
        keep = distance <= max(PLACE_TOLERANCE_MM, float(np.median(distance)) * 3)
    return moved


def score_poems(name: str, judged: Json, true: Json) -> Iterator[PoemScore]:
    """Compare each poem of a judged recording with its truth."""
    fps = float(true["meta"]["fps"])
    for number, truth in enumerate(true["poems"]):
        ruled = judged["poems"][number]
        ruling = ruled["ruling"]
        layout = ruled.get("layout_before") or judged["layout"]
        score = PoemScore(
            recording=name,
            poem=truth["poem"],
            scenario=truth["scenario"],
            fps=fps,
            status=ruling["status"],
            ruling_right=all(ruling[key] == truth["ruling"][key] for key in ("taken_by", "faults", "sends")),
            first_right=_first_right(ruled["touches"], truth),
            gap_ms=truth.get("gap_ms"),
            layout=score_layout(layout, truth.get("layout_before") or true["layout"]),
            doubts=ruling.get("doubts", ()),
            judged=_brief(ruling),
            truth=_brief(truth["ruling"]),
            confidence=ruling["confidence"],
            false_faults=sum(
                max(0, ruling["faults"][side] - truth["ruling"]["faults"][side])
                for side in ("near", "far")
                if ruling["status"] == "decided"
            ),
        )
        _score_times(score, ruled["touches"], truth)
        yield score


def _brief(ruling: Json) -> str:
    faults, sends = ruling["faults"], ruling["sends"]
    return f"{ruling['taken_by'] or '-'} f{faults['near']}{faults['far']} s{sends['near']}{sends['far']}"


def _first_right(touches: Sequence[Json], truth: Json) -> bool | None:
    """Tell whether the earliest judged contact is one of the truly earliest; None where nobody touched."""
    if not truth["touches"]:
        return None if not touches else False
    if not touches:
        return False
    first_ms = min(touch["t_ms"] for touch in truth["touches"])
    firsts = {
        (touch["card"], touch["player"])
        for touch in truth["touches"]
        if touch["t_ms"] <= first_ms + SAME_INSTANT_MS
    }
    judged = min(touches, key=lambda touch: touch["t_ms"])
    return (judged["card"], judged["player"]) in firsts


def _score_times(score: PoemScore, touches: Sequence[Json], truth: Json) -> None:
    true_ms = {(touch["card"], touch["player"]): touch["t_ms"] for touch in truth["touches"]}
    pushed = {(push["card"], push["player"]): push["t_ms"] for push in truth.get("pushed_out", ())}
    for touch in touches:
        which = touch["card"], touch["player"]
        is_touch = touch["kind"] == "touch"
        # a card that is told as pushed may have been touched on its way: then that is what its interval holds
        expected_ms = true_ms.get(which) if is_touch else true_ms.get(which, pushed.get(which))
        if is_touch:
            score.sureness.append((touch["confidence"], expected_ms is not None))
        if expected_ms is None:
            continue
        covered = touch["t_low_ms"] <= expected_ms <= touch["t_high_ms"]
        score.inside.append((touch["kind"], covered))
        if not is_touch:
            continue
        error_ms = touch["t_ms"] - expected_ms
        score.time_errors_ms.append(error_ms)
        score.covered.append(covered)
        score.half_widths_ms.append(touch["t_unc_ms"])
        if touch["card"] == truth["poem"] and touch["player"] == truth["ruling"]["taken_by"]:
            score.target_error_ms = error_ms
