"""What a match waits for, and which button goes on where it waits in vain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from desk.panel.expectation import Awaited
from desk.panel.match.port import Snapshot
from desk.panel.words import texts

AWAITED: Final[Mapping[str, Awaited]] = {
    name: Awaited(*each) for name, each in texts("desk.panel.match")["awaited"].items()
}


def awaited(snapshot: Snapshot) -> str:
    """Return what a match waits for, a key of `AWAITED`."""
    pause, phase = snapshot["pause"], snapshot["phase"]
    if phase == "over":
        return "over"
    if snapshot.get("is_stored", False):
        return "stored"
    if pause is not None:
        return "ruling" if pause["reason"] == "review" else "paused"
    if not snapshot.get("is_watched", True):
        return "nobody_simulates" if snapshot["match"]["source"] == "simulator" else "nobody"
    if phase == "poem" and snapshot["reading"] is not None:
        return "reading"
    if phase == "restore" and snapshot["to_do"]:
        return "to_do"
    by_person = snapshot["takes_names"]
    if phase == "poem":
        return "name" if by_person else "next"
    if phase == "restore":
        return "next_by_person" if by_person else "next"
    return "joka_by_person" if phase == "joka" and by_person else phase
