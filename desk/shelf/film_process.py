"""The process that judges films, one after another, so that a running match is not disturbed.

If a film crashes it, the crash is reported.
"""

import asyncio
import errno
import shutil
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from desk.errors import DeskError
from desk.films.film import Film, OpenQuestionError, Pacer, Progress, Stage, open_film
from desk.films.judgement import FilmHints, JudgedFilm, corrected, judge_again, judge_film
from desk.films.reading import FilmReading, Look
from desk.karuta.evidence.poem_json import layout_and_facts
from desk.karuta.eye.prior_knowledge import known_of
from desk.karuta.eye.recorded_match import rules_named
from desk.machine.side_process import Helper, piece_of
from desk.panel.films.port import Working
from desk.shelf.excerpt import STRIP, cut_replay, keep_overview
from desk.shelf.verdicts import FilmPoem, Verdicts, read_verdicts
from referee.complaint import sentence_of
from referee.sentence import Sentence
from vision.poem.events import PoemSeen

EVIDENCE = "evidence"
Tell = Callable[[str, float, float | None], None]
"""Receives a stage, the part of it that is done (0..1), and the remaining seconds."""


@dataclass(frozen=True, slots=True)
class Whole:
    """Judge a film."""

    told: FilmHints
    rules: str | None


@dataclass(frozen=True, slots=True)
class Corrected:
    """Judge one poem of a film again, with its number from 1."""

    told: FilmHints
    rules: str | None
    number: int
    poem: int | None
    t_ns: int | None


Job = Whole | Corrected


def judge_whole(folder: Path, path: Path, job: Whole, *, tell: Tell) -> None:
    """Judge a film and store the result, even if that is a question or an error message."""
    told = job.told
    try:
        if not (folder / STRIP).is_file():
            tell("overview", 0.0, None)
            keep_overview(open_film(path, told.filmed_fps), folder)
        judged = judge_film(path, told, job.rules, tell=_progress(tell))
        film = open_film(path, told.filmed_fps)
        verdicts = _verdicts(film, judged, folder, tell)
    except OpenQuestionError as question:
        verdicts = Verdicts(ask=question.ask.value, problem=_of_the_film(sentence_of(question), path))
    except DeskError as error:
        verdicts = Verdicts(problem=_of_the_film(sentence_of(error), path))
    verdicts.keep(folder)


def judge_corrected(folder: Path, path: Path, job: Corrected, *, tell: Tell) -> None:
    """Judge one poem of a film again and store it with the others.

    Raises DeskError if that is not possible; the earlier result stays.
    """
    verdicts = read_verdicts(folder)
    place = job.number - 1
    if verdicts is None or not 0 <= place < len(verdicts.poems):
        raise DeskError("the film has no poem {n}", n=job.number)
    film, old = open_film(path, job.told.filmed_fps), verdicts.poems[place]
    readings = [poem.reading for poem in verdicts.poems]
    readings[place] = corrected(old.reading, job.poem, job.t_ns)
    after_ns = readings[place - 1].t_ns if place else film.begins_ns - 1
    before_ns = readings[place + 1].t_ns if place + 1 < len(readings) else film.ends_ns
    if not after_ns < readings[place].t_ns < before_ns:
        from_s, to_s, got_s = (
            max(0, t_ns - film.begins_ns) / 1e9 for t_ns in (after_ns, before_ns, readings[place].t_ns)
        )
        raise DeskError(
            "its neighbours leave it {begin} to {end} s of the film, got {got} s",
            begin=f"{from_s:.2f}",
            end=f"{to_s:.2f}",
            got=f"{got_s:.2f}",
        )
    watched = Pacer(_progress(tell), time.monotonic).begin(Stage.JUDGING, before_ns - after_ns)
    rules, known = rules_named(job.rules), known_of(job.told.deck)
    reading, seen = judge_again(
        film, readings, place, rules, known, watched=lambda t_ns: watched(t_ns - after_ns)
    )
    poem = _poem(film, reading, seen, folder)
    verdicts.with_poem(place, poem).keep(folder)
    if old.evidence is not None and old.evidence != poem.evidence:
        for stale in (folder / EVIDENCE).glob(f"{old.evidence.removesuffix('.zip')}*"):
            stale.unlink(missing_ok=True)


def _progress(tell: Tell) -> Callable[[Progress], None]:
    return lambda progress: tell(progress.stage.value, progress.share, progress.left_s)


