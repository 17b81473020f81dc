"""Opening the agreed reader, at the beginning of a match or when an interrupted one goes on."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from desk.errors import DeskError
from desk.karuta.engine.events import ReaderAgreed
from desk.karuta.readers.human_reader import HumanReader
from desk.karuta.readers.loudspeaker_reader import ReciterReader
from desk.karuta.readers.reader import Reader
from desk.karuta.readers.recital import Recital
from desk.machine.camera_records import latency_unc_ns
from desk.machine.sound_device import device_of, latencies_path, read_latencies
from desk.reciter.voice_folders import voice_folders
from recitation.playback.player import ReadingSettings
from recitation.playback.sound_in import Microphone
from recitation.reading.order import Order, reading_order
from recitation.reading.plan import Spacing
from recitation.reading.practice import steps
from recitation.reading.rhythm import RhythmError, parse_rhythm
from recitation.voices.catalogue import VoiceError, find_voice
from referee.karuta.flow.state import MatchState, Phase
from vision.sources.source_address import name_of

SILENT = "silent"
"""The voice without sound: the panel shows the text in time, and somebody reads it from there."""
PERSON = "person"  # the voice of a person, heard through a microphone
_SOUNDLESS = "high"  # the voice that sets the times of the text


def open_reader(agreed: ReaderAgreed, camera: str, state: MatchState, *, keeps_sound: bool = False) -> Reader:
    """Return the reader of a match under a live camera, whose address tells its latency.

    Raises DeskError if the microphone cannot be opened, or there is no such voice or rhythm.
    """
    joka = state.settings.rules.joka and state.phase in (Phase.SET_UP, Phase.MEMORISE, Phase.JOKA)
    picture_unc_ns = latency_unc_ns(name_of(camera))
    if agreed.voice == PERSON:
        recital = Recital(agreed.certainty, joka)
        return HumanReader(Microphone(device_of(agreed.microphone or None)), recital, picture_unc_ns)
    reading = reading_of(agreed, joka=joka, read=state.read, first=state.again)
    return ReciterReader(replace(reading, kept=keeps_sound), picture_unc_ns)


def reading_of(
    agreed: ReaderAgreed,
    *,
    joka: bool,
    read: Collection[int] = (),
    first: int | None = None,
    order: Sequence[int] | None = None,
    device: str | int | None = None,
) -> ReadingSettings:
    """Return what a reciter reads, with the measured latencies of this machine's loudspeakers.

    Raises DeskError if there is no such voice or rhythm, or the file of measured latencies is damaged.
    `first`: a poem that has to be read before all others. `order`: the poems to read, in order; None for all
    hundred, shuffled by the agreed seed. `device`: PortAudio's name or index of the loudspeaker.
    """
    silent = agreed.voice == SILENT
    voice = _SOUNDLESS if silent else agreed.voice
    with DeskError.wrapping("", VoiceError, RhythmError):
        rhythm = parse_rhythm(agreed.rhythm)
        find_voice(voice, rhythm, voice_folders())  # so that a wrong name fails before a process starts
    whole = reading_order(Order.SHUFFLE, agreed.order_seed) if order is None else order
    left = [poem for poem in whole if poem not in {*read, first}]
    return ReadingSettings(
        steps=steps(left if first is None else [first, *left], joka=joka),
        voice=voice,
        rhythm=rhythm,
        folders=voice_folders(),
        spacing=Spacing(lead_s=0.1, wait_s=0.5),
        by_hand=True,
        device=device,
        silent=silent,
        latencies=read_latencies(latencies_path()),
    )
