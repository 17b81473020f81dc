"""The reader at the table: it reads step by step, waits for the players, and obeys commands.

It has no sound device and no thread: it puts clips on a timeline and checks it at every tick.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from recitation.announcements.clips import announcement_wave
from recitation.playback.reports import Act, Announced, Memorising, PhraseStarted, Report, State, StateChanged
from recitation.playback.stream_clock import StreamClock, is_heard
from recitation.playback.timeline import Started, Timeline
from recitation.reading.memorisation import Announcement, MemoriseTimer
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import Cue, Spacing, plan_step, samples
from recitation.reading.practice import Step
from recitation.sound.clip import Clip
from recitation.voices.catalogue import Voice

Place = tuple[int, int]  # index of a step and of a phrase in it

_CUT_S = 0.03


@dataclass
class Reciter:
    """Reads steps aloud."""

    steps: Sequence[Step]  # what to read; after each step the reciter waits for the players
    voice: Voice
    timeline: Timeline
    clock: StreamClock
    now_ns: Callable[[], int]
    spacing: Spacing = field(default_factory=Spacing)  # silences; `wait_s` is the least time between steps
    by_hand: bool = False  # if True, a step is read only on command; if False, also when the field is settled
    starts_by_hand: bool = False  # if True, the first step waits for a command, whatever `by_hand` says
    memorise_s: float = 0.0  # time to memorise before the first step; 0 for none
    # what happened, oldest first; the reader of the reports removes them
    reports: deque[Report] = field(default_factory=deque)

    def __post_init__(self) -> None:
        self.state = State.WAITING if self.steps else State.ENDED
        self._next: Place = (0, 0)
        self._last: Place | None = None
        self._queue: deque[Place] = deque()
        self._clips: dict[Phrase, Clip] = {}
        self._settled = True
        self._by_hand_now = self.by_hand or self.starts_by_hand
        self._at_once = False
        self._since_ns: int | None = None
        self._cut_off = self._is_lost = self._is_told_on = False
        self._timer = MemoriseTimer(self.memorise_s)
        if self.memorise_s and self.steps:
            self._timer.start(self.now_ns())
            assert self._timer.ends_ns is not None, "it has just been started"
            self.reports.append(Memorising(self._timer.ends_ns))
            self._change(State.MEMORISING)

    def do(self, act: Act, value: float = 0.0) -> None:
        """Carry out a command of the operator or the referee; one that makes no sense now is ignored."""
        match act:
            case Act.GO | Act.SKIP if self.state is State.MEMORISING:
                self._timer.ends_ns = None
                self._change(State.WAITING)
                self._at_once = act is Act.GO
            case Act.GO if self.state is State.WAITING:
                self._at_once = True
            case Act.GO | Act.RESUME if self.state is State.PAUSED and self._is_lost:
                self._is_told_on = True
            case Act.GO | Act.RESUME if self.state is State.PAUSED:
                self.timeline.resume()
                self._change(State.READING)
            case Act.PAUSE if self.state is State.READING:
                self.timeline.pause()
                self._change(State.PAUSED)
            case Act.REPEAT if self._last is not None:
                self._cut_to(self._last)
                self._at_once = True
            case Act.REWIND:
                step, phrase = self._place()
                is_begun = phrase or self.state in {State.READING, State.PAUSED}
                self._cut_to((step if is_begun else max(step - 1, 0), 0))
            case Act.SKIP if self.state is not State.ENDED:
                self._cut_to((self.step + 1, 0))
            case Act.AGAIN if self.state is not State.MEMORISING:
                self._cut_to((0, 0))
            case Act.STOP_AFTER_HALF if self.state is State.READING:
                self.timeline.keep_only_current()
                self._by_hand_now = True
            case Act.STOP if self.state in {State.READING, State.PAUSED}:
                self._cut_to(self._place(), fade_s=max(value, _CUT_S))
            case Act.VOLUME:
                self.timeline.set_volume(min(max(value, 0.0), 1.0))
            case Act.TWO_MINUTES | Act.TIME if self.state is State.WAITING:
                self._announce(Announcement(act.value))
            case Act.SETTLED:
                self._settled = bool(value)

    def lose_sound(self) -> None:
        """Note that the sound is lost; nothing is read until `go_on`."""
        self._cut_off, self._is_lost = self.state is State.READING, True
        if self._cut_off:
            self.timeline.pause()
            self._change(State.PAUSED)

    def go_on(self) -> None:
        """Read on, because there is sound again.

        A half that was cut off is read once more. If every step waits for a person or for the rules, it stays
        cut off until they decide: the players may have heard enough of it.
        """
        cut_off, told_on = self._cut_off, self._is_told_on
        self._cut_off = self._is_lost = self._is_told_on = False
        if self.state is State.PAUSED and (told_on or (cut_off and not self.by_hand)):
            self.do(Act.REPEAT if cut_off and self._last is not None else Act.RESUME)

    def tick(self) -> None:
        """Report phrases that have begun, and go on if it is time. Call it every few milliseconds."""
        if self.state is State.MEMORISING and (due := self._timer.due(self.now_ns())):
            self._announce(due)
            if due is Announcement.TIME:
                self._change(State.WAITING)
        # only what can be heard already has an instant that is known best
        while (started := self.timeline.started) and is_heard(
            started[0].stream_sample, self.clock, self.now_ns()
        ):
            self._report(started.popleft())
        if self.state is State.READING and self.timeline.is_idle and not self.timeline.started:
            self._finish()
        if self.state is State.WAITING and self.timeline.is_idle and self._may_go():
            self._read()
        else:
            self._load_one()

    @property
    def step(self) -> int:
        """The step being read, or to be read next."""
        return self._place()[0]

    def _place(self) -> Place:
        """Return the place of the phrase that sounds or comes next."""
        if self.state in {State.READING, State.PAUSED} and self._last is not None:
            return self._queue[0] if self._queue and self._queue[0][0] != self._last[0] else self._last
        return self._next

    def _may_go(self) -> bool:
        if self._at_once:
            return True
        waited_s = self.spacing.wait_s if self._since_ns is None else (self.now_ns() - self._since_ns) / 1e9
        return self._settled and not self._by_hand_now and waited_s >= self.spacing.wait_s

    def _read(self) -> None:
        step, first = self._next
        phrases = self.steps[step][first:]
        self._clips |= {phrase: self.voice.clip(phrase) for phrase in phrases if phrase not in self._clips}
        lead = 0 if self._last else samples(self.spacing.lead_s)
        cues = plan_step(phrases, lead, self.voice.rhythm, self.voice.samples, self.spacing)
        self._queue = deque((step, first + offset) for offset in range(len(phrases)))
        self.timeline.schedule([(cue, self._clips[cue.phrase].wave) for cue in cues])
        self._at_once, self._by_hand_now = False, self.by_hand
        self._change(State.READING)

    def _finish(self) -> None:
        """Finish a step that is over, or that was stopped after a half."""
        if self._queue:
            self._next = self._queue[0]
        else:
            assert self._last is not None, "a step that is over has begun"
            self._next = (self._last[0] + 1, 0)
        self._wait()

    def _cut_to(self, place: Place, fade_s: float = _CUT_S) -> None:
        self.timeline.stop(fade_s)
        self._next = place
        self._at_once, self._by_hand_now = False, True
        self._wait()

    def _wait(self) -> None:
        self._queue.clear()
        self._since_ns = self.now_ns()
        self._change(State.ENDED if self._next[0] >= len(self.steps) else State.WAITING)

    def _change(self, state: State) -> None:
        self.state = state
        self.reports.append(StateChanged(state, self.step))

    def _announce(self, announcement: Announcement) -> None:
        wave = announcement_wave(announcement)
        self.timeline.schedule([(Cue(Phrase(JOKA, Half.KAMI), 0, len(wave)), wave)])
        self.reports.append(Announced(announcement))

    def _report(self, started: Started) -> None:
        phrase = started.cue.phrase
        if not self._queue or self.steps[self._queue[0][0]][self._queue[0][1]] != phrase:
            return  # it was cut off as it began
        self._last = self._queue.popleft()
        instant, moras = self.clock.instant(started.stream_sample), self._clips[phrase].moras
        self.reports.append(
            PhraseStarted(phrase, self._last[0], len(self.steps), *instant, started.cue.samples, moras)
        )

    def _load_one(self) -> None:
        """Decode at most one clip of this step or the next, and drop the clips of other steps."""
        wanted = [phrase for step in self.steps[self.step : self.step + 2] for phrase in step]
        self._clips = {phrase: clip for phrase, clip in self._clips.items() if phrase in wanted}
        if missing := next((phrase for phrase in wanted if phrase not in self._clips), None):
            self._clips[missing] = self.voice.clip(missing)
