"""`shinpan watch`: referee a live source without a panel; events are printed as JSON lines.

Each line has `event`: `layout`, `moving` (a card is seen to move; no proof yet), `poem` (with its ruling),
`gap` (pictures are missing, or the camera was knocked), `second_camera` (why it does not help from now on,
null once it does again), and at the end `stats`. `late_ms` is the time from the exposure of the last picture
that the line depends on to the writing of the line.
"""

import argparse
import gc
import math
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from threading import Timer
from typing import Any

from calibration.files import typed_numbers as typed
from desk.commands.live_arguments import add_witness_arguments
from desk.errors import DeskError
from desk.karuta.evidence.poem_json import judged_poem, layout_json
from desk.karuta.eye.equipment import Equipment, Wanted
from desk.karuta.eye.film_hints import no_card_read
from desk.log.clocks import match_clock
from desk.log.json_lines import print_json
from desk.machine.camera_records import latency_unc_ns
from desk.machine.typed_lines import typed_lines, waiting
from desk.phone.camera import PhoneSource, open_camera
from desk.phone.wish import PhoneWish
from desk.tables.rules_option import add_rules_arguments, load_rules
from referee.facts import FieldSettled, Gap, PoemStarted
from referee.karuta.house_rules import PRESETS
from referee.karuta.ruleset import RuleSet
from referee.sentence import Sentence
from vision.field.picture_quality import shows_small_cards
from vision.field.wrong_view import Wrong, WrongView
from vision.frames.frame import Frame
from vision.match.live_watcher import LiveEvent, LiveWatch
from vision.poem.events import PoemSeen
from vision.recordings.recording import LAST_POEM, RecordedReading, read_readings
from vision.sources.source import CameraWish, Source
from vision.sources.source_address import EXPECTED, name_of

