"""A mat's own loudspeaker: plays what the hall's reader schedules, in sync with all others."""

import sys
from typing import Final

from desk.errors import DeskError
from desk.hall.clock import HallClock
from desk.hall.messages import PlayCue
from desk.machine.sound_device import latencies_path, read_latencies
from desk.reciter.voice_folders import voice_folders
from recitation.playback.loudspeaker import Loudspeaker
from recitation.playback.player import ReadingSettings
from recitation.playback.reports import Failed, Opened
from recitation.reading.phrase import Half, Phrase
from recitation.reading.rhythm import RhythmError, parse_rhythm
from recitation.voices.catalogue import VoiceError, find_voice
from referee.complaint import sentence_of

_NO_CLOCK: Final = "the hall's clock is not known yet"


class Speaker:
    """Plays `PlayCue` messages. Its process starts with the first one.

    `problem`: why nothing sounds, None if all is well.

    `silent`: True plays without sound but in real time, for tests.
    """

    def __init__(self, clock: HallClock, *, silent: bool = False) -> None:
        self.problem: str | None = None
        self._clock, self._silent = clock, silent
        self._loudspeaker: Loudspeaker | None = None
        self._agreed = ("", "")

    def play(self, cue: PlayCue) -> None:
        """Play a half in sync; without the hall's clock it is not played, as it would be out of sync."""
        if not self._clock.is_known or self._clock.session != cue.session:
            self.problem = _NO_CLOCK
            return
        if self.problem == _NO_CLOCK:
            self.problem = None
        self.open(cue.voice, cue.rhythm)
        if self._loudspeaker is not None and cue.half in {half.value for half in Half}:
            self._loudspeaker.play(Phrase(cue.poem, Half(cue.half)), self._clock.laid_onto(cue.hall_ns).t_ns)

    def open(self, voice: str, rhythm: str) -> None:
        """Prepare to play in a voice and a rhythm, which takes a second or two."""
        if self._agreed == (voice, rhythm):
            return
        self.close()
        self._agreed = (voice, rhythm)
        try:
            parsed = parse_rhythm(rhythm)
            find_voice(voice, parsed, voice_folders())  # reports a wrong name before a process starts
            latencies = read_latencies(latencies_path())
        except (DeskError, VoiceError, RhythmError) as error:
            self.problem = sentence_of(error)
            sys.stderr.write(f"shinpan: hall: this mat's loudspeaker is silent: {error}\n")
            return
        self.problem = None
        reading = ReadingSettings(
            (), voice, parsed, voice_folders(), silent=self._silent, latencies=latencies
        )
        self._loudspeaker = Loudspeaker(reading)

    def look(self) -> None:
        for report in () if self._loudspeaker is None else self._loudspeaker.reports():
            if isinstance(report, Failed):
                self.problem = report.text
            elif isinstance(report, Opened) and report.silent and not self._silent:
                self.problem = report.silent

    def stop(self) -> None:
        if self._loudspeaker is not None:
            self._loudspeaker.stop()

    def close(self) -> None:
        if self._loudspeaker is not None:
            self._loudspeaker.close()
            self._loudspeaker = None
