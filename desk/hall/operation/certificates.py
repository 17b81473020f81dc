"""The certificates of a hall's servers: the house's own, or generated here."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from calibration.files.storage import keep_bytes
from desk.errors import DeskError
from desk.phone.certificate import keep_key, own_certificate, signed

_AUTHORITY_LASTS = dt.timedelta(days=3650)
NODE_LASTS = dt.timedelta(days=397)
"""Validity of a server's certificate, which is made anew each time the hall's files are written."""


@dataclass(frozen=True, slots=True)
class NodeCertificate:
    """PEM files of one server: its certificate, its key, and the certificate of its authority."""

    certificate: Path
    key: Path
    ca: Path


class Authority:
    """The certificate authority of a hall's servers. Create one with `made` or `given`.

    `ca`: PEM of its certificate, for the tickets.
    """

    def __init__(
        self, folder: Path, ca: str, key: ec.EllipticCurvePrivateKey | None, given: NodeCertificate | None
    ) -> None:
        self.ca, self._folder, self._key, self._given = ca, folder, key, given

    @classmethod
    def made(cls, folder: Path) -> Authority:
        """Return the authority stored in `folder`; it is generated if there is none."""
        folder.mkdir(parents=True, exist_ok=True)
        certificate, key = folder / "ca.pem", folder / "ca.key"
        if certificate.exists() and key.exists():
            try:
                loaded = serialization.load_pem_private_key(key.read_bytes(), password=None)
                held = x509.load_pem_x509_certificate(certificate.read_bytes())
            except (ValueError, TypeError) as error:
                raise DeskError(
                    "{folder} holds no authority that can be read: remove {key}", folder=folder, key=key.name
                ) from error
            assert isinstance(loaded, ec.EllipticCurvePrivateKey), "this program made the key"
            if held.not_valid_after_utc > dt.datetime.now(dt.UTC) + NODE_LASTS:
                return cls(folder, certificate.read_text("ascii"), loaded, None)
        private = ec.generate_private_key(ec.SECP256R1())
        keep_key(key, private)
        keep_bytes(certificate, signed("shinpan hall", private, lasts=_AUTHORITY_LASTS))
        return cls(folder, certificate.read_text("ascii"), private, None)

    @classmethod
    def given(cls, folder: Path, certificate: Path, key: Path) -> Authority:
        """Return the authority of the house's own certificate: the certificates after the first in its file.

        Raises DeskError if it cannot be read, has expired, or does not match the key.
        """
        own_certificate(certificate, key)
        blocks = x509.load_pem_x509_certificates(certificate.read_bytes())
        vouching = blocks[1:] or blocks
        pem = "".join(each.public_bytes(serialization.Encoding.PEM).decode("ascii") for each in vouching)
        folder.mkdir(parents=True, exist_ok=True)
        ca = folder / "ca.pem"
        keep_bytes(ca, pem.encode("ascii"))
        return cls(folder, pem, None, NodeCertificate(certificate.resolve(), key.resolve(), ca.resolve()))

    def certificate_for(
        self, name: str, hosts: Sequence[str], *, lasts: dt.timedelta = NODE_LASTS
    ) -> NodeCertificate:
        """Return the files of a server, generated anew unless the house has its own.

        `hosts`: names or addresses under which it is reached. `lasts`: validity from now on; a negative one
        gives an expired certificate, for tests.
        """
        if self._given is not None:
            return self._given
        assert self._key is not None, "an authority without a key was given its certificates"
        private = ec.generate_private_key(ec.SECP256R1())
        names = list(dict.fromkeys([*hosts, "localhost", "127.0.0.1"]))
        issuer = x509.load_pem_x509_certificate(self.ca.encode("ascii"))
        certificate, key = self._folder / f"{name}.pem", self._folder / f"{name}.key"
        keep_key(key, private)
        pem = signed(name, private, hosts=names, lasts=lasts, issuer=issuer, issuing=self._key)
        keep_bytes(certificate, pem)
        return NodeCertificate(certificate.resolve(), key.resolve(), (self._folder / "ca.pem").resolve())
