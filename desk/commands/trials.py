"""`shinpan trials`: films of trials in a hall (docs/validation.md), as a table or to give away."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from desk.commands.cli import in_terminal_language
from desk.commands.progress_line import ProgressLine
from desk.errors import DeskError
from desk.log.json_lines import write_json
from desk.machine.output_file import add_json_output
from referee.sentence import Sentence

if TYPE_CHECKING:
    from desk.films.film import Film
    from vision.recordings.recording import Recording

_LIST = Sentence("a table with the columns at,trial: what was called aloud when, on the film's clock")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    table = actions.add_parser("table", help="measure what moves cards in a hall besides hands")
    table.add_argument("film", type=Path, metavar="FILM", help="the film of the camera above the field")
    table.add_argument("calls", type=Path, metavar="LIST", help=_LIST)
    table.add_argument(
        "--camera",
        metavar="SOURCE",
        help="keep the table for this camera, named as for --source, so that its matches are judged by it",
    )
    table.add_argument("--deck", metavar="NAME", help="the enrolled deck on the mats")
    add_json_output(table)
    pack = actions.add_parser("pack", help="write a film that shows the field and lets hear the reader alone")
    pack.add_argument("film", type=Path, metavar="FILM", help="a film, or a recording's folder")
    pack.add_argument("folder", type=Path, metavar="FOLDER", help="the new folder to write")
    pack.add_argument(
        "--list",
        type=Path,
        dest="calls",
        metavar="LIST",
        help=Sentence("{list}; it goes with the film", list=_LIST),
    )
    pack.add_argument(
        "--rim",
        type=float,
        default=60.0,
        metavar="MM",
        help="what stays in view around the field (default: 60)",
    )
    pack.add_argument("--deck", metavar="NAME", help="the enrolled deck on the mats")

    labels = actions.add_parser("labels", help="compare what two people saw, and the judge with both")
    labels.add_argument("first", type=Path, metavar="FIRST", help="what one person saw, a table")
    labels.add_argument("second", type=Path, metavar="SECOND", help="what the other person saw")
    labels.add_argument(
        "--rulings", type=Path, metavar="JSON", help="what shinpan judge --json wrote of the same film"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the action; return 1 if a pass mark of `docs/validation.md` is missed."""
    return {"table": _table, "pack": _pack, "labels": _labels}[arguments.action](arguments)


def _labels(arguments: argparse.Namespace) -> int:
    from desk.films.labels import agreement, marks, pairs_of, read_labels

    pairs = pairs_of(read_labels(arguments.first), read_labels(arguments.second))
    scored = [] if arguments.rulings is None else marks(pairs, arguments.rulings)
    for line in agreement(pairs):
        _say(line)
    for line, passes in scored:
        mark = Sentence("passes") if passes else Sentence("does not pass")
        _say(Sentence("{line}: {mark}", line=line, mark=mark))
    return 0 if all(passes for _, passes in scored) else 1


def _table(arguments: argparse.Namespace) -> int:
    from desk.films.trials import (
        MEASUREMENT,
        judgement_lines,
        measure_trials,
        passes,
        read_trials,
        table_lines,
    )
    from desk.karuta.eye.prior_knowledge import known_of
    from desk.machine.camera_records import kept_for

    calls = read_trials(arguments.calls)
    film, _ = _opened(arguments.film)
    known = known_of(arguments.deck)
    with _progress(film) as watched:
        figures = measure_trials(film, calls, known, watched)
    told = map(in_terminal_language, judgement_lines(figures))
    for line in (*table_lines(figures, in_terminal_language), "", *told):
        sys.stdout.write(f"{line}\n")
    if arguments.camera is not None:
        kept = kept_for(arguments.camera, MEASUREMENT, figures)
        _say(Sentence("kept in {file}", file=kept))
    write_json(arguments.json, figures)
    return 0 if passes(figures) else 1


def _pack(arguments: argparse.Namespace) -> int:
    from desk.films.film import check_new, new_folder
    from desk.films.film_mask import pack_film
    from desk.films.trials import read_trials
    from desk.karuta.eye.prior_knowledge import known_of

    most_mm = 300.0  # farther out people sit
    if not 0 <= arguments.rim <= most_mm:
        raise DeskError("--rim: expected 0 to {most:g} mm, got {got:g}", most=most_mm, got=arguments.rim)
    calls = [] if arguments.calls is None else read_trials(arguments.calls)
    film, recording = _opened(arguments.film)
    check_new(arguments.folder, film)
    known = known_of(arguments.deck)
    with _progress(film) as watched, new_folder(arguments.folder) as folder:
        pack_film(
            film,
            folder,
            arguments.rim / 1e3,
            known,
            watched,
            readings=() if recording is None else recording.readings,
            audio=None if recording is None else recording.audio,
            calls=calls,
        )
    if recording is not None and recording.second is not None:
        _say(Sentence("the second camera's film is left out: pack it on its own"))
    _say(Sentence("{folder}: look at the film before you give it away", folder=arguments.folder))
    return 0


def _say(text: Sentence) -> None:
    sys.stdout.write(f"{in_terminal_language(text)}\n")


def _opened(path: Path) -> tuple[Film, Recording | None]:
    from desk.films.film import open_film
    from vision.recordings.recording import load_recording

    if not path.is_dir():
        return open_film(path), None
    recording = load_recording(path)
    return open_film(recording.video, recording.filmed_fps), recording


@contextmanager
def _progress(film: Film) -> Iterator[Callable[[int], None]]:
    line = ProgressLine()

    def show(t_ns: int) -> None:
        share = (t_ns - film.begins_ns) / max(film.length_ns, 1)
        line.show("film", f"{min(max(share, 0.0), 1.0):4.0%}")

    try:
        yield show
    finally:
        line.end()
