"""The timeline: clips at their samples, mixed block by block for the output stream.

There are two counts. The *stream* counts every sample handed to the sound card. The *timeline* counts the
samples of the reading and stands still while the reading is paused.
"""

import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from recitation.reading.plan import Cue, samples
from recitation.sound.clip import Wave

_PAUSE_FADE_S = 0.03
_VOLUME_FADE_S = 0.02


class Started(NamedTuple):
    """A phrase has begun; its first sample is sample `stream_sample` of the stream."""

    cue: Cue
    stream_sample: int


@dataclass
class Ramp:
    """A gain that moves linearly to its target, so that changes do not click."""

    value: float
    target: float = field(init=False)
    _per_sample: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        self.target = self.value

    @property
    def is_moving(self) -> bool:
        """True until the target is reached."""
        return self.value != self.target

    def move(self, target: float, seconds: float) -> None:
        """Begin to move to a gain; it takes `seconds`."""
        self.target = target
        self._per_sample = (target - self.value) / max(samples(seconds), 1)

    def block(self, frames: int) -> Wave:
        """Return the gain of the next samples, shape (frames,)."""
        if not self.is_moving:
            return np.full(frames, self.value, dtype=np.float32)
        line = self.value + self._per_sample * np.arange(1, frames + 1)
        low, high = sorted((self.value, self.target))
        line = np.clip(line, low, high)
        self.value = float(line[-1])
        if abs(self.value - self.target) < abs(self._per_sample) / 2:
            self.value = self.target
        return np.asarray(line, dtype=np.float32)


class Timeline:
    """Clips on the reading's own clock. One thread gives commands; the sound card's thread calls `fill`.

    Readers of `started` and `played` remove what they took. `played`: the sound that was handed out, without
    silence, and its first sample in the stream, if it is to be `kept`.
    """

    def __init__(self, volume: float = 1.0, *, kept: bool = False) -> None:
        self.position = 0  # samples of the timeline handed out so far
        self.started: deque[Started] = deque()  # phrases that have begun
        self.played: deque[tuple[int, Wave]] = deque(maxlen=2000)  # a card that never settles reports none
        self._is_kept = kept
        self._clips: list[tuple[Cue, Wave]] = []
        self._volume = Ramp(volume)
        self._run = Ramp(1.0)
        self._clear_when_silent = False
        self._lock = threading.Lock()

    def schedule(self, planned: Sequence[tuple[Cue, Wave]]) -> None:
        """Put clips on the timeline; sample 0 of their cues is the present `position`.

        Raises ValueError if a clip is not as long as its cue.
        """
        for cue, wave in planned:
            if len(wave) != cue.samples:
                raise ValueError(f"expected {cue.samples} samples for the {cue.phrase}, got {len(wave)}")
        with self._lock:
            self._clips += [(replace(cue, sample=cue.sample + self.position), wave) for cue, wave in planned]

    def place(self, cue: Cue, wave: Wave) -> None:
        """Put a clip at its own sample of the timeline; the part that lies in the past is left out."""
        with self._lock:
            self._clips.append((cue, wave))

    @property
    def is_paused(self) -> bool:
        """True from the moment of `pause` until `resume` or `stop`."""
        return self._run.target == 0.0

    @property
    def is_idle(self) -> bool:
        """True if nothing is scheduled and nothing is fading."""
        return not self._clips and not self._clear_when_silent

    def pause(self) -> None:
        """Fade out and stop the timeline."""
        with self._lock:
            self._run.move(0.0, _PAUSE_FADE_S)

    def resume(self) -> None:
        """Go on where the timeline stopped."""
        with self._lock:
            self._clear_when_silent = False
            self._run.move(1.0, _PAUSE_FADE_S)

    def stop(self, fade_s: float = _PAUSE_FADE_S) -> None:
        """Fade out, then remove every clip."""
        with self._lock:
            self._clear_when_silent = True
            self._run.move(0.0, fade_s)
            if not self._run.is_moving:
                self._clear()

    def keep_only_current(self) -> None:
        """Remove the clips that have not begun."""
        with self._lock:
            self._clips = [(cue, wave) for cue, wave in self._clips if cue.sample < self.position]

    def set_volume(self, volume: float) -> None:
        """Change the volume, 0..1, without a click."""
        with self._lock:
            self._volume.move(volume, _VOLUME_FADE_S)

    def fill(self, block: Wave, stream_sample: int) -> None:
        """Write the next samples into `block`, shape (frames,), float32; called by the output stream.

        `stream_sample`: number of samples handed to the stream before this block.
        """
        block.fill(0.0)
        with self._lock:
            if self.is_paused and not self._run.is_moving:
                return
            begin, end = self.position, self.position + len(block)
            for cue, wave in self._clips:
                low, high = max(begin, cue.sample), min(end, cue.end)
                if low < high:
                    block[low - begin : high - begin] += wave[low - cue.sample : high - cue.sample]
                    if low == cue.sample:
                        self.started.append(Started(cue, stream_sample + low - begin))
            block *= self._run.block(len(block)) * self._volume.block(len(block))
            if self._is_kept and block.any():
                self.played.append((stream_sample, block.copy()))
            self.position = end
            self._clips = [(cue, wave) for cue, wave in self._clips if cue.end > end]
            if self._clear_when_silent and not self._run.is_moving:
                self._clear()

    def _clear(self) -> None:
        self._clips.clear()
        self._clear_when_silent = False
        self._run = Ramp(1.0)
