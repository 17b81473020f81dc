"""The sound of each announcement, out of the files beside this module."""

from __future__ import annotations

from importlib.resources import files

from recitation.reading.memorisation import Announcement
from recitation.sound.clip import Wave
from recitation.voices.pack import decoded


def announcement_wave(announcement: Announcement) -> Wave:
    """Return the sound of an announcement, (samples,)."""
    return decoded(files(__package__).joinpath(f"{announcement}.ogg").read_bytes())
