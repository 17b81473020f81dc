"""`shinpan judge`: a filmed match in, rulings as JSON out; card tables have judges of their own.

The shape of the JSON is the recording format's (format 1): the layout, each poem with the layout before it,
its touches and its ruling, and what the run cost.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from desk.errors import DeskError
from desk.karuta.evidence.poem_json import poem_line
from desk.karuta.eye.prior_knowledge import known_of
from desk.karuta.eye.recorded_match import judge_recording
from desk.log.json_lines import check_writable, write_json
from referee.karuta.ruleset import PRESETS, RuleSet
from vision.recordings.recording import RecordingError, load_recording


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `shinpan judge`."""
    parser.add_argument(
        "recording",
        type=Path,
        help="folder with recording.toml and the video of a karuta match, a Koi-Koi table or a Kendo court",
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
        help="for karuta: the enrolled deck in play, or its file; hand-written decks need it",
    )


def run(arguments: argparse.Namespace) -> int:
    """Judge the recording named on the command line; 1 where no round of a table was understood."""
    check_writable(arguments.json)
    try:
        game = load_recording(arguments.recording).game
    except RecordingError as error:
        raise DeskError(str(error)) from error
    if game == "koikoi":
        from desk.koikoi.judge import judge_table, lines_of_rounds

        judged = judge_table(arguments.recording, arguments.rules)
        lines, lost = lines_of_rounds(judged), "a look is left out"
    elif game == "kendo":
        from desk.kendo.judge import judge_court, lines_of_bout

        judged = judge_court(arguments.recording, arguments.rules)
        lines, lost = lines_of_bout(judged), "a look is left out"
    else:
        known = known_of(arguments.deck)
        judged = judge_recording(arguments.recording, _karuta_rules(arguments.rules), known)
        lines, lost = [poem_line(poem) for poem in judged["poems"]], "a person decides a poem"
    for failure in judged.get("stats", {}).get("eye_failed", []):
        sys.stderr.write(f"shinpan judge: the eye failed, {lost}: {failure}\n")
    if hint := judged.get("stats", {}).get("hint"):
        sys.stderr.write(f"shinpan judge: {hint}\n")
    write_json("-" if arguments.json is None else str(arguments.json), judged)
    if arguments.json is not None:
        for line in lines:
            sys.stdout.write(f"{line}\n")
    return 1 if judged.get("stats", {}).get("not_understood") else 0


def _karuta_rules(name: str | None) -> RuleSet:
    if name is not None and name not in PRESETS:
        raise DeskError(f"--rules is one of {', '.join(sorted(PRESETS))} for karuta, got {name!r}")
    return PRESETS[name or "kyogi"]
