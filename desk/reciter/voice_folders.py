"""The folders of voice packs on this machine."""

from pathlib import Path

from desk.machine.config import data_folder


def voice_folders() -> tuple[Path, ...]:
    """Return the folders of voice packs: first this user's own, then those of the program."""
    from recitation.voices.catalogue import PACKS

    return own_voices_folder(), PACKS


def own_voices_folder() -> Path:
    """Return the folder of this user's imported voices. It need not exist yet."""
    return data_folder() / "voices"
