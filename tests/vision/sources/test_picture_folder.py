"""Pictures come in the order in which they were taken, whatever their names and folders look like."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.frames.frame import Frame
from vision.sources.picture_folder import in_natural_order
from vision.sources.source import SourceError
from vision.sources.source_address import open_source

SHADES = {"1": 20, "2": 60, "9": 100, "10": 140, "100": 180}


@pytest.fixture(params=["plain", "shots [day 1]", "100% [a-z] (大会)", "what? *"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder: Path = tmp_path / request.param
    folder.mkdir()
    return folder


def write(path: Path, shade: int) -> None:
    _, packed = cv2.imencode(".png", np.full((8, 8), shade, np.uint8))
    path.write_bytes(packed.tobytes())


def shades(text: Path) -> list[int]:
    return [int(frame.gray[0, 0]) for frame in open_source(str(text)) if isinstance(frame, Frame)]


@pytest.mark.parametrize("pattern", ["", "img_*.png", "img_%d.png", "img_%01d.png", "*"])
def test_folder_and_pattern_show_the_same_pictures_in_the_same_order(folder: Path, pattern: str) -> None:
    for number, shade in SHADES.items():
        write(folder / f"img_{number}.png", shade)
    (folder / "._img_3.png").write_bytes(b"what another system keeps beside it")
    (folder / ".img_4.png").write_bytes(b"hidden")
    (folder / "img_5.png").mkdir()
    (folder / "notes.txt").write_text("not a picture")
    assert shades(folder / pattern) == list(SHADES.values())


def test_brackets_stand_for_themselves_and_else_for_one_of_them(tmp_path: Path) -> None:
    write(tmp_path / "f[1].png", 10)
    write(tmp_path / "f1.png", 20)
    write(tmp_path / "f2.png", 30)
    assert shades(tmp_path / "f[1].*") == [10]
    assert shades(tmp_path / "f[12].*") == [20, 30]


def test_names_that_tell_times_are_in_their_order() -> None:
    names = ["b_2.5ms.png", "a_10ms.png", "c_2.25ms.png"]
    ordered = in_natural_order(Path(name) for name in names)
    assert [path.name for path in ordered] == ["c_2.25ms.png", "b_2.5ms.png", "a_10ms.png"]
    copies = in_natural_order([Path("a 2.png"), Path("a 1 (2).png"), Path("a 1.png")])
    assert [path.name for path in copies] == ["a 1.png", "a 1 (2).png", "a 2.png"]


def test_a_pattern_of_several_films_is_refused(tmp_path: Path) -> None:
    for name in ("a.mkv", "b.mkv"):
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(SourceError, match="names 2 files, none of them a picture: name one film"):
        open_source(str(tmp_path / "*.mkv"))
    with pytest.raises(SourceError, match=r"a\.mkv is empty"):
        open_source(str(tmp_path / "a*"))
