"""What a person says of how a phone comes in."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from desk.errors import DeskError
from desk.machine.config import PHONE_PORT


@dataclass(frozen=True, slots=True)
class PhoneWish:
    """The phone's door.

    Attributes
    ----------
    certificate, key : a certificate of one's own, PEM; without them one is made.
    port : the wanted port, or the next free one.
    """

    certificate: Path | None = None
    key: Path | None = None
    port: int = PHONE_PORT

    def __post_init__(self) -> None:
        if (self.certificate is None) != (self.key is None):
            raise DeskError("--certificate and --key belong together: name both files, or none")

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> PhoneWish:
        """Return what the arguments say."""
        return cls(arguments.certificate, arguments.key)
