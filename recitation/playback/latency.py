"""The measured latency of a loudspeaker."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Latency:
    """How much later than promised a device is heard."""

    latency_ns: int  # median over the chirps
    unc_ns: int  # 95 % half width of a single chirp
    # heard, played: number of chirps found in the recording, and number played
    heard: int
    played: int
