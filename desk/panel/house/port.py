"""What the panel asks of the house around a match: earlier matches, and setting up the next one.

Like `desk.panel.match.port` this is plain JSON data; all methods are called on the house's asyncio loop.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol, TypedDict

from desk.panel.match.port import CardOnField, Pair, Port, SideName

SourceKind = Literal["camera", "video", "simulator"]


class MatchListed(TypedDict):
    """A match of the history. `over` tells whether it came to its end."""

    id: str
    source: SourceKind
    rules: str
    names: dict[SideName, str | None]
    started_wall: str
    poems: int
    winner: SideName | None
    over: bool


class SourceOffered(TypedDict):
    """A source: `where` is a camera's number or address, a recording's folder, or a simulation's dice."""

    kind: SourceKind
    where: str
    label: str


class FindingShown(TypedDict):
    """One thing that was looked at in the pictures: `id` names it, `values` fill its text.

    `status` is `ok`, `warn` (it works, less well), `fail` (a match cannot be judged like this) or `unknown`.
    """

    id: str
    status: Literal["ok", "warn", "fail", "unknown"]
    values: Mapping[str, Any]


PhoneStage = Literal["waiting", "joined", "streaming", "lost"]
"""No phone has come yet; its page is open; pictures come; its connection broke off."""


class PhoneLink(TypedDict):
    """Where the phone's page is: an address, and its QR code as an image's address (`data:`)."""

    address: str
    qr: str


class PhoneShown(TypedDict):
    """What the desk's own page shows of a phone.

    Attributes
    ----------
    links : addresses by which a phone joins; each works once.
    fingerprint : of the certificate, where this program made it; None where a person brought one.
    stage : how far the phone has come.
    warnings : ids of what is wrong with the phone by its own account.
    clock_ms : half width of the phone's clock on this machine's, None before it was measured.
    dropped : pictures lost for want of time: left out by the phone, or by this desk.
    """

    links: list[PhoneLink]
    fingerprint: str | None
    stage: PhoneStage
    warnings: list[str]
    clock_ms: float | None
    dropped: int


class Seat(TypedDict):
    """Where in a hall this machine stands: `mat` is its name.

    `title` is what the tournament plays here next, such as `A – 2`, and `names` who does; None where nobody
    was put here, or that match is over.
    """

    mat: str
    title: str | None
    names: dict[SideName, str | None]


class SetUpShown(TypedDict):
    """How far the set-up has come.

    Attributes
    ----------
    source : what was chosen, None before.
    deck : the enrolled deck that is played with, None where any printed deck is.
    opening : the source is being opened.
    problem : why it could not be opened or has stopped, in the machine's words; None where it works.
    findings : what the source lacks, and what it does not.
    layout : the field as it was read; a card's place in this list is its number in `correct`.
    corrected : places in `layout` whose name a person gave.
    counts : cards per side.
    phone : where a phone comes in and how it is, None where the source is no phone.
    seat : where in a hall the match is played, whose reader reads; None where it is played in none.
    """

    source: SourceOffered | None
    deck: str | None
    opening: bool
    problem: str | None
    findings: list[FindingShown]
    layout: list[CardOnField]
    corrected: list[int]
    counts: Pair
    phone: PhoneShown | None
    seat: Seat | None


class Choices(TypedDict):
    """What can be agreed: house rules, voices, the built-in voices' rhythms, and enrolled torifuda decks."""

    rules: list[str]
    voices: list[str]
    rhythms: list[str]
    decks: list[str]
    agreed: dict[str, Any]


class SetUpPort(Protocol):
    """The set-up of the next match."""

    def sources(self) -> list[SourceOffered]:
        """Return the sources that were found on this machine."""

    def choices(self) -> Choices:
        """Return what can be agreed, and what is agreed unless somebody chooses otherwise."""

    async def choose(self, kind: SourceKind, where: str, deck: str | None = None) -> None:
        """Open a source in place of the one before; `state` tells how it went.

        `deck` names an enrolled deck, "" stands for any printed one; None leaves what was chosen before.
        """

    def state(self) -> SetUpShown:
        """Return how far the set-up has come."""

    def preview(self) -> bytes | None:
        """Return the latest picture of the chosen source as a small JPEG."""

    def correct(self, place: int, card: int | None) -> bool:
        """Name the card at a place of the layout; None says that it cannot be told. False: no such place."""

    async def start(self, agreed: Mapping[str, Any]) -> str | None:
        """Begin the match as agreed and return None, or why it cannot begin, in the machine's words."""


class HousePort(Protocol):
    """The house: at most one match at a time, the matches before it, and the next one's set-up."""

    @property
    def match(self) -> Port | None:
        """The running match, or the one that was over last until the next begins."""

    @property
    def set_up(self) -> SetUpPort | None:
        """The set-up, None where this program only shows one match."""

    def matches(self) -> list[MatchListed]:
        """Return the matches of this machine, the latest first."""

    def stored(self, match_id: str) -> Port | None:
        """Return an earlier match to look at: its commands change nothing. None where there is none."""


class OneMatch:
    """A house that shows one match and nothing else."""

    set_up = None

    def __init__(self, match: Port) -> None:
        self.match: Port | None = match

    def matches(self) -> list[MatchListed]:
        """Return no other match."""
        return []

    def stored(self, match_id: str) -> Port | None:  # noqa: ARG002 (the door's shape)
        """Return nothing: no other match is kept here."""
        return None
