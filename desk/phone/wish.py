"""The settings of how a phone connects."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from desk.errors import DeskError
from desk.machine.config import PHONE_PORT


@dataclass(frozen=True, slots=True)
class PhoneWish:
    """How a phone connects."""

    # certificate, key: the user's own certificate, PEM; without them one is made
    certificate: Path | None = None
    key: Path | None = None
    port: int = PHONE_PORT  # the port; if it is taken, the next free one is used

    def __post_init__(self) -> None:
        if (self.certificate is None) != (self.key is None):
            raise DeskError("--certificate and --key belong together: name both files, or none")

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> PhoneWish:
        return cls(arguments.certificate, arguments.key)
