"""TOML from other people's disks: every text that cannot be read gets the same complaint."""

from __future__ import annotations

import tomllib
from typing import Any

_MOST = 1 << 20
"""Such a file is typed by a person; its parser takes seconds for more."""


def parse(text: str) -> dict[str, Any]:
    """Return the table of a TOML text.

    Raises
    ------
    ValueError
        Where it is no TOML, is nested too deeply or too long, or holds a number of thousands of digits.
    """
    if len(text) > _MOST:
        raise ValueError(f"it is too long, expected at most {_MOST >> 20} MiB")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
