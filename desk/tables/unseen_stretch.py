"""A stretch in which nobody saw a card table, as the logs of all card games keep it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unseen:
    """Between two instants nobody saw the table, and it may have been touched.

    Attributes
    ----------
    from_ms, to_ms : the last picture before and the first one after.
    """

    from_ms: float
    to_ms: float
