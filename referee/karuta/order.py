"""Which of two instants came first, and how sure that is.

Each instant carries the half width of its 95 % interval. Taking the errors as independent and normal, the
difference of two instants has the half width `sqrt(a**2 + b**2)`. The order is *proven* when the 95 %
interval of the difference does not contain zero; otherwise the instants are simultaneous for the rules.
Errors that two instants have in common, such as the camera's clock, cancel in the difference, so this errs
towards "simultaneous" and never towards a false order.
"""

from __future__ import annotations

from math import erf, isqrt, sqrt
from typing import Protocol

_Z95 = 1.959964
"""Half width of a normal distribution's central 95 %, in standard deviations."""


class Instant(Protocol):
    """Anything that happened at `t_ns`, give or take `t_unc_ns` (95 % half width)."""

    @property
    def t_ns(self) -> int:
        """Nanoseconds on the match clock."""
        ...

    @property
    def t_unc_ns(self) -> int:
        """95 % half width in nanoseconds, greater than zero."""
        ...


def difference_unc_ns(first: Instant, second: Instant) -> int:
    """Return the 95 % half width of the difference of two instants, rounded up to whole nanoseconds."""
    return isqrt(first.t_unc_ns**2 + second.t_unc_ns**2 - 1) + 1


def proven_before(first: Instant, second: Instant) -> bool:
    """Tell whether `first` certainly (95 %) came before `second`."""
    return second.t_ns - first.t_ns > difference_unc_ns(first, second)


def probability_before(first: Instant, second: Instant) -> float:
    """Return the probability that `first` came before `second`."""
    standard_errors = _Z95 * (second.t_ns - first.t_ns) / difference_unc_ns(first, second)
    return (1.0 + erf(standard_errors / sqrt(2.0))) / 2.0
