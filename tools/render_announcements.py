"""Render the announcements of the memorising time: a chime, then the words.

    uv run --extra voices python tools/render_announcements.py

Needs the extra `voices`.
"""

from pathlib import Path

import numpy as np

import recitation.announcements
from recitation.reading.memorisation import Announcement
from recitation.reading.plan import SAMPLE_RATE
from recitation.sound.clip import chime
from recitation.sound.loudness import levelled
from recitation.voices.pack import encoded
from recitation.voices.plain_speech import speaker

WORDS = {Announcement.TWO_MINUTES: ("ノコリ", "ニフンデス"), Announcement.TIME: ("ジカンデス", "ハジメマス")}
COMPRESSION = 0.9
_GAP = np.zeros(SAMPLE_RATE // 5, np.float32)


def main() -> None:
    """Write one Ogg file for each announcement."""
    folder = Path(recitation.announcements.__file__).parent
    speak = speaker()
    for announcement, words in WORDS.items():
        spoken = [part for word in words for part in (speak(word), _GAP)]
        wave = np.concatenate([0.6 * chime(SAMPLE_RATE).wave, *spoken])
        path = folder / f"{announcement}.ogg"
        path.write_bytes(encoded(levelled(wave).astype(np.float32), COMPRESSION))
        print(f"{path.name}: {len(wave) / SAMPLE_RATE:.1f} s, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
