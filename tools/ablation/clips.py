"""The clips on which rules are switched off: simulated, of every scenario and style, used nowhere else."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Final

from vision.simulator import SCENARIOS, STYLES, single_poem, write_recording

FIRST_SEED: Final = 812_000
"""Seeds from here on are used by nothing else: rules are judged by clips that nobody mended them by."""
_AGAIN: Final = ("race", "press", "pushout", "harai")
"""Scenarios that are filmed twice: much depends on the order of contacts in them, or on what slides."""
_FPS: Final = (60, 120, 60, 30, 240)


@dataclass(frozen=True)
class ClipPlan:
    """What is filmed in a clip; `name` is its folder."""

    name: str
    scenario: str
    seed: int
    fps: int
    style: str


def planned_clips(first_seed: int = FIRST_SEED) -> Iterator[ClipPlan]:
    """Yield each scenario once, some twice, in turns of style and frame rate."""
    turns = zip((*SCENARIOS, *_AGAIN), cycle(STYLES), cycle(_FPS), strict=False)
    for number, (scenario, style, fps) in enumerate(turns):
        seed = first_seed + number
        yield ClipPlan(f"{seed}-{scenario}-{style}-{fps}", scenario, seed, fps, style)


def rendered(plan: ClipPlan, below: Path) -> Path:
    """Return the folder of a clip, filmed if it is not there yet; a film that was broken off is made anew."""
    folder, unfinished = below / plan.name, below / f"{plan.name}.unfinished"
    if not folder.exists():
        shutil.rmtree(unfinished, ignore_errors=True)
        clip = single_poem(plan.scenario, plan.seed, plan.fps, style=plan.style)
        write_recording(clip, unfinished)
        unfinished.rename(folder)
    return folder
