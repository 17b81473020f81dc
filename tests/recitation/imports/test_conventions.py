"""Naming conventions of recordings."""

from pathlib import PurePosixPath

import pytest

from recitation.imports.conventions import ConventionError, Part, recognise, sources
from recitation.reading.phrase import Half, Phrase

POEMS = range(1, 101)

FOLDERS: dict[str, list[str]] = {
    "wasuramoti": [f"me/me_{n:03d}_{k}.ogg" for n in range(101) for k in (1, 2)],
    "shuffle100": [f"{n:03d}{k}.m4a" for n in POEMS for k in "ab"] + ["序歌.m4a"],
    "karutasrs-halves": [f"audio/{v}-verse/poem-{n}.mp3" for n in POEMS for v in ("first", "second")],
    "karutasrs-whole": [f"poem-{n}.mp3" for n in POEMS],
    "numbered": [f"{n:03d}.mp3" for n in range(1, 102)][:100],
    "karuta-numbered": [f"raw/karuta_{n:03d}.mp3" for n in range(101)],
    "karuta-koen-whole": [f"recordings/audio_recording_{n}.wav" for n in POEMS],
    "karuta-koen-halves": [f"recording_{n}_{k}.ogg" for n in POEMS for k in "ab"],
    "five-ku": [f"{n}_{k}.mp3" for n in POEMS for k in range(5)],
    "kiri-from-zero": [f"kiri{n:02d}.wav" for n in range(100)],
    "book-cd": [f"{n:03d}_トラック.mp3" for n in range(101)],
}


@pytest.mark.parametrize("name", FOLDERS)
def test_every_convention_is_told_apart(name: str) -> None:
    paths = [PurePosixPath(path) for path in [*FOLDERS[name], "README.txt", "cover.jpg"]]
    convention, slots = recognise(paths)
    assert convention.name == name
    assert len(slots) == len(FOLDERS[name])
    held = sources(slots)
    assert {phrase for phrase in held if phrase.poem} == {Phrase(n, half) for n in POEMS for half in Half}


def test_counting_from_zero_is_set_right() -> None:
    _, slots = recognise([PurePosixPath(path) for path in FOLDERS["kiri-from-zero"]])
    assert slots[PurePosixPath("kiri00.wav")] == (1, Part.WHOLE)
    assert slots[PurePosixPath("kiri99.wav")] == (100, Part.WHOLE)


def test_five_ku_make_two_halves() -> None:
    _, slots = recognise([PurePosixPath(path) for path in FOLDERS["five-ku"]])
    held = sources(slots)
    assert [path.name for path in held[Phrase(7, Half.KAMI)]] == ["7_0.mp3", "7_1.mp3", "7_2.mp3"]
    assert [path.name for path in held[Phrase(7, Half.SHIMO)]] == ["7_3.mp3", "7_4.mp3"]


def test_a_ku_too_few_makes_no_half() -> None:
    paths = [PurePosixPath(path) for path in FOLDERS["five-ku"] if path != "7_2.mp3"]
    held = sources(recognise(paths)[1])
    assert Phrase(7, Half.KAMI) not in held
    assert Phrase(7, Half.SHIMO) in held


@pytest.mark.parametrize(
    ("paths", "told"),
    [
        ([], "no sound files"),
        (["a.txt", "b.jpg"], "no sound files"),
        (["holiday.mp3", "song.mp3"], r"only 0 of 2 sound files .* holiday\.mp3 is not"),
        ([f"x_{n:03d}_1.ogg" for n in POEMS] + [f"y{n}.ogg" for n in POEMS], "only 100 of 200"),
        (["a_001_1.ogg", "b_001_1.ogg"], r"claim the same place: a_001_1\.ogg, b_001_1\.ogg"),
        (["a_101_1.ogg"], "only 0 of 1"),
    ],
)
def test_a_folder_that_is_not_understood_is_refused_with_the_reason(paths: list[str], told: str) -> None:
    with pytest.raises(ConventionError, match=told):
        recognise([PurePosixPath(path) for path in paths])
