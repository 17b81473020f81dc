"""The events in the log of a card game that name stored pictures, and deleting a match's pictures."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator

from calibration.files.storage import keep_text

_BUNDLE = re.compile(r"[0-9a-f]{64}\.zip")


def bundle_name(name: str) -> str:
    """Return the file name of a bundle; ValueError if it could name any other file, such as a path."""
    if not _BUNDLE.fullmatch(name):
        raise ValueError(
            f"expected the name of a replay, a SHA-256 in 64 hexadecimal digits and .zip, got {name!r}"
        )
    return name


BundleName = Annotated[str, AfterValidator(bundle_name)]
"""The file name of a bundle, checked wherever an event is decoded: logs also come from other people."""


@dataclass(frozen=True, slots=True)
class EvidenceKept:
    """The pictures from `from_ms` until the table came to rest at `t_ms` are stored in the file `name`."""

    t_ms: float
    from_ms: float
    name: BundleName


def evidence_at(history: Sequence[tuple[int, Any]], t_ms: float) -> int | None:
    """Return the number of the event that names the pictures of an instant on the source's clock, or None."""
    # a log that was continued later has another clock: the latest match counts
    kept = ((seq, event) for seq, event in reversed(history) if isinstance(event, EvidenceKept))
    return next((seq for seq, event in kept if event.from_ms <= t_ms <= event.t_ms), None)


_MARK = "deleted.txt"
_TEXT = "The pictures of this match were deleted by shinpan log forget; its rulings are in its log.\n"
_KINDS = ("*.zip", "*.mp4", ".shinpan-*.part")  # bundles, their films, and unfinished files that a crash left


def delete(folder: Path) -> tuple[int, int]:
    """Delete the pictures in a match's folder, noting that; return their number and bytes."""
    files = [path for kind in _KINDS for path in sorted(folder.glob(kind)) if path.is_file()]
    sizes = [path.stat().st_size for path in files]
    if files:
        keep_text(folder / _MARK, _TEXT)  # first, so that every missing picture is known to be deleted
    for path in files:
        path.unlink()
    return len(files), sum(sizes)


def was_deleted(folder: Path) -> bool:
    return (folder / _MARK).is_file()
