"""`shinpan replay`: re-referee a stored match and show any ruling that would differ.

First the log's events are replayed: the rules' answers equal those in the log bit for bit, or the first
difference is reported. Then every poem is judged again from its recorded facts, under the match's house rules
or under others (`--rules`), and from the pictures as well if they were kept (`--video`).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from desk.log.json_lines import write_json
from desk.machine.output_file import add_json_output
from referee.karuta.ruleset import EDITION

if TYPE_CHECKING:
    from desk.karuta.engine.engine import Engine


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "match", metavar="MATCH", help="the file of a match log, or its name in the data folder"
    )
    parser.add_argument(
        "--rules", metavar="RULESET", help="judge under other house rules: a preset's name or a TOML file"
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="only step through the events once more and name the first answer that differs",
    )
    parser.add_argument(
        "--video",
        type=Path,
        nargs="?",
        const=Path(),
        metavar="RECORDING",
        help="let the eye see the match again: from this recording, or from the one it was played from",
    )
    add_json_output(parser)


def run(arguments: argparse.Namespace) -> int:
    """Re-referee the match; return 0 if every ruling is the same, 1 if one differs."""
    from desk.errors import DeskError
    from desk.karuta.house.history import path_of
    from desk.karuta.house.second_judgement import rejudge, steps_again, watch_again
    from desk.log.event_log import EventLog
    from desk.tables.rules_option import load_rules
    from referee.karuta.house_rules import PRESETS

    rules = None if arguments.rules is None else load_rules(PRESETS, arguments.rules)
    with EventLog.read(path_of(arguments.match)) as log:
        engine, broken = steps_again(log)
    if arguments.check:
        if arguments.rules is not None or arguments.video is not None:
            raise DeskError("--check takes the log as it is: leave out --rules and --video")
        if arguments.json is not None:
            told = {
                "match": engine.opened.id,
                "events": len(engine.history),
                "edition": engine.opened.settings.edition,
                "broken": broken,
            }
            write_json(arguments.json, told)
        else:
            _tell(engine, broken)
        return 1 if broken else 0
    differences = rejudge(engine, rules)
    if arguments.video is not None:
        differences += watch_again(engine, None if arguments.video == Path() else arguments.video, rules)
    if arguments.json is not None:
        told = {
            "match": engine.opened.id,
            "events": len(engine.history),
            "poems": len(engine.state.records),
            "broken": broken,
            "differences": [difference.to_json() for difference in differences],
        }
        write_json(arguments.json, told)
    else:
        _tell(engine, broken)
        for difference in differences:
            sys.stdout.write(f"{difference.line()}\n")
        sys.stdout.write(
            f"{len(engine.state.records)} poems judged again: "
            f"{len(differences) or 'no'} ruling{'' if len(differences) == 1 else 's'} would differ\n"
        )
    return 1 if broken or differences else 0


def _tell(engine: Engine, broken: str | None) -> None:
    state = "bit for bit as the log says" if broken is None else f"up to here, where {broken}"
    match, events = engine.opened.id, len(engine.history)
    sys.stdout.write(f"{match}: {events} events stepped through again, {state}\n")
    edition = engine.opened.settings.edition
    if edition < EDITION:
        sys.stdout.write(
            f"its rulings are those of edition {edition} of the rules: they were taken from the log, "
            f"since today's rules are edition {EDITION}\n"
        )
