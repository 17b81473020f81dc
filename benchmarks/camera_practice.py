"""A practice before a camera, from its pictures to its times: `shinpan practise` with a player who listens.

`uv run python -m benchmarks.camera_practice [--cards 5] [--fps 30] [--seed 3] [--json OUT]`

A network camera on this machine shows a simulated field (720p, MJPEG). Its player acts when the practice's
own reader has begun a poem: the pictures of each take are drawn beforehand and go out by the clock from the
first sound on. So camera, eye, reader and log are the real ones and run in real time, and it is known when
which card was touched. Without a loudspeaker the reader keeps time in silence.
"""

from __future__ import annotations

import tempfile
import time
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.command import read_options, write_json
from desk.karuta.eye.equipment import Wanted
from desk.karuta.readers.simulated_reader import kimariji_completed
from desk.karuta.simulated_hall.source import live_pace
from desk.log.event_log import EventLog
from desk.practice.events import CODEC, Attempt
from desk.practice.plan import Plan
from desk.practice.practice import Practice
from desk.practice.sources import Voice, open_practice
from referee.cards.poems import POEMS
from referee.facts import KimarijiCompleted, PoemStarted
from tests.vision.sources.http_camera import Part, Script, http_camera
from vision.simulator.hall.match import SimulatedMatch

_AHEAD_S = 0.3
"""A player knows the card so long before its kimariji is over; a simulated hand moves 0.42 to 0.7 s later."""
_PATIENCE_S = 60.0


@dataclass
class Scene:
    """What happens from a moment on: pictures by their instants after it, and the contact with the card.

    Attributes
    ----------
    poem : 1..100; 0 for the field before the first poem.
    t_ns, jpegs : the pictures.
    contact_ns : of the player with the card that is read, None where it is not touched.
    """

    poem: int
    contact_ns: int | None = None
    t_ns: list[int] = field(default_factory=list)
    jpegs: list[bytes] = field(default_factory=list)

    def after(self, t_ns: int) -> tuple[int, bytes]:
        """Return the next picture after an instant, and when it is due.

        After the last one come those before it again: in them nothing moves.
        """
        number = bisect_right(self.t_ns, t_ns)
        if number < len(self.t_ns):
            return self.t_ns[number], self.jpegs[number]
        step_ns = (self.t_ns[-1] - self.t_ns[0]) // (len(self.t_ns) - 1)
        steps = (t_ns - self.t_ns[-1]) // step_ns + 1
        return self.t_ns[-1] + steps * step_ns, self.jpegs[-1 - steps % min(10, len(self.jpegs))]


class Stage:
    """The camera's picture: the scene that was begun last."""

    def __init__(self, rest: Scene) -> None:
        self._scene, self._began_ns = rest, time.perf_counter_ns()

    def begin(self, scene: Scene, t_ns: int) -> None:
        """Show another scene, which began at an instant of this machine's clock."""
        self._scene, self._began_ns = scene, t_ns

    def __iter__(self) -> Iterator[Part]:
        """Iterate over what one connection is sent: each picture at its own instant, without end."""
        connected_s = time.perf_counter()
        while True:
            t_ns, jpeg = self._scene.after(time.perf_counter_ns() - self._began_ns)
            yield Part((self._began_ns + t_ns) / 1e9 - connected_s, jpeg)


def main() -> None:
    """Measure, print a line for each poem."""
    arguments = read_options(__doc__, cards=5, fps=30.0, seed=3)
    plan = Plan(seed=arguments.seed)
    rest, scenes = drawn(arguments.seed, arguments.fps, arguments.cards, plan)
    stage = Stage(rest)
    with tempfile.TemporaryDirectory(prefix="shinpan-") as name:
        with http_camera(Script([stage])) as address:
            practice = open_practice(
                address, "Hana", plan, wanted=Wanted(), voice=Voice(), folder=Path(name), due_days=dict
            )
            begun = practised(practice, stage, scenes, Path(name))
        rows = compared(Path(name), scenes, begun)
    print(f"{'poem':>4} {'outcome':<9} {'measured ms':>16} {'true ms':>8}  within")
    for row in rows:
        measured = "-" if row["ms"] is None else f"{row['ms']:.1f} ± {row['unc_ms']:.1f}"
        true = "-" if row["true_ms"] is None else f"{row['true_ms']:.1f}"
        print(f"{row['poem']:>4} {row['outcome']:<9} {measured:>16} {true:>8}  {row['within']}")
    write_json(arguments.json, rows)


