"""The certificate for phones: browsers give camera access only to HTTPS pages."""

import datetime as dt
import ipaddress
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from calibration.files.storage import keep_bytes
from desk.errors import DeskError
from referee.complaint import sentence_of
from referee.sentence import Sentence

_LASTS = dt.timedelta(days=397)  # the longest that browsers accept
_LEFT = dt.timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate and its key on the disk."""

    certificate: Path
    key: Path
    names: tuple[str, ...]  # the certificate's host names and addresses
    fingerprint: str  # SHA-256 of the certificate, as phones show it
    is_made: bool  # whether this program made it, so that phones show a warning


def own_certificate(certificate: Path, key: Path) -> Certificate:
    """Return the user's own certificate.

    Raises DeskError if a file cannot be read, the key does not match, or the certificate has expired.
    """
    try:
        held = x509.load_pem_x509_certificate(certificate.read_bytes())
    except (OSError, ValueError) as error:
        raise DeskError(
            "--certificate: {certificate} is no PEM certificate: {reason}",
            certificate=certificate,
            reason=_reason(error),
        ) from error
    try:
        private = serialization.load_pem_private_key(key.read_bytes(), password=None)
    except (OSError, ValueError, TypeError) as error:
        raise DeskError(
            "--key: {key} is no PEM private key without a password: {why}", key=key, why=_reason(error)
        ) from error
    if private.public_key() != held.public_key():
        raise DeskError(
            "--key: {key} does not belong to the certificate {certificate}", key=key, certificate=certificate
        )
    if held.not_valid_after_utc <= dt.datetime.now(dt.UTC):
        raise DeskError(
            "--certificate: {certificate} expired on {not_valid_after_utc:%Y-%m-%d}: renew it",
            certificate=certificate,
            not_valid_after_utc=held.not_valid_after_utc,
        )
    if not (names := _names(held)):
        raise DeskError(
            "--certificate: {certificate} names no host (subjectAltName): make it for one",
            certificate=certificate,
        )
    fingerprint = held.fingerprint(hashes.SHA256()).hex(":").upper()
    return Certificate(certificate, key, names, fingerprint, is_made=False)


def made_certificate(folder: Path, addresses: Sequence[str]) -> Certificate:
    """Return the certificate in `folder`; make a new one if none is still valid for all these IP addresses.

    Raises DeskError if it cannot be written.
    """
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    with suppress(DeskError):
        made = own_certificate(certificate, key)
        held = x509.load_pem_x509_certificate(certificate.read_bytes())
        if {*addresses} <= {*made.names} and held.not_valid_after_utc - dt.datetime.now(dt.UTC) > _LEFT:
            return replace(made, is_made=True)
    private = ec.generate_private_key(ec.SECP256R1())
    pem = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with DeskError.wrapping("no certificate can be kept in {folder}: {why}", OSError, folder=folder):
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        keep_bytes(key, pem)
        key.chmod(0o600)
        keep_bytes(certificate, _signed(private, addresses).public_bytes(serialization.Encoding.PEM))
    return replace(own_certificate(certificate, key), is_made=True)


def _signed(private: ec.EllipticCurvePrivateKey, addresses: Sequence[str]) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "shinpan desk")])
    now = dt.datetime.now(dt.UTC)
    hosts: list[x509.GeneralName] = [x509.DNSName("localhost")]
    hosts += [x509.IPAddress(ipaddress.ip_address(address)) for address in ("127.0.0.1", *addresses)]
    purpose = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))  # the phone's clock may be behind
        .not_valid_after(now + _LASTS - dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(hosts), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(purpose, critical=False)
        .sign(private, hashes.SHA256())
    )


def _names(held: x509.Certificate) -> tuple[str, ...]:
    try:
        hosts = held.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    addresses = [str(address) for address in hosts.get_values_for_type(x509.IPAddress)]
    return (*hosts.get_values_for_type(x509.DNSName), *addresses)


def _reason(error: Exception) -> Sentence:
    if isinstance(error, OSError):
        return sentence_of(error)
    return Sentence("its text does not begin and end as a PEM file's does")
