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

_LASTS = dt.timedelta(days=396)  # from now on; with the day before it, the longest that browsers accept
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
    with DeskError.wrapping("no certificate can be kept in {folder}: {why}", OSError, folder=folder):
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        keep_key(key, private)
        hosts = ("localhost", "127.0.0.1", *addresses)
        keep_bytes(certificate, signed("shinpan desk", private, hosts=hosts, lasts=_LASTS))
    return replace(own_certificate(certificate, key), is_made=True)


def signed(
    name: str,
    private: ec.EllipticCurvePrivateKey,
    *,
    hosts: Sequence[str] = (),
    lasts: dt.timedelta,
    issuer: x509.Certificate | None = None,
    issuing: ec.EllipticCurvePrivateKey | None = None,
) -> bytes:
    """Return a new certificate as PEM: a server's if it has `hosts`, otherwise an authority's.

    `issuer` and `issuing`: certificate and key of its authority; None if it vouches for itself. `lasts`: a
    negative one gives an expired certificate, for tests.
    """
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    signing, is_ca = issuing or private, not hosts
    now = dt.datetime.now(dt.UTC)
    others = ("content_commitment", "key_encipherment", "data_encipherment", "key_agreement")
    nothing = dict.fromkeys((*others, "encipher_only", "decipher_only"), False)
    usage = x509.KeyUsage(digital_signature=True, key_cert_sign=is_ca, crl_sign=is_ca, **nothing)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject if issuer is None else issuer.subject)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        # a phone's or a mat's clock may be behind
        .not_valid_before(now + min(lasts, dt.timedelta()) - dt.timedelta(days=1))
        .not_valid_after(now + lasts)
        .add_extension(x509.BasicConstraints(ca=is_ca, path_length=0 if is_ca else None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(private.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signing.public_key()), critical=False
        )
    )
    if not is_ca:
        # a hall's servers are clients of each other
        purposes = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
        builder = builder.add_extension(
            x509.SubjectAlternativeName([_general(host) for host in hosts]), critical=False
        ).add_extension(x509.ExtendedKeyUsage(purposes), critical=False)
    return builder.sign(signing, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


def _general(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def keep_key(file: Path, private: ec.EllipticCurvePrivateKey) -> None:
    """Write a key that only this account can read."""
    file.touch(0o600)
    file.chmod(0o600)
    pem = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    keep_bytes(file, private.private_bytes(*pem))


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
