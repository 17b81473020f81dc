"""A practice whose eye and voice do what a test sets."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

from desk.karuta.eye.watcher import Watch
from desk.karuta.readers.loudspeaker_reader import RecitedPoem
from desk.karuta.readers.reader import Reader
from desk.log.event_log import EventLog
from desk.practice.events import PracticeOpened
from desk.practice.plan import Plan
from desk.practice.practice import Practice
from desk.tables.source_kind import Source
from recitation.playback.reports import PhraseStarted
from recitation.reading.phrase import Half, Phrase
from recitation.sound.clip import MoraMark
from referee.facts import FieldSettled, PoemStarted, Touch
from referee.karuta.flow.follow_ups import ReadPoem
from referee.layout import Layout
from referee.notation import parse_layout
from referee.sides import Side
from vision.poem.events import PoemSeen

FIELD = parse_layout("near 17 66|/5 88|/9| far |/|/|")
S = 1_000_000_000
MS = 1_000_000


class Eye:
    """An eye that reports what the test sets."""

    problem, can_wait, obstacle, now_ns = None, False, "", 0
    last: PoemSeen | None = None

    def __init__(self) -> None:
        self.table: Any = self
        self.eye: Any = self

    def clock(self) -> int:
        return self.now_ns

    def begin(self) -> None: ...
    def end(self) -> None: ...
    def preview(self) -> None: ...

    def between_pictures(self, action: Callable[[], None]) -> None:
        action()

    def close(self) -> list[PoemSeen]:
        return [] if self.last is None else [self.last]


class Voice(Reader):
    """A reader who begins the next poem whenever the practice asks for it."""

    def __init__(self, order: Sequence[int], eye: Eye) -> None:
        self.order, self._eye = list(order), eye
        self._sounds: list[RecitedPoem] = []
        self.asked = 0

    def follow(self, event: object, unread: object) -> None:
        if isinstance(event, ReadPoem):
            if self.asked < len(self.order):
                # moras of a fifth of a second each, the whole half four seconds long
                marks = tuple(MoraMark("あ", number * 9600) for number in range(20))
                phrase = Phrase(self.order[self.asked], Half.KAMI)
                started = PhraseStarted(phrase, self.asked, 9, self._eye.now_ns, 1000, 4 * 48_000, marks)
                start = PoemStarted(phrase.poem, started.t_ns, 1000)
                self._sounds.append(RecitedPoem(started, start))
            self.asked += 1

    def sounds(self) -> list[RecitedPoem]:
        sounds, self._sounds = self._sounds, []
        return sounds


class Evening:
    """A practice with its eye and voice, and a clock that goes on when a test says so."""

    def __init__(
        self, folder: Path, plan: Plan, player: str | None = "Hana", source: Source = Source.CAMERA
    ) -> None:
        self.eye = Eye()
        self.now_s = 0.0
        self.voice: Voice | None = None
        self.log = EventLog.create(folder / "practice_1.sqlite")
        opened = PracticeOpened("practice_1", source, player, "0")

        def open_reader(order: Sequence[int]) -> Reader:
            self.voice = Voice(order, self.eye)
            return cast("Reader", self.voice)

        self.practice = Practice(
            cast("Watch", self.eye),
            self.log,
            opened,
            plan,
            open_reader=open_reader,
            wall=lambda: "2026-11-28T19:00:00.000+09:00",
            now_s=lambda: self.now_s,
        )
        self.practice.begin()

    def lay(self, layout: Layout = FIELD) -> None:
        self.practice.seen([FieldSettled(layout, self.eye.now_ns)], None)

    def wait(self, seconds: float) -> None:
        """Let time pass for the player and the eye, and what is due happen."""
        self.now_s += seconds
        self.eye.now_ns += round(seconds * S)
        self.practice.pass_time()

    def hear(self) -> int:
        """Return the poem that the reader has begun."""
        self.practice.pass_time()
        (said,) = self.practice.said()
        assert isinstance(said, RecitedPoem)
        assert self.practice.hear(said)
        self.eye.last = None
        return said.start.poem

    def see(self, poem: int, *touches: tuple[int, int], layout: Layout = FIELD) -> None:
        """Let the eye see touches: the card, and ms after the first sound."""
        start = PoemStarted(poem, self.eye.now_ns, 1000)
        facts = tuple(
            Touch(card, Side.NEAR, start.t_ns + ms * MS, MS, territory=Side.NEAR) for card, ms in touches
        )
        before: Any = type("Reading", (), {"layout": layout})
        self.practice.seen([PoemSeen(start, before, facts, start.t_ns + 5 * S)], None)
