"""The page of a reading, served beside it: on this machine alone, or to the phones of a club."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import segno
import uvicorn

from desk.config import PANEL_HOST
from desk.panel.app import LOCAL_HOSTS
from desk.panel.recite_app import create_recite_app
from desk.panel.recite_port import RecitePort
from desk.panel.roles import Role
from desk.panel_server import PanelAddress

_LEAVE_S = 1
_CLOSE_S = 5.0


@contextmanager
def served(port: RecitePort, address: PanelAddress) -> Iterator[str]:
    """Serve the page in a thread of its own while the block runs; yields where to point a phone."""
    hosts = (*LOCAL_HOSTS, *address.addresses)
    app = create_recite_app(port, roles=address.roles, allowed_hosts=hosts)
    config = uvicorn.Config(
        app,
        address.host,
        address.port,
        log_level="warning",
        lifespan="off",
        timeout_graceful_shutdown=_LEAVE_S,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, name="page of the reading", daemon=True)
    thread.start()
    try:
        yield described(address)
    finally:
        server.should_exit = True
        thread.join(_CLOSE_S)


def described(address: PanelAddress) -> str:
    """Return the page's addresses; on a network with the operator's QR code."""
    operator = next((token for token, role in address.roles.tokens.items() if role is Role.OPERATOR), None)
    if operator is None:
        return f"page: http://{PANEL_HOST}:{address.port}/recite"
    links = [f"http://{host}:{address.port}/recite/join/{operator}" for host in address.addresses]
    lines = [f"page: {link} (remote control: keep this link to yourself)" for link in links]
    if links:
        lines.append(_qr(links[0]))
    lines += [f"to look at: http://{host}:{address.port}/recite" for host in address.addresses]
    return "\n".join(lines)


def _qr(link: str) -> str:
    """Return a QR code for the terminal, two modules in one character."""
    modules = [
        [bool(one) for one in row] for row in segno.make(link, error="m", micro=False).matrix_iter(border=2)
    ]
    if len(modules) % 2:
        modules.append([False] * len(modules[0]))
    signs = {(True, True): " ", (True, False): "▄", (False, True): "▀", (False, False): "█"}
    return "\n".join(
        "".join(signs[above, below] for above, below in zip(upper, lower, strict=True))
        for upper, lower in zip(modules[::2], modules[1::2], strict=True)
    )
