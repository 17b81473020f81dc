"""kill -9 at random and at named moments: nothing that was confirmed is lost, nothing happens twice.

`uv run python -m benchmarks.crash [--moments 12] [--seed 1] [--json OUT]`

For each game a process writes a match with the desk's own engine, log and replays (events are scripted: what
the eye takes for pictures changes nothing here), and reports each event once the engine has confirmed it. It
is killed, the log is read, the next process goes on from there, until the match is over; then the next match
begins. All the while the desk lists its folder's matches and the evening of Koi-Koi as its panel does, and a
second process reads that evening, too, and runs the commands that read logs. Lost: a confirmed event that the
log lacks or holds otherwise. Doubled: an event that the log holds more often than it happened. Broken: a log
that tells another match, or a replay that is not whole. Deleted: a log that the desk writes to without a name
on the disk. How pages reconnect is `tests/e2e/test_desk_and_readers.py`.
"""

import hashlib
import io
import json
import mmap
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, NoReturn

import numpy as np

from benchmarks.command import read_options
from calibration.files import storage
from desk.commands.cli import main as shinpan
from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.events import EvidenceKept, MatchOpened
from desk.karuta.engine.minutes import read_minutes
from desk.karuta.house.history import list_matches
from desk.kendo.desk import KendoDesk
from desk.kendo.events import BoutOpened, CourtLook, CourtSeen, LaidCard
from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.evening import Evenings
from desk.koikoi.events import GameOpened, NextRound, TableSeen
from desk.koikoi.scribe.look import Look
from desk.log.event_log import EventLog, LogEntry
from desk.log.log_file import UnbegunLogError
from desk.tables.source_kind import Source
from referee.facts import FieldSettled, PoemStarted
from referee.karuta.flow.events import Event, MemoriseEnded, MemoriseStarted, PoemFinished
from referee.karuta.flow.state import Settings
from referee.karuta.ruleset import KYOGI
from referee.kendo.house_rules import preset as kendo_preset
from referee.koikoi.house_rules import preset as koikoi_preset
from referee.notation import parse_layout
from vision.frames.frame import Frame
from vision.match.evidence_ring import Bundle, EvidenceRing, cut

MS = 1_000_000
WALL = "2026-01-04T10:00:00.000+09:00"
POEMS, ROUNDS, LOOKS = 60, 6, 100  # how long a match is
GAMES = ("karuta", "koikoi", "kendo")
MOMENTS = (
    "random",
    "inside a commit",
    "before it is told",
    "while evidence is cut",
    "before evidence is noted",
)
READING = (
    ("log", "export", "{log}"),
    ("log", "check", "{log}"),
    ("log", "show", "{log}"),
    ("book", "--matches", "{folder}"),
    ("recite", "--set", "due", "--player", "A", "--matches", "{folder}", "--silent", "--no-page"),
)
"""Commands that read logs; a page of the desk reads the evening of Koi-Koi in the desk's own process, too."""
Told = Callable[[int], None]  # reports the number of an event that was confirmed


@dataclass
class Tally:
    """What came of the kills of one kind: how many, and what each game's log lost, doubled or broke."""

    kills: int = 0
    confirmed: int = 0
    problems: Counter[str] = field(default_factory=Counter)


def karuta_script() -> list[Event]:
    """Return a match in which nobody touches anything: poems that are on no card."""
    layout = parse_layout("near 1 2|/|/| far 3 4|/|/|")
    events: list[Event] = [FieldSettled(layout, MS), MemoriseStarted(2 * MS), MemoriseEnded()]
    for number in range(5, 5 + POEMS):
        t_ns = number * 1000 * MS
        events += [PoemStarted(number, t_ns, MS), PoemFinished(), FieldSettled(layout, t_ns + 500 * MS)]
    return events


