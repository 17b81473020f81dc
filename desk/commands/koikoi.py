"""`shinpan koikoi`: score piles, referee recorded games of Koi-Koi, and referee a table live."""

import argparse

from desk.commands import mat as table_mat
from desk.commands import table_live
from desk.koikoi.lines import CardLine, event_of, minutes_of, yaku_of
from desk.log.json_lines import (
    objects_of,
    print_for_programs,
    print_json,
    read_lines,
    stdin_lines,
    write_json,
)
from desk.machine.output_file import add_output
from desk.tables.rules_option import add_rules_arguments, load_rules
from referee.complaint import sentence_of
from referee.koikoi.house_rules import PRESETS
from referee.koikoi.match import Match, concluded, step
from referee.koikoi.piles import DECK_SIZE, LIGHTS, cards_of, pile_of
from referee.koikoi.round import MONTHS
from referee.koikoi.ruleset import RuleSet
from referee.koikoi.score import scorer
from referee.rules_listing import listing


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    score = actions.add_parser("score", help="read piles as JSON lines and write what each is worth")
    add_rules_arguments(score, PRESETS)
    rules = actions.add_parser("rules", help="write out every house rule with its meaning, as TOML")
    add_rules_arguments(rules, PRESETS)
    referee = actions.add_parser("play", help="referee the events of a round or a game")
    add_rules_arguments(referee, PRESETS)
    referee.add_argument(
        "--events", required=True, metavar="FILE", help="events as JSON lines; - reads stdin"
    )
    add_output(
        referee, "--json", default="-", metavar="OUT", help="where to write the minutes (default: stdout)"
    )
    live = actions.add_parser("live", help="referee a table under a camera, with a page for everybody")
    add_rules_arguments(live, PRESETS)
    table_live.add_arguments(live, players=(2, 3, 4))
    mat = actions.add_parser("mat", help="draw the table's markers and zones, to be printed at true size")
    table_mat.add_arguments(mat)
    mat.add_argument("--players", type=int, choices=(2, 3, 4), default=2, help="number of players")


def run(arguments: argparse.Namespace) -> int:
    if arguments.action == "mat":
        from vision.plane.printed_table import koikoi_table

        return table_mat.run(arguments, koikoi_table(arguments.players))
    rules = load_rules(PRESETS, arguments.rules, arguments.overrides)
    if arguments.action == "rules":
        print_for_programs(listing(rules))
        return 0
    if arguments.action == "live":
        return table_live.run(arguments, "koikoi", rules)
    if arguments.action == "score":
        return _score(rules)
    return _play(rules, arguments.events, arguments.json)


def _score(rules: RuleSet) -> int:
    table = scorer(rules)
    for line in objects_of(stdin_lines(), CardLine):
        try:
            pile, field = pile_of(line.cards("pile")), pile_of(line.cards("field"))
        except ValueError as error:
            raise line.refusal(sentence_of(error)) from error
        # each call follows a capture
        calls = line.number_of("own_calls", 0, DECK_SIZE), line.number_of("other_calls", 0, DECK_SIZE)
        score = table.score(
            pile,
            *calls,
            line.number_of("month", 0, MONTHS),
            field=field,
            lights=line.number_of("lights", 0, len(cards_of(LIGHTS))),
        )
        answer = {"yaku": yaku_of(score), "base": score.base, "points": score.points}
        # answer line by line, so that another program can wait for each answer
        print_json(answer)
    return 0


def _play(rules: RuleSet, events: str, out: str) -> int:
    match = Match(rules)
    for line in read_lines(events, CardLine):
        try:
            match = step(match, event_of(line))
        except ValueError as error:
            raise line.refusal(sentence_of(error)) from error
    write_json(out, minutes_of(concluded(match)))
    return 0
