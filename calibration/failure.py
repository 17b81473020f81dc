"""An estimate that could not be made, with the reason and what to do about it."""

from dataclasses import dataclass
from typing import Literal

from referee.sentence import Sentence


@dataclass(frozen=True, slots=True)
class FailedEstimation:
    """Returned in place of an estimate; it is falsy, so `if estimate:` tests whether there is one."""

    reason: str  # what was missing, with the figures found
    hint: str

    def __bool__(self) -> Literal[False]:
        return False

    def __str__(self) -> str:
        return str(self.told)

    @property
    def told(self) -> Sentence:
        """Reason and hint in one sentence."""
        return Sentence("{reason} ({hint})", reason=self.reason, hint=self.hint)