def koikoi_script() -> list[TableSeen | NextRound]:
    """Return rounds in which the players take pairs in turn."""
    events: list[TableSeen | NextRound] = []
    for number in range(ROUNDS):
        middle, piles = set(range(0, 32, 4)), (set[int](), set[int]())
        for turn in range(9):
            t_ms = (number * 10 + turn) * 3000.0
            captures = (frozenset(piles[0]), frozenset(piles[1]))
            seats = frozenset({turn % 2})
            look = Look(t_ms, frozenset(middle), frozenset(), captures, frozenset(), 0, seats, {})
            events.append(TableSeen(look))
            if middle:
                card = min(middle)
                middle.discard(card)
                piles[turn % 2].update((card, card + 1))
        events.append(NextRound(number * 30_000.0))
    return events


def kendo_script() -> list[CourtSeen]:
    """Return a bout in which cards are laid in turn and swept."""
    events, laid = [], ([], [])  # type: tuple[list[CourtSeen], tuple[list[LaidCard], list[LaidCard]]]
    for number in range(LOOKS):
        if number % 6 == 0:
            laid[0].clear()
            laid[1].clear()
        else:
            laid[number % 2].append(LaidCard("men_uchi", 74.0 * (number % 6), 400.0 - 150 * (number % 2)))
        both = (tuple(laid[0]), tuple(laid[1]))
        events.append(CourtSeen(CourtLook(number * 1000.0, both, seats=frozenset({number % 2}))))
    return events


def play_karuta(path: Path, told: Told) -> None:
    """Begin a match or go on with it, and keep a replay of every ruling."""
    opened = MatchOpened(
        "crash", Source.SIMULATOR, Settings(rules=replace(KYOGI, joka=False), cards_per_side=2)
    )
    log = EventLog.open(path) if path.exists() else EventLog.create(path)
    clocks: Mapping[str, Any] = {"clock": lambda: log.last_seq * MS, "wall": lambda: WALL}
    engine = Engine.begin(log, opened, **clocks) if not log.last_seq else Engine.resume(log, **clocks)
    told(log.last_seq)
    played = sum(happened.origin is Origin.EYE for happened in engine.history)
    for event in karuta_script()[played:]:
        engine.submit(event, Origin.EYE)
        told(engine.last_seq)
        if isinstance(event, PoemFinished):
            ruling = read_minutes(engine.history)[-1].seq
            kept = _bundle(ruling).write(path.with_suffix(".evidence"))
            engine.note(EvidenceKept(ruling, kept.name), Origin.DESK)
            told(engine.last_seq)


def play_table(
    opened: Any, desk_type: type[KoiKoiDesk] | type[KendoDesk], script: Sequence[Any], path: Path, told: Told
) -> None:
    """Begin a game at a card table or go on with it."""
    log = EventLog.open(path) if path.exists() else EventLog.create(path)
    desk = desk_type(log, opened, clock=lambda: log.last_seq * MS, wall=lambda: WALL)
    told(desk.last_seq)
    for event in script[desk.last_seq - 1 :]:
        desk.tell(event)
        told(desk.last_seq)


def play_koikoi(path: Path, told: Told) -> None:
    """Begin a game of Koi-Koi or go on with it."""
    opened = GameOpened("crash", "simulator", 2, 0, koikoi_preset(), "drawn")
    play_table(opened, KoiKoiDesk, koikoi_script(), path, told)


def play_kendo(path: Path, told: Told) -> None:
    """Begin a bout or go on with it."""
    opened = BoutOpened("crash", "simulator", kendo_preset(), "drawn", 63.0)
    play_table(opened, KendoDesk, kendo_script(), path, told)


PLAYS: Mapping[str, Callable[[Path, Told], None]] = {
    "karuta": play_karuta,
    "koikoi": play_koikoi,
    "kendo": play_kendo,
}


def run_killed(game: str, path: Path, moment: str, random: Random, usual_s: float) -> tuple[list[int], bool]:
    """Let a process play until it is killed; return what it confirmed, and whether it came to the end."""
    reading, writing = os.pipe()
    times = random.choice((1, 2, 5, 17))
    process = os.fork()
    if not process:
        os.close(reading)
        _play_and_die(game, path, moment, times, writing)
    os.close(writing)
    if moment == "random":
        time.sleep(random.uniform(0, usual_s))
        os.kill(process, signal.SIGKILL)
    with os.fdopen(reading, "rb") as lines:
        told = [int(line) for line in lines.read().split(b"\n")[:-1] if line]
    _, status = os.waitpid(process, 0)
    return told, not os.WIFSIGNALED(status)