def drawn(
    seed: int, fps: float, cards: int, plan: Plan, most: int | None = None
) -> tuple[Scene, dict[int, Scene]]:
    """Draw the field at rest, and the scene of each poem in the order in which the practice reads them.

    Only the first `most` poems are drawn if that is said.
    """
    match = SimulatedMatch(seed, fps, cards_per_side=cards, pace=live_pace(), alone=True, jpeg_quality=85)
    match.poems = plan.order({placed.card for placed in match.start if placed.card is not None})
    unread, known_s = set(POEMS), {}
    for poem in match.poems:
        said = kimariji_completed(PoemStarted(poem, 0, 1), unread)
        known_s[poem] = max(0.0, said.t_ns / 1e9 - _AHEAD_S)
        unread.discard(poem)
    match.known_s = known_s
    rest = current = Scene(0)
    scenes: dict[int, Scene] = {}
    begins_ns, episodes = 0, match.episodes()
    upcoming = next(episodes, None)
    for frame in match:
        while upcoming is not None and round(upcoming.t_s * 1e9) <= frame.t_ns:
            begins_ns, poem = round(upcoming.t_s * 1e9), upcoming.poem
            touched = [each["t_ms"] for each in upcoming.truth["touches"] if each["card"] == poem]
            contact_ns = round(min(touched) * 1e6) - begins_ns if touched else None
            if len(scenes) == most:
                return rest, scenes
            current = scenes[poem] = Scene(poem, contact_ns)
            upcoming = next(episodes, None)
        assert frame.jpeg is not None
        current.t_ns.append(frame.t_ns - begins_ns)
        current.jpegs.append(frame.jpeg)
    return rest, scenes


def practised(practice: Practice, stage: Stage, scenes: dict[int, Scene], folder: Path) -> dict[int, int]:
    """Practise to the end; return when each poem began, by this machine's clock."""
    begun: dict[int, int] = {}
    practice.begin()
    try:
        latest_s = time.monotonic() + _PATIENCE_S
        while practice.do("start") is not None:
            if time.monotonic() > latest_s:
                raise SystemExit(f"the field was not read: {practice.now()}")
            time.sleep(0.5)
        latest_s = time.monotonic() + 40.0 * len(scenes)
        while not practice.is_over and time.monotonic() < latest_s:
            for event in logged(folder):
                if isinstance(event, PoemStarted) and event.poem not in begun:
                    begun[event.poem] = event.t_ns
                    stage.begin(scenes[event.poem], event.t_ns)
            time.sleep(0.02)
    finally:
        practice.close()
    return begun


def logged(folder: Path) -> list[Any]:
    """Return the events of the practice's log."""
    (path,) = folder.glob("*.sqlite")
    with EventLog.read(path) as log:
        return [CODEC.decode(entry.kind, entry.version, entry.payload) for entry in log.entries()]


def compared(folder: Path, scenes: dict[int, Scene], begun: dict[int, int]) -> list[dict[str, Any]]:
    """Compare each attempt with what happened."""
    events = logged(folder)
    decided = {event.poem: event.t_ns for event in events if isinstance(event, KimarijiCompleted)}
    rows = []
    for event in events:
        if not isinstance(event, Attempt):
            continue
        contact_ns, end_ns = scenes[event.poem].contact_ns, decided.get(event.poem)
        true_ms = None
        if contact_ns is not None and end_ns is not None:
            true_ms = (begun[event.poem] + contact_ns - end_ns) / 1e6
        ms = None if event.reaction_ns is None else event.reaction_ns / 1e6
        unc_ms = None if event.reaction_unc_ns is None else event.reaction_unc_ns / 1e6
        within = None
        if true_ms is not None and ms is not None and unc_ms is not None:
            within = abs(ms - true_ms) <= unc_ms
        rows.append(
            {"poem": event.poem, "outcome": event.outcome.value, "ms": ms, "unc_ms": unc_ms,
             "true_ms": true_ms, "within": within}
        )  # fmt: skip
    return rows


if __name__ == "__main__":
    main()
