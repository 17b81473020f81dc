"""Deleting the pictures of a match, which show people, while its rulings stay."""

from __future__ import annotations

from pathlib import Path

from calibration.files.storage import keep_text

_MARK = "deleted.txt"
_TEXT = "The pictures of this match were deleted by shinpan log forget; its rulings are in its log.\n"
_KINDS = ("*.zip", "*.mp4", ".shinpan-*.part")
"""Bundles, films made of them, and what a crash left of either."""


def delete(folder: Path) -> tuple[int, int]:
    """Delete the pictures in a match's folder and note there that they were deleted.

    Parameters
    ----------
    folder : the evidence of one match; it need not exist.

    Returns
    -------
    how many files were deleted, and their bytes together.

    Raises
    ------
    OSError
        Where one cannot be deleted.
    """
    files = [path for kind in _KINDS for path in sorted(folder.glob(kind)) if path.is_file()]
    sizes = [path.stat().st_size for path in files]
    if files:
        keep_text(folder / _MARK, _TEXT)  # first: from now on a missing picture was deleted on purpose
    for path in files:
        path.unlink()
    return len(files), sum(sizes)


def was_deleted(folder: Path) -> bool:
    """Tell whether the pictures of a match were deleted."""
    return (folder / _MARK).is_file()
