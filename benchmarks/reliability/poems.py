"""Fresh poems with their truth, and what the eye told of each: one JSON line a poem."""

import json
import multiprocessing
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from contact.styles import FAMILIES, drawn_friction, drawn_style, drawn_temper  # type: ignore[import-not-found, unused-ignore]

from benchmarks.places import CACHE
from desk.errors import DeskError
from desk.karuta.engine.events import CODEC
from desk.karuta.evidence.poem_json import layout_and_facts
from desk.karuta.eye.recorded_match import watch_recording
from referee.facts import FieldSettled, PoemStarted
from referee.karuta.judge import judge_poem, ruling_by_contacts
from referee.karuta.ruleset import RuleSet
from referee.karuta.ruling import Ruling
from vision.simulator import Pace, SimulatedMatch, write_recording

FIRST_SEED: Final = 7_000_000  # nothing was ever taught or tuned by these seeds
HALLS: Final = (*FAMILIES, "holdout")
"""Halls of five families in which the eye learned, each drawn anew, and one style that taught nobody."""
_FPS: Final = (30.0, 60.0)
_ROUNDED_NS: Final = 2_000_000  # a recording holds instants to a millisecond


def folder_of(first_seed: int) -> Path:
    """Return where the poems of these seeds are kept."""
    return CACHE / ("reliability" if first_seed == FIRST_SEED else f"reliability-{first_seed}")


@dataclass(frozen=True)
class Watched:
    """A poem that was played, filmed and watched; no other poem shares its film."""

    # source, name: the renderer's hall or the folder of recordings, and the poem's name in it
    source: str
    name: str
    # scenario, fps: what was played, and how it was filmed
    scenario: str
    fps: float
    # start, look: its first sound, and the field before it with what the eye told
    start: PoemStarted
    look: tuple[FieldSettled, tuple[Any, ...]]
    truth: dict[str, Any]  # the true taker, faults and cards sent; the true contacts

    def ruling(self, rules: RuleSet) -> Ruling:
        """Return the ruling on it."""
        field, facts = self.look
        return judge_poem(self.start.poem, field.layout, (*facts, self.start), rules)

    def ruling_by_contacts(self, rules: RuleSet) -> Ruling:
        """Return the same as sure as its contacts are."""
        field, facts = self.look
        return ruling_by_contacts(self.start.poem, field.layout, (*facts, self.start), rules)

    def is_right(self, ruling: Ruling) -> bool:
        """Tell whether a ruling is the true one."""
        told, true = ruling.to_json(), self.truth["ruling"]
        return all(told[key] == true[key] for key in ("taken_by", "faults", "sends"))


def clip(seed: int) -> tuple[SimulatedMatch, str]:
    """Return the film of one poem of a match, drawn as often as it happens in one, and its hall."""
    rng = np.random.default_rng([seed, 23])
    hall = HALLS[seed % len(HALLS)]
    match = SimulatedMatch(
        seed,
        float(rng.choice(_FPS)),
        (1280, 720),
        hall if hall == "holdout" else drawn_style(hall, rng),
        int(rng.integers(8, 26)),
        pace=Pace(first_s=0.6, settle_s=0.3),
        restore=False,
        friction=drawn_friction(rng),
        temper=drawn_temper(rng),
    )
    return match, hall


def watched(folder: Path, source: str, name: str) -> Iterator[dict[str, Any]]:
    """Watch a recording with a truth; yield the lines of its poems."""
    truth = json.loads((folder / "truth.json").read_text("utf-8"))
    try:
        seen = watch_recording(folder).seen
    except DeskError as error:  # no field: nothing is ruled, and nothing decided
        print(f"{name}: {error}", flush=True)
        seen = {}
    told = list(seen.values())
    for number, true in enumerate(truth["poems"]):
        start = PoemStarted(true["poem"], round(true["t_ms"] * 1e6), 1_000)
        one = next((each for each in told if abs(each.start.t_ns - start.t_ns) < _ROUNDED_NS), None)
        layout, facts = layout_and_facts(start, one)
        yield {
            "source": source,
            "name": f"{name}/{number}",
            "scenario": true["scenario"],
            "fps": truth["meta"]["fps"],
            "start": CODEC.encode(start if one is None else one.start),
            "look": [CODEC.encode(fact) for fact in (FieldSettled(layout, 0), *facts)],
            "truth": {key: true[key] for key in ("ruling", "touches", "pushed_out", "target_side")},
        }


def watched_folder(folder: Path) -> Iterator[Watched]:
    """Watch the recordings of a folder that have their truth beside them."""
    for path in sorted(folder.glob("*/truth.json")):
        for line in watched(path.parent, folder.name, path.parent.name):
            yield _poem(line)


def read(folder: Path | None = None) -> list[Watched]:
    """Return the poems that were watched so far, in order of their names."""
    poems = [
        _poem(json.loads(line))
        for file in sorted((folder or folder_of(FIRST_SEED)).glob("*.jsonl"))
        for line in file.read_text("utf-8").splitlines()
    ]
    return sorted(poems, key=lambda poem: poem.name)


def _poem(plain: dict[str, Any]) -> Watched:
    field, *facts = (CODEC.decode(*each) for each in plain.pop("look"))
    start = CODEC.decode(*plain.pop("start"))
    return Watched(**plain, start=start, look=(field, tuple(facts)))


def watch_clips(count: int, jobs: int, until_s: float, first_seed: int) -> None:
    """Film and watch the first `count` clips that are not there yet; begin none after `until_s`."""
    folder = folder_of(first_seed)
    folder.mkdir(parents=True, exist_ok=True)
    ends_s = time.monotonic() + until_s
    context = multiprocessing.get_context("spawn")
    workers = [
        context.Process(target=_work, args=(number, jobs, count, ends_s, first_seed))
        for number in range(jobs)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def _work(number: int, jobs: int, count: int, ends_s: float, first_seed: int) -> None:
    cv2.setNumThreads(1)
    folder = folder_of(first_seed)
    done = {
        json.loads(line)["name"]
        for file in folder.glob("*.jsonl")
        for line in file.read_text("utf-8").splitlines()
    }
    with (folder / f"clips-{number}.jsonl").open("a", encoding="utf-8") as file:
        for seed in range(first_seed + number, first_seed + count, jobs):
            if time.monotonic() > ends_s:
                return
            if f"{seed}/0" in done:
                continue
            match, hall = clip(seed)
            with tempfile.TemporaryDirectory() as made:
                for line in watched(write_recording(match, Path(made) / "clip"), hall, str(seed)):
                    file.write(json.dumps(line) + "\n")
                    file.flush()
