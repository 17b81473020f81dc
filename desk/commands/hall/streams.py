"""`shinpan hall streams`: make a hall's streams on running servers."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING

from desk.errors import DeskError
from referee.complaint import sentence_of

if TYPE_CHECKING:
    from desk.hall.link import Link

_JOINS_WITHIN_S = 10.0
_ELECTED_WITHIN_S = 30.0
"""Time for three servers that were just started to find each other and elect a leader."""
DAYS = 1, 3650  # least and most days for which events are kept


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--hall", required=True, metavar="TICKET", help="the operator's ticket")
    parser.add_argument("--days", type=float, default=90.0, help="how long events are kept (default: 90)")


def run(arguments: argparse.Namespace) -> int:
    from desk.hall.ticket import ticket_of

    check_number("--days", arguments.days, *DAYS)
    asyncio.run(make_streams(arguments.hall, arguments.days, len(ticket_of(arguments.hall).servers)))
    sys.stdout.write("the streams are there\n")
    return 0


def check_number(option: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise DeskError(
            "{option}: expected {least} to {most}, got {value}",
            option=option,
            least=least,
            most=most,
            value=value,
        )


async def make_streams(hall: str, days: float, replicas: int) -> None:
    """Make the streams as soon as the servers are ready; DeskError if no server answers, or they refuse."""
    from nats.errors import Error

    from desk.hall.store import lay_out

    ends_s = asyncio.get_running_loop().time() + _ELECTED_WITHIN_S
    async with operator_link(hall) as link:
        while True:
            try:
                await lay_out(link.stream(5.0), replicas, days)
            except Error as error:
                if asyncio.get_running_loop().time() > ends_s:
                    raise DeskError(
                        "the hall's streams cannot be made: {why}", why=sentence_of(error)
                    ) from error
                await asyncio.sleep(0.3)
            else:
                return


def operator_link(ticket: str) -> AbstractAsyncContextManager[Link]:
    """Open a link of the operator; raises as `joined_link`, and if the ticket is another user's."""
    from desk.hall.subjects import Role
    from desk.hall.ticket import ticket_of

    if (role := ticket_of(ticket).role) is not Role.OPERATOR:
        raise DeskError(
            "--hall: {ticket} is a ticket for a {role}; take operator.toml", ticket=ticket, role=role.value
        )
    return joined_link(ticket)


@asynccontextmanager
async def joined_link(ticket: str) -> AsyncIterator[Link]:
    """Open a link; DeskError if no server answers, or they refuse."""
    from desk.hall.link import Link
    from desk.hall.ticket import ticket_of

    link = Link(ticket_of(ticket))
    link.open()
    try:
        try:
            await asyncio.wait_for(link.joined(), _JOINS_WITHIN_S)
        except TimeoutError as error:
            user, why = link.ticket.user, link.problem or "no answer"
            raise DeskError("no server of the hall lets {user} in: {why}", user=user, why=why) from error
        yield link
    finally:
        await link.close()
