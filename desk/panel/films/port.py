"""What the panel asks of the shelf of films that were handed in, as plain JSON data.

All methods are called on the desk's asyncio loop; what takes longer is a coroutine.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol, TypedDict

from desk.errors import DeskError
from desk.panel.kendo.port import KendoFlagShown, NoteShown
from desk.panel.koikoi.port import FlagShown, StoryShown
from desk.panel.match.port import Caption, CardOnField, PoemRuled

FilmState = Literal["new", "waiting", "working", "asking", "failed", "judged"]


class FilmRefusedError(DeskError):
    """A person's wish that cannot be granted.

    Attributes
    ----------
    refusal : a short id of `desk.panel.films.phrases.REFUSALS`.
    values : fill its text.
    """

    def __init__(self, refusal: str, **values: object) -> None:
        super().__init__(f"{refusal.replace('_', ' ')}: {values}" if values else refusal.replace("_", " "))
        self.refusal = refusal
        self.values = values


class Told(TypedDict):
    """A sentence of the machine: its English with `{fields}`, and what fills them, which may be sentences."""

    text: str
    values: Mapping[str, Any]


class UploadListed(TypedDict):
    """A film that has not arrived as a whole: `offset` bytes of `size` are here."""

    id: str
    name: str
    size: int
    offset: int


class Working(TypedDict):
    """What is done with a film, how much of that (0..1), and how long it takes still where that is known."""

    stage: str
    share: float
    left_s: float | None


class FilmListed(TypedDict):
    """A film of the shelf.

    Attributes
    ----------
    poems, rounds : how many it has of either.
    in_doubt : how many of them are left to a person.
    flagged : what was noted on a card table.
    """

    id: str
    name: str
    size: int
    added_wall: str
    state: FilmState
    game: str
    poems: int
    rounds: int
    in_doubt: int
    flagged: int


class PoemOfFilm(TypedDict):
    """A poem of a film: when it was read, what is in doubt about that, its ruling and the field."""

    number: int
    t_ms: float
    t_unc_ms: float
    doubt: str
    perhaps: list[int]
    field: list[CardOnField]
    ruled: PoemRuled


class RoundOfFilm(TypedDict):
    """A round of Koi-Koi.

    Attributes
    ----------
    lost_ms : when it was played, where its deal was not understood and nothing is known of it; else None.
    is_certain : whether all of it was seen.
    story : the round card by card, None of a lost one.
    late : flags that belong to none of its steps.
    """

    lost_ms: float | None
    is_certain: bool
    story: StoryShown | None
    late: list[FlagShown]


class TableOfFilm(TypedDict):
    """What was played on a card table: of Koi-Koi its rounds, of the Kendo cards a bout.

    Its steps are numbered from 1 in the order in which they stand here.

    Attributes
    ----------
    totals : of Koi-Koi, the points of each seat.
    rounds : of Koi-Koi.
    ippon, hansoku, winner : the score of a bout, and who won it.
    is_certain : whether all of the bout was seen.
    notes, flags : what was played in it, and what was noted about that.
    dealer_assumed : of Koi-Koi the seat that is taken for the first dealer, since it played first; None where
        somebody has said who dealt.
    hint : what to do better.
    """

    totals: list[int]
    rounds: list[RoundOfFilm]
    ippon: list[int]
    hansoku: list[int]
    winner: int | None
    is_certain: bool
    notes: list[NoteShown]
    flags: list[KendoFlagShown]
    dealer_assumed: int | None
    hint: Told


class FilmShown(FilmListed):
    """A film with all that came of it.

    Attributes
    ----------
    version : grows with every change.
    ask : what a person is asked for (`game`, `deck`, `poems`, `rate`), empty where nothing is.
    problem : why it could not be judged, or why it is asked.
    silent_why : why its sound tells nothing.
    told : what a person has said about it.
    has_overview : whether its waveform and its strip of pictures are there.
    kept_as : the match as which it was kept.
    table : what was played on a card table, None of karuta and of what was not judged.
    """

    version: int
    working: Working | None
    ask: str
    problem: Told
    silent_why: Told
    told: Mapping[str, Any]
    length_ms: float
    has_overview: bool
    kept_as: str | None
    readings: list[PoemOfFilm]
    table: TableOfFilm | None


class Room(TypedDict):
    """How much can be uploaded: the free room on the disk, and the most that one film may have, bytes."""

    free: int
    most: int


class FilmsPort(Protocol):
    """The films that were handed in. What is refused is a `FilmRefusedError`."""

    def room(self) -> Room:
        """Return how much can be uploaded."""

    def uploads(self) -> list[UploadListed]:
        """Return what has not arrived as a whole, the latest first."""

    def begin_upload(self, name: str, size: int) -> UploadListed:
        """Begin to take in a film of so many bytes."""

    def upload(self, upload_id: str) -> UploadListed | None:
        """Return how far an upload has come."""

    async def append(self, upload_id: str, offset: int, pieces: AsyncIterator[bytes]) -> UploadListed | str:
        """Take in more of a film from this byte on; a line that breaks loses nothing that has arrived.

        Returns
        -------
        the upload, or the id of the film once all of it is here: it is judged then.
        """

    def drop_upload(self, upload_id: str) -> None:
        """Delete what has arrived of a film."""

    def rules(self) -> Mapping[str, Sequence[str]]:
        """Return the names of the house rules of each game."""

    def decks(self) -> Sequence[str]:
        """Return the names of the decks that are enrolled."""

    def films(self) -> list[FilmListed]:
        """Return the films, the latest first."""

    def film(self, film_id: str) -> FilmShown | None:
        """Return a film; None where there is none."""

    def progress(self, film_id: str) -> tuple[int, FilmState, Working | None] | None:
        """Return a film's version and what is done with it, at little cost."""

    def overview(self, film_id: str, name: Literal["waveform", "strip"]) -> Path | None:
        """Return the file of a film's waveform (a byte each 10 ms), or of its strip of pictures (JPEG)."""

    def judge(self, film_id: str, told: Mapping[str, Any]) -> None:
        """Judge a film, with what a person says of it.

        That is `game`, `deck`, `fps`, `rules`; of karuta `poems`, `order`, `unread`; of Koi-Koi `players` and
        `dealer` (a seat, from 0). What is empty is forgotten.
        """

    def correct(self, film_id: str, number: int, poem: int | None, t_ms: float | None) -> None:
        """Judge one poem again that was another one, or was read at another moment."""

    async def evidence(self, film_id: str, number: int) -> Path | None:
        """Return the bundle that proves a ruling, or shows a step of a card table."""

    async def clip(self, film_id: str, number: int, caption: Caption) -> Path | None:
        """Return the replay of a ruling as an MP4 film with a caption."""

    async def keep(self, film_id: str, near: str | None, far: str | None) -> str:
        """Keep a film's rulings as a match of the list, and return its id."""

    async def archive(self, film_id: str) -> Path:
        """Return the film as a disputed case: its recording, rulings and replays in one ZIP file."""

    async def delete(self, film_id: str) -> None:
        """Delete a film and all that came of it; a match that was kept stays."""
