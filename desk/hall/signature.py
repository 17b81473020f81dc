"""Who said a message of a hall: an Ed25519 signature beside it, in its header.

`shinpan hall up` makes the hall's own key and a key for every user, and vouches for each with the hall's.
The servers hold none of them, so neither they nor whoever stores something in them can speak for a mat: what
is not signed by a user who may say it is skipped and told.
"""

from collections.abc import Mapping
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from desk.errors import DeskError
from desk.hall.subjects import Role, may_answer, may_say

HEADER: Final = "Shinpan-Signature"
QUESTION: Final = "Shinpan-Question"
"""A number that was drawn for one question: its answer is signed together with it, and answers no other."""
_MOST_USERS: Final = 10_000
"""Number of keys that are remembered as vouched for; a hall has at most 9,999 mats."""


class ForeignMessageError(DeskError):
    """A message that nobody signed who may say it."""


class HallKey:
    """The hall's own key, which vouches for its users' keys.

    `seed`: 32 bytes in hexadecimal digits; None makes a new key.
    """

    def __init__(self, seed: str | None = None) -> None:
        self._private = _private(seed) if seed is not None else Ed25519PrivateKey.generate()

    @property
    def seed(self) -> str:
        """The secret part, in hexadecimal digits."""
        return self._private.private_bytes_raw().hex()

    @property
    def public(self) -> str:
        """The public part, in hexadecimal digits."""
        return self._private.public_key().public_bytes_raw().hex()

    def vouch(self, role: Role, user: str, seed: str) -> str:
        """Return the signature that a user of this role has the key with this seed, in hexadecimal digits."""
        public = _private(seed).public_key().public_bytes_raw()
        return self._private.sign(_vouched(role, user, public)).hex()


class Signer:
    """Signs what one user says. `seed`, `vouch`: its key, and the hall's word for it."""

    def __init__(self, role: Role, user: str, seed: str, vouch: str) -> None:
        self._private = _private(seed)
        public = self._private.public_key().public_bytes_raw().hex()
        self._speaker = f"{role.value} {user} {public} {vouch}"

    def header(self, subject: str, data: bytes, question: str | None = None) -> dict[str, str]:
        """Return the header of a message, or of the answer to a question with this number."""
        return {HEADER: f"{self._speaker} {self._private.sign(_signed(subject, data, question)).hex()}"}


class Verifier:
    """Knows whether a message was said by a user of the hall who may say it.

    `public`: the public part of the hall's key.
    """

    def __init__(self, public: str) -> None:
        self._hall = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        self._known: dict[tuple[str, ...], Ed25519PublicKey] = {}

    def check(
        self, subject: str, data: bytes, headers: Mapping[str, str] | None, question: str | None = None
    ) -> None:
        """Return if the message is genuine.

        Raises ForeignMessageError if it is not.

        `question`: the number of the question on `subject` that it answers; None for what is no answer.
        """
        said = (headers or {}).get(HEADER, "").split(" ")
        try:
            role, user, public, vouch, signature = said
            self._key(role, user, public, vouch).verify(
                bytes.fromhex(signature), _signed(subject, data, question)
            )
            may = may_say if question is None else may_answer
            is_right = may(Role(role), user, subject)
        except (ValueError, InvalidSignature, DeskError):
            raise ForeignMessageError(
                "{subject}: expected a message signed by a user of this hall, got another; it was skipped",
                subject=subject,
            ) from None
        if not is_right:
            raise ForeignMessageError(
                "{subject}: {user!r} may not say this; it was skipped", subject=subject, user=user
            )

    def _key(self, *speaker: str) -> Ed25519PublicKey:
        key = self._known.get(speaker)
        if key is None:
            role, user, public, vouch = speaker
            raw = bytes.fromhex(public)
            self._hall.verify(bytes.fromhex(vouch), _vouched(Role(role), user, raw))
            if len(self._known) >= _MOST_USERS:
                self._known.clear()
            key = self._known[speaker] = Ed25519PublicKey.from_public_bytes(raw)
        return key


def _private(seed: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed))


def _vouched(role: Role, user: str, public: bytes) -> bytes:
    return b"shinpan hall user\n" + f"{role.value}\n{user}\n".encode() + public


def _signed(subject: str, data: bytes, question: str | None) -> bytes:
    if question is None:
        return b"shinpan hall message\n" + f"{subject}\n".encode() + data
    return b"shinpan hall answer\n" + f"{subject}\n{question}\n".encode() + data
