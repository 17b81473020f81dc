"""The plan of a hall: its servers and its users, and the configuration file of each `nats-server`.

Every user has an account of its own, so that nobody can have the answer to a request delivered to others:
NATS checks the rights of who publishes, but not to which *reply* subject the answer goes.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import bcrypt

from calibration.files.storage import keep_text
from desk.errors import DeskError
from desk.hall.operation.certificates import Authority, NodeCertificate
from desk.hall.signature import HallKey
from desk.hall.subjects import DIRECT, KEPT, Rights, Role, covers, inbox_of, rights
from desk.hall.ticket import Ticket, ticket_of

ACCOUNT = "HALL"  # the account of the streams; users' names are in lower case
_SEVERAL: Final = {"response_type": "stream"}
_DIRECT_DOTS: Final = DIRECT.count(".")
"""A request for messages by number has nothing after the stream's name."""
_SYNCED: Final = "1s"
"""What a power cut may take; the mats send it again. With `always` the slowest of a hundred mats' steps at
the same instant reached the board after 490 ms instead of 50 to 180 (`benchmarks.hall bursts`)."""
_ANY: Final = "any-mat"
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


def _server_file(
    plan: HallPlan, peer: Peer, users: Sequence[User], certificate: NodeCertificate | None, secret: str
) -> str:
    """Return the configuration of `peer`, whose values are JSON.

    `certificate`: None for unencrypted connections. `secret`: by which the servers know one another.
    """
    accounts = {user.name: _account(user, users) for user in users if user.role is not Role.OPERATOR}
    config: dict[str, Any] = {
        "server_name": peer.name,
        "listen": f"{peer.shown_host}:{peer.client_port}",
        # a mat that leaves 3 pings unanswered, one every 5 s, is gone
        "ping_interval": "5s",
        "ping_max": 3,
        "jetstream": {
            "store_dir": str((plan.folder / peer.name).resolve()),
            "max_file_store": round(plan.disk_gib * 2**30),
            "sync_interval": _SYNCED,
        },
        "accounts": {ACCOUNT: _hall(users), **accounts},
    }
    if others := [each for each in plan.peers() if each != peer]:
        routes = [f"{_CLUSTER_USER}:{secret}@{each.shown_host}:{each.cluster_port}" for each in others]
        config["cluster"] = {
            "name": "hall",
            "listen": f"{peer.shown_host}:{peer.cluster_port}",
            "authorization": {"user": _CLUSTER_USER, "password": secret, "timeout": 5},
            "routes": [f"nats-route://{each}" for each in routes],
        }
    if certificate is not None:
        files = {"cert_file": str(certificate.certificate), "key_file": str(certificate.key), "timeout": 5}
        config["tls"] = files
        if "cluster" in config:
            config["cluster"]["tls"] = {**files, "ca_file": str(certificate.ca)}
    told = "\n".join(f"{key}: {json.dumps(of, ensure_ascii=False, indent=1)}" for key, of in config.items())
    return f"# Written by `shinpan hall up`; written anew when it is called again.\n{told}\n"


def _hall(users: Sequence[User]) -> dict[str, Any]:
    """Return the account of the streams, which holds out what users take; their accounts say who does."""
    services = [*KEPT, *dict.fromkeys(read for role in Role for read in rights(role, _ANY).reads)]
    lent = [
        {"service": each.replace(_ANY, "*"), **(_SEVERAL if _is_answered_often(each) else {})}
        for each in services
    ]
    operators = [_user(user) for user in users if user.role is Role.OPERATOR]
    return {"jetstream": "enabled", "users": operators, "exports": lent}


def _account(user: User, users: Sequence[User]) -> dict[str, Any]:
    """Return a user's own account: whatever it does there reaches others by its imports and exports alone."""
    mine = user.rights
    # of the streams' account: to store what the user says, and to read
    stored = [*(said for said in mine.says if _shared(KEPT, [said])), *mine.reads]
    imports = [{"service": {"account": ACCOUNT, "subject": subject}} for subject in stored]
    for other in users:
        if other is user or other.role is Role.OPERATOR:
            continue
        theirs, at = other.rights, {"account": other.name}
        imports += [{"stream": {**at, "subject": each}} for each in _shared(mine.hears, theirs.says)]
        imports += [{"service": {**at, "subject": each}} for each in _shared(mine.asks, theirs.answers)]
    exports = [*({"stream": each} for each in mine.says), *({"service": each} for each in mine.answers)]
    return {"users": [_user(user)], "exports": exports, "imports": imports}


def _is_answered_often(subject: str) -> bool:
    return subject.startswith("$JS.API.") and (".MSG.NEXT." in subject or subject.count(".") == _DIRECT_DOTS)


