"""Judge films as phones write them, and compare with the recordings that they were made from.

`uv run python -m benchmarks.judged_films [FOLDER ...] [--only NAME] [--every N] [--ways WAY ...]`

Each recording becomes a plain MP4 (needs ffmpeg) and is judged in several ways: with the reading as its
sound, nothing else told; without sound, its poems named in order; and, where it was filmed at 120 pictures a
second or more, as silent slow motion that plays 30: with the rate in its metadata, without it, and once it is
told. The built-in voice reads from the true instants on, in a room 40 dB quieter; the sound goes on after the
last picture, and where the next poem comes too soon the reader breaks off 0.6 s before it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import soundfile

from benchmarks.command import read_options, table, write_json
from benchmarks.judging import recordings, truth_of
from benchmarks.places import SHARED
from desk.errors import DeskError
from desk.films.film import Ask, OpenQuestionError
from desk.films.judgement import FilmHints, judge_film
from desk.karuta.eye.recorded_match import judge_recording
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import SAMPLE_RATE, samples
from recitation.reading.rhythm import DEFAULT
from recitation.voices.catalogue import find_voice
from vision.recordings.recording import JOKA, RecordedReading, Recording, load_recording

WAYS = ("heard", "silent", "slow, rate written", "slow, rate asked", "slow, rate told")
_PLAYS_FPS = 30


@dataclass(frozen=True)
class Row:
    """One poem of a film that was judged in one way.

    Attributes
    ----------
    same : whether taker, faults and cards sent are those of the recording; None where it was not judged.
    status, was : of the film's ruling and of the recording's; `asked` where a person was asked instead.
    wrong : decided, and not as it truly was.
    doubt : why the reading was in doubt.
    """

    recording: str
    way: str
    poem: int
    same: bool | None
    status: str
    was: str
    wrong: bool
    doubt: str = ""


def main() -> int:
    """Run the comparison, print a table, optionally write JSON."""
    arguments = read_options(
        __doc__, SHARED / "practice", SHARED / "practice3d", only="", every=1, ways=dict.fromkeys(WAYS)
    )
    rows: list[Row] = []
    for folder in recordings(arguments.folders, arguments.only, arguments.every):
        for row in _compared(folder, arguments.ways):
            rows.append(row)
            print(
                f"{row.recording:<20} {row.way:<20} {row.poem:>4} {row.was:<8} {row.status:<8} "
                f"{ {True: 'same', False: 'OTHER', None: '-'}[row.same]:<6} {'WRONG' if row.wrong else ''} "
                f"{row.doubt}",
                flush=True,
            )
    summary = [{"way": way} | _summary([row for row in rows if row.way == way]) for way in arguments.ways]
    table(summary)
    write_json(arguments.json, {"summary": summary, "poems": [vars(row) for row in rows]})
    return 0


def spoken(readings: Sequence[RecordedReading]) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return the sound of a reading, (samples,), whose clock is the film's."""
    voice, breaks_off_s, fades_s, quieter_db = find_voice("high", DEFAULT), 0.6, 0.03, 40.0
    length = samples(readings[-1].t_ms / 1e3 + 9.0)
    wave = np.zeros(length, np.float32)
    ends = [samples(after.t_ms / 1e3 - breaks_off_s) for after in readings[1:]] + [length]
    for reading, end in zip(readings, ends, strict=True):
        begin = samples(reading.t_ms / 1e3)
        said = voice.clip(Phrase(reading.poem, Half.KAMI)).wave[: end - begin].copy()
        said[-samples(fades_s) :] *= np.linspace(1, 0, samples(fades_s), dtype=np.float32)
        wave[begin : begin + len(said)] += said
    loud = float(np.sqrt(np.mean(wave[wave != 0] ** 2)))
    noise = np.random.default_rng(0).normal(0, loud * 10 ** (-quieter_db / 20), length)
    return np.asarray(wave + noise, np.float32)


