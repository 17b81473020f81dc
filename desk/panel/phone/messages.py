"""Messages of a phone's page: a hello, reports and clock answers in JSON, and pictures in bytes.

A picture is a header of 20 bytes, little-endian, followed by the encoder's bytes:

| bytes | type | what |
|---|---|---|
| 0 | uint8 | 1, the version of this header |
| 1 | uint8 | 1 for a key frame, which can be decoded without earlier ones, else 0 |
| 2 | uint16 | 0 |
| 4 | uint32 | pictures that the phone has dropped so far |
| 8 | float64 | when it was taken: milliseconds on the page's clock (`performance.now()`) |
| 16 | float32 | its uncertainty: half width, milliseconds |
"""

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, Protocol, TypedDict

from pydantic import Field, TypeAdapter

from desk.panel.forms import Form
from desk.panel.house.port import FindingShown

MOST_BYTES = 4 * 2**20  # longest message: a key frame in 1080p at the highest rate has an eighth of it
_HEAD = struct.Struct("<BBHIdf")
_VERSION = 1
_LONGEST_MS = 1e12
_WIDEST_MS = 1000.0

Codec = Literal["h264", "hevc", "vp8", "vp9", "av1"]
Pixels = Annotated[int, Field(ge=16, le=4096)]
Milliseconds = Annotated[float, Field(ge=0, le=_LONGEST_MS, allow_inf_nan=False)]


class Hello(Form):
    """The format of the pictures to come."""

    kind: Literal["hello"]
    codec: Codec
    width: Pixels
    height: Pixels
    fps: Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)]
    turned_deg: Literal[0, 90, 180, 270] = 0  # clockwise rotation that makes them upright
    # exposure time as reported by the camera
    exposure_ms: Annotated[float, Field(gt=0, le=10_000, allow_inf_nan=False)] | None = None
    # rounding step of the page's clock
    tick_ms: Annotated[float, Field(ge=0, le=50, allow_inf_nan=False)] = 1.0


Warning_ = Literal[
    "battery",
    "heat",
    "autofocus",
    "auto_exposure",
    "auto_white_balance",
    "slow_phone",
    "slow_network",
    "hidden",
    "clock",
    "no_wake_lock",
]


class Report(Form):
    """The state of the phone: ids of its warnings."""

    kind: Literal["report"]
    warnings: Annotated[list[Warning_], Field(max_length=16)]


class Answer(Form):
    """The time of the page's clock when question `id` arrived."""

    kind: Literal["answer"]
    id: Annotated[int, Field(ge=0, le=2**53)]
    there_ms: Milliseconds


@dataclass(frozen=True, slots=True)
class Picture:
    """One encoded picture; the module's docstring describes the fields."""

    data: bytes
    is_whole: bool
    left_out: int
    taken_ms: float
    unc_ms: float


_SPOKEN: TypeAdapter[Hello | Report] = TypeAdapter(Annotated[Hello | Report, Field(discriminator="kind")])


def spoken(text: str) -> Hello | Report:
    """Return the message in a text from the page; ValueError if it is no such message."""
    return _SPOKEN.validate_json(text)


def answer(text: str) -> Answer:
    """Return the clock answer in a text from the page; errors as `spoken`."""
    return Answer.model_validate_json(text)


def picture(message: bytes) -> Picture:
    """Return the picture in a message of bytes; errors as `spoken`."""
    if len(message) <= _HEAD.size:
        raise ValueError(f"a picture has more than {_HEAD.size} bytes, got {len(message)}")
    version, whole, _, left_out, taken_ms, unc_ms = _HEAD.unpack_from(message)
    if version != _VERSION or whole not in {0, 1}:
        raise ValueError(f"expected a picture of version {_VERSION}, got {version}: load the page anew")
    if not (math.isfinite(taken_ms) and 0 <= taken_ms <= _LONGEST_MS and 0 <= unc_ms <= _WIDEST_MS):
        raise ValueError(f"a picture's time cannot be {taken_ms} +/- {unc_ms} ms")
    return Picture(message[_HEAD.size :], bool(whole), left_out, taken_ms, unc_ms)


class ToldPhone(TypedDict):
    """The desk's report to the phone's page."""

    # the desk's findings in its pictures; None before the first check
    findings: Sequence[FindingShown] | None
    fps: float | None  # pictures per second that arrive, None before the first
    clock_ms: float | None  # as in `desk.panel.house.port.PhoneShown`
    desk_dropped: int  # pictures that the desk dropped for lack of time


class PhoneLine(Protocol):
    """The connection of one page."""

    @property
    def ended(self) -> str | None: ...  # `replaced` or `closed`; None while it is open

    @property
    def wants_whole(self) -> bool: ...  # a key frame, before any other picture
    def announce(self, hello: Hello) -> None: ...
    def take(self, picture: Picture) -> None: ...
    def report(self, report: Report) -> None: ...
    def answered(self, sent_ns: int, there_ms: float) -> None: ...  # on this machine's clock
    def told(self) -> ToldPhone: ...
    def end(self, why: str) -> None: ...


class PhoneDoor(Protocol):
    """Admits one phone at a time."""

    def admit(self, token: str) -> str | None: ...  # a page's secret if its link was not spent
    def knows(self, secret: str | None) -> bool:
        """Tell whether a secret is that of the latest phone, or of a page that the present link opened."""

    def now_ns(self) -> int: ...
    def open_line(self, secret: str | None) -> PhoneLine | None:
        """Open the connection of a page and spend its link; None if the secret is not known.

        The previous connection ends.
        """

    def line_of(self, secret: str | None) -> PhoneLine | None: ...  # the open one, if it is this page's
