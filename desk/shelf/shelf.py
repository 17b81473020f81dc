"""The shelf: every film that was handed in has a folder, and this says what lies in it."""

import asyncio
import re
import shutil
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Literal

from calibration.files import folders
from desk.card_games import CARD_GAMES
from desk.errors import DeskError, EventLogError
from desk.karuta.eye.recorded_match import rules_named
from desk.karuta.house.history import MatchBin
from desk.log.clocks import WallClock, wall_clock
from desk.machine.decks import decks_of
from desk.machine.side_process import SIDE_PROCESS
from desk.panel.films.port import (
    FilmListed,
    FilmRefusedError,
    FilmShown,
    FilmState,
    PoemOfFilm,
    TableOfFilm,
    UploadListed,
    Working,
)
from desk.panel.match.port import Caption
from desk.panel.words import Words
from desk.shelf.entry import (
    checked,
    find_lost,
    free_id,
    keep_entry,
    new_entry,
    read_entry,
    rule_names,
    told_of,
    what_is_cut,
)
from desk.shelf.excerpt import STRIP, WAVEFORM, keep_step
from desk.shelf.film_process import EVIDENCE, Corrected, FilmProcess, Job, Whole
from desk.shelf.match_log import Case, keep_match, write_archive
from desk.shelf.uploads import Uploads, suffix_of
from desk.shelf.verdicts import FILE, Verdicts, doubted, flagged, instants_ms, read_verdicts, table_of
from desk.tables.evidence.clip_request import clip_of
from referee.complaint import sentence_of
from referee.karuta.risk import risk_of
from referee.sentence import Sentence
from referee.sides import BySide

_CASE = "case.zip"
_ID = re.compile(r"film_[0-9_]{10,30}")
_KNOWN = 64  # films whose verdicts are kept in memory


