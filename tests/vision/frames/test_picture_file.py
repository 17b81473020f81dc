"""Photos whose headers announce more than fits into memory."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.frames.frame import decoded
from vision.frames.picture_file import read_colour

WHOLE = bytes(cv2.imencode(".png", np.zeros((4, 4), np.uint8))[1])


@pytest.mark.parametrize("data", [b"", b"\xff\xd8\xff", WHOLE[:40], b"text"])
def test_what_is_no_picture_is_none(data: bytes) -> None:
    assert decoded(data, cv2.IMREAD_GRAYSCALE) is None


def test_a_header_that_promises_too_much_is_none_too() -> None:
    whole = bytearray(cv2.imencode(".jpg", np.zeros((16, 16), np.uint8))[1].tobytes())
    size = whole.index(b"\xff\xc0") + 5
    whole[size : size + 4] = b"\xff\xdc\xff\xdc"  # 65,500 x 65,500
    assert decoded(bytes(whole), cv2.IMREAD_GRAYSCALE) is None


def test_a_file_that_is_no_photo_at_all_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "film.jpg"
    with path.open("wb") as file:
        file.truncate(10**12)
    with pytest.raises(ValueError, match="is larger than 512 MiB"):
        read_colour(path)
