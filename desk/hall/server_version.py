"""The versions of `nats-server` that a hall may use."""

from __future__ import annotations

import re
from typing import Final

from desk.errors import DeskError

OLDEST: Final = (2, 14, 3)
"""The version on which the attacks of `tests/desk/hall/test_attacks.py` fail. Earlier ones have published
holes (advisories.nats.io, notes up to 2026-28 of 2026-06-29); before 2.11 they hand out no messages in
batches."""


def check_version(told: str) -> None:
    """Return if a server of this version may carry a hall.

    Raises DeskError if it is too old.

    `told`: what the server says of itself, such as `2.14.3` or `nats-server: v2.14.3`.
    """
    found = re.search(r"(\d+)\.(\d+)\.(\d+)(-)?", told)
    version = (0, 0, 0) if found is None else tuple(int(part) for part in found.groups()[:3])
    # a pre-release comes before its release
    if version < OLDEST or (version == OLDEST and found is not None and found[4]):
        oldest = ".".join(map(str, OLDEST))
        raise DeskError(
            "expected nats-server {oldest} or newer, got {got}: older ones have published holes; "
            "docs/hall.md says how to get a current one",
            oldest=oldest,
            got=told.strip()[:40] or "no version",
        )
