"""Recordings of Koi-Koi tables with holes: which moves are read, what is flagged, what results are told."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from benchmarks.holes.hole import Hole, cut, hole_within
from benchmarks.holes.outcome import Outcome
from benchmarks.tables.koikoi_table import FLAG_OF
from desk.koikoi.card_game import KOIKOI
from referee.cards.hanafuda import by_index
from vision.recordings.recording import load_recording
from vision.sources.video_file import VideoSource

_READER = "desk.tables.film"


def koikoi_outcomes(recording: Path, holes: int, seed: int) -> Iterator[Outcome]:
    """Judge a recording, uncut and with `holes` holes, one at a time.

    Every move is a ruling; one that is written down is decided, and wrong where nobody made it. False are
    flags other than `unsure` that do not answer the recording's own fault.
    """
    truth = json.loads((recording / "truth.json").read_text("utf-8"))
    times_ms = [frame.t_ns / 1e6 for frame in VideoSource(load_recording(recording).video)]
    dice = random.Random(f"{seed} {recording.parent.name}/{recording.name}")
    for hole in (None, *(hole_within(times_ms[0], times_ms[-1], dice) for _ in range(holes))):
        with cut(_READER, [hole] if hole is not None else []):
            judged = KOIKOI.judge(recording)
        yield _outcome(recording, hole, judged, truth)


def _outcome(
    recording: Path, hole: Hole | None, judged: Mapping[str, Any], truth: Mapping[str, Any]
) -> Outcome:
    rounds = truth.get("rounds", [truth])
    wanted = [_move(event) for each in rounds for event in each["events"] if event["kind"] != "deal"]
    told = [_move(event) for event in judged["events"] if event["kind"] in {"play", "draw"}]
    right = _in_common(wanted, told)
    flags = Counter(flag["id"] for played in judged["rounds"] for flag in played["flags"])
    false = sum(number for name, number in flags.items() if name not in _answers(rounds))
    results = sum(map(_is_wrong, rounds, judged["rounds"]))
    name = f"{recording.parent.name}/{recording.name}"
    line = f"hole {hole}: {right} of {len(told)} moves right, {results} results wrong, flags {dict(flags)}"
    return Outcome(name, hole, len(wanted), len(told), len(told) - right + results, false, line)


def _in_common(wanted: Sequence[str], told: Sequence[str]) -> int:
    return sum(
        block.size for block in SequenceMatcher(None, wanted, told, autojunk=False).get_matching_blocks()
    )


def _answers(rounds: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return the flags that are true: the doubt, and what answers the fault."""
    fault = rounds[-1]["fault"]
    own = () if fault is None else fault.get("flags") or FLAG_OF.get(fault["family"], (fault["family"],))
    return {"unsure", *own}


def _is_wrong(truth: Mapping[str, Any], played: Mapping[str, Any]) -> bool:
    """Tell whether a result is told for certain and is another one."""
    final = truth["final"]
    if final is None or played["end"] is None or not played.get("certain", True):
        return False
    return any(played[key] != final[key] for key in ("end", "winner", "points"))


def _move(event: Mapping[str, Any]) -> str:
    """Return a move in words; chaff cards of one month count as the same card."""
    taken = sorted(map(_kind, event["taken"]))
    return f"{event['player']} {event['kind']} {_kind(event['card'])} takes {taken}"


def _kind(card: int) -> str:
    face = by_index(card)
    return f"{face.month} {face.category.value}"
