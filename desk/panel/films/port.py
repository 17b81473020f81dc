"""What the panel asks of the shelf of films that were handed in, as plain JSON data.

All methods are called on the desk's asyncio loop; what takes longer is a coroutine.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, Literal, Protocol, TypedDict

from desk.errors import DeskError
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
    """A film of the shelf. `poems` counts its rulings, `in_doubt` those that a person has to make."""

    id: str
    name: str
    size: int
    added_wall: str
    state: FilmState
    game: str
    poems: int
    in_doubt: int


class PoemOfFilm(TypedDict):
    """A poem of a film: when it was read, what is in doubt about that, its ruling and the field."""

    number: int
    t_ms: float
    t_unc_ms: float
    doubt: str
    perhaps: list[int]
    field: list[CardOnField]
    ruled: PoemRuled


class FilmShown(FilmListed):
    """A film with all that came of it.

    Attributes
    ----------
    version : grows with every change.
    ask : what a person is asked for (`game`, `deck`, `poems`, `rate`), empty where nothing is.
    problem : why it could not be judged, or why it is asked, in the machine's words.
    silent_why : why its sound tells nothing, in the machine's words.
    told : what a person has said about it.
    has_overview : whether its waveform and its strip of pictures are there.
    kept_as : the match as which it was kept.
    lines : the rulings of a card table.
    """

    version: int
    working: Working | None
    ask: str
    problem: str
    silent_why: str
    told: Mapping[str, Any]
    length_ms: float
    has_overview: bool
    kept_as: str | None
    readings: list[PoemOfFilm]
    lines: list[str]


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

    def films(self) -> list[FilmListed]:
        """Return the films, the latest first."""

    def film(self, film_id: str) -> FilmShown | None:
        """Return a film; None where there is none."""

    def progress(self, film_id: str) -> tuple[int, FilmState, Working | None] | None:
        """Return a film's version and what is done with it, at little cost."""

    def overview(self, film_id: str, name: Literal["waveform", "strip"]) -> Path | None:
        """Return the file of a film's waveform (a byte each 10 ms), or of its strip of pictures (JPEG)."""

    def judge(self, film_id: str, told: Mapping[str, Any]) -> None:
        """Judge a film, with what a person says of it: `game`, `deck`, `poems`, `fps`, `rules`."""

    def correct(self, film_id: str, number: int, poem: int | None, t_ms: float | None) -> None:
        """Judge one poem again that was another one, or was read at another moment."""

    def evidence(self, film_id: str, number: int) -> Path | None:
        """Return the bundle that proves a ruling."""

    async def clip(self, film_id: str, number: int, caption: Caption) -> Path | None:
        """Return the replay of a ruling as an MP4 film with a caption."""

    async def keep(self, film_id: str, near: str | None, far: str | None) -> str:
        """Keep a film's rulings as a match of the list, and return its id."""

    async def archive(self, film_id: str) -> Path:
        """Return the film as a disputed case: its recording, rulings and replays in one ZIP file."""

    async def delete(self, film_id: str) -> None:
        """Delete a film and all that came of it; a match that was kept stays."""
