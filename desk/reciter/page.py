"""The page of a reading, served beside it: on this machine alone, or to the phones of a club."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Self

from desk.errors import DeskError
from desk.machine.config import PANEL_HOST

if TYPE_CHECKING:
    import uvicorn

    from desk.panel.reciter.port import RecitePort
    from desk.panel.server import PanelAddress

_LEAVE_S = 1
_CLOSE_S = 5.0


class RecitePage:
    """Serves the page in a thread of its own, while the block runs.

    The thread also loads the libraries, so that nobody waits for them, and says where to point a phone.

    Parameters
    ----------
    port : the reading.
    number : TCP port, or the next free one.
    lan : whether other machines may open the page.
    """

    def __init__(self, port: RecitePort, number: int, *, lan: bool = False) -> None:
        self._port, self._number, self._lan = port, number, lan
        self._server: uvicorn.Server | None = None
        self._leaving = threading.Event()
        self._thread = threading.Thread(target=self._run, name="page of the reading", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._leaving.set()
        if self._server is not None:
            self._server.should_exit = True
        self._thread.join(_CLOSE_S)

    def _run(self) -> None:
        from desk.panel.server import PanelAddress

        try:
            address = PanelAddress.choose(self._number, lan=self._lan)
        except DeskError as error:
            sys.stdout.write(f"without a page: {error}\n")
            return
        self._server = server(self._port, address)
        if not self._leaving.is_set():
            sys.stdout.write(described(address) + "\n")
            sys.stdout.flush()
            self._server.run()


def server(port: RecitePort, address: PanelAddress) -> uvicorn.Server:
    """Return the server of a reading's page."""
    import uvicorn

    from desk.panel.app import LOCAL_HOSTS
    from desk.panel.reciter.app import create_recite_app

    hosts = (*LOCAL_HOSTS, *address.addresses)
    app = create_recite_app(port, roles=address.roles, allowed_hosts=hosts)
    return uvicorn.Server(
        uvicorn.Config(
            app,
            address.host,
            address.port,
            log_level="warning",
            lifespan="off",
            timeout_graceful_shutdown=_LEAVE_S,
        )
    )


def described(address: PanelAddress) -> str:
    """Return the page's addresses; on a network with the operator's QR code."""
    from desk.panel.qr_code import qr_text
    from desk.panel.roles import Role

    operator = next((token for token, role in address.roles.tokens.items() if role is Role.OPERATOR), None)
    if operator is None:
        return f"page: http://{PANEL_HOST}:{address.port}/recite"
    links = [f"http://{host}:{address.port}/recite/join/{operator}" for host in address.addresses]
    lines = [f"page: {link} (remote control: keep this link to yourself)" for link in links]
    if links:
        lines.append(qr_text(links[0]))
    lines += [f"to look at: http://{host}:{address.port}/recite" for host in address.addresses]
    return "\n".join(lines)
