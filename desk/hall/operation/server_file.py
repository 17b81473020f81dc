"""The configuration file of one `nats-server`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import bcrypt

from desk.errors import DeskError
from desk.hall.operation.certificates import NodeCertificate
from desk.hall.subjects import Role, allowed

ACCOUNT = "HALL"
_CLUSTER_USER = "cluster"


@dataclass(frozen=True, slots=True)
class Peer:
    """A server of the hall: its name, and its host and ports for clients and for the other servers."""

    name: str
    host: str
    client_port: int
    cluster_port: int

    @property
    def shown_host(self) -> str:
        """The host as written in addresses."""
        return f"[{self.host}]" if ":" in self.host else self.host


@dataclass(frozen=True, slots=True)
class User:
    """A user with its secret."""

    name: str
    password: str
    role: Role


def server_file(
    peer: Peer,
    peers: Sequence[Peer],
    users: Sequence[User],
    certificate: NodeCertificate | None,
    *,
    store: Path,
    disk_gib: float,
    cluster_secret: str,
) -> str:
    """Return the configuration of `peer`.

    Parameters
    ----------
    peer, peers : this server, and all of them.
    users : the users who may connect.
    certificate : None for unencrypted connections.
    store : folder of the streams.
    disk_gib : disk space limit of the streams.
    cluster_secret : password between the servers.
    """
    blocks = [
        "# Written by `shinpan hall up`; written anew when it is called again.",
        f"server_name: {_text(peer.name)}",
        f"listen: {_text(f'{peer.shown_host}:{peer.client_port}')}",
        # a mat that leaves 3 pings unanswered, one every 5 s, is gone
        'ping_interval: "5s"\nping_max: 3',
        f"jetstream {{\n  store_dir: {_text(str(store.resolve()))}\n"
        f"  max_file_store: {round(disk_gib * 2**30)}\n}}",
    ]
    if certificate is not None:
        blocks.append(_tls(certificate))
    if len(peers) > 1:
        blocks.append(_cluster(peer, peers, certificate, cluster_secret))
    told = "\n".join(_user(user) for user in users)
    blocks.append(
        f"accounts {{\n  {ACCOUNT} {{\n    jetstream: enabled\n    users: [\n{told}\n    ]\n  }}\n}}"
    )
    return "\n".join([*blocks, ""])


def _tls(certificate: NodeCertificate) -> str:
    return (
        f"tls {{\n  cert_file: {_text(str(certificate.certificate))}\n"
        f"  key_file: {_text(str(certificate.key))}\n  timeout: 5\n}}"
    )


def _cluster(peer: Peer, peers: Sequence[Peer], certificate: NodeCertificate | None, secret: str) -> str:
    routes = "\n".join(
        f"    {_text(f'nats-route://{_CLUSTER_USER}:{secret}@{other.shown_host}:{other.cluster_port}')}"
        for other in peers
        if other is not peer
    )
    tls = ""
    if certificate is not None:
        tls = "\n  " + _tls(certificate).replace(
            "\n  timeout", f"\n  ca_file: {_text(str(certificate.ca))}\n  timeout"
        )
    return (
        f"cluster {{\n  name: hall\n  listen: {_text(f'{peer.shown_host}:{peer.cluster_port}')}\n"
        f"  authorization {{ user: {_CLUSTER_USER}, password: {_text(secret)}, timeout: 5 }}\n"
        f"  routes: [\n{routes}\n  ]{tls}\n}}"
    )


def _user(user: User) -> str:
    may = allowed(user.role, user.name)
    return (
        f"      {{ user: {_text(user.name)}, password: {_text(_hashed(user))}, permissions: {{ "
        f"publish: {{ allow: {json.dumps(may.publish)} }}, "
        f"subscribe: {{ allow: {json.dumps(may.subscribe)} }}, "
        "allow_responses: true } }"
    )


def _hashed(user: User) -> str:
    """Return the hash of a user's password."""
    # bcrypt's lowest cost: nobody can guess 24 random bytes at any cost, and at the usual one (11: 0.14 s
    # each, measured) a server would be busy for 14 s when a hundred mats reconnect together
    cost = 4
    try:
        return bcrypt.hashpw(user.password.encode(), bcrypt.gensalt(cost, b"2a")).decode("ascii")
    except ValueError as error:
        raise DeskError(f"the password in {user.name}.toml: {error}; delete it and call hall up") from error


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
