"""A reading without sound, whose clock moves only with its samples."""

from collections.abc import Sequence

import numpy as np

from recitation.playback.reciter import Reciter
from recitation.playback.reports import PhraseStarted, StateChanged
from recitation.playback.stream_clock import StreamClock
from recitation.playback.timeline import Timeline
from recitation.reading.phrase import Phrase
from recitation.reading.plan import SAMPLE_RATE, Spacing, samples
from recitation.reading.practice import steps
from recitation.reading.rhythm import DEFAULT, Rhythm
from recitation.sound.clip import Clip, MoraMark

TICK = 480


class Hummer:
    """A voice that hums."""

    name = "hummer"

    def __init__(self, rhythm: Rhythm = DEFAULT) -> None:
        self.rhythm = rhythm

    def samples(self, phrase: Phrase) -> int:
        length_s = self.rhythm.length_s(phrase.half)
        assert length_s is not None
        return samples(length_s)

    def clip(self, phrase: Phrase) -> Clip:
        return Clip(
            np.full(self.samples(phrase), 0.5, np.float32), (MoraMark("ア", 0), MoraMark("イ", 9_600))
        )


class Table:
    """A reciter, its stream, and a clock that only moves when samples do."""

    def __init__(
        self,
        order: Sequence[int] = (17, 4),
        *,
        by_hand: bool = False,
        wait_s: float = 2.0,
        memorise_s: float = 0.0,
    ) -> None:
        self.sample = 0
        self.clock = StreamClock()
        self.timeline = Timeline()
        self.log: list[tuple[float, str]] = []
        self.told: list[tuple[float, object]] = []
        self.started: list[PhraseStarted] = []
        spacing = Spacing(lead_s=0.5, breath_s=1.0, wait_s=wait_s)
        self.reciter = Reciter(
            steps(order, joka=False),
            Hummer(),
            self.timeline,
            self.clock,
            self.now_ns,
            spacing,
            by_hand,
            memorise_s=memorise_s,
        )

    def now_ns(self) -> int:
        return self.sample * 1_000_000_000 // SAMPLE_RATE

    def run(self, seconds: float) -> None:
        block = np.zeros(TICK, np.float32)
        for _ in range(round(seconds * SAMPLE_RATE / TICK)):
            self.reciter.tick()
            self.clock.observe(self.sample, self.now_ns())
            self.timeline.fill(block, self.sample)
            self.sample += TICK
            while self.reciter.reports:
                report = self.reciter.reports.popleft()
                self.told.append((self.sample / SAMPLE_RATE, report))
                if isinstance(report, PhraseStarted):
                    self.started.append(report)
                    self.log.append((round(report.t_ns / 1e9, 2), str(report.phrase)))
                elif isinstance(report, StateChanged):
                    self.log.append((round(self.now_ns() / 1e9, 2), f"{report.state} {report.step}"))

    def heard(self) -> list[str]:
        return [text for _, text in self.log if "kami" in text or "shimo" in text]

    def seconds_of(self, kind: type) -> list[float]:
        return [at_s for at_s, report in self.told if isinstance(report, kind)]
