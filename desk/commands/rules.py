"""`shinpan rules`: karuta's house rules as TOML, the template for a club's own file."""

import argparse

from desk.log.json_lines import print_for_programs
from desk.tables.rules_option import add_rules_arguments, load_rules
from referee.karuta.house_rules import PRESETS
from referee.karuta.rulebook import switches
from referee.rules_listing import listing


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_rules_arguments(parser, PRESETS)


def run(arguments: argparse.Namespace) -> int:
    rules = load_rules(PRESETS, arguments.rules, arguments.overrides)
    said = {}
    for switch in switches().values():
        values = (f"{word}: {value.en} ({value.source})" for word, value in switch.values.items())
        said[switch.id] = " ".join((switch.about_en, *values))
    print_for_programs(listing(rules, said))
    return 0