class Shelf:
    """The films of this machine; see `desk.panel.films.port.FilmsPort`.

    `folder`: where they lie; it need not exist. `process`: judges them; one of its own by default. `uploads`:
    what is on its way in; in a folder beside the films by default.
    """

    def __init__(
        self,
        folder: Path,
        matches: Path,
        wall: WallClock = wall_clock,
        *,
        process: FilmProcess | None = None,
        uploads: Uploads | None = None,
    ) -> None:
        self._folder, self._matches, self._wall = folder, matches, wall
        self.uploads = uploads or Uploads(folder / "uploads")
        self.uploads.listed()  # those of last week are deleted
        with suppress(FilmRefusedError):
            find_lost(folder, wall())
        self._process = process or FilmProcess()
        self._versions: dict[str, int] = {}
        self._problems: dict[str, Sentence] = {}
        self._verdicts: dict[str, tuple[int, Verdicts]] = {}
        self._shown: dict[str, tuple[int, list[PoemOfFilm]]] = {}

    async def close(self) -> None:
        await self._process.close()

    async def append(self, upload_id: str, offset: int, pieces: AsyncIterator[bytes]) -> UploadListed | str:
        upload = await self.uploads.append(upload_id, offset, pieces)
        if upload["offset"] < upload["size"]:
            return upload
        film_id = free_id(self._folder, self._wall())
        folder = self._folder / film_id
        folder.mkdir(parents=True)
        file = f"film{suffix_of(upload['name'])}"
        self.uploads.take_out(upload, folder / file)
        self._write(film_id, new_entry(upload["name"], upload["size"], file, self._wall()))
        self.judge(film_id, {})
        return film_id

    def rules(self) -> Mapping[str, Sequence[str]]:
        return rule_names()

    def decks(self) -> Sequence[str]:
        kinds = dict.fromkeys(("karuta", *(game.cards for game in CARD_GAMES.values())))
        return [name for cards in kinds for name in decks_of(cards)]

    # --- on the shelf ------------------------------------------------------------------------------------
    def films(self) -> list[FilmListed]:
        found = [
            self._listed(path.name, about)
            for path in folders.listed(self._folder, "film_*")
            if (about := self._about(path.name)) is not None
        ]
        return sorted(found, key=lambda film: film["added_wall"], reverse=True)

    def film(self, film_id: str) -> FilmShown | None:
        about = self._about(film_id)
        if about is None:
            return None
        verdicts, told = self._known(film_id) or Verdicts(), about["told"]
        return {
            **self._listed(film_id, about),
            "version": self._versions.get(film_id, 0),
            "working": self._process.working(film_id),
            "ask": verdicts.ask,
            "problem": self._problems.get(film_id, verdicts.problem).to_json(),
            "silent_why": verdicts.silent_why.to_json(),
            "told": told,
            "length_ms": verdicts.length_ns / 1e6,
            "has_overview": (self._folder / film_id / STRIP).is_file(),
            "kept_as": about["kept_as"],
            "readings": self._readings(film_id, told.get("rules")),
            "risk": risk_of(rules_named(told.get("rules"))).to_json() if verdicts.poems else None,
        }

    def table(self, film_id: str, said: Words) -> TableOfFilm | None:
        verdicts = self._known(film_id)
        return None if verdicts is None else table_of(verdicts, said)

    def progress(self, film_id: str) -> tuple[int, FilmState, Working | None] | None:
        if self._about(film_id) is None:
            return None
        return self._versions.get(film_id, 0), self._state(film_id), self._process.working(film_id)

    def overview(self, film_id: str, name: Literal["waveform", "strip"]) -> Path | None:
        path = self._folder / film_id / (WAVEFORM if name == "waveform" else STRIP)
        return path if _ID.fullmatch(film_id) and path.is_file() else None

    def judge(self, film_id: str, told: Mapping[str, Any]) -> None:
        """Judge a film, with what a person says of it beside what was said before."""
        about = self._need(film_id)
        self._not_busy(film_id)
        said = checked(about["told"] | dict(told))
        about["told"] = said
        self._write(film_id, about)
        self._start(film_id, about, Whole(told_of(said), said.get("rules")))

    def correct(self, film_id: str, number: int, poem: int | None, t_ms: float | None) -> None:
        """Judge one poem again that was another one, or was read at another moment."""
        about = self._need(film_id)
        self._not_busy(film_id)
        verdicts = self._known(film_id)
        if verdicts is None or not 1 <= number <= len(verdicts.poems):
            raise FilmRefusedError("no_such_poem", n=number)
        t_ns = None if t_ms is None else verdicts.begins_ns + round(t_ms * 1e6)
        told = about["told"]
        self._start(film_id, about, Corrected(told_of(told), told.get("rules"), number, poem, t_ns))

    async def evidence(self, film_id: str, number: int) -> Path | None:
        verdicts = self._known(film_id)
        at_ms = None if verdicts is None else instants_ms(verdicts)
        if at_ms is not None:
            return await self._step(film_id, number, at_ms)
        if verdicts is None or not 1 <= number <= len(verdicts.poems):
            return None
        name = verdicts.poems[number - 1].evidence
        path = None if name is None else self._folder / film_id / EVIDENCE / name
        return path if path is not None and path.is_file() else None

    async def _step(self, film_id: str, number: int, instants: Sequence[float]) -> Path | None:
        """Return the bundle of a step, cut when it is first looked at: a game has hundreds.

        Its file is named by its instants: another judgement may come while it is cut, with other steps.
        """
        about = self._about(film_id)
        if about is None or not 1 <= number <= len(instants):
            return None
        at_ms = instants[number - 1]
        before_ns = round(max((t_ms for t_ms in instants if t_ms < at_ms), default=0.0) * 1e6)
        folder, t_ns = self._folder / film_id, round(at_ms * 1e6)
        path = folder / EVIDENCE / f"step-{before_ns}-{t_ns}.zip"
        if path.is_file():
            return path
        film, fps = folder / about["file"], told_of(about["told"]).filmed_fps
        with _on_the_disk():
            return path if await SIDE_PROCESS.do(keep_step, film, fps, (before_ns, t_ns), path) else None

    async def clip(self, film_id: str, number: int, caption: Caption) -> Path | None:
        bundle = await self.evidence(film_id, number)
        if bundle is None:
            return None
        with _on_the_disk():
            return await clip_of(bundle, caption)

    async def keep(self, film_id: str, near: str | None, far: str | None) -> str:
        """Keep a film's rulings as a match; one that was kept before goes into the bin."""
        about, verdicts = self._need(film_id), self._known(film_id)
        self._not_busy(film_id)
        if verdicts is None or verdicts.game != "karuta" or not verdicts.poems:
            raise FilmRefusedError("no_match")
        if about["kept_as"] is not None and (self._matches / f"{about['kept_as']}.sqlite").is_file():
            raise FilmRefusedError("kept_already")
        evidence, rules = self._folder / film_id / EVIDENCE, about["told"].get("rules")
        names = BySide(near, far)
        with _on_the_disk():
            kept = await asyncio.to_thread(
                keep_match, self._matches, verdicts, evidence, names=names, rules=rules, where=about["name"]
            )
        replaced = about.get("kept_before")
        every = [*about.get("kept", []), kept]  # all of them show the film's players
        self._write(film_id, {**about, "kept_as": kept, "kept_before": None, "kept": every})
        if replaced is not None:
            await asyncio.to_thread(MatchBin(self._matches).delete, replaced)
        self._grow(film_id)
        return kept

    async def archive(self, film_id: str) -> Path:
        """Return the film as a disputed case, made when it is first asked for."""
        about, verdicts = self._need(film_id), self._known(film_id)
        self._not_busy(film_id)
        if verdicts is None or verdicts.problem or verdicts.ask:
            raise FilmRefusedError("not_judged")
        folder = self._folder / film_id
        case = folder / _CASE
        if not case.is_file():
            if about["size"] > self.uploads.room()["free"]:
                raise FilmRefusedError("no_room", size=about["size"], free=self.uploads.room()["free"])
            told, film = about["told"], folder / about["file"]
            handed_in = Case(film_id, film, about["name"], verdicts, told_of(told), told.get("rules"))
            with _on_the_disk():
                await SIDE_PROCESS.do(write_archive, case, handed_in, folder / EVIDENCE)
        return case

    async def delete(self, film_id: str) -> None:
        self._need(film_id)
        await self._process.drop(film_id)
        await asyncio.to_thread(shutil.rmtree, self._folder / film_id)
        for known in (self._versions, self._problems, self._verdicts, self._shown):
            known.pop(film_id, None)

    # --- what all of them need ---------------------------------------------------------------------------
    def _start(self, film_id: str, about: Mapping[str, Any], job: Job) -> None:
        self._problems.pop(film_id, None)
        self._grow(film_id)
        folder = self._folder / film_id
        if cut := what_is_cut(folder, about):
            self._problems[film_id] = cut
        else:
            self._process.add(film_id, folder, folder / about["file"], job, partial(self._over, film_id))

    def _over(self, film_id: str, problem: Sentence) -> None:
        (self._folder / film_id / _CASE).unlink(missing_ok=True)  # it holds what was ruled before
        about = self._about(film_id)
        if problem:
            self._problems[film_id] = problem
        elif about is not None and about["kept_as"] is not None:
            with suppress(FilmRefusedError):  # a full disk stops no other film
                # that match shows what was ruled before
                self._write(film_id, {**about, "kept_as": None, "kept_before": about["kept_as"]})
        self._grow(film_id)

    def _grow(self, film_id: str) -> None:
        self._versions[film_id] = self._versions.get(film_id, 0) + 1

    def _listed(self, film_id: str, about: Mapping[str, Any]) -> FilmListed:
        verdicts = self._known(film_id) or Verdicts()
        readings = self._readings(film_id, about["told"].get("rules"))
        is_table = verdicts.game in CARD_GAMES
        return {
            "id": film_id,
            "name": about["name"],
            "size": about["size"],
            "added_wall": about["added_wall"],
            "state": self._state(film_id),
            "game": verdicts.game,
            "poems": len(verdicts.poems),
            "rounds": len(verdicts.judged.get("rounds", ())) if is_table else 0,
            "in_doubt": doubted(verdicts)
            if is_table
            else sum(bool(shown["ruled"]["doubts"]) for shown in readings),
            "flagged": flagged(verdicts),
        }

    def _readings(self, film_id: str, rules: str | None) -> list[PoemOfFilm]:
        """Return the poems as the panel shows them, judged anew only where something has changed."""
        verdicts = self._known(film_id)
        if verdicts is None or not verdicts.poems:
            return []
        changed_ns = self._verdicts[film_id][0]
        known = self._shown.get(film_id)
        if known is None or known[0] != changed_ns:
            known = self._shown[film_id] = changed_ns, verdicts.shown(rules)
        return known[1]

    def _state(self, film_id: str) -> FilmState:
        if self._process.working(film_id) is not None:
            return "working"
        if self._process.is_waiting(film_id):
            return "waiting"
        verdicts = self._known(film_id)
        if verdicts is None:
            return "new" if film_id not in self._problems else "failed"
        return "asking" if verdicts.ask else "failed" if verdicts.problem else "judged"

    def _known(self, film_id: str) -> Verdicts | None:
        """Return what came of a film, read anew only where it has changed."""
        if not _ID.fullmatch(film_id):
            return None
        try:
            changed_ns = (self._folder / film_id / FILE).stat().st_mtime_ns
        except OSError:
            return None
        known = self._verdicts.get(film_id)
        if known is None or known[0] != changed_ns:
            try:
                verdicts = read_verdicts(self._folder / film_id) or Verdicts()
            except DeskError as error:
                verdicts = Verdicts(problem=sentence_of(error))
            known = self._verdicts[film_id] = changed_ns, verdicts
            for oldest in list(self._verdicts)[:-_KNOWN]:
                del self._verdicts[oldest]
        return known[1]

    def _about(self, film_id: str) -> dict[str, Any] | None:
        return read_entry(self._folder / film_id) if _ID.fullmatch(film_id) else None

    def _need(self, film_id: str) -> dict[str, Any]:
        about = self._about(film_id)
        if about is None:
            raise FilmRefusedError("no_such_film")
        return about

    def _not_busy(self, film_id: str) -> None:
        if self._process.is_waiting(film_id) or self._process.working(film_id) is not None:
            raise FilmRefusedError("busy")

    def _write(self, film_id: str, about: Mapping[str, Any]) -> None:
        keep_entry(self._folder / film_id, about)


@contextmanager
def _on_the_disk() -> Iterator[None]:
    """Refuse what the disk has no room for."""
    try:
        yield
    except (OSError, EventLogError) as error:
        raise FilmRefusedError("not_kept") from error
