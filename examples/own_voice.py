"""A voice of your own from one long recording: a reader reads all hundred poems, this cuts and imports them.

    uv run python examples/own_voice.py evening.flac "club" --first 1

The reader reads in the order of the poems: upper verse, a second of silence, lower verse, a second of
silence. Every stretch of sound becomes a file whose name says what it is; then shinpan checks them all (are
they complete, swapped, clipped, do they say what their names say?) and makes them a voice, or says what is
wrong.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import soundfile

from desk.reciter.voice_folders import own_voices_folder
from recitation.imports.decoding import load
from recitation.imports.importer import ImportReport, import_voice
from recitation.reading.plan import SAMPLE_RATE
from recitation.sound.trimming import stretches

HALVES = ("1", "2")


def cut(recording: Path, folder: Path, first: int) -> list[str]:
    """Cut a recording at its silences into files named `voice_017_1.flac` (upper verse), `_2` (lower).

    Parameters
    ----------
    recording : any file with sound.
    folder : where the files go.
    first : the poem that is read first; 0 is the joka.
    """
    wave, written = load(recording), []
    for place, (begin, end) in enumerate(stretches(wave)):
        name = f"voice_{first + place // 2:03d}_{HALVES[place % 2]}.flac"
        soundfile.write(folder / name, wave[begin:end], SAMPLE_RATE)
        written.append(name)
    return written


def make_voice(recording: Path, name: str, voices: Path, first: int = 1) -> ImportReport:
    """Cut a recording and import it as a voice into a folder of voices; nothing is kept unless all is fit."""
    with tempfile.TemporaryDirectory() as folder:
        cut(recording, Path(folder), first)
        return import_voice(Path(folder), name, voices)


def main() -> int:
    """Make the voice that the command line asks for."""
    parser = argparse.ArgumentParser(description="make a voice of one long recording")
    parser.add_argument("recording", type=Path)
    parser.add_argument("name")
    parser.add_argument("--first", type=int, default=1, help="the poem that is read first; 0 is the joka")
    asked = parser.parse_args()
    try:
        report = make_voice(asked.recording, asked.name, own_voices_folder(), asked.first)
    except ValueError as error:  # the file has no sound that can be read, or the name cannot be a voice's
        sys.exit(f"{asked.recording}: {error}")
    for problem in report.problems:
        print(f"{problem.file}: {problem.what}")
    if report.missing:
        print(f"missing: {', '.join(report.missing)}")
    if not report.imported:
        return 1
    print(f"imported; try: shinpan recite --voice {asked.name} --rhythm as-recorded")
    return 0


if __name__ == "__main__":
    sys.exit(main())
