"""Text in a picture, also in Japanese: OpenCV 5 has a font for it, OpenCV 4 has only Latin letters."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]  # shape (height, width, 3), uint8, channels blue, green, red
HAS_JAPANESE: Final = hasattr(cv2, "FontFace")
_NARROW: Final = str.maketrans("‘’“”", "''\"\"")
"""The font draws these as wide as a Japanese character, which tears English words apart."""
_NO_BREAK_BEFORE = "、。）」』…ー・,.;:)!?"


def write(
    picture: Picture, text: str, at: tuple[int, int], size_px: int, colour: tuple[int, int, int]
) -> None:
    """Write a line into a picture; `at` is the left end of its base line, (x, y) in pixels."""
    put: Callable[..., object] = cv2.putText
    text = text.translate(_NARROW)
    if HAS_JAPANESE:
        put(picture, text, at, colour, _face(), size_px)
        return
    line = max(1, size_px // 14)
    latin = text.encode("ascii", "ignore").decode()
    put(picture, latin, at, cv2.FONT_HERSHEY_SIMPLEX, size_px / 30, colour, line, cv2.LINE_AA)


def width_px(text: str, size_px: int) -> int:
    measure: Callable[..., Any] = cv2.getTextSize
    text = text.translate(_NARROW)
    if HAS_JAPANESE:
        return int(measure((0, 0), text, (0, 0), _face(), size_px)[2])
    latin = text.encode("ascii", "ignore").decode()
    return int(measure(latin, cv2.FONT_HERSHEY_SIMPLEX, size_px / 30, max(1, size_px // 14))[0][0])


@cache
def _face() -> Any:
    unpack: Callable[[str], Any] = getattr(cv2, "FontFace")  # noqa: B009 (OpenCV 4 has none)
    return unpack("uni")


def wrapped(text: str, size_px: int, most_px: int) -> list[str]:
    """Break a text into lines of at most `most_px`, between words or between Japanese characters."""
    lines, line = list[str](), ""
    for part in _parts(text):
        if line and width_px(line + part.rstrip(), size_px) > most_px:
            lines.append(line.rstrip())
            line = part.lstrip()
        else:
            line += part
    return [*lines, line.rstrip()] if line.strip() else lines


def _parts(text: str) -> list[str]:
    """Split a text into parts that must not be broken."""
    parts = [""]
    for sign in text:
        wide = ord(sign) > 0x2E7F  # CJK scripts, which can break anywhere, start here
        before = parts[-1][-1:]
        opens = not before or before == " " or wide or ord(before) > 0x2E7F
        if opens and sign != " " and sign not in _NO_BREAK_BEFORE:
            parts.append(sign)
        else:
            parts[-1] += sign
    return [part for part in parts if part]
