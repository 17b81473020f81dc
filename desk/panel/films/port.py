"""The port of the shelf of films, as plain JSON data.

All methods are called in the desk's asyncio loop; those that take longer are coroutines.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol, TypedDict

from desk.errors import DeskError
from desk.panel.match.port import Caption, CardOnField, PoemRuled
from desk.panel.words import Words

UPLOADS = "/api/films/uploads/"  # beginning of the addresses that take in films
FilmState = Literal["new", "waiting", "working", "asking", "failed", "judged"]


class FilmRefusedError(DeskError):
    """A person's request that is refused. `refusal`: an id of the refusals in `texts.toml`."""

    def __init__(self, refusal: str, **values: object) -> None:
        super().__init__(refusal.replace("_", " ") + (f": {values}" if values else ""))
        self.refusal, self.values = refusal, values


class MessageShown(TypedDict):
    """A message: its English text with `{fields}`, and their values, which may be messages themselves."""

    text: str
    values: Mapping[str, Any]


class UploadListed(TypedDict):
    """An unfinished upload: `offset` of `size` bytes have arrived."""

    id: str
    name: str
    size: int
    offset: int


class Working(TypedDict):
    """The work on a film: what is done, the completed part (0..1), and the remaining time if it is known."""

    stage: str
    share: float
    left_s: float | None


class FilmListed(TypedDict):
    """A film of the shelf."""

    id: str
    name: str
    size: int
    added_wall: str
    state: FilmState
    game: str
    poems: int
    rounds: int
    in_doubt: int  # number of poems or rounds that are left to a person
    flagged: int  # number of flags on a card table


class PoemOfFilm(TypedDict):
    """A poem of a film: when it was read, the doubts about its reading, its ruling and the field."""

    number: int
    t_ms: float
    t_unc_ms: float
    doubt: str
    perhaps: list[int]
    field: list[CardOnField]
    ruled: PoemRuled


class FilmPart(TypedDict):
    """A round or a bout on a film's card table, in one language; texts may be empty."""

    title: str
    more: str  # what is told beside the title
    doubt: str  # why it is not certain
    # flags that belong to none of its steps, each with `what` is wrong and the referee's `text`
    late: list[dict[str, Any]]
    # each with `t_ms`, `text`, `flags` as above, the yaku `reached`, and whether it was `taken_back`
    steps: list[dict[str, Any]]


class FilmPage(TypedDict):
    """The game on a film's card table, in one language: the result, and its rounds or its bout."""

    sentence: str
    parts: list[FilmPart]


class TableOfFilm(FilmPage):
    """The same with what is told of every game; texts may be empty.

    Its steps have a `number` from 1 in the order of the parts, and `t`, the instant as text.
    """

    doubt: str  # why it is not certain
    dealer: str  # who is assumed to have dealt first
    hint: str  # advice for the next film


class FilmShown(FilmListed):
    """A film with all results."""

    version: int  # number that increases with every change
    working: Working | None
    ask: str  # what a person has to state (`game`, `deck`, `poems`, `rate`), empty if nothing
    problem: MessageShown  # why it could not be judged, or why a person is asked
    silent_why: MessageShown
    told: Mapping[str, Any]
    length_ms: float
    has_overview: bool  # whether its waveform and its strip of pictures exist
    kept_as: str | None  # id of the match as which it was kept
    readings: list[PoemOfFilm]
    risk: dict[str, Any] | None  # that of `referee.karuta.risk.Risk`, None where no poem was judged


class Room(TypedDict):
    """The limits of an upload, bytes: free disk space, and the maximum size of a film."""

    free: int
    most: int


class UploadsPort(Protocol):
    """The uploads that are on their way in."""

    def room(self) -> Room: ...
    def listed(self) -> list[UploadListed]: ...  # the latest first
    def begin(self, name: str, size: int) -> UploadListed: ...
    def find(self, upload_id: str) -> UploadListed | None: ...
    def drop(self, upload_id: str) -> None: ...


class FilmsPort(Protocol):
    """The shelf of films. Refused requests raise `FilmRefusedError`."""

    @property
    def uploads(self) -> UploadsPort: ...
    async def append(self, upload_id: str, offset: int, pieces: AsyncIterator[bytes]) -> UploadListed | str:
        """Append pieces of a film from byte `offset` on; after a lost connection, all that arrived is kept.

        Returns: the upload, or the id of the film once it is complete; its judging then begins.
        """

    def rules(self) -> Mapping[str, Sequence[str]]: ...
    def decks(self) -> Sequence[str]: ...
    def films(self) -> list[FilmListed]: ...  # the latest first
    def film(self, film_id: str) -> FilmShown | None: ...
    def table(self, film_id: str, said: Words) -> TableOfFilm | None: ...  # None where it shows none
    def progress(self, film_id: str) -> tuple[int, FilmState, Working | None] | None: ...  # cheap
    def overview(self, film_id: str, name: Literal["waveform", "strip"]) -> Path | None: ...
    def judge(self, film_id: str, told: Mapping[str, Any]) -> None:
        """Judge a film with a person's statements.

        These are `game`, `deck`, `fps`, `rules`; for karuta `poems`, `order`, `unread`; for Koi-Koi `players`
        and `dealer` (a seat, from 0). Empty values delete earlier statements.
        """

    def correct(self, film_id: str, number: int, poem: int | None, t_ms: float | None) -> None: ...
    async def evidence(self, film_id: str, number: int) -> Path | None: ...  # also of a step on a card table
    async def clip(self, film_id: str, number: int, caption: Caption) -> Path | None: ...  # MP4
    async def keep(self, film_id: str, near: str | None, far: str | None) -> str: ...  # id of the match
    async def archive(self, film_id: str) -> Path: ...  # ZIP for a disputed case
    async def delete(self, film_id: str) -> None: ...  # a match that was kept stays
