"""Free TCP ports, and the addresses under which other machines reach this one."""

from __future__ import annotations

import socket
import sys
from contextlib import suppress

from desk.errors import DeskError


def is_free(host: str, port: int) -> bool:
    """Tell whether a server can be started at `host`:`port`."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        if sys.platform != "win32":
            # as servers do, so that a port in TIME_WAIT from an earlier run counts as free
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def first_free(host: str, port: int, tries: int = 20) -> int:
    """Return the first free port of `port`, `port + 1`, ...

    Raises DeskError if `port` is no port number or `tries` ports in a row are taken.
    """
    if not 1 <= port <= 65535:
        raise DeskError("a port is a number from 1 to 65535, got {port}", port=port)
    last = min(port + tries - 1, 65535)
    for candidate in range(port, last + 1):
        if is_free(host, candidate):
            return candidate
    raise DeskError(
        "no free port from {port} to {last} on {host}; name another one with --port",
        port=port,
        last=last,
        host=host,
    )


def own_addresses() -> list[str]:
    """Return this machine's IPv4 addresses, that of the default route first.

    Nothing is sent: connecting a datagram socket only asks the system for the route.
    """
    found: list[str] = []
    # OSError: there is no network
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # an address reserved for documentation
        found.append(probe.getsockname()[0])
    # OSError: the machine's own name cannot be resolved
    with suppress(OSError):
        found += socket.gethostbyname_ex(socket.gethostname())[2]
    return [address for address in dict.fromkeys(found) if not address.startswith(("127.", "0."))]
