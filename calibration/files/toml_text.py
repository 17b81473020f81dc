"""Read TOML from other people's disks; every text that cannot be read gives the same error."""

from __future__ import annotations

import tomllib
from typing import Any

_MOST = 1 << 20
"""A person types such a file; the parser takes seconds for a longer one."""


def parse(text: str) -> dict[str, Any]:
    """Return the table of a TOML text.

    Raises
    ------
    ValueError
        If it is no TOML, is nested too deeply or too long, or holds a number of thousands of digits.
    """
    if len(text) > _MOST:
        raise ValueError(f"it is too long, expected at most {_MOST >> 20} MiB")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
