"""Links by which phones join, with their QR codes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from desk.panel.qr_code import qr_svg
from desk.panel.roles import Role, Roles
from desk.panel.words import N_

INVITED_AS: Mapping[Role, str] = {
    Role.VIEWER: N_("Audience: sees everything"),
    Role.NEAR: N_("Near player: may also appeal and pause"),
    Role.FAR: N_("Far player: may also appeal and pause"),
    Role.OPERATOR: N_("Operator: decides. For officials only."),
}


@dataclass(frozen=True, slots=True)
class Invitation:
    """A link for one role: its address, and its QR code in SVG."""

    role: Role
    address: str
    qr_svg: str


def invitations(base: str, roles: Roles) -> Iterator[Invitation]:
    """Iterate over the links, the audience's first.

    `base`: the panel's address for phones, such as `http://192.168.1.5:8321`.
    """
    yield _invitation(Role.VIEWER, f"{base}/")
    for token, role in roles.tokens.items():
        yield _invitation(role, f"{base}/join/{token}")


def _invitation(role: Role, address: str) -> Invitation:
    return Invitation(role, address, qr_svg(address))
