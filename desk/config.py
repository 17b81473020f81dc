"""Where shinpan keeps its files and which address the panel has."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path

PANEL_HOST = "127.0.0.1"
PANEL_PORT = 8321


def data_folder() -> Path:
    """Return the folder of this user's match logs and evidence. It need not exist yet."""
    return user_data_path("shinpan", appauthor=False)
