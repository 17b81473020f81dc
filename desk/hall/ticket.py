"""Tickets: the data that a user needs to join a hall, in a file of `shinpan hall up` or an address."""

from __future__ import annotations

import json
import ssl
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from pydantic import TypeAdapter, ValidationError

from calibration.files import toml_text
from calibration.files.text import read_text
from desk.errors import DeskError, misfits
from desk.hall.subjects import Role, check_mat

_SCHEMES: Final = ("nats:", "tls:")


@dataclass(frozen=True, slots=True)
class Ticket:
    """A user of a hall and its servers.

    Attributes
    ----------
    servers : addresses of equivalent servers, such as `tls://192.168.1.5:4222`.
    user : the user's name; for a mat, the mat's name.
    password : the user's password.
    role : the user's role.
    ca : PEM of the certificate authority of the servers; None for the authorities that this machine trusts.
    """

    servers: tuple[str, ...]
    user: str
    password: str = field(repr=False)
    role: Role = Role.MAT
    ca: str | None = None

    def toml(self) -> str:
        """Return the ticket as the text of its file."""
        lines = [
            "# A ticket of a shinpan hall. Who has it speaks as this user: pass it on by hand, not by mail.",
            f"servers = {json.dumps(list(self.servers))}",
            f"user = {json.dumps(self.user)}",
            f"password = {json.dumps(self.password)}",
            f'role = "{self.role.value}"',
        ]
        return "\n".join([*lines, *([] if self.ca is None else [f"ca = '''\n{self.ca.strip()}\n'''"]), ""])

    def tls(self) -> ssl.SSLContext | None:
        """Return the TLS context that verifies the servers; None if the addresses use no TLS."""
        if not any(urlsplit(server).scheme == "tls" for server in self.servers):
            return None
        try:
            return ssl.create_default_context(cadata=self.ca)
        except ssl.SSLError as error:
            raise DeskError("the ticket's `ca` is no PEM certificate: make the ticket anew") from error


_ADAPTER = TypeAdapter(Ticket)


def ticket_of(given: str) -> Ticket:
    """Return the ticket that `--hall` names: a file, or `nats://USER:PASSWORD@HOST:PORT` (or `tls://`).

    Raises
    ------
    DeskError
        If it is neither.
    """
    # what is complained of is never shown: a password may stand anywhere in an address that is not understood
    if "://" not in given and not given.startswith(_SCHEMES):
        return _read(Path(given))
    try:
        parts = urlsplit(given)
        host, port = parts.hostname, parts.port or 4222
    except ValueError as error:
        raise _not_understood() from error
    if f"{parts.scheme}:" not in _SCHEMES or not host or not parts.username or parts.password is None:
        raise _not_understood()
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise _not_understood()
    shown = f"[{host}]" if ":" in host else host
    user = unquote(parts.username)
    return Ticket((f"{parts.scheme}://{shown}:{port}",), check_mat(user), unquote(parts.password))


def _not_understood() -> DeskError:
    return DeskError(
        "--hall: expected a ticket's file or nats://MAT:PASSWORD@HOST:4222, and the address given is none "
        "(not shown, since it may hold a password): shinpan hall up writes the tickets; in a password, "
        "/ ? # @ : and % are written %2F %3F %23 %40 %3A and %25"
    )


def _read(path: Path) -> Ticket:
    try:
        ticket = _ADAPTER.validate_python(toml_text.parse(read_text(path)))
    except ValidationError as error:
        raise DeskError(
            f"{path} is no ticket of a hall: {misfits(error)}; shinpan hall up writes them"
        ) from error
    except ValueError as error:
        raise DeskError(f"{path} is no ticket of a hall: {error}; shinpan hall up writes them") from error
    if not ticket.servers:
        raise DeskError(f'{path} names no server: expected servers = ["tls://HOST:4222"]')
    check_mat(ticket.user)
    return ticket
