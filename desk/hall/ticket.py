"""Tickets: the data that a user needs to join a hall, in a file of `shinpan hall up`."""

import json
import ssl
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import StringConstraints, TypeAdapter, ValidationError

from calibration.files.text import read_text
from desk.errors import DeskError, misfits
from desk.hall.subjects import Role, check_mat
from referee import toml_text
from referee.complaint import sentence_of

_Key = Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]
_Signature = Annotated[str, StringConstraints(pattern="^[0-9a-f]{128}$")]


@dataclass(frozen=True, slots=True)
class Ticket:
    """A user of a hall and its servers."""

    servers: tuple[str, ...]  # addresses of equivalent servers, such as `tls://192.168.1.5:4222`
    user: str  # the user's name; for a mat, the mat's name
    password: str = field(repr=False)
    role: Role
    # key, vouch, hall: the key by which the user signs, the hall's word for it, and the public part of the
    # hall's key, by which it knows who signed (`desk.hall.signature`), in hexadecimal digits
    key: _Key = field(repr=False)
    vouch: _Signature
    hall: _Key
    # PEM of the certificate authority of the servers; None for the authorities that this machine trusts
    ca: str | None = None

    def toml(self) -> str:
        """Return the ticket as the text of its file."""
        lines = [
            "# A ticket of a shinpan hall. Who has it speaks as this user: pass it on by hand, not by mail.",
            f"servers = {json.dumps(list(self.servers))}",
            *(
                f"{name} = {json.dumps(getattr(self, name))}"
                for name in ("user", "password", "role", "key", "vouch", "hall")
            ),
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


def ticket_of(given: str | Path) -> Ticket:
    """Return the ticket in a file; DeskError if it holds none."""
    if "://" in str(given) or str(given).startswith(("nats:", "tls:")):
        # the address is not shown, since it may hold a password
        raise DeskError("--hall: expected the file of a ticket, which shinpan hall up writes, got an address")
    path = Path(given)
    try:
        ticket = _ADAPTER.validate_python(toml_text.parse(read_text(path)))
    except OSError as error:
        raise DeskError(
            "{path} cannot be read: {why}; shinpan hall up writes tickets", path=path, why=sentence_of(error)
        ) from error
    except ValidationError as error:
        raise DeskError(
            "{path} is no ticket of a hall: {why}; delete it, and shinpan hall up writes another",
            path=path,
            why=misfits(error.errors()),
        ) from error
    except ValueError as error:
        raise DeskError(
            "{path} is no ticket of a hall: {why}; shinpan hall up writes them",
            path=path,
            why=sentence_of(error),
        ) from error
    if not ticket.servers:
        raise DeskError('{path} names no server: expected servers = ["tls://HOST:4222"]', path=path)
    check_mat(ticket.user)
    return ticket
