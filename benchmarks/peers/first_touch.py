"""Who touched the read card first, and when: the product beside two judges that only look for change.

`uv run python -m benchmarks.peers.first_touch [FOLDER ...] [--json OUT]`; FOLDERs default to
`../shared/practice` and `../shared/practice3d`, of which the recordings of one poem are used.

Both peers are told what the product has to find out: where the read card lies in the picture (`truth.json`).
The *first-changed-frame* judge takes the first picture in which the card's place differs from how it looked
before the reading. The *MOG2* judge takes the first picture in which OpenCV's background subtractor calls a
part of that place foreground. Each names the player from whose edge the changed pixels reach the card.
They always decide; the product may leave a poem to a person.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.command import read_options, table, write_json
from benchmarks.places import SHARED
from desk.karuta.eye.recorded_match import judge_recording
from vision.frames.frame import Gray
from vision.sources.video_file import VideoSource

FOLDERS: Final = (SHARED / "practice", SHARED / "practice3d")
_SOONEST_MS: Final = 150.0  # nobody reacts to a sound sooner, so the peers look from then on
_TIMES_NOISE: Final = 6.0
"""A card's place has changed when it differs by so many times what it did before the reading."""
_PART: Final = 0.15  # the part of a card's place that must be foreground
_LEARNT: Final = 500  # pictures over which MOG2 learns its background: OpenCV's default


@dataclass(frozen=True)
class Answer:
    """What a judge says of one poem: the player who was first at the read card, and when."""

    judge: str
    recording: str
    fps: float
    right: bool
    decided: bool
    error_ms: float | None  # instant less the true one; None where no touch was found
    # whether the true instant lies in the stated 95 % interval; None where none is stated
    inside: bool | None = None


Picture = tuple[float, Gray]  # milliseconds of the film, and brightness (H, W)
Masks = Iterator[tuple[float, NDArray[np.bool_]]]
"""Milliseconds of the film, and where the picture has changed (H, W)."""


def _difference(film: Iterable[Picture], read_ms: float, place: NDArray[np.bool_]) -> Masks:
    """Compare each picture with the latest one before the reading."""
    before: Gray | None = None
    noise = 1.0
    for t_ms, picture in film:
        if before is not None:
            apart = cv2.absdiff(picture, before)
            if t_ms < read_ms:
                noise = max(noise, float(apart[place].mean()))
            yield t_ms, apart > _TIMES_NOISE * noise
        if t_ms < read_ms:
            before = picture


def _foreground(film: Iterable[Picture], _read_ms: float, _place: NDArray[np.bool_]) -> Masks:
    """Ask OpenCV's mixture of Gaussians; shadows are no foreground."""
    subtractor = cv2.createBackgroundSubtractorMOG2(history=_LEARNT, detectShadows=True)
    for t_ms, picture in film:
        yield t_ms, subtractor.apply(picture) == 255


PEERS: Final[dict[str, Callable[[Iterable[Picture], float, NDArray[np.bool_]], Masks]]] = {
    "first changed frame": _difference,
    "MOG2": _foreground,
}


def first_change(masks: Masks, read_ms: float, place: NDArray[np.bool_]) -> tuple[float, str] | None:
    """Return when the place changed first, and the player whose edge of the picture the change comes from."""
    for t_ms, changed in masks:
        if t_ms < read_ms + _SOONEST_MS or changed[place].mean() < _PART:
            continue
        _, labels = cv2.connectedComponents(cv2.dilate(changed.astype(np.uint8), np.ones((9, 9), np.uint8)))
        touching = np.isin(labels, np.unique(labels[place & changed]))
        rows, card_rows = np.flatnonzero(touching.any(axis=1)), np.flatnonzero(place.any(axis=1))
        above, below = card_rows[0] - rows[0], rows[-1] - card_rows[-1]
        return t_ms, "near" if below >= above else "far"
    return None


def answers(recording: Path) -> Iterator[Answer]:
    """Ask the product and both peers about a recording of one poem in which the read card was touched."""
    truth = json.loads((recording / "truth.json").read_text("utf-8"))
    (poem,) = truth["poems"]
    touches = [touch for touch in poem["touches"] if touch["card"] == poem["poem"]]
    corners = truth["meta"]["corners_px"].get(str(poem["poem"]))
    if not touches or corners is None:
        return
    first = min(touches, key=lambda touch: float(touch["t_ms"]))
    fps = float(truth["meta"]["fps"])
    judged = judge_recording(recording)["poems"][0]
    seen = [touch for touch in judged["touches"] if touch["card"] == poem["poem"]]
    told = min(seen, key=lambda touch: float(touch["t_ms"]), default=None)
    yield Answer(
        "shinpan",
        recording.name,
        fps,
        told is not None and told["player"] == first["player"],
        judged["ruling"]["status"] == "decided",
        None if told is None else told["t_ms"] - first["t_ms"],
        None if told is None else told["t_low_ms"] <= first["t_ms"] <= told["t_high_ms"],
    )
    read_ms = json.loads((recording / "reading.jsonl").read_text("utf-8").splitlines()[0])["t_ms"]
    with VideoSource(recording / "video.mkv") as source:
        place = np.zeros((source.height, source.width), np.uint8)
    cv2.fillConvexPoly(place, np.array(corners).round().astype(np.int32), 1)
    for name, masks_of in PEERS.items():
        with VideoSource(recording / "video.mkv") as source:
            film = ((frame.t_ns / 1e6, frame.gray) for frame in source)
            found = first_change(masks_of(film, read_ms, place > 0), read_ms, place > 0)
        yield Answer(
            name,
            recording.name,
            fps,
            found is not None and found[1] == first["player"],
            True,
            None if found is None else found[0] - first["t_ms"],
        )


def summary(found: Sequence[Answer]) -> list[dict[str, Any]]:
    """Add up by judge, and by judge and frame rate."""
    groups: dict[tuple[str, str], list[Answer]] = defaultdict(list)
    for answer in found:
        groups[answer.judge, "all"].append(answer)
        groups[answer.judge, f"{answer.fps:.0f}"].append(answer)
    rows = []
    for (judge, fps), group in groups.items():
        errors = [abs(answer.error_ms) for answer in group if answer.error_ms is not None]
        rows.append(
            {
                "judge": judge,
                "fps": fps,
                "poems": len(group),
                "first player right": sum(answer.right for answer in group),
                "decided": sum(answer.decided for answer in group),
                "decided, first player wrong": sum(answer.decided and not answer.right for answer in group),
                "inside its interval": sum(answer.inside is True for answer in group),
                "error p50, ms": round(float(np.median(errors)), 1) if errors else None,
                "error p90, ms": round(float(np.quantile(errors, 0.9)), 1) if errors else None,
            }
        )
    return rows


def main() -> int:
    """Run the comparison, print a table, optionally write JSON; 2 where there is no recording."""
    arguments = read_options(__doc__, *FOLDERS)
    clips = [clip for folder in arguments.folders for clip in sorted(folder.glob("clip-*"))]
    found = [answer for clip in clips for answer in answers(clip)]
    if not found:
        print(f"no recordings of one poem in {', '.join(map(str, arguments.folders))}", file=sys.stderr)
        return 2
    rows = summary(found)
    table(rows)
    write_json(arguments.json, {"summary": rows, "answers": [asdict(answer) for answer in found]})
    return 0


if __name__ == "__main__":
    sys.exit(main())
