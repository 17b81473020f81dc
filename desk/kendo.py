"""`shinpan kendo`: referee a recorded bout of the Kendo Taikai card game, without a camera."""

from __future__ import annotations

import argparse
import sys

from desk.json_lines import Line, read_lines, write_json
from desk.kendo_lines import event_of, minutes_of
from desk.rules_option import add_rules_arguments, load_rules
from referee.kendo.house_rules import PRESETS
from referee.kendo.minutes import begin, step
from referee.rules_listing import listing


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `shinpan kendo play` and `rules`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    rules = actions.add_parser("rules", help="write out every reading with its meaning, as TOML")
    add_rules_arguments(rules, PRESETS)
    referee = actions.add_parser("play", help="referee the events of a bout")
    add_rules_arguments(referee, PRESETS)
    referee.add_argument(
        "--events", required=True, metavar="FILE", help="events as JSON lines; - reads stdin"
    )
    referee.add_argument("--json", default="-", metavar="OUT", help="where the minutes go; default stdout")


def run(arguments: argparse.Namespace) -> int:
    """Referee the bout, or write out the rules; 0 when done."""
    rules = load_rules(PRESETS, arguments.rules, arguments.overrides)
    if arguments.action == "rules":
        sys.stdout.write(listing(rules))
        return 0
    minutes = begin(rules)
    for line in read_lines(arguments.events, Line):
        try:
            minutes = step(minutes, event_of(line))
        except ValueError as error:
            raise line.error(str(error)) from error
    write_json(arguments.json, minutes_of(minutes))
    return 0
