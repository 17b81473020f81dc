"""Which of two instants came first, and how sure that is.

Each instant carries its 95 % interval. Errors are taken as independent and as normal on each side. The
difference of two instants then has the half width `sqrt(a**2 + b**2)`, with `a` and `b` the sides of the two
intervals that face each other. The order is *proven* if the 95 % interval of the difference does not contain
zero; otherwise the rules treat the instants as simultaneous. Errors that both instants share, such as those
of the camera's clock, cancel in the difference, so this errs towards "simultaneous", never towards a false
order.
"""

from math import erf, isqrt, sqrt

from referee.facts import Instant

_Z95 = 1.959964  # half width of a normal distribution's central 95 %, in standard deviations


def difference_unc_ns(first: Instant, second: Instant) -> int:
    """Return the 95 % half width of the difference of two instants, rounded up to whole nanoseconds.

    From each interval it takes the side that faces the other instant.
    """
    early, late = sorted((first, second), key=lambda one: one.t_ns)
    return isqrt((late.t_ns - late.earliest_ns) ** 2 + (early.latest_ns - early.t_ns) ** 2 - 1) + 1


def proven_before(first: Instant, second: Instant) -> bool:
    """Tell whether `first` came before `second`, proven at 95 %."""
    return second.t_ns - first.t_ns > difference_unc_ns(first, second)


def probability_before(first: Instant, second: Instant) -> float:
    """Return the probability that `first` came before `second`."""
    standard_errors = _Z95 * (second.t_ns - first.t_ns) / difference_unc_ns(first, second)
    return (1.0 + erf(standard_errors / sqrt(2.0))) / 2.0
