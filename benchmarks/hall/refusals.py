"""What strangers and forgers try in a hall: each has to be refused, and to be found in a log."""

from __future__ import annotations

import asyncio
import datetime as dt
from dataclasses import replace
from typing import Any

from nats.errors import Error

from benchmarks.hall.floor import Servers, servers
from desk.hall.ledger import Ledger
from desk.hall.link import Link, LinkState
from desk.hall.messages import EventBatch, MessageError, pack
from desk.hall.operation.certificates import Authority
from desk.hall.subjects import READING_CUE, events_of
from desk.hall.ticket import Ticket
from desk.log.event_log import LogEntry

_PORT = 24422
_WITHIN_S = 5.0


def try_refusals(_: int) -> dict[str, Any]:
    """Return what became of each attempt."""
    with servers(1, 2, _PORT) as hall:
        figures = asyncio.run(_try(hall))
        log = hall.servers[0].log
        told = log.read_text("utf-8", "replace")
        figures["foreign subject"] += _logged("Publish Violation", told)
        figures["bad token"] += _logged("authentication error", told)
        hall.servers[0].stop()
        authority = Authority.made(hall.plan.folder / "certificates")
        authority.certificate_for("hall-1", ["127.0.0.1"], lasts=-dt.timedelta(hours=1))
        hall.servers[0].start()
        figures["expired certificate"] = asyncio.run(_refused(hall.ticket("mat-01"), "expired"))
        figures["expired certificate"] += _logged("TLS handshake error", log.read_text("utf-8", "replace"))
    return figures


async def _try(hall: Servers) -> dict[str, Any]:
    mat = hall.ticket("mat-01")
    link = Link(mat)
    link.open()
    await link.joined()
    foreign = 0
    for subject in (events_of("mat-02", "m"), READING_CUE, "$JS.API.STREAM.DELETE.EVENTS"):
        try:
            await link.client.request(subject, b"{}", timeout=0.5)
        except (Error, TimeoutError):
            foreign += 1
    await link.close()
    return {
        "forged id": _forged(),
        "foreign subject": f"{foreign} of 3 refused",
        "bad token": await _refused(replace(mat, password="guessed"), "uthorization"),
    }


def _forged() -> str:
    """Take in a batch that names another mat than its subject."""
    ledger, entry = Ledger(), LogEntry(1, 1, "", "rules", "ruled", 1, {})
    try:
        ledger.take(events_of("mat-01", "m"), pack(EventBatch("mat-02", "m", (entry,))))
    except MessageError:
        return f"refused by the board, counted: {ledger.refused}"
    return "taken in"


async def _refused(ticket: Ticket, word: str) -> str:
    link = Link(ticket)
    link.open()
    ends_s = asyncio.get_running_loop().time() + _WITHIN_S
    while link.state is not LinkState.REFUSED and asyncio.get_running_loop().time() < ends_s:
        await asyncio.sleep(0.05)
    refused = link.state is LinkState.REFUSED and word in str(link.problem)
    await link.close()
    return "refused" if refused else f"not refused: {link.state}, {link.problem}"


def _logged(words: str, log: str) -> str:
    return ", logged" if words in log else ", not logged"
