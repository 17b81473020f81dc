"""The clips on which rules are switched off: simulated, of every scenario and style, and many races."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Final

from vision.simulator import SCENARIOS, STYLES, single_poem, write_recording

FIRST_SEED: Final = 820_000
"""Seeds from here on are used by nothing else: rules are judged by clips that nobody mended them by."""
_AGAIN: Final = ("race", "press", "pushout", "harai")
"""Scenarios that are filmed twice: much depends on the order of contacts in them, or on what slides."""
_GAPS_MS: Final = (0.0, 3.0, 6.0, 9.0, 13.0, 17.0, 22.0, 30.0)
"""How much later the second hand comes in further races: there most rules about hands speak."""
_FPS: Final = (60, 120, 60, 30, 240)


@dataclass(frozen=True)
class ClipPlan:
    """What is filmed in a clip; `name` is its folder, `gap_ms` see `single_poem`."""

    name: str
    scenario: str
    seed: int
    fps: int
    style: str
    gap_ms: float | None = None


def planned_clips(first_seed: int = FIRST_SEED) -> Iterator[ClipPlan]:
    """Yield each scenario once, some twice, and close races, in turns of style and frame rate."""
    played = [*((scenario, None) for scenario in (*SCENARIOS, *_AGAIN)), *(("race", gap) for gap in _GAPS_MS)]
    turns = zip(played, cycle(STYLES), cycle(_FPS), strict=False)
    for number, ((scenario, gap_ms), style, fps) in enumerate(turns):
        seed = first_seed + number
        yield ClipPlan(f"{seed}-{scenario}-{style}-{fps}", scenario, seed, fps, style, gap_ms)


def rendered(plan: ClipPlan, below: Path) -> Path:
    """Return the folder of a clip, filmed if it is not there yet; a film that was broken off is made anew."""
    folder, unfinished = below / plan.name, below / f"{plan.name}.unfinished"
    if not folder.exists():
        shutil.rmtree(unfinished, ignore_errors=True)
        clip = single_poem(plan.scenario, plan.seed, plan.fps, style=plan.style, gap_ms=plan.gap_ms)
        write_recording(clip, unfinished)
        unfinished.rename(folder)
    return folder
