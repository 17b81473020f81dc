"""A film on a shelf without pictures: its facts are hand-written, and no process judges it."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import av
import httpx
import numpy as np

from desk.films.reading import FilmReading, Look
from desk.panel.app import create_app
from desk.panel.films.port import Working
from desk.panel.roles import Role, Roles
from desk.shelf.film_process import EVIDENCE, Job
from desk.shelf.shelf import Shelf
from desk.shelf.verdicts import FilmPoem, Verdicts
from referee.facts import ASSUMED, Gap, Unprovable
from referee.sentence import Sentence
from tests.desk.panel.panel_port import ScriptedPort
from tests.desk.panel.visitor import browser_of
from tests.referee.karuta.judged_poem import DEAD, LAYOUT, NEAR, OTHERS, OWN, touch

MS = 1_000_000
NO_PROBLEM = Sentence()
S = 1000 * MS
REPLAY = f"{'ab' * 32}.zip"

BOUT = Verdicts(
    "kendo",
    judged={
        "score": {"ippon": [2, 0], "hansoku": [0, 1]},
        "winner": 0,
        "events": [
            {"t_ms": 900, "kind": "open", "player": 0},
            {"t_ms": 2500, "kind": "play", "player": 0, "cards": ["men_uchi_3"], "taken_back": True},
            {"t_ms": 4100, "kind": "declare", "player": 1, "what": "pass"},
        ],
        "flags": [
            {
                "event": 1,
                "id": "illegal_play",
                "row": "men_after_men",
                "text": "it is player 1's move",
                "t_ms": 2500,
            },
            {"event": 3, "id": "marker_differs", "row": "", "text": "IPPON is missing", "t_ms": 5000},
        ],
    },
)
"""A bout of the Kendo cards with a play that was taken back, and a marker that differs."""


def judged() -> Verdicts:
    """Near takes the own card, then one whose poem is only assumed, and faults while a dead one is read."""
    assumed = Gap(0, 60 * S, ASSUMED)
    poems = (
        FilmPoem(FilmReading(2 * S, 60 * MS, OWN), Look(LAYOUT, (touch(OWN, NEAR, 2600),)), REPLAY),
        FilmPoem(
            FilmReading(
                20 * S, 9 * MS, OTHERS, ASSUMED, (52, 53), Look(LAYOUT, (touch(OTHERS, NEAR, 20700),))
            ),
            Look(
                LAYOUT.without(OWN),
                (touch(OTHERS, NEAR, 20700), Unprovable(52, None, 21 * S, MS, "under_head"), assumed),
            ),
        ),
        FilmPoem(
            FilmReading(40 * S, 60 * MS, DEAD, confidence=0.93),
            Look(LAYOUT.without(OWN).without(OTHERS), (touch(52, NEAR, 40900),)),
        ),
    )
    return Verdicts("karuta", length_ns=60 * S, poems=poems)


class IdleProcess:
    """Records the jobs, and reports their results when the test says so."""

    def __init__(self) -> None:
        self.jobs: list[tuple[str, Path, Job, Callable[[str], None]]] = []

    def add(self, film_id: str, folder: Path, film: Path, job: Job, over: Callable[[str], None]) -> None:
        assert film.is_file()
        self.jobs.append((film_id, folder, job, over))

    def is_waiting(self, film_id: str) -> bool:
        return any(job[0] == film_id for job in self.jobs)

    def working(self, film_id: str) -> Working | None:
        return None

    async def drop(self, film_id: str) -> None:
        self.jobs = [job for job in self.jobs if job[0] != film_id]

    async def close(self) -> None:
        self.jobs = []

    def finish(self, verdicts: Verdicts | None = None, problem: Sentence = NO_PROBLEM) -> Job:
        _, folder, job, over = self.jobs.pop(0)
        if verdicts is not None:
            verdicts.keep(folder)
            (folder / EVIDENCE).mkdir(exist_ok=True)
            (folder / EVIDENCE / REPLAY).write_bytes(b"pictures")
        over(problem)
        return job


FILM = b"no film at all, which nobody looks at here" * 30


class Desk:
    """A shelf behind the panel."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.process = folder, IdleProcess()
        self.shelf = Shelf(folder / "films", folder / "matches", process=self.process)  # type: ignore[arg-type]
        roles = Roles({"op": Role.OPERATOR, "near": Role.NEAR})
        self.app = create_app(ScriptedPort(), roles=roles, films=self.shelf)

        self.browser = self.browser_of("op")

    def browser_of(self, token: str) -> httpx.Client:
        browser = browser_of(self.app, token)
        browser.cookies.set("lang", "en")
        return browser

    def film(self) -> str:
        """Upload a film in two parts, and return its address."""
        begun = self.browser.post("/api/films/uploads", json={"name": "試合.mp4", "size": len(FILM)})
        assert begun.status_code == 201
        address = begun.headers["location"]
        first = self.browser.patch(address, content=FILM[:100], headers={"Upload-Offset": "0"})
        assert (first.status_code, first.headers["upload-offset"]) == (200, "100")
        wrong = self.browser.patch(address, content=FILM[100:], headers={"Upload-Offset": "90"})
        assert (wrong.status_code, wrong.json()["offset"]) == (409, 100)
        assert self.browser.get(address).headers["upload-offset"] == "100"
        last = self.browser.patch(address, content=FILM[100:], headers={"Upload-Offset": "100"})
        return str(last.json()["film"])


async def pieces(data: bytes, size: int = 1000) -> AsyncIterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]


def small_film(path: Path, seconds: int) -> Path:
    """Write a small film of ten pictures a second, and return it."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=10, options={"preset": "ultrafast", "g": "10"})
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for number in range(10 * seconds):
            picture = np.full((48, 64, 3), 5 * number % 255, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode(None))
    return path
