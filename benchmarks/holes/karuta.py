"""Karuta recordings with holes: what is ruled of each poem."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from benchmarks.holes.hole import Hole, cut, hole_within
from benchmarks.holes.outcome import Outcome
from benchmarks.touches.scoring import Json, score_poems
from desk.errors import DeskError
from desk.karuta.eye.recorded_match import judge_recording
from vision.sources.video_file import VideoSource

_BEFORE_MS = 1000.0
"""Of a match, what comes so long before a first sound is counted as that poem's: its field is read there."""


def karuta_outcomes(recording: Path, holes: int, seed: int) -> Iterator[Outcome]:
    """Judge a recording, uncut and with `holes` holes.

    Of a match, each poem of one run has a hole of its own.
    """
    truth = json.loads((recording / "truth.json").read_text("utf-8"))
    parts = _parts(recording, truth)
    dice = random.Random(f"{seed} {recording.parent.name}/{recording.name}")
    yield from _outcomes(recording, truth, [None] * len(parts))
    for first in range(0, holes, len(parts)):
        cuts = [hole_within(*part, dice) for part in parts]
        wanted = min(len(parts), holes - first)
        yield from _outcomes(recording, truth, [*cuts[:wanted], *[None] * (len(parts) - wanted)])


def _parts(recording: Path, truth: Json) -> list[tuple[float, float]]:
    """Return from when to when each poem's part of the film lasts, milliseconds."""
    told = tomllib.loads((recording / "recording.toml").read_text("utf-8"))
    film = VideoSource(recording / told["video"])
    times_ms = [frame.t_ns / 1e6 for frame in film]
    begins_ms = [poem["t_ms"] - _BEFORE_MS for poem in truth["poems"][1:]]
    return list(pairwise([times_ms[0], *begins_ms, times_ms[-1]]))


def _outcomes(recording: Path, truth: Json, holes: Sequence[Hole | None]) -> Iterator[Outcome]:
    name = f"{recording.parent.name}/{recording.name}"
    made = [hole for hole in holes if hole is not None]
    try:
        with cut("desk.karuta.eye.recorded_match", made):
            judged = judge_recording(recording)
    except DeskError as error:
        for hole in holes:
            if hole is not None or not made:
                yield Outcome(name, hole, 1, 0, 0, 0, f"refused: {error}")
        return
    for number, (hole, score) in enumerate(zip(holes, score_poems(name, judged, truth), strict=True)):
        if hole is None and made:
            continue
        place = "uncut" if hole is None else f"{hole.from_ms:.1f} to {hole.to_ms:.1f} ms"
        unproven = [f"{one['reason']} {one['card']}" for one in judged["poems"][number]["not_provable"]]
        told = (
            f"{place}: poem {score.poem} ({score.scenario}, {score.fps:.0f} fps) ruled {score.judged} "
            f"for {score.truth}, {score.status} {score.confidence:.2f} {' '.join(score.doubts)}; "
            f"{', '.join(unproven)}"
        )
        decided = score.status == "decided"
        wrong = score.verdict == "WRONG"
        yield Outcome(name, hole, 1, int(decided), int(wrong), score.false_faults, told)
