"""The folder of shinpan's files, the panel's addresses, free ports, and this machine's own addresses."""

import socket
import sys
from contextlib import suppress
from pathlib import Path

from platformdirs import user_data_path

from desk.errors import DeskError

PANEL_HOST = "127.0.0.1"
EVERY_HOST = "0.0.0.0"  # noqa: S104 (only with --lan, where viewers may read and tokens command)
PANEL_PORT = 8321
PHONE_PORT = 8421


def data_path() -> Path:
    """Return where this user's match logs and evidence lie, without making the folder."""
    return user_data_path("shinpan", appauthor=False)


def data_folder() -> Path:
    """Return the folder of this user's match logs and evidence, which nobody else on this machine may enter.

    It need not exist where it cannot be made.
    """
    folder = data_path()
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        if folder.stat().st_mode & 0o077:
            folder.chmod(0o700)
    return folder


def is_free(host: str, port: int) -> bool:
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
