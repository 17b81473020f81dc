"""When a second camera's witness looks for its place, and what it says where it finds none."""

from collections import deque
from dataclasses import replace
from functools import cached_property
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.clocks.latency import Offset
from calibration.failure import FailedEstimation
from referee.facts import PoemStarted, Testimony, Touch
from referee.sides import Side
from vision.frames.frame import Frame
from vision.match.watcher import MatchWatcher
from vision.poem.events import PoemSeen, WatchEvent
from vision.simulator.hall.match import single_poem
from vision.simulator.hall.second_camera import SecondCamera
from vision.witnesses import second_camera as second_witness
from vision.witnesses.joint_facts import Account
from vision.witnesses.second_camera import SecondWitness
from vision.witnesses.second_view import SecondView, match_views

Pixels = NDArray[np.uint8]

PICTURE = np.full((120, 160), 90, np.uint8)
OFFSET = Offset(0.0, 1e6, 5e5, 1)
FIRST = Account((Touch(5, Side.NEAR, 1_000, 9_000_000),))


class Reading:
    """A layout as far as the witness asks for it before it has found its place."""

    geometry = None
    corners_px = ()


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Count how often the camera's place is looked for; it is never found."""
    asked: list[Any] = []

    def nowhere(*about: Any) -> FailedEstimation:
        asked.append(about)
        return FailedEstimation("nothing alike", "aim the camera at the cards")

    monkeypatch.setattr(second_witness, "match_views", nowhere)
    return asked


def shown(witness: SecondWitness, seconds: float) -> None:
    for number in range(round(seconds * 30)):
        witness.feed(Frame(PICTURE, round((number + 1) / 30 * 1e9), 1_000, number))


def test_without_pictures_the_first_camera_stands_alone(looks: list[Any]) -> None:
    witness = SecondWitness(OFFSET)
    witness.begin(Reading(), PICTURE)  # type: ignore[arg-type]
    assert witness.problem == "no picture has come from the second camera"
    assert witness.joined(FIRST, 1_000_000_000) == FIRST.facts
    assert not looks
    assert witness.poems == 0


def test_a_camera_that_is_not_found_is_not_looked_for_at_every_rest(looks: list[Any]) -> None:
    witness = SecondWitness(OFFSET)
    shown(witness, 1.0)
    for _ in range(5):
        witness.place(Reading(), PICTURE)  # type: ignore[arg-type]
    witness.begin(Reading(), PICTURE)  # type: ignore[arg-type]
    assert len(looks) == 1
    assert witness.problem == "nothing alike (aim the camera at the cards)"
    assert witness.joined(FIRST, 1_000_000_000) == FIRST.facts
    shown(witness, 25.0)
    witness.place(Reading(), PICTURE)  # type: ignore[arg-type]
    assert len(looks) == 2


def gray(picture: Pixels) -> Pixels:
    return picture if picture.ndim == 2 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


class Film:
    """A poem filmed by two cameras, of which the second may be unplugged for a while."""

    def __init__(self) -> None:
        size = (960, 540)
        match = single_poem("own", 2, 30, size, "tatami", cards_per_side=8)
        self.first = list(match)
        (episode,) = match.episodes()
        self.start = PoemStarted(episode.poem, round(episode.t_s * 1e9), 1_000_000)
        self.touched_ns = round(min(touch["t_ms"] for touch in episode.truth["touches"]) * 1e6)
        filmed = match.filmed_by(SecondCamera(fps=30, size=size, stand="right"))
        self.second = [Frame(gray(picture), t_ns, 1_000, at) for at, (t_ns, picture) in enumerate(filmed)]

    @cached_property
    def alone(self) -> tuple[Testimony, ...]:
        """What the first camera tells by itself."""
        return self.judged(None)

    def judged(
        self,
        witness: SecondWitness | None,
        unplugged_ns: tuple[float, float] = (0, 0),
        before: PoemStarted | None = None,
    ) -> tuple[Testimony, ...]:
        """Return the poem's facts; `before` is a poem that nobody touched, and ends as this one begins."""
        begin_ns, end_ns = unplugged_ns
        watcher = MatchWatcher(second=witness, report_tidying=False)
        waiting = deque(frame for frame in self.second if not begin_ns <= frame.t_ns < end_ns)
        events: list[WatchEvent] = []
        begun = False
        for frame in self.first:
            while witness is not None and waiting and waiting[0].t_ns <= frame.t_ns:
                witness.feed(waiting.popleft())
            if before is not None and frame.t_ns >= before.t_ns:
                events, before = events + watcher.poem_started(before), None
            if frame.t_ns >= self.start.t_ns and not begun:
                begun = True
                events += watcher.poem_started(self.start)
            events += watcher.feed(frame)
        events += watcher.close()
        *_, seen = (event for event in events if isinstance(event, PoemSeen))
        return seen.facts


