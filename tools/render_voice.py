"""Render the built-in reader's voice packs: joka and 100 poems, two voices, two rhythms.

    uv run --extra voices python tools/render_voice.py [--out DIR] [--voice high] [--rhythm 4-3-1-5]

Needs the extra `voices`. Every ku's phonemes are checked against its kana while it is spoken.
"""

import argparse
import time
from pathlib import Path

from recitation.chant.singer import TIMBRES, Singer
from recitation.chant.speech import Speaker
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import SAMPLE_RATE
from recitation.reading.rhythm import Rhythm, parse_rhythm
from recitation.sound.clip import Clip, MoraMark
from recitation.voices.catalogue import PACKS, pack_path
from recitation.voices.pack import writing_pack
from referee.cards.poems import POEMS

RHYTHMS = ("4-3-1-5", "5-3-1-6")
COMPRESSION = 0.935  # about 22 kbit/s: four packs fit into 16 MB


def main() -> None:
    """Render the packs that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=PACKS, help="folder of the packs")
    parser.add_argument("--voice", choices=TIMBRES, help="one voice instead of all")
    parser.add_argument("--rhythm", type=parse_rhythm, help="one rhythm instead of the two that are shipped")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    singer = Singer(Speaker())
    rhythms = [options.rhythm] if options.rhythm else [parse_rhythm(text) for text in RHYTHMS]
    for voice in [options.voice] if options.voice else TIMBRES:
        for rhythm in rhythms:
            render(singer, voice, rhythm, pack_path(voice, rhythm, options.out))


def render(singer: Singer, voice: str, rhythm: Rhythm, path: Path) -> None:
    """Render one pack."""
    began_s = time.perf_counter()
    length_s = 0.0
    with writing_pack(path, voice, rhythm, COMPRESSION) as pack:
        for poem in (JOKA, *POEMS):
            for half in Half:
                phrase = Phrase(poem, half)
                wave, score = singer.sing(phrase, rhythm, TIMBRES[voice])
                marks = tuple(MoraMark(beat.mora.kana, beat.start) for beat in score.beats)
                pack.add(phrase, Clip(wave, marks), phonemes=[" ".join(ku) for ku in singer.phonemes(score)])
                length_s += score.samples / SAMPLE_RATE
    took_s = time.perf_counter() - began_s
    print(f"{path.name}: {length_s:.0f} s of sound in {took_s:.0f} s, {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