_TYPED_UNC_NS = 300_000_000  # delay of a person who types a poem's number when it begins
_READING_UNC_NS = 10_000_000
_STOPPED = "watch_stopped"
_GRACE_S = 0.5  # time to process pictures that came before the end


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="SOURCE", help=Sentence("{source}, or phone", source=EXPECTED))
    parser.add_argument(
        "--reading",
        type=Path,
        metavar="FILE",
        help="poems and their instants since the first picture, as in reading.jsonl (default: type a poem's "
        "number when it begins)",
    )
    add_rules_arguments(parser, PRESETS)
    parser.add_argument("--seconds", type=float, metavar="S", help="stop after this many seconds")
    parser.add_argument(
        "--fps", type=float, default=60.0, help="pictures per second to ask the camera for (default: 60)"
    )
    parser.add_argument(
        "--size",
        default="1280x720",
        metavar="WxH",
        help="picture size to ask the camera for (default: 1280x720)",
    )
    parser.add_argument(
        "--exposure-ms",
        type=float,
        metavar="MS",
        help="exposure time to set on the camera (default: automatic)",
    )
    parser.add_argument(
        "--give-up",
        type=float,
        default=60.0,
        metavar="S",
        help="stop when no picture has come for this many seconds",
    )
    add_witness_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Watch until the source ends, the time is over or Ctrl-C."""
    wish = _wish(arguments)
    rules = load_rules(PRESETS, arguments.rules, arguments.overrides)
    readings = None if arguments.reading is None else read_readings(arguments.reading)
    camera = name_of(arguments.source)
    phone = PhoneWish.of(arguments)
    with (
        open_camera(arguments.source, wish, phone, give_up_s=arguments.give_up) as source,
        closing(_beside(arguments, source)) as others,
        _time_limit(arguments.seconds, source),
    ):
        if isinstance(source, PhoneSource):
            source.wait()  # the time starts after this
        watch = LiveJudge(source, rules, readings, latency_unc_ns(camera), others=others)
        gc.freeze()  # existing objects stay; collecting them again would take 20 ms amid a match
        with suppress(KeyboardInterrupt):
            for line in watch.lines(arguments.seconds):
                print_json(line)
        if watch.refusal is not None:
            raise DeskError("{source}: {why}", source=arguments.source, why=watch.refusal)
    return 0


@contextmanager
def _time_limit(seconds: float | None, source: Source) -> Iterator[None]:
    """Close a live source when its time is up, even if no more pictures come."""
    if seconds is None or not source.is_live:
        yield
        return
    timer = Timer(seconds + _GRACE_S, source.close)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _beside(arguments: argparse.Namespace, source: Source) -> Equipment:
    wanted = Wanted.of(arguments)
    if wanted.is_live and not source.is_live:
        raise DeskError(
            "{source} is a recording: name its second video and its sound in recording.toml and "
            "use shinpan judge",
            source=arguments.source,
        )
    return wanted.open(arguments.source)


def _wish(arguments: argparse.Namespace) -> CameraWish:
    try:
        width, height = typed.size(arguments.size)
    except ValueError:
        width = height = 0
    if min(width, height) < 1:
        raise DeskError("--size is a width and a height such as 1280x720, got {got!r}", got=arguments.size)
    exposure_s = None if arguments.exposure_ms is None else arguments.exposure_ms / 1e3
    if arguments.fps <= 0 or (exposure_s is not None and exposure_s <= 0):
        raise DeskError("--fps and --exposure-ms must be above 0")
    return CameraWish(width, height, arguments.fps, exposure_s)


class LiveJudge:
    """Judges the poems of a source as they close; of `readings` None the poems are typed."""

    def __init__(
        self,
        source: Source,
        rules: RuleSet,
        readings: Iterable[RecordedReading] | None = None,
        latency_unc_ns: int = 0,
        *,
        others: Equipment | None = None,
    ) -> None:
        self._source = source
        self._rules = rules
        self._latency_unc_ns = latency_unc_ns
        self._readings = None if readings is None else list(readings)
        self._typed = typed_lines() if readings is None else None
        self._others = others or Equipment()
        self._watch = LiveWatch(self._others.witness, self._others.known)
        self._first_ns: int | None = None
        self._latest_ns = 0
        self._problem: str | None = None
        self._wrong: Wrong | None = None
        self._ear_problem: str | None = None
        self._has_read, self._shapes = False, 0

    @property
    def refusal(self) -> str | None:
        """Why nothing can be ruled on and what to do, as long as no card has been read; None afterwards."""
        if self._has_read:
            return None
        if self._wrong is not None:
            return "no card was read: the pictures show the field the wrong way"
        return no_card_read(self._shapes)

    def lines(self, seconds: float | None = None) -> Iterator[dict[str, Any]]:
        """Yield events as JSON data; end after this many seconds of pictures."""
        began_s = time.monotonic()
        cpu_s = time.process_time()
        for item in self._source:
            if isinstance(item, Frame):
                self._first_ns = item.t_ns if self._first_ns is None else self._first_ns
                self._latest_ns = item.t_ns
                self._others.go_on_to(item.t_ns)
                for start in self._starts(item.t_ns):
                    yield from self._lines_of(self._watch.poem_started(start))
                    if self.refusal is not None:
                        sys.stderr.write(f"shinpan watch: no ruling on poem {start.poem}: {self.refusal}\n")
            yield from self._lines_of(self._watch.feed(item))
            self._complain()
            if self._others.problem != self._problem:
                self._problem = self._others.problem
                told = {"event": "second_camera", "problem": self._problem}
                yield {**told, "t_ms": self._ms(self._latest_ns)}
            if seconds is not None and time.monotonic() - began_s > seconds:
                break
        # a recording ends by itself, but a camera that is stopped leaves a gap
        unseen = Gap(self._latest_ns, self._latest_ns, _STOPPED) if self._source.is_live else None
        yield from self._lines_of(self._watch.close(unseen))
        counters = asdict(self._source.counters)
        cpu_s = time.process_time() - cpu_s
        yield {"event": "stats", **counters, "cpu_s": round(cpu_s, 3), **self._others.told()}

    def _complain(self) -> None:
        """Print the eye's failures for the person at the terminal, and once what is wrong with the view."""
        while self._watch.failures:
            failure = self._watch.failures.pop()
            sys.stderr.write(f"shinpan watch: the eye failed, a person decides: {failure}\n")
        if self._others.ear_problem != self._ear_problem:
            self._ear_problem = self._others.ear_problem
            said = self._ear_problem or "the microphone is there again"
            sys.stderr.write(f"shinpan watch: {said}\n")
        problem = self._watch.watcher.problem
        if isinstance(problem, WrongView) and problem.wrong is not self._wrong:
            self._wrong = problem.wrong
            sys.stderr.write(f"shinpan watch: {problem.reason}; {problem.hint}\n")

    def _starts(self, t_ns: int) -> Iterator[PoemStarted]:
        if self._readings is not None:
            first_ns = self._first_ns if self._source.is_live and self._first_ns is not None else 0
            while self._readings and first_ns + self._readings[0].t_ns <= t_ns:
                reading = self._readings.pop(0)
                yield PoemStarted(reading.poem, first_ns + reading.t_ns, self._heard_unc_ns(_READING_UNC_NS))
        if self._typed is not None:
            for word in waiting(self._typed):
                if word.isdecimal() and 1 <= int(word) <= LAST_POEM:
                    yield PoemStarted(int(word), t_ns, self._heard_unc_ns(_TYPED_UNC_NS))
                elif word:
                    sys.stderr.write(
                        f"shinpan watch: a poem's number 1..{LAST_POEM} was expected, got {word!r}\n"
                    )

    def _heard_unc_ns(self, unc_ns: int) -> int:
        return round(math.hypot(unc_ns, self._latency_unc_ns))

    def _lines_of(self, events: Iterable[LiveEvent]) -> Iterator[dict[str, Any]]:
        for event in self._others.heard(events):
            line = self._line(event)
            if self._source.is_live:
                line["late_ms"] = round((match_clock() - self._latest_ns) / 1e6, 1)
            yield line

    def _line(self, event: LiveEvent) -> dict[str, Any]:
        match event:
            case FieldSettled():
                self._has_read |= event.layout.is_read
                self._shapes = max(self._shapes, len(event.layout))
                return {"event": "layout", "t_ms": self._ms(event.t_ns), "layout": layout_json(event.layout)}
            case PoemSeen():
                if self._source.is_live and shows_small_cards(event.before):
                    event = event.left_open("small_cards")
                judged = judged_poem(event.start, event, self._rules)
                return {"event": "poem", "closed_ms": self._ms(event.t_closed_ns), **judged}
            case Gap():
                span = {"from_ms": self._ms(event.t_from_ns), "to_ms": self._ms(event.t_to_ns)}
                return {"event": "gap", "reason": event.reason, **span}
            case _:
                player = None if event.player is None else event.player.value
                place = {"card": event.card, "territory": event.territory.value, "player": player}
                return {"event": "moving", "t_ms": self._ms(event.t_ns), **place}

    def _ms(self, t_ns: int) -> float:
        return round(t_ns / 1e6, 3)
