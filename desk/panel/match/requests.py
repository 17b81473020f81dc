"""The schemas of the commands that a browser posts. Anything else is refused before the engine sees it."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from desk.panel.match.port import Command, CommandName, SideName, Stopped

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
        "right_waived",
        "right_hand",
        "left_hand",
        "play_ended",
        "hand_raised",
        "hand_lowered",
    ]
    side: SideName | None = None
    card: Annotated[int, Field(ge=1, le=100)] | None = None


class _Appeal(_Arguments):
    name: Literal["appeal"]
    ruling: Seq
    side: SideName


class _NamePoem(_Arguments):
    name: Literal["name_poem", "correct_poem"]
    poem: Annotated[int, Field(ge=1, le=100)]


Take = Literal["auto", "propose"]
Fault = Literal["auto", "propose", "log", "ignore"]


class _StopMatch(_Arguments):
    name: Literal["stop_match"]
    reason: Stopped
    winner: SideName | None

    @model_validator(mode="after")
    def _names_a_winner(self) -> Self:
        if self.winner is None and self.reason == "forfeit":
            raise ValueError("a forfeit has a winner")
        if self.winner is not None and self.reason == "no_result":
            raise ValueError("nobody wins a match without a result")
        return self


class _SetPolicies(_Arguments):
    name: Literal["set_policies"]
    take: Take
    fault: Fault


CommandRequest = Annotated[
    _Plain
    | _Confirm
    | _Overrule
    | _Revert
    | _Reread
    | _Declare
    | _Appeal
    | _NamePoem
    | _StopMatch
    | _SetPolicies,
    Field(discriminator="name"),
]


class SourceRequest(_Arguments):
    """The source of the next match."""

    kind: Literal["camera", "video", "simulator"]
    where: Annotated[str, Field(max_length=1000)]
    deck: Annotated[str, Field(max_length=200)] | None = None


class CorrectRequest(_Arguments):
    """The card at a place of the recognised field."""

    place: Annotated[int, Field(ge=0)]
    card: Annotated[int, Field(ge=1, le=100)] | None


class AgreedRequest(_Arguments):
    """The players' agreement; see `desk.karuta.house.agreement.Agreement`."""

    near: Annotated[str, Field(max_length=60)] = ""
    far: Annotated[str, Field(max_length=60)] = ""
    rules: str
    cards_per_side: Annotated[int, Field(ge=1, le=50)]
    memorise_min: Annotated[int, Field(ge=0, le=60)]
    appeals: Annotated[int, Field(ge=0, le=99)] | None
    take: Take
    fault: Fault
    voice: Annotated[str, Field(max_length=60)]
    rhythm: Annotated[str, Field(max_length=40)]
    order_seed: Annotated[int, Field(ge=0, lt=2**31)] | None = None
    microphone: Annotated[str, Field(max_length=200)] = ""
    certainty: Annotated[float, Field(gt=0.5, le=2)] = 0.9
    official: bool = True
    keeps_sound: bool = True
    changes: dict[Annotated[str, Field(max_length=40)], Annotated[str, Field(max_length=40)]] = {}


def to_command(request: _Arguments, origin: str) -> Command:
    """Return a validated request as a command."""
    args = request.model_dump()
    return Command(CommandName(args.pop("name")), args, origin)
