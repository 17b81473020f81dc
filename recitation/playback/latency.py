"""The measured latency of a loudspeaker."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Latency:
    """How much later than promised a device is heard.

    Attributes
    ----------
    latency_ns : median over the chirps.
    unc_ns : 95 % half width of a single chirp.
    heard, played : number of chirps found in the recording, and number played.
    """

    latency_ns: int
    unc_ns: int
    heard: int
    played: int
