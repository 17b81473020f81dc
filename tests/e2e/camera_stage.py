"""A network camera whose simulated player acts when the practice's own reader has begun a poem.

The pictures of each take are drawn beforehand and go out by the clock from the first sound on.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desk.karuta.readers.simulated_reader import kimariji_completed
from desk.karuta.simulated_hall.source import live_pace
from desk.log.event_log import EventLog
from desk.practice.events import CODEC
from desk.practice.plan import Plan
from referee.cards.poems import POEMS
from referee.facts import PoemStarted
from tests.vision.sources.http_camera import Part
from vision.simulator.hall.match import SimulatedMatch

_AHEAD_S = 0.3
"""A player knows the card so long before its kimariji is over; a simulated hand moves 0.42 to 0.7 s later."""


@dataclass
class Scene:
    """What happens from a moment on: pictures by their instants after it, and the contact with the card."""

    poem: int  # 1..100; 0 for the field before the first poem
    contact_ns: int | None = None  # of the player with the card that is read, None where it is not touched
    # t_ns, jpegs: the pictures
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


def logged(folder: Path) -> list[Any]:
    """Return the events of the practice's log."""
    (path,) = folder.glob("*.sqlite")
    with EventLog.read(path) as log:
        return [CODEC.decode(entry.kind, entry.version, entry.payload) for entry in log.entries()]
