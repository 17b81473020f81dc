"""List the files that people put into a folder, without those that their systems left there."""

import stat
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath

from referee.sentence import Sentence

_LEFT_BY_SYSTEMS = frozenset({"thumbs.db", "ehthumbs.db", "desktop.ini", "__macosx", "icon\r"})
"""Windows' and macOS' own files, in lower case; macOS puts `__MACOSX` into every ZIP file."""
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}
)


def is_device(name: str) -> bool:
    """Tell whether Windows takes a file of this name, with any ending, for a device and never writes it."""
    return name.partition(".")[0].rstrip().lower() in _DEVICES


def is_own(path: PurePath) -> bool:
    """Tell whether a person put a file there: no part of its path begins with a dot or is a system's."""
    return not any(part.startswith(".") or part.lower() in _LEFT_BY_SYSTEMS for part in path.parts)


def within(folder: Path, name: str) -> Path:
    """Return the path of a file that a file in the same folder names.

    Raises ValueError if the name leads out of the folder: whoever hands on a recording must not reach other
    files.
    """
    named = PurePath(name)
    if named.anchor or ".." in named.parts:  # on Windows "/x" and "C:x" are not absolute, and lead out too
        raise ValueError(
            Sentence(
                "{name!r} lies outside {folder}: copy the file into it and name it there",
                name=name,
                folder=folder,
            )
        )
    return folder / named


def own(names: Iterable[str]) -> list[str]:
    """Return the names (with `/` between folders) that people gave."""
    return [name for name in names if is_own(PurePath(name))]


def listed(folder: Path, pattern: str = "*") -> Iterator[Path]:
    """Iterate over a folder's files and folders in order of name; `pattern` as in `Path.glob`.

    Pipes, sockets and devices are left out: whoever opens them may wait for ever, or read without an end.
    """
    for path in sorted(folder.glob(pattern)):
        if is_own(path.relative_to(folder)) and not _is_endless(path):
            yield path


def _is_endless(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
    except OSError:  # a link to nowhere: whoever opens it says so
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