@pytest.fixture(scope="module")
def film() -> Film:
    return Film()


_PLACES: dict[bytes, SecondView | FailedEstimation] = {}


@pytest.fixture
def placed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look only once for where the second camera stands: these films show the same two pictures at rest."""

    def matched(first: Pixels, geometry: Any, corners_px: Any, second: Pixels, before: Any) -> Any:
        key = first.tobytes() + second.tobytes()
        if before is not None:
            return match_views(first, geometry, corners_px, second, before)
        if key not in _PLACES:
            _PLACES[key] = match_views(first, geometry, corners_px, second)
        return _PLACES[key]

    monkeypatch.setattr(second_witness, "match_views", matched)


@pytest.mark.slow
def test_a_second_camera_that_was_unplugged_during_a_poem_is_no_witness_of_it(
    film: Film, placed_once: None
) -> None:
    alone, told = film.alone, SecondWitness(OFFSET)
    both = film.judged(told)
    assert (told.poems, told.problem) == (1, None)
    assert both != alone
    touched_ns, ever_ns = film.touched_ns, 10**12
    for unplugged_ns, problem in (
        ((touched_ns - 1e8, touched_ns + 2e8), "the second camera was lost for a while"),
        ((touched_ns - 1e8, ever_ns), "pictures were"),
        ((film.start.t_ns - 3e8, touched_ns - 3e8), "the second camera was lost for a while"),
    ):
        witness = SecondWitness(OFFSET)
        assert film.judged(witness, unplugged_ns) == alone
        assert witness.poems == 0
        assert problem in (witness.problem or "")


@pytest.mark.slow
def test_a_second_camera_that_was_knocked_during_a_poem_is_no_witness_of_it(
    film: Film, placed_once: None
) -> None:
    knocked, witness = Film.__new__(Film), SecondWitness(OFFSET)
    knocked.first, knocked.start = film.first, film.start
    knocked.second = [
        replace(frame, picture=np.roll(frame.gray, 3, axis=1)) if frame.t_ns > film.touched_ns else frame
        for frame in film.second
    ]
    assert knocked.judged(witness) == film.alone
    assert witness.poems == 0
    assert witness.problem == "the second camera was knocked, or its light changed"


@pytest.mark.slow
def test_a_second_camera_that_is_back_before_the_poem_bears_witness_of_it(
    film: Film, placed_once: None
) -> None:
    witness = SecondWitness(OFFSET)
    film.judged(witness, (2e8, 5e8))
    assert (witness.poems, witness.problem) == (1, None)


@pytest.mark.slow
def test_a_poem_that_begins_as_one_ends_untouched_has_its_second_witness(
    film: Film, placed_once: None
) -> None:
    witness = SecondWitness(OFFSET)
    untouched = PoemStarted(101 - film.start.poem, film.start.t_ns - 600_000_000, 1_000_000)
    film.judged(witness, before=untouched)
    assert (witness.poems, witness.problem) == (2, None)
