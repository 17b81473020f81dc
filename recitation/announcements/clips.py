"""The sound of each announcement, out of the files beside this module."""

import io
from functools import cache
from importlib.resources import files

import soundfile

from recitation.reading.memorisation import Announcement
from recitation.reading.plan import SAMPLE_RATE
from recitation.sound.clip import Wave
from recitation.voices.pack import decoded


def announcement_wave(announcement: Announcement) -> Wave:
    """Return the sound of an announcement, (samples,)."""
    return decoded(files(__package__).joinpath(f"{announcement}.ogg").read_bytes())


@cache
def announcement_wav(announcement: Announcement) -> bytes:
    """Return the sound of an announcement as a WAV file: every browser plays it."""
    file = io.BytesIO()
    soundfile.write(file, announcement_wave(announcement), SAMPLE_RATE, format="WAV", subtype="PCM_16")
    return file.getvalue()
