"""The schemas of the commands that a browser posts. Anything else is refused before the engine sees it."""

from dataclasses import dataclass
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from desk.panel.forms import Form
from desk.panel.match.port import SideName, Stopped

Seq = Annotated[int, Field(ge=1)]
Faults = Annotated[int, Field(ge=0, le=2)]


class Plain(Form):
    """Begin the memorisation (while memorising: the match), pause, go on, or accept the field as it lies."""

    name: Literal["start", "pause", "resume", "accept_field"]


class Confirm(Form):
    """Confirm a proposed ruling."""

    name: Literal["confirm"]
    ruling: Seq


class FaultsOfBoth(Form):
    """The number of faults of each side."""

    near: Faults
    far: Faults


class Overrule(Form):
    """Rule otherwise; the sends follow from take and faults."""

    name: Literal["overrule"]
    ruling: Seq
    taken_by: SideName | None
    faults: FaultsOfBoth
    note: Annotated[str, Field(max_length=500)] = ""


class Revert(Form):
    """Take one event back; the match pauses."""

    name: Literal["revert"]
    event: Seq


class Reread(Form):
    """The poem is void (misread, disturbance) and is read again."""

    name: Literal["reread"]
    ruling: Seq | None = None


class Declare(Form):
    """A declaration of a player or an official.

    `side` is who did it, or the territory of a `shared_fault`; only `misread`, `timeout` and `play_ended` may
    lack it. A `wrong_hand` names its `card`; `right_hand` and `left_hand` are the hand that plays.
    """

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


class Appeal(Form):
    """A player appeals against a ruling; the match pauses."""

    name: Literal["appeal"]
    ruling: Seq
    side: SideName


class NamePoem(Form):
    """Name the poem that a person is reading now, or correct the latest."""

    name: Literal["name_poem", "correct_poem"]
    poem: Annotated[int, Field(ge=1, le=100)]


Take = Literal["auto", "propose"]
Fault = Literal["auto", "propose", "log", "ignore"]


class StopMatch(Form):
    """End the match."""

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


class SetPolicies(Form):
    """Say which clear rulings stand at once."""

    name: Literal["set_policies"]
    take: Take
    fault: Fault


CommandRequest = Annotated[
    Plain | Confirm | Overrule | Revert | Reread | Declare | Appeal | NamePoem | StopMatch | SetPolicies,
    Field(discriminator="name"),
]


@dataclass(frozen=True, slots=True)
class Command:
    """A command from the panel, which may make no sense in the match.

    `origin` is `operator`, `near`, `far` or `viewer`; the engine writes it into the log.
    """

    request: CommandRequest
    origin: str


class SourceRequest(Form):
    """The source of the next match."""

    kind: Literal["camera", "video", "simulator"]
    where: Annotated[str, Field(max_length=1000)]
    deck: Annotated[str, Field(max_length=200)] | None = None


class CorrectRequest(Form):
    """The card at a place of the recognised field."""

    place: Annotated[int, Field(ge=0)]
    card: Annotated[int, Field(ge=1, le=100)] | None


class GoOnRequest(Form):
    """An interrupted match that goes on."""

    match: Annotated[str, Field(max_length=200)]


class AgreedRequest(Form):
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
    changes: Annotated[
        dict[Annotated[str, Field(max_length=40)], Annotated[str, Field(max_length=40)]],
        Field(default_factory=dict),
    ]
