"""The plan of a hall: its servers and its users."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from calibration.files.storage import keep_text
from desk.errors import DeskError
from desk.hall.operation.certificates import Authority
from desk.hall.operation.server_file import Peer, User, server_file
from desk.hall.signature import HallKey
from desk.hall.subjects import Role
from desk.hall.ticket import Ticket, ticket_of

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
        authority = _authority(plan)
        users = _tickets(plan, peers, authority)
        secret = _secret(plan.folder / "cluster.secret", lambda: secrets.token_urlsafe(_SECRET_BYTES))
        files = []
        for peer in peers:
            certificate = None if authority is None else authority.certificate_for(peer.name, [peer.host])
            text = server_file(
                peer,
                peers,
                users,
                certificate,
                store=plan.folder / peer.name,
                disk_gib=plan.disk_gib,
                cluster_secret=secret,
            )
            files.append(_kept(plan.folder / f"{peer.name}.conf", text))
    return files


def tickets(folder: Path) -> Path:
    """Return the folder of a hall's tickets."""
    return folder / "tickets"


def _authority(plan: HallPlan) -> Authority | None:
    if not plan.tls:
        return None
    if plan.certificate is not None and plan.key is not None:
        return Authority.given(plan.folder / "certificates", plan.certificate, plan.key)
    return Authority.made(plan.folder / "certificates")


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
