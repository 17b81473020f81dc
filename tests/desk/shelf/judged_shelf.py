"""A film on a shelf without any picture: its facts are written by hand, and no process judges it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

from desk.films.reading import FilmReading, Look
from desk.panel.films.port import Working
from desk.shelf.job import EVIDENCE, Job
from desk.shelf.verdicts import FilmPoem, Verdicts
from referee.facts import ASSUMED, Gap, Unprovable
from tests.referee.karuta.judged_poem import DEAD, LAYOUT, NEAR, OTHERS, OWN, touch

MS = 1_000_000
S = 1000 * MS


def judged() -> Verdicts:
    """Near takes the own card, then one whose poem is only assumed, and faults while a dead one is read."""
    assumed = Gap(0, 60 * S, ASSUMED)
    poems = (
        FilmPoem(FilmReading(2 * S, 60 * MS, OWN), Look(LAYOUT, (touch(OWN, NEAR, 2600),)), "a.zip"),
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
            FilmReading(40 * S, 60 * MS, DEAD),
            Look(LAYOUT.without(OWN).without(OTHERS), (touch(52, NEAR, 40900),)),
        ),
    )
    return Verdicts("karuta", length_ns=60 * S, poems=poems)


class IdleWorkshop:
    """Notes what is to be judged, and says what came of it when it is told to."""

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

    def finish(self, verdicts: Verdicts | None = None, problem: str = "") -> Job:
        _, folder, job, over = self.jobs.pop(0)
        if verdicts is not None:
            verdicts.keep(folder)
            (folder / EVIDENCE).mkdir(exist_ok=True)
            (folder / EVIDENCE / "a.zip").write_bytes(b"pictures")
        over(problem)
        return job


async def pieces(data: bytes, size: int = 1000) -> AsyncIterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]