def _shared(some: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return the subjects that both name, as the narrower of two patterns."""
    return [
        one if covers(other, one) else other
        for one in some
        for other in others
        if covers(other, one) or covers(one, other)
    ]


def _user(user: User) -> dict[str, Any]:
    known = {"user": user.name, "password": _hashed(user)}
    if user.role is Role.OPERATOR:
        return known
    mine = user.rights
    # what the account cannot do anyway is refused, and told in the server's log
    permissions = {
        "publish": {"allow": [*mine.says, *mine.asks, *mine.reads]},
        "subscribe": {"allow": [*mine.hears, *mine.answers, f"{inbox_of(user.name)}.>"]},
        "allow_responses": bool(mine.answers),
    }
    return {**known, "permissions": permissions}


def _hashed(user: User) -> str:
    """Return the hash of a user's password."""
    # bcrypt's lowest cost: nobody can guess 24 random bytes at any cost, and at the usual one (11: 0.14 s
    # each, measured) a server would be busy for 14 s when a hundred mats reconnect together
    cost = 4
    with DeskError.wrapping(
        "the password in {user}.toml: {why}; delete it and call hall up", ValueError, user=user.name
    ):
        return bcrypt.hashpw(user.password.encode(), bcrypt.gensalt(cost, b"2a")).decode("ascii")


CLIENT_PORT = 4222  # port of the first server, NATS's default; others on the same machine get the next ones
_SECRET_BYTES = 24


@dataclass(frozen=True, slots=True)
class HallPlan:
    """The plan of a hall."""

    folder: Path  # folder of the configuration, certificates, tickets and, by default, the streams
    hosts: tuple[str, ...]  # addresses of the servers, 1 or 3
    # mats, speakers: number of mats, and those of them with their own loudspeaker
    mats: int
    speakers: frozenset[str] = frozenset()
    workers: int = 2  # number of workers that judge the archive
    tls: bool = True
    # certificate, key: the house's own files, to be used instead of generated ones
    certificate: Path | None = None
    key: Path | None = None
    disk_gib: float = 8.0  # disk space limit of the streams of one server
    # client_port, cluster_port: ports of the first server, for clients and for the other servers
    client_port: int = CLIENT_PORT
    cluster_port: int = 6222

    def users(self) -> list[tuple[str, Role]]:
        """Return the users, each of whom gets a ticket."""
        digits = max(2, len(str(self.mats)))
        mats = [f"mat-{number:0{digits}}" for number in range(1, self.mats + 1)]
        if unknown := self.speakers - set(mats):
            raise DeskError(
                "--speakers: there is no {name}; the mats are {first} to {last}",
                name=min(unknown),
                first=mats[0],
                last=mats[-1],
            )
        workers = [(f"worker-{number}", Role.WORKER) for number in range(1, self.workers + 1)]
        return [
            ("operator", Role.OPERATOR),
            ("reader", Role.READER),
            ("board", Role.BOARD),
            *workers,
            *((mat, Role.SPEAKER if mat in self.speakers else Role.MAT) for mat in mats),
        ]

    def peers(self) -> list[Peer]:
        """Return the servers; those on the same host get consecutive ports."""
        return [
            Peer(
                f"hall-{place + 1}",
                host,
                self.client_port + self.hosts[:place].count(host),
                self.cluster_port + self.hosts[:place].count(host),
            )
            for place, host in enumerate(self.hosts)
        ]


def write(plan: HallPlan) -> list[Path]:
    """Write a hall's files and return the servers' configuration files.

    Existing tickets stay valid, so that a hall can grow. Raises DeskError if the plan is not possible, or the
    files cannot be written.
    """
    if len(plan.hosts) not in (1, 3):
        raise DeskError(
            "a hall has 1 or 3 servers (2 could not outvote a third), got {got}", got=len(plan.hosts)
        )
    peers = plan.peers()
    with DeskError.wrapping("the hall cannot be written to {folder}: {why}", OSError, folder=plan.folder):
        plan.folder.mkdir(parents=True, exist_ok=True)
        plan.folder.chmod(0o700)
        authority, own = None, plan.folder / "certificates"
        if plan.tls and plan.certificate is not None and plan.key is not None:
            authority = Authority.given(own, plan.certificate, plan.key)
        elif plan.tls:
            authority = Authority.made(own)
        users = _tickets(plan, peers, authority)
        secret = _secret(plan.folder / "cluster.secret", lambda: secrets.token_urlsafe(_SECRET_BYTES))
        files = []
        for peer in peers:
            certificate = None if authority is None else authority.certificate_for(peer.name, [peer.host])
            text = _server_file(plan, peer, users, certificate, secret)
            files.append(_kept(plan.folder / f"{peer.name}.conf", text))
    return files


def tickets(folder: Path) -> Path:
    """Return the folder of a hall's tickets."""
    return folder / "tickets"


def _tickets(plan: HallPlan, peers: Sequence[Peer], authority: Authority | None) -> list[User]:
    folder = tickets(plan.folder)
    folder.mkdir(exist_ok=True)
    key = HallKey(_secret(plan.folder / "hall.key", lambda: HallKey().seed))
    scheme = "nats" if authority is None else "tls"
    addresses = tuple(f"{scheme}://{peer.shown_host}:{peer.client_port}" for peer in peers)
    users = []
    for name, role in plan.users():
        file = folder / f"{name}.toml"
        known = ticket_of(file) if file.exists() else None
        password = secrets.token_urlsafe(_SECRET_BYTES) if known is None else known.password
        seed = HallKey().seed if known is None else known.key
        vouch, ca = key.vouch(role, name, seed), None if authority is None else authority.ca
        _kept(file, Ticket(addresses, name, password, role, seed, vouch, key.public, ca).toml())
        users.append(User(name, password, role))
    return users


def _secret(file: Path, made: Callable[[], str]) -> str:
    """Return the secret in a file, a new one if there is none."""
    if file.exists():
        return file.read_text("ascii").strip()
    secret = made()
    _kept(file, secret)
    return secret


def _kept(file: Path, text: str) -> Path:
    """Write a file that only this account may read."""
    if not file.exists():
        file.touch(0o600)
    keep_text(file, text)
    return file