def _verdicts(film: Film, judged: JudgedFilm, folder: Path, tell: Tell) -> Verdicts:
    shutil.rmtree(folder / EVIDENCE, ignore_errors=True)  # from an earlier judgement
    verdicts = Verdicts(judged.game, length_ns=film.length_ns, begins_ns=film.begins_ns)
    if judged.game != "karuta":
        hint = judged.judged["stats"].get("hint", Sentence())
        return replace(verdicts, judged=judged.judged, stories=tuple(judged.stories), hint=hint)
    poems: list[FilmPoem] = []
    for number, reading in enumerate(judged.readings):
        tell("cutting", number / len(judged.readings), None)
        poems.append(_poem(film, reading, judged.seen.get(reading.line().t_ns), folder))
    return replace(verdicts, silent_why=judged.silent_why, poems=tuple(poems))


def _poem(film: Film, reading: FilmReading, seen: PoemSeen | None, folder: Path) -> FilmPoem:
    look = Look(*layout_and_facts(reading.line().start, seen))
    return FilmPoem(reading, look, cut_replay(film, seen, folder / EVIDENCE))


def _of_the_film(told: Sentence, path: Path) -> Sentence:
    """Return an error message without the file's path, which the page's visitor does not know."""
    values: dict[str, object] = {}
    for name, value in told.values.items():
        if isinstance(value, Sentence):
            values[name] = _of_the_film(value, path)
        elif str(value) in {str(path), path.name}:
            values[name] = Sentence("the film")
        else:
            values[name] = value.replace(str(path), path.name) if isinstance(value, str) else value
    text = told.text if values else told.text.replace(str(path), path.name)
    return Sentence(text, **values)


_LOOK_S = 0.1


@dataclass(frozen=True, slots=True)
class _Waiting:
    film_id: str
    folder: Path
    film: Path
    job: Job
    over: Callable[[Sentence], None]


class FilmProcess:
    """Runs jobs in a process of its own. All methods run in the desk's asyncio loop.

    `nice`: niceness of the process, 0..19, so that a running match has priority.
    """

    def __init__(self, nice: int = 15) -> None:
        self._queue: deque[_Waiting] = deque()
        self._now: _Waiting | None = None
        self._working: Working | None = None
        self._helper = Helper("shinpan-films", nice, tells=True)
        self._idle: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    def add(self, film_id: str, folder: Path, film: Path, job: Job, over: Callable[[Sentence], None]) -> None:
        """Queue a job; at its end `over` is called with what went wrong, or an empty text."""
        self._queue.append(_Waiting(film_id, folder, film, job, over))
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    def is_waiting(self, film_id: str) -> bool:
        return any(each.film_id == film_id for each in self._queue)

    def working(self, film_id: str) -> Working | None:
        return self._working if self._now is not None and self._now.film_id == film_id else None

    async def drop(self, film_id: str) -> None:
        for each in [each for each in self._queue if each.film_id == film_id]:
            self._queue.remove(each)
        if self._now is not None and self._now.film_id == film_id:
            await asyncio.to_thread(self._helper.end)
            while self.working(film_id) is not None:
                await asyncio.sleep(_LOOK_S)

    async def close(self) -> None:
        self._queue.clear()
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        await asyncio.to_thread(self._helper.end)

    async def _run(self) -> None:
        while self._queue:
            now = self._now = self._queue.popleft()
            self._working = {"stage": "starting", "share": 0.0, "left_s": None}
            problem = Sentence("judging was stopped")
            try:
                problem = await self._work(now)
            finally:
                self._now = self._working = None
                now.over(problem)

    async def _work(self, waiting: _Waiting) -> Sentence:
        """Run a job in the process; return what went wrong, or an empty text."""
        if self._idle is not None:
            self._idle.cancel()
        judge = judge_whole if isinstance(waiting.job, Whole) else judge_corrected
        piece = piece_of(judge, waiting.folder, waiting.film, waiting.job)
        try:
            await asyncio.to_thread(self._helper.ask, piece)
        except OSError as error:
            return Sentence("no process could begin: {why}", why=sentence_of(error))
        keep_s = 60.0  # a person often corrects several poems, and a new process takes seconds to start
        try:
            await asyncio.to_thread(self._helper.answer, self._told)
        except DeskError as error:
            return _of_the_film(sentence_of(error), waiting.film)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                return Sentence("the desk's disk is full: make room there, then judge the film anew")
            return Sentence(
                "what came of the film could not be kept ({why}): look after the desk's disk",
                why=sentence_of(error),
            )
        finally:
            self._idle = asyncio.get_running_loop().call_later(keep_s, self._helper.end)
        return Sentence()

    def _told(self, stage: str, share: float, left_s: float | None) -> None:
        self._working = {"stage": stage, "share": share, "left_s": left_s}
