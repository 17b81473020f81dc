"""The shapes of the commands that a browser posts. Anything else is refused before the engine sees it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from desk.panel.port import Command, CommandName, SideName

Seq = Annotated[int, Field(ge=1)]
Faults = Annotated[int, Field(ge=0, le=2)]


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Plain(_Arguments):
    name: Literal["start", "pause", "resume", "accept_field"]


class _Confirm(_Arguments):
    name: Literal["confirm"]
    ruling: Seq


class _FaultsOfBoth(_Arguments):
    near: Faults
    far: Faults


class _Overrule(_Arguments):
    name: Literal["overrule"]
    ruling: Seq
    taken_by: SideName | None
    faults: _FaultsOfBoth
    note: Annotated[str, Field(max_length=500)] = ""


class _Revert(_Arguments):
    name: Literal["revert"]
    event: Seq


class _Reread(_Arguments):
    name: Literal["reread"]
    ruling: Seq | None = None


class _Declare(_Arguments):
    name: Literal["declare"]
    what: Literal[
        "wrong_hand",
        "shared_fault",
        "grabbed_hand",
        "both_hands",
        "false_start",
        "misread",
        "timeout",
        "rearranging",
        "hand_raised",
        "hand_lowered",
    ]
    side: SideName | None = None
    card: Annotated[int, Field(ge=1, le=100)] | None = None


class _Appeal(_Arguments):
    name: Literal["appeal"]
    ruling: Seq
    side: SideName


CommandRequest = Annotated[
    _Plain | _Confirm | _Overrule | _Revert | _Reread | _Declare | _Appeal, Field(discriminator="name")
]


def to_command(request: _Arguments, origin: str) -> Command:
    """Turn a request of the right shape into a command."""
    args = request.model_dump()
    return Command(CommandName(args.pop("name")), args, origin)