def deleted_logs(folder: Path) -> list[str]:
    """Return the files of logs in a folder that this process has open without a name on the disk (Linux)."""
    held = (str(fd.readlink()) for fd in Path("/proc/self/fd").glob("*") if fd.is_symlink())
    return [name for name in held if name.startswith(str(folder)) and name.endswith(" (deleted)")]


def _play_and_die(game: str, path: Path, moment: str, times: int, writing: int) -> NoReturn:
    """Play in a forked process, which is killed at a named moment when it has come to it so many times."""
    left = [times]

    def come() -> None:
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)

    if moment == "inside a commit":
        connect = EventLog.__init__

        def watched(log: EventLog, at: Path, connection: Any) -> None:
            connect(log, at, connection)
            connection.set_trace_callback(lambda sql: come() if sql.startswith("COMMIT") else None)

        EventLog.__init__ = watched  # type: ignore[method-assign, assignment]
    elif moment == "before it is told":
        append = EventLog.append

        def stored(log: EventLog, entries: Sequence[LogEntry]) -> None:
            append(log, entries)
            come()

        EventLog.append = stored  # type: ignore[method-assign, assignment]
    elif moment == "while evidence is cut":
        storage.os = _Dying(os, come)  # type: ignore[attr-defined, assignment]
    elif moment == "before evidence is noted":
        write = Bundle.write

        def written(bundle: Bundle, folder: Path) -> Path:
            kept = write(bundle, folder)
            come()
            return kept

        Bundle.write = written  # type: ignore[method-assign, assignment]

    def tell(seq: int) -> None:
        os.write(writing, b"%d\n" % seq)
        if not seq % 8:
            list_matches(path.parent)
            Evenings(path.parent).evening(None)
            if deleted_logs(path.parent):
                os.write(writing, b"-1\n")

    code = 0
    try:
        PLAYS[game](path, tell)
    except BaseException as error:  # noqa: BLE001 (a forked process must not go on as its parent)
        sys.stderr.write(f"{game}: {error!r}\n")
        code = 1
    os._exit(code)


class _Dying:
    """The module `os`, whose `fsync` is the last thing that happens."""

    def __init__(self, module: Any, come: Callable[[], None]) -> None:
        self._module, self._come = module, come

    def __getattr__(self, name: str) -> Any:
        if name == "fsync":
            self._come()
        return getattr(self._module, name)


@contextmanager
def reader_beside(folder: Path) -> Iterator[Callable[[], int]]:
    """Let a second process read the logs of a folder all the while; yields how many commands it has run."""
    count = mmap.mmap(-1, 8)
    process = os.fork()
    if not process:
        try:
            for number in range(1 << 30):
                logs = sorted(folder.glob("*.sqlite"), key=lambda log: log.stat().st_mtime_ns)
                words = READING[number % len(READING)]
                with redirect_stdout(io.TextIOWrapper(io.BytesIO())), redirect_stderr(io.StringIO()):
                    shinpan([word.format(log=logs[-1] if logs else folder, folder=folder) for word in words])
                    Evenings(folder).evening(None)
                count[:] = (number + 1).to_bytes(8, "little")
        finally:
            os._exit(1)
    try:
        yield lambda: int.from_bytes(count[:], "little")
        if os.waitpid(process, os.WNOHANG) != (0, 0):
            raise RuntimeError("the second process ended before the first")
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


def entries_of(path: Path) -> list[LogEntry]:
    """Return a log's events; none where the desk was killed before it began the match."""
    if not path.exists():
        return []
    try:
        with EventLog.read(path) as log:
            log.check()
            return list(log.entries())
    except UnbegunLogError:
        return []


