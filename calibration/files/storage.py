"""Write files whole or not at all: beside their place first, then moved to it once they are on the disk."""

import errno
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from referee.sentence import Sentence

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LEFT_FREE_BYTES = 10**9  # space that pictures and films leave to the logs of running matches


def free_bytes_at(folder: Path) -> int:
    """Return the free space on the disk of a folder, which need not exist yet."""
    there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    return shutil.disk_usage(there).free


def leave_room(folder: Path) -> None:
    """Refuse to write what is no log where a disk has less than `LEFT_FREE_BYTES` left.

    Raises OSError with `ENOSPC`, as from a full disk.
    """
    if free_bytes_at(folder) < LEFT_FREE_BYTES:
        raise OSError(
            errno.ENOSPC,
            Sentence("less than {gb:g} GB is free, which is left to logs", gb=LEFT_FREE_BYTES / 1e9),
            str(folder),
        )


@contextmanager
def writing(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write; `path` changes only once the block has ended and the disk has the data.

    A device or a pipe (`/dev/stdout`) is written to directly. Raises OSError if it cannot be written; the
    error names `path`, and no half-written file is left.
    """
    target = path.resolve() if path.is_symlink() else path
    if target.exists() and not target.is_file():
        with _named(path), target.open("wb") as stream:
            yield stream
        return
    beside = target.with_name(f".shinpan-{os.getpid()}-{threading.get_ident()}.part")
    with _named(path):
        if target.exists() and not os.access(target, os.W_OK):
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))
        try:
            with beside.open("wb") as stream:
                yield stream
                stream.flush()
                sync(stream.fileno())
            if target.exists():
                beside.chmod(target.stat().st_mode)
            beside.replace(target)
            sync_folder(target.parent)
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)


def keep_bytes(path: Path, data: bytes) -> None:
    """Write a file, all or nothing; errors as `writing`."""
    with writing(path) as stream:
        stream.write(data)


def keep_text(path: Path, text: str) -> None:
    """Write a text file in UTF-8, all or nothing; errors as `writing`."""
    keep_bytes(path, text.encode("utf-8", "backslashreplace"))


def sync(descriptor: int) -> None:
    """Wait until the disk has what was written to a file."""
    full = getattr(fcntl, "F_FULLFSYNC", None)
    if full is not None:
        # macOS leaves with fsync() what it calls written in the drive's own memory
        with suppress(OSError):  # not every file system knows it
            fcntl.fcntl(descriptor, full)
            return
    os.fsync(descriptor)


def sync_folder(folder: Path) -> None:
    """Wait until the disk has a folder's names; a system that cannot wait for a folder is left alone."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            sync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Make errors of the system name the file that was meant."""
    try:
        yield
    except BrokenPipeError:
        raise  # the reader has stopped reading
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, os.strerror(error.errno), str(path)) from error
