"""The folder of shinpan's files, and the panel's addresses."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from platformdirs import user_data_path

PANEL_HOST = "127.0.0.1"
EVERY_HOST = "0.0.0.0"  # noqa: S104 (only with --lan, where viewers may read and tokens command)
PANEL_PORT = 8321
PHONE_PORT = 8421


def data_path() -> Path:
    """Return where this user's match logs and evidence lie, without making the folder."""
    return user_data_path("shinpan", appauthor=False)


def data_folder() -> Path:
    """Return the folder of this user's match logs and evidence, which nobody else on this machine may enter.

    It need not exist where it cannot be made.
    """
    folder = data_path()
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        if folder.stat().st_mode & 0o077:
            folder.chmod(0o700)
    return folder