def problems_of(game: str, path: Path, told: Sequence[int], before: Sequence[LogEntry]) -> Iterator[str]:
    """Yield what is wrong with a log after a kill: `lost`, `doubled`, `broken`, or `deleted`."""
    entries = entries_of(path)
    if -1 in told:
        yield "deleted"
    if max(told, default=0) > len(entries) or entries[: len(before)] != list(before):
        yield "lost"
    whole = _reference(game)
    happened = [(entry.kind, json.dumps(entry.payload, sort_keys=True)) for entry in entries]
    scripted = [each for each in happened if each[0] != "evidence_kept"]
    if scripted != whole[: len(scripted)]:
        yield "doubled" if Counter(scripted) - Counter(whole) else "broken"
    kept = [payload for kind, payload in happened if kind == "evidence_kept"]
    if len(set(kept)) < len(kept):
        yield "doubled"
    for file in path.with_suffix(".evidence").glob("*.zip"):
        if hashlib.sha256(file.read_bytes()).hexdigest() != file.stem:
            yield "broken"


_WHOLE: dict[str, list[tuple[str, str]]] = {}


def _reference(game: str) -> list[tuple[str, str]]:
    """Return what a match logs that nobody interrupts."""
    if game not in _WHOLE:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "whole.sqlite"
            PLAYS[game](path, lambda _seq: None)
            with EventLog.read(path) as log:
                _WHOLE[game] = [
                    (entry.kind, json.dumps(entry.payload, sort_keys=True))
                    for entry in log.entries()
                    if entry.kind != "evidence_kept"
                ]
    return _WHOLE[game]


def measure(moments: int, seed: int, folder: Path, games: Sequence[str] = GAMES) -> dict[str, Tally]:
    """Kill each game's desk `moments` times and return what came of it by game and moment."""
    random, tallies = Random(seed), dict[str, Tally]()
    for game in games:
        _reference(game)
        named = [moment for moment in MOMENTS if game == "karuta" or "evidence" not in moment]
        usual_s = _usual_s(game, folder)
        match, kills, before = 0, 0, list[LogEntry]()
        while kills < moments:
            moment = named[kills % len(named)]
            path = folder / f"{game}_{match}.sqlite"
            told, is_over = run_killed(game, path, moment, random, usual_s)
            tally = tallies.setdefault(f"{game}, {moment}", Tally())
            if path.exists() or told:
                tally.problems.update(problems_of(game, path, told, before))
            tally.confirmed += sum(seq > 0 for seq in told)
            if is_over:
                complete = sum(entry.kind != "evidence_kept" for entry in entries_of(path))
                tally.problems["lost"] += complete != len(_reference(game))
                match, before = match + 1, []
                if match > 20 * (moments + 1):
                    raise RuntimeError(f"{game}: matches end, and {moment!r} is never come to")
                continue
            kills += 1
            tally.kills += 1
            before = entries_of(path)
    return tallies


def _usual_s(game: str, folder: Path) -> float:
    begun_s = time.monotonic()
    PLAYS[game](folder / f"{game}_timed.sqlite", lambda _seq: None)
    return time.monotonic() - begun_s


def _bundle(number: int) -> Bundle:
    ring = EvidenceRing()
    for index in range(2):
        ring.append(Frame(np.full((48, 64), number % 256, np.uint8), (number * 10 + index) * MS, 1, index))
    return cut(ring, 0, 2**62, {"poem": number, "touches": []})


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 1 where anything was lost, doubled or broken."""
    options = read_options(__doc__, argv=arguments, moments=12, seed=1)
    with tempfile.TemporaryDirectory() as folder, reader_beside(Path(folder)) as reads:
        tallies = measure(options.moments, options.seed, Path(folder))
        read = reads()
    print(f"{read} commands read logs meanwhile")
    kinds = ("lost", "doubled", "broken", "deleted")
    print(f"{'game, moment':38} kills  confirmed  " + "  ".join(kinds))
    for name, tally in tallies.items():
        counts = "  ".join(f"{tally.problems[kind]:{len(kind)}}" for kind in kinds)
        print(f"{name:38} {tally.kills:5}  {tally.confirmed:9}  {counts}")
    if options.json is not None:
        found = {
            name: {"kills": tally.kills, "confirmed": tally.confirmed, **tally.problems}
            for name, tally in tallies.items()
        }
        options.json.write_text(json.dumps(found, indent=1), "utf-8")
    return 1 if any(sum(tally.problems.values()) for tally in tallies.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
