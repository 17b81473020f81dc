"""The configuration file of one `nats-server`.

Every user has an account of its own, so that nobody can have the answer to a request delivered to others:
NATS checks the rights of who publishes, but not to which *reply* subject the answer goes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import bcrypt

from desk.errors import DeskError
from desk.hall.operation.certificates import NodeCertificate
from desk.hall.subjects import DIRECT, KEPT, Rights, Role, covers, inbox_of, rights

ACCOUNT = "HALL"  # the account of the streams; users' names are in lower case
_SEVERAL: Final = {"response_type": "stream"}
_DIRECT_DOTS: Final = DIRECT.count(".")
"""A request for messages by number has nothing after the stream's name."""
_SYNCED: Final = '"1s"'
"""What a power cut may take; the mats send it again. With `always` the slowest of a hundred mats' steps at
the same instant reached the board after 490 ms instead of 50 to 180 (`benchmarks.hall bursts`)."""
_ANY: Final = "any-mat"
_NEXT: Final = ",\n      "
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

    @property
    def rights(self) -> Rights:
        return rights(self.role, self.name)


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

    `certificate`: None for unencrypted connections. `disk_gib`: disk space limit of the streams.
    """
    blocks = [
        "# Written by `shinpan hall up`; written anew when it is called again.",
        f"server_name: {_text(peer.name)}",
        f"listen: {_text(f'{peer.shown_host}:{peer.client_port}')}",
        # a mat that leaves 3 pings unanswered, one every 5 s, is gone
        'ping_interval: "5s"\nping_max: 3',
        f"jetstream {{\n  store_dir: {_text(str(store.resolve()))}\n"
        f"  max_file_store: {round(disk_gib * 2**30)}\n  sync_interval: {_SYNCED}\n}}",
    ]
    if certificate is not None:
        blocks.append(_tls(certificate))
    if len(peers) > 1:
        blocks.append(_cluster(peer, peers, certificate, cluster_secret))
    told = "\n".join(
        [_hall(users), *(_account(user, users) for user in users if user.role is not Role.OPERATOR)]
    )
    blocks.append(f"accounts {{\n{told}\n}}")
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


def _hall(users: Sequence[User]) -> str:
    """Return the account of the streams, which holds out what users take; their accounts say who does."""
    operators = [_user(user) for user in users if user.role is Role.OPERATOR]
    services = [*KEPT, *dict.fromkeys(read for role in Role for read in rights(role, _ANY).reads)]
    lent = [
        _entry(service=each.replace(_ANY, "*"), **_SEVERAL if _is_answered_often(each) else {})
        for each in services
    ]
    return _block(ACCOUNT, ["jetstream: enabled"], users=operators, exports=lent)


def _account(user: User, users: Sequence[User]) -> str:
    """Return a user's own account: whatever it does there reaches others by its imports and exports alone."""
    mine = user.rights
    imports = [_entry(service={"account": ACCOUNT, "subject": subject}) for subject in _of_streams(mine)]
    for other in users:
        if other is user or other.role is Role.OPERATOR:
            continue
        theirs, at = other.rights, {"account": other.name}
        imports += [_entry(stream={**at, "subject": each}) for each in _shared(mine.hears, theirs.says)]
        imports += [_entry(service={**at, "subject": each}) for each in _shared(mine.asks, theirs.answers)]
    exports = [*(_entry(stream=each) for each in mine.says), *(_entry(service=each) for each in mine.answers)]
    return _block(user.name, [], users=[_user(user)], exports=exports, imports=imports)


def _of_streams(user: Rights) -> list[str]:
    """Return what a user needs of the streams' account: to store what it says, and to read."""
    return [*(said for said in user.says if _shared(KEPT, [said])), *user.reads]


def _is_answered_often(subject: str) -> bool:
    return subject.startswith("$JS.API.") and (".MSG.NEXT." in subject or subject.count(".") == _DIRECT_DOTS)


def _shared(some: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return the subjects that both name, as the narrower of two patterns."""
    pairs = [(one, other) for one in some for other in others]
    return [
        one if covers(other, one) else other
        for one, other in pairs
        if covers(other, one) or covers(one, other)
    ]


def _user(user: User) -> str:
    return _entry(user=user.name, password=_hashed(user)) if user.role is Role.OPERATOR else _limited(user)


def _limited(user: User) -> str:
    mine = user.rights
    return _entry(
        user=user.name,
        password=_hashed(user),
        # what the account cannot do anyway is refused, and told in the server's log
        permissions={
            "publish": {"allow": [*mine.says, *mine.asks, *mine.reads]},
            "subscribe": {"allow": [*mine.hears, *mine.answers, f"{inbox_of(user.name)}.>"]},
            "allow_responses": bool(mine.answers),
        },
    )


def _block(name: str, lines: Sequence[str], **lists: Sequence[str]) -> str:
    told = [
        *lines,
        *(f"{key}: [\n      {_NEXT.join(entries)}\n    ]" for key, entries in lists.items() if entries),
    ]
    inside = "\n    ".join(told)
    return f"  {_text(name)} {{\n    {inside}\n  }}"


def _entry(**values: object) -> str:
    """Return a map in the server's configuration, which takes JSON."""
    return json.dumps(values, ensure_ascii=False)


def _hashed(user: User) -> str:
    """Return the hash of a user's password."""
    # bcrypt's lowest cost: nobody can guess 24 random bytes at any cost, and at the usual one (11: 0.14 s
    # each, measured) a server would be busy for 14 s when a hundred mats reconnect together
    cost = 4
    with DeskError.wrapping(
        "the password in {user}.toml: {why}; delete it and call hall up", ValueError, user=user.name
    ):
        return bcrypt.hashpw(user.password.encode(), bcrypt.gensalt(cost, b"2a")).decode("ascii")


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
