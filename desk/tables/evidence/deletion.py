"""Deleting the pictures of a match, which show people; its rulings are kept."""

from __future__ import annotations

from pathlib import Path

from calibration.files.storage import keep_text

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
