"""Read photos from files."""

from pathlib import Path

import cv2

from referee.sentence import Sentence
from vision.frames.frame import Colour, decoded


def read_colour(path: Path) -> Colour:
    """Return a photo in BGR, shape (height, width, 3), turned as its camera noted.

    Raises FileNotFoundError if there is no such file. Raises OSError if it cannot be read. Raises ValueError
    if it is no picture, or is too large.
    """
    if not path.exists():
        raise FileNotFoundError(Sentence("{path}: no such file; give the path of a photo", path=path))
    if not path.is_file():
        raise ValueError(Sentence("{path} is not a file: give the path of a photo", path=path))
    if not path.stat().st_size:
        raise ValueError(Sentence("{path} is empty: give the path of a photo", path=path))
    most_bytes = 1 << 29
    if path.stat().st_size > most_bytes:
        raise ValueError(
            Sentence("{path} is larger than {n} MiB: give the path of a photo", path=path, n=most_bytes >> 20)
        )
    picture = decoded(path.read_bytes(), cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError(
            Sentence(
                "{path} cannot be read as a picture: JPEG and PNG of up to 134 megapixels work", path=path
            )
        )
    return picture
