"""The time to memorise the field: fifteen minutes, with a notice two minutes before the end."""

from dataclasses import dataclass
from enum import StrEnum

from referee.sentence import Sentence

NOTICE_BEFORE_S = 120.0  # two minutes before the end, players are told that they may practise their swings
_NS_PER_S = 1_000_000_000


class Announcement(StrEnum):
    """What is announced while the players memorise."""

    TWO_MINUTES = "two_minutes"
    TIME = "time"


@dataclass
class MemoriseTimer:
    """A countdown; the caller asks it now and then what is due."""

    length_s: float
    ends_ns: int | None = None  # instant of the end on the match clock, once started
    _noticed: bool = False

    def __post_init__(self) -> None:
        if not 0.0 <= self.length_s <= 3600.0:
            raise ValueError(
                Sentence("the time to memorise is 0..60 minutes, got {minutes:g}", minutes=self.length_s / 60)
            )

    def start(self, now_ns: int) -> None:
        """Start the countdown; if it is shorter than two minutes, there is no notice."""
        self.ends_ns = now_ns + round(self.length_s * _NS_PER_S)
        self._noticed = self.length_s <= NOTICE_BEFORE_S

    def due(self, now_ns: int) -> Announcement | None:
        """Return the announcement that is due now, None if there is none; each is due once."""
        if self.ends_ns is None:
            return None
        if now_ns >= self.ends_ns:
            self.ends_ns = None
            return Announcement.TIME
        if not self._noticed and now_ns >= self.ends_ns - round(NOTICE_BEFORE_S * _NS_PER_S):
            self._noticed = True
            return Announcement.TWO_MINUTES
        return None
