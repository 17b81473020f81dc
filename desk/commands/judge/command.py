"""`shinpan judge`: a film or a recording in, rulings as JSON out; card tables have judges of their own.

The shape of the JSON is the recording format's (format 1): the layout, each poem with the layout before it,
its touches and its ruling, and what the run cost.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from desk.commands.judge.film import add_film_options, film_lines, judge_named_film, refuse_film_options
from desk.errors import DeskError
from desk.karuta.evidence.poem_json import poem_line
from desk.karuta.eye.prior_knowledge import known_of
from desk.karuta.eye.recorded_match import judge_recording, rules_named
from desk.log.json_lines import check_writable, write_json
from referee.karuta.ruleset import PRESETS
from vision.recordings.recording import RecordingError, load_recording


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `shinpan judge`."""
    parser.add_argument(
        "recording",
        type=Path,
        metavar="FILM",
        help="the film of a karuta match, a Koi-Koi table or a Kendo court, or a recording's folder",
    )
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the rulings here (default: print)")
    parser.add_argument(
        "--rules",
        metavar="RULESET",
        help=f"house rules: for karuta one of {', '.join(sorted(PRESETS))} (default: kyogi), for Koi-Koi and "
        "Kendo a preset or a TOML file (default: what the recording names)",
    )
    parser.add_argument(
        "--deck",
        metavar="NAME",
        help="the enrolled deck in play, or its file; films of card tables and hand-written torifuda need it",
    )
    add_film_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Judge what is named on the command line; 1 where no round of a table was understood."""
    check_writable(arguments.json)
    if arguments.recording.is_dir():
        refuse_film_options(arguments)
        game, judged = _judged_recording(arguments)
    else:
        film = judge_named_film(arguments)
        game, judged = film.game, film.judged
        for line in film_lines(film):
            sys.stderr.write(f"shinpan judge: {line}\n")
    lines, lost = _lines(game, judged)
    for failure in judged.get("stats", {}).get("eye_failed", []):
        sys.stderr.write(f"shinpan judge: the eye failed, {lost}: {failure}\n")
    if hint := judged.get("stats", {}).get("hint"):
        sys.stderr.write(f"shinpan judge: {hint}\n")
    write_json("-" if arguments.json is None else str(arguments.json), judged)
    if arguments.json is not None:
        for line in lines:
            sys.stdout.write(f"{line}\n")
    return 1 if judged.get("stats", {}).get("not_understood") else 0


def _judged_recording(arguments: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    """Judge a recording's folder; return its game, too."""
    try:
        game = load_recording(arguments.recording).game
    except RecordingError as error:
        raise DeskError(str(error)) from error
    if game == "koikoi":
        from desk.koikoi.judge import judge_table

        return game, judge_table(arguments.recording, arguments.rules)
    if game == "kendo":
        from desk.kendo.judge import judge_court

        return game, judge_court(arguments.recording, arguments.rules)
    known = known_of(arguments.deck)
    return game, judge_recording(arguments.recording, rules_named(arguments.rules), known)


def _lines(game: str, judged: dict[str, Any]) -> tuple[list[str], str]:
    """Return the rulings for people, and what is lost where the eye fails."""
    if game == "koikoi":
        from desk.koikoi.judge import lines_of_rounds

        return lines_of_rounds(judged), "a look is left out"
    if game == "kendo":
        from desk.kendo.judge import lines_of_bout

        return lines_of_bout(judged), "a look is left out"
    return [poem_line(poem) for poem in judged["poems"]], "a person decides a poem"
