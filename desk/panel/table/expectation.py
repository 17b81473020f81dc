"""What keeps a card table from being read, and what goes on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from desk.panel.expectation import Awaited
from desk.panel.words import texts

HINDRANCES: Final[Mapping[str, Awaited]] = {
    name: Awaited(*each) for name, each in texts("desk.panel.table")["hindrances"].items()
}
"""By the id of `LiveTable.health`: why what lies on the table cannot be read now."""