def _compared(folder: Path, ways: Sequence[str]) -> Iterator[Row]:
    recording = load_recording(folder)
    true = truth_of(folder)["poems"]
    before = judge_recording(folder)["poems"]
    readings = [one for one in recording.readings if one.poem != JOKA]
    poems = tuple(one.poem for one in readings)
    name = f"{folder.parent.name}/{folder.name}"
    with tempfile.TemporaryDirectory() as made:
        for way in ways:
            if way.startswith("slow") and (recording.fps_nominal or 0) < 120:
                continue
            told = FilmHints() if way == "heard" else FilmHints(poems=poems)
            if way == "slow, rate told":
                told = FilmHints(poems=poems, filmed_fps=recording.fps_nominal)
            film = _film(recording, readings, way, Path(made))
            try:
                judged = judge_film(film, told)
            except OpenQuestionError as question:
                asked = "asked" if question.ask is Ask.RATE else f"asked ({question.ask})"
                yield from (Row(name, way, poem, None, asked, "", wrong=False) for poem in poems)
                continue
            except DeskError as error:
                print(f"{name} {way}: {error}", file=sys.stderr)
                yield from (Row(name, way, poem, None, "refused", "", wrong=False) for poem in poems)
                continue
            yield from _rows(name, way, judged, before, true)


def _rows(name: str, way: str, film: Any, before: Sequence[Any], true: Sequence[Any]) -> Iterator[Row]:
    """Compare a judged film with its recording poem by poem, in the order of reading."""
    told = list(zip(film.judged["poems"], film.readings, strict=True))
    for was, truth in zip(before, true, strict=True):
        found = next((pair for pair in told if pair[0]["poem"] == was["poem"]), None)
        if found is None:
            yield Row(
                name, way, was["poem"], same=False, status="missed", was=was["ruling"]["status"], wrong=False
            )
            continue
        ruling, doubt = found[0]["ruling"], found[1].doubt
        wrong = ruling["status"] == "decided" and not _same(ruling, truth["ruling"])
        status, same = ruling["status"], _same(ruling, was["ruling"])
        yield Row(name, way, was["poem"], same, status, was["ruling"]["status"], wrong, doubt)
        told.remove(found)
    for poem, reading in told:  # that nobody read
        status = poem["ruling"]["status"]
        yield Row(name, way, poem["poem"], False, status, "unread", status == "decided", reading.doubt)


def _same(one: Any, other: Any) -> bool:
    return all(one[key] == other[key] for key in ("taken_by", "faults", "sends"))


def _summary(rows: Sequence[Row]) -> dict[str, int]:
    return {
        "poems": len(rows),
        "same": sum(row.same is True for row in rows),
        "asked": sum(row.status == "asked" for row in rows),
        "decided": sum(row.status == "decided" for row in rows),
        "of": sum(row.was == "decided" for row in rows),
        "wrong": sum(row.wrong for row in rows),
    }


def _film(recording: Recording, readings: Sequence[RecordedReading], way: str, folder: Path) -> Path:
    """Write a recording as a phone would have filmed it."""
    film = folder / f"{way.replace(', ', '-').replace(' ', '-')}.mp4"
    filmed_fps = recording.fps_nominal or _PLAYS_FPS
    slower = filmed_fps / _PLAYS_FPS if way.startswith("slow") else 1
    command = ["ffmpeg", "-v", "error", "-y", "-itsscale", str(slower), "-i", str(recording.video)]
    if way == "heard":
        soundfile.write(folder / "reading.wav", spoken(readings), SAMPLE_RATE)
        command += ["-i", str(folder / "reading.wav"), "-c:a", "aac", "-b:a", "128k"]
    if way == "slow, rate written":
        command += ["-metadata", f"com.android.capture.fps={filmed_fps}", "-movflags", "use_metadata_tags"]
    subprocess.run([*command, "-c:v", "copy", "-video_track_timescale", "90000", str(film)], check=True)
    return film


if __name__ == "__main__":
    sys.exit(main())
