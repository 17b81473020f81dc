"""`shinpan sets`: store named sets of cards, and exchange them with other reading apps as a URL."""

import argparse
import sys
from collections.abc import Mapping

from desk.errors import DeskError
from desk.reciter.card_sets import check_name, possible_name, read_sets, sets_path, write_sets

_TITLE = "shinpan"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="list the sets")
    saving = actions.add_parser("save", help="save a set under a name")
    saving.add_argument("name", help="what to call the set")
    saving.add_argument("cards", help="numbers, ranges, patterns, first sounds, colours or other sets")
    saving.add_argument("--replace", action="store_true", help="replace a set of the same name")
    deleting = actions.add_parser("delete", help="delete a set")
    deleting.add_argument("name", help="the set's name")
    importing = actions.add_parser("import", help="save the sets of a wasuramoti://fudaset/ address")
    importing.add_argument("url", help="the address")
    importing.add_argument("--replace", action="store_true", help="replace sets of the same names")
    exporting = actions.add_parser("export", help="print the sets as a wasuramoti://fudaset/ address")
    exporting.add_argument("names", nargs="*", help="which sets (default: all)")


def run(arguments: argparse.Namespace) -> int:
    from recitation.reading.card_set import parse_cards, sets_from_url, url_of_sets

    path = sets_path()
    named = read_sets(path)
    match arguments.action:
        case "save":
            check_name(arguments.name)
            saved = parse_cards(arguments.cards, named)
            _add({arguments.name: saved}, named, replace=arguments.replace)
            sys.stdout.write(f"saved {arguments.name} ({len(saved)} cards) in {path}\n")
        case "delete":
            gone = _known([arguments.name], named)
            write_sets(path, {name: own for name, own in named.items() if name not in gone})
            sys.stdout.write(f"deleted {arguments.name}\n")
        case "import":
            found: dict[str, frozenset[int]] = {}
            for theirs, own in sets_from_url(arguments.url).items():
                name = possible_name(theirs, found)
                found[name] = own
                if name != theirs:
                    sys.stderr.write(
                        f"the set {theirs!r} is called {name} here: commas and spaces separate sets\n"
                    )
            _add(found, named, replace=arguments.replace)
            named = found
        case "export":
            chosen = _known(arguments.names or list(named), named)
            sys.stdout.write(url_of_sets(_TITLE, {name: named[name] for name in chosen}) + "\n")
    if arguments.action == "list" and not named:
        sys.stdout.write("no set yet: save one with shinpan sets save NAME CARDS\n")
    if arguments.action in {"list", "import"}:
        sys.stdout.writelines(f"{name}: {len(own)} cards\n" for name, own in sorted(named.items()))
    return 0


def _add(found: Mapping[str, frozenset[int]], named: Mapping[str, frozenset[int]], *, replace: bool) -> None:
    """Save sets beside those that are there, all or none."""
    taken = [name for name in found if named.get(name, found[name]) != found[name]]
    if taken and not replace:
        raise DeskError(
            "there is a set {name!r} of other cards already: choose another name, or add --replace",
            name=taken[0],
        )
    write_sets(sets_path(), {**named, **found})


def _known(names: list[str], named: Mapping[str, frozenset[int]]) -> list[str]:
    strangers = [name for name in names if name not in named]
    if strangers:
        there_are = ", ".join(sorted(named)) or "none yet"
        raise DeskError(
            "there is no set {name!r}; the sets are: {there_are}", name=strangers[0], there_are=there_are
        )
    return names
