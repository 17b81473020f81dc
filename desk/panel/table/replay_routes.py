"""The addresses of a card game's replays, as `static/replay.js` requests them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from fastapi import APIRouter, HTTPException

from desk.panel.match.bundle import Replay, add_replays
from desk.panel.match.port import Caption
from desk.panel.words import SOURCE_LANGUAGE, Words, words


class ReplayPort(Protocol):
    """The replays of a game; each is identified by the number of the log's event that names it."""

    def evidence(self, seq: int) -> Path | None: ...  # None if the event names none; the file may be deleted
    async def clip(self, seq: int, caption: Caption) -> Path | None: ...  # DeskError if it is damaged or gone


def add_step_replays(
    router: APIRouter, port: ReplayPort, told: Callable[[int, Words], Sequence[str]]
) -> None:
    """Add the addresses of the replays of one game.

    `told`: returns the texts of the steps in the pictures that an event of the log names.
    """

    async def found(seq: int) -> Replay:
        async def clip(said: Words) -> Path | None:
            plain = None if said.language == SOURCE_LANGUAGE else Caption(told(seq, words(SOURCE_LANGUAGE)))
            return await port.clip(seq, Caption(told(seq, said), plain=plain))

        path, missing = port.evidence(seq), HTTPException(404, f"event {seq} names no pictures")
        if path is None:
            raise missing
        if not path.is_file():
            raise HTTPException(410, "the pictures of this step were deleted")
        return Replay(path, clip, missing)

    add_replays(router, "/evidence/{seq}", found)
