"""`shinpan hall forget`: forget a person in what the servers of a hall keep."""

import argparse
import asyncio
import sys

from desk.commands.hall.streams import operator_link
from desk.errors import DeskError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("person", metavar="NAME", help="the name, as it was typed in")
    parser.add_argument("--hall", required=True, metavar="TICKET", help="the operator's ticket")
    parser.add_argument("--yes", action="store_true", help="yes, forget the person for good")


def run(arguments: argparse.Namespace) -> int:
    asyncio.run(_forget(arguments.hall, arguments.person, sure=arguments.yes))
    return 0


async def _forget(ticket: str, name: str, *, sure: bool) -> None:
    from desk.hall.operation.erasure import check_finished, forget, traces
    from desk.tables.person import Person

    person = Person(name, "")
    async with operator_link(ticket) as link:
        if not sure:
            found = await traces(link, person)
            for place, numbers in found.items():
                sys.stdout.write(f"{place}: {len(numbers)} messages\n")
            if found:
                raise DeskError(
                    "nothing was deleted yet: add --yes to forget {person} in the hall", person=person.name
                )
            await check_finished(link)
            sys.stdout.write("no message of the hall holds this name\n")
            return
        sys.stdout.write(
            f"{await forget(link, person)} messages deleted: no message of the hall holds this name\n"
        )
