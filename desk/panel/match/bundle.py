"""Reads the evidence bundles: ZIP files of JPEG frames with a manifest."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path

MANIFEST = "manifest.json"


class NoSuchMemberError(LookupError):
    """The bundle is gone or damaged, or holds no such file."""


def read_member(bundle: Path, name: str) -> bytes:
    """Return one file of a bundle.

    Raises
    ------
    NoSuchMemberError
        If it contains no such file. Names are looked up in the archive only, never on the disk.
    """
    try:
        with zipfile.ZipFile(bundle) as archive:
            return archive.read(name)
    except (KeyError, OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise NoSuchMemberError(f"{bundle.name} holds no readable {name!r}: {error}") from error
