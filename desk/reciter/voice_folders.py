"""Where voice packs lie on this machine."""

from __future__ import annotations

from pathlib import Path

from desk.machine.config import data_folder


def voice_folders() -> tuple[Path, ...]:
    """Return where voice packs lie: this user's own first, then those that came with the program."""
    from recitation.voices.catalogue import PACKS

    return own_voices_folder(), PACKS


def own_voices_folder() -> Path:
    """Return the folder of this user's imported voices. It need not exist yet."""
    return data_folder() / "voices"
