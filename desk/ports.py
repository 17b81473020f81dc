"""Which TCP ports are free."""

from __future__ import annotations

import socket
import sys

from desk.errors import DeskError


def is_free(host: str, port: int) -> bool:
    """Return whether a server can be started at `host`:`port`."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        if sys.platform != "win32":
            # as servers do: a port in TIME_WAIT from an earlier run counts as free
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def first_free(host: str, port: int, tries: int = 20) -> int:
    """Return the first free port of `port`, `port + 1`, ...

    Raises
    ------
    DeskError
        If `port` is no port number or `tries` ports in a row are taken.
    """
    if not 1 <= port <= 65535:
        raise DeskError(f"a port is a number from 1 to 65535, got {port}")
    last = min(port + tries - 1, 65535)
    for candidate in range(port, last + 1):
        if is_free(host, candidate):
            return candidate
    raise DeskError(f"no free port from {port} to {last} on {host}; name another one with --port")
