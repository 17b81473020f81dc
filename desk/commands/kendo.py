"""`shinpan kendo`: referee a bout of the Kendo Taikai card game, from its events or live."""

import argparse
from collections.abc import Sequence

from desk.commands import mat as table_mat
from desk.commands import table_live
from desk.errors import DeskError
from desk.kendo.lines import event_of, minutes_of
from desk.log.json_lines import Line, print_for_programs, read_lines, write_json
from desk.machine.output_file import add_output
from desk.tables.rules_option import add_rules_arguments, load_rules
from referee.complaint import sentence_of
from referee.kendo.bracket import bracket
from referee.kendo.house_rules import PRESETS
from referee.kendo.minutes import begin, step
from referee.rules_listing import listing


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    rules = actions.add_parser("rules", help="write out every reading with its meaning, as TOML")
    add_rules_arguments(rules, PRESETS)
    lots = actions.add_parser("bracket", help="draw lots for a single elimination and write it as JSON")
    lots.add_argument("players", nargs="+", metavar="NAME", help="the players' names")
    lots.add_argument("--seed", required=True, help="any text agreed on beforehand, such as the date")
    referee = actions.add_parser("play", help="referee the events of a bout")
    add_rules_arguments(referee, PRESETS)
    referee.add_argument(
        "--events", required=True, metavar="FILE", help="events as JSON lines; - reads stdin"
    )
    add_output(
        referee, "--json", default="-", metavar="OUT", help="where to write the minutes (default: stdout)"
    )
    live = actions.add_parser("live", help="referee a court under a camera, with a page for everybody")
    add_rules_arguments(live, PRESETS)
    table_live.add_arguments(live)
    mat = actions.add_parser("mat", help="draw the court's markers and zones, to be printed at true size")
    table_mat.add_arguments(mat)


def run(arguments: argparse.Namespace) -> int:
    if arguments.action == "mat":
        from vision.plane.printed_table import KENDO_TABLE

        return table_mat.run(arguments, KENDO_TABLE)
    if arguments.action == "bracket":
        return _bracket(arguments.players, arguments.seed)
    rules = load_rules(PRESETS, arguments.rules, arguments.overrides)
    if arguments.action == "rules":
        print_for_programs(listing(rules))
        return 0
    if arguments.action == "live":
        return table_live.run(arguments, "kendo", rules)
    minutes = begin(rules)
    for line in read_lines(arguments.events, Line):
        try:
            minutes = step(minutes, event_of(line))
        except ValueError as error:
            raise line.refusal(sentence_of(error)) from error
    write_json(arguments.json, minutes_of(minutes))
    return 0


def _bracket(players: Sequence[str], seed: str) -> int:
    with DeskError.wrapping("", ValueError):
        drawn = bracket(players, seed)
    rounds = [[{"players": list(pairing.players)} for pairing in pairings] for pairings in drawn]
    write_json("-", {"seed": seed, "rounds": rounds})
    return 0
