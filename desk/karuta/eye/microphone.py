"""A microphone beside the field of a live match: hits give touches more precise instants.

A camera stamps its pictures late by up to a tenth of a second. If this latency was measured (`shinpan
calibrate --latency`), hits count from the first poem on. If not, it is learnt from the first touch and the
first hit of each poem, and hits count once a few poems agree.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.clocks.clock_offset import refined
from calibration.clocks.latency import Offset
from desk.errors import DeskError
from desk.machine.sound_device import device_of
from recitation.playback.sound_in import SoundIn
from recitation.reading.plan import SAMPLE_RATE, sample_to_ns
from recitation.sound.recent_sound import TimedSound
from referee.facts import Contact, Testimony, Touch
from vision.witnesses.hearing import with_impacts
from vision.witnesses.impacts import Impact, find_impacts

_KEPT_S = 45.0
_BEFORE_NS = 500_000_000  # length of sound before a poem from which the noise of the room is measured
_LATEST_NS = 150_000_000  # largest latency of a camera's stamps
_POEMS = 3
_SURE_NS = 8_000_000
_UNKNOWN = Offset(40e6, 60e6, 30e6, 0)
_MOST_POEMS = 60


class HitEar:
    """Listens while a match is watched; DeskError if the microphone cannot be opened. `close` closes it.

    `offset`: stamps of the pictures minus those of the sound, as far as it is known. `camera_unc_ns`: 95 %
    half width of the camera's latency, if it was measured and subtracted from the stamps; else 0.
    """

    def __init__(self, microphone: SoundIn, camera_unc_ns: int = 0) -> None:
        from recitation.playback.lasting_stream import NoSoundError

        self._prior = (
            Offset(0.0, float(camera_unc_ns), camera_unc_ns / 1.96, 1) if camera_unc_ns else _UNKNOWN
        )
        self.offset = self._prior
        self._apart: deque[tuple[float, float]] = deque(maxlen=_MOST_POEMS)
        self._blocks: deque[NDArray[np.float32]] = deque()
        self._kept = 0
        self._next_sample = 0
        self._overflows = microphone.overflows
        self._microphone = microphone
        with DeskError.wrapping("", NoSoundError):
            microphone.__enter__()

    def close(self) -> None:
        self._microphone.__exit__(None, None, None)

    @property
    def problem(self) -> str | None:
        return self._microphone.problem

    @property
    def is_sure(self) -> bool:
        """Whether the offset between sound and picture is known well enough for hits to count."""
        return self.offset.unc_ns <= _SURE_NS and (self._prior is not _UNKNOWN or len(self._apart) >= _POEMS)

    def listen(self) -> None:
        """Take in what was recorded since the last call."""
        blocks = self._microphone.blocks()
        if self._microphone.overflows != self._overflows:
            # samples were lost at an unknown place, so the kept sound can no longer be timed
            self._overflows = self._microphone.overflows
            self._next_sample += self._kept
            self._blocks.clear()
            self._kept = 0
        self._blocks.extend(blocks)
        self._kept += sum(map(len, blocks))
        while self._kept > _KEPT_S * SAMPLE_RATE:
            oldest = len(self._blocks.popleft())
            self._kept -= oldest
            self._next_sample += oldest

    def narrowed(self, facts: Sequence[Testimony], from_ns: int, to_ns: int) -> tuple[Testimony, ...]:
        """Return facts on the pictures' clock; touches get the instants of their hits if those count."""
        self.listen()
        hits = self._hits(from_ns - _BEFORE_NS, to_ns)
        self._learn(facts, [hit for hit in hits if hit.t_ns > from_ns - _LATEST_NS])
        if not self.is_sure:
            return tuple(facts)
        late_ns, unc_ns = round(self.offset.mean_ns), self.offset.unc_ns
        return with_impacts(
            facts,
            [
                replace(hit, t_ns=hit.t_ns + late_ns, t_unc_ns=round(float(np.hypot(hit.t_unc_ns, unc_ns))))
                for hit in hits
            ],
        )

    def sound(self, from_ns: int, to_ns: int) -> TimedSound | None:
        """Return what was heard in an interval on the pictures' clock, as far as that is known."""
        late_ns = round(self.offset.mean_ns)
        heard = self._heard(from_ns - late_ns, to_ns - late_ns)
        if heard is None:
            return None
        unc_ns = round(float(np.hypot(heard.t_unc_ns, self.offset.unc_ns)))
        return TimedSound(heard.wave, heard.t_ns + late_ns, unc_ns)

    def _hits(self, from_ns: int, to_ns: int) -> list[Impact]:
        heard = self._heard(from_ns, to_ns)
        if heard is None or len(heard.wave) < SAMPLE_RATE // 10:
            return []
        hits = find_impacts(heard.wave, SAMPLE_RATE, heard.t_ns)
        unc_ns = heard.t_unc_ns
        return [replace(hit, t_unc_ns=round(float(np.hypot(hit.t_unc_ns, unc_ns)))) for hit in hits]

    def _heard(self, from_ns: int, to_ns: int) -> TimedSound | None:
        clock = self._microphone.clock
        if not clock.is_known or not self._kept:
            return None
        begin_ns, unc_ns = clock.instant(self._next_sample)
        first = max(0, round((from_ns - begin_ns) * SAMPLE_RATE / 1e9))
        last = max(0, round((to_ns - begin_ns) * SAMPLE_RATE / 1e9))
        part = np.concatenate(self._blocks)[first:last]
        return TimedSound(part, begin_ns + sample_to_ns(first), unc_ns) if len(part) else None

    def _learn(self, facts: Sequence[Testimony], hits: Sequence[Impact]) -> None:
        """Refine the offset, taking the first hit for the first touch: before it the table is silent."""
        touches = [f for f in facts if isinstance(f, Touch) and f.contact is Contact.TOUCH]
        if not touches or not hits:
            return
        touch = min(touches, key=lambda each: each.t_ns)
        near = [hit for hit in hits if -_LATEST_NS / 3 <= touch.t_ns - hit.t_ns <= _LATEST_NS]
        if near:
            hit = near[0]
            self._apart.append((float(touch.t_ns - hit.t_ns), float(np.hypot(touch.t_unc_ns, hit.t_unc_ns))))
            self.offset = refined(self._prior, self._apart)


def open_ear(device: str, camera_unc_ns: int) -> HitEar:
    """Open a microphone by its PortAudio name or number, or the default one; DeskError if there is none."""
    from recitation.playback.sound_in import Microphone

    return HitEar(Microphone(device_of(device or None)), camera_unc_ns)
