"""A simulated film of a card table as frames of a source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import cv2
import numpy as np

from desk.tables.recording import Declaration
from vision.frames.frame import Frame
from vision.simulator.cardtable.film import Film

_T_UNC_NS: Final = 500_000


def frames_of(film: Film) -> Iterator[Frame]:
    """Iterate over a film as gray frames, with colours on demand."""
    for index, (t_ns, picture) in enumerate(film.pictures()):
        gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        yield Frame(gray, t_ns, _T_UNC_NS, index, render_colour=lambda picture=picture: picture)  # type: ignore[misc]


def spoken(declarations: Iterable[Mapping[str, Any]]) -> list[Declaration]:
    """Return the declarations of a film's players."""
    return [Declaration(float(line["t_ms"]), int(line["player"]), str(line["what"])) for line in declarations]
