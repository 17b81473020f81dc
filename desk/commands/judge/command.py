"""`shinpan judge`: a film or a recording in, rulings as JSON out; card tables have judges of their own.

Several recordings are an archive: `desk.commands.judge.archive` judges them in parallel.

The JSON has the recording format's shape (format 1): the layout, each poem with the layout before it, its
touches and its ruling, and the cost of the run.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

from desk.archive.judgement import judged_recording
from desk.archive.recordings import HouseRules
from desk.commands.judge.archive import add_archive_options, filmed_by, is_archive, judge_archive
from desk.commands.judge.film import add_film_options, film_lines, judge_named_film, refuse_film_options
from desk.karuta.evidence.poem_json import poem_line
from desk.log.json_lines import write_json
from desk.machine.output_file import add_output
from referee.karuta.house_rules import PRESETS
from referee.sentence import Sentence


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "recordings",
        type=Path,
        nargs="+",
        metavar="FILM",
        help="the film of a karuta match, a Koi-Koi table or a Kendo court, a recording's folder, or folders "
        "of recordings, which are judged side by side",
    )
    add_output(parser, "--json", type=Path, metavar="OUT", help="write the rulings here (default: print)")
    parser.add_argument(
        "--rules",
        metavar="RULESET",
        help=Sentence(
            "house rules, a preset or a TOML file: for karuta {presets} (default: kyogi), for Koi-Koi and "
            "Kendo by default what the recording names",
            presets=", ".join(PRESETS.names),
        ),
    )
    parser.add_argument(
        "--deck",
        metavar="NAME",
        help="the enrolled deck in play, or its file: hand-written torifuda need it, and card tables where "
        "several decks are enrolled",
    )
    parser.add_argument(
        "--camera",
        metavar="SOURCE",
        help="the camera that filmed karuta, named as in `shinpan trials table`: floor, ripple and lag of "
        "its hall are heeded",
    )
    add_archive_options(parser)
    add_film_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Judge the film or recordings on the command line; return 1 if no round of a table was understood."""
    if is_archive(arguments):
        refuse_film_options(arguments)
        return judge_archive(arguments)
    named = arguments.recordings[0]
    if named.is_dir():
        refuse_film_options(arguments)
        house = HouseRules(arguments.rules, arguments.deck, filmed_by(arguments))
        game, judged = judged_recording(named, house)
    else:
        film = judge_named_film(named, arguments)
        game, judged = film.game, film.judged
        for line in film_lines(film, named=bool(arguments.poems or arguments.order)):
            sys.stderr.write(f"shinpan judge: {line}\n")
    lines, lost = _lines(game, judged)
    for failure in judged.get("stats", {}).get("eye_failed", []):
        sys.stderr.write(f"shinpan judge: the eye failed, {lost}: {failure}\n")
    if hint := judged.get("stats", {}).get("hint"):
        sys.stderr.write(f"shinpan judge: {hint}\n")
    write_json(arguments.json or "-", judged)
    if arguments.json is not None:
        for line in lines:
            sys.stdout.write(f"{line}\n")
    return 1 if judged.get("stats", {}).get("not_understood") else 0


def _lines(game: str, judged: dict[str, Any]) -> tuple[list[str], str]:
    """Return the rulings as lines for people, and the word for what is lost if the eye fails."""
    if game != "karuta":
        from desk.card_games import CARD_GAMES

        return CARD_GAMES[game].lines(judged), "a look is left out"
    return [poem_line(poem) for poem in judged["poems"]], "a person decides a poem"
