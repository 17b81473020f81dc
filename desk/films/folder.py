"""Writing a film as a recording: a folder that reproduces its rulings."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from calibration.files.storage import keep_text
from desk.errors import DeskError
from desk.films.film import Film
from referee.complaint import sentence_of
from vision.recordings.recording import FORMAT, HEAD, RecordedReading


def check_new(folder: Path, film: Film) -> None:
    """Raise DeskError if a recording cannot be written into a folder, before minutes of judging are lost."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise DeskError(
                "{folder} is not empty: name a new folder for the recording of {film}",
                folder=folder,
                film=film.path.name,
            )
        there = next(path for path in folder.absolute().parents if path.exists())
        with TemporaryDirectory(prefix=".shinpan-", dir=there):
            pass
    except OSError as error:
        raise DeskError(
            "{folder} cannot be written ({why}): name another folder for the recording of {film}",
            folder=folder,
            why=sentence_of(error),
            film=film.path.name,
        ) from error


def write_down(
    folder: Path,
    film: Film,
    game: str,
    *,
    readings: Sequence[RecordedReading] = (),
    head: str = "",
    sections: str = "",
) -> None:
    """Write a film's recording with its readings in order of time; karuta needs at least one.

    `head`, `sections`: further lines of `recording.toml`, before its sections and after them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if readings:
        keep_text(folder / "reading.jsonl", "".join(f"{_line(one)}\n" for one in readings))
    fps = film.usual_fps * film.slow_motion
    filmed = f"filmed_fps = {film.filmed_fps!r}\n" if film.filmed_fps else ""
    camera = f"\n[camera]\n{f'fps = {fps:.3f}' if fps else ''}\n{filmed}"  # an unknown rate is left out
    text = f'format = {FORMAT}\ngame = "{game}"\nvideo = {json.dumps(film.path.name, ensure_ascii=False)}\n'
    keep_text(folder / HEAD, f"{text}{head}{camera}{sections}")


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder, and move it to its place if the block ends well; otherwise remove it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=".shinpan-", dir=folder.parent))
    try:
        yield made
        made.chmod(0o755)  # a temporary folder is readable for its owner only
        if folder.is_dir():
            folder.rmdir()  # it is empty
        made.rename(folder)
    finally:
        shutil.rmtree(made, ignore_errors=True)


@contextmanager
def lent_folder(film: Film, *paths: Path) -> Iterator[Path]:
    """Yield a temporary folder for a recording of a film; errors raised inside name the film itself."""
    with TemporaryDirectory(prefix="shinpan-film-") as name:
        folder = Path(name)
        bring(folder, film.path, *paths, lent=True)
        try:
            yield folder
        except DeskError as error:
            raise DeskError(
                sentence_of(error).replacing(str(folder / film.path.name), str(film.path))
            ) from error


def bring(folder: Path, *paths: Path, lent: bool = False) -> None:
    """Put a film, and a deck that is not enrolled, into a recording's folder.

    `lent`: whether symbolic links suffice, valid as long as the files stay in place; otherwise they are
    hard-linked or, if the disk cannot, copied.
    """
    for path in paths:
        target = folder / path.name
        for way in (os.symlink, os.link, _copy) if lent else (os.link, _copy):
            try:
                way(path.resolve(), target)
                break
            except OSError:
                if way is _copy:
                    raise


def _copy(path: Path, target: Path) -> None:
    if path.is_dir():
        shutil.copytree(path, target)
    else:
        shutil.copyfile(path, target)


def _line(reading: RecordedReading) -> str:
    line: dict[str, object] = {"t_ms": reading.t_ms, "poem": reading.poem, "t_unc_ms": reading.t_unc_ms}
    if reading.doubt:
        line["doubt"] = reading.doubt
    if reading.confidence < 1:
        line["confidence"] = reading.confidence
    return json.dumps(line)
