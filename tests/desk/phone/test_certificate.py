"""The certificate of the phone's page: made once, private to this account, made anew if it is not valid."""

import datetime as dt
import stat
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from desk.errors import DeskError
from desk.phone.certificate import made_certificate, own_certificate
from desk.phone.wish import PhoneWish


def write_pair(folder: Path, days: int, name: str = "desk.example") -> tuple[Path, Path]:
    """Write a certificate for so many days from now, and its key."""
    private = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = dt.datetime.now(dt.UTC)
    held = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(private.public_key())
        .serial_number(5)
        .not_valid_before(now - dt.timedelta(days=30))
        .not_valid_after(now + dt.timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(private, hashes.SHA256())
    )
    certificate, key = folder / "own.pem", folder / "own.key"
    certificate.write_bytes(held.public_bytes(serialization.Encoding.PEM))
    key.write_bytes(
        private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return certificate, key


def test_it_is_made_once_and_only_this_account_reads_the_key(tmp_path: Path) -> None:
    folder = tmp_path / "phone"
    made = made_certificate(folder, ["192.0.2.7"])
    assert made.names == ("localhost", "127.0.0.1", "192.0.2.7")
    assert stat.S_IMODE(made.key.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert made_certificate(folder, ["192.0.2.7"]) == made
    assert len(made.fingerprint.split(":")) == 32


def test_another_network_damage_or_a_near_end_make_another(tmp_path: Path) -> None:
    made = made_certificate(tmp_path, ["192.0.2.7"])
    moved = made_certificate(tmp_path, ["192.0.2.8"])
    assert moved.fingerprint != made.fingerprint
    moved.certificate.write_text("no certificate")
    assert made_certificate(tmp_path, ["192.0.2.8"]).fingerprint != moved.fingerprint
    certificate, key = write_pair(tmp_path, days=1, name="localhost")
    certificate.replace(tmp_path / "certificate.pem")
    key.replace(tmp_path / "key.pem")
    assert "127.0.0.1" in made_certificate(tmp_path, []).names


def test_ones_own_is_taken_as_it_is(tmp_path: Path) -> None:
    own = own_certificate(*write_pair(tmp_path, days=60))
    assert (own.names, own.is_made) == (("desk.example",), False)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("expired", "expired on"),
        ("other key", "does not belong to the certificate"),
        ("no key", "is no PEM private key"),
        ("no certificate", "is no PEM certificate"),
    ],
)
def test_what_is_wrong_with_ones_own_is_one_line(tmp_path: Path, damage: str, said: str) -> None:
    certificate, key = write_pair(tmp_path, days=-1 if damage == "expired" else 60)
    if damage == "other key":
        other = tmp_path / "other"
        other.mkdir()
        key = write_pair(other, days=60)[1]
    elif damage == "no key":
        key.write_text("nothing")
    elif damage == "no certificate":
        certificate.unlink()
    with pytest.raises(DeskError, match=said) as caught:
        own_certificate(certificate, key)
    assert "\n" not in str(caught.value)


def test_certificate_and_key_belong_together(tmp_path: Path) -> None:
    with pytest.raises(DeskError, match="belong together"):
        PhoneWish(certificate=tmp_path / "own.pem")
