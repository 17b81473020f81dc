"""The memory that a long-lived desk holds between its games."""

from __future__ import annotations

import ctypes
import gc
import sys


def return_memory() -> None:
    """Return what earlier games no longer use to the operating system.

    Each game runs in threads of its own, and glibc keeps what a thread freed for later threads. Without
    this, a desk that plays all day holds more with every game. Where there is no glibc, only Python's own
    garbage is collected.
    """
    gc.collect()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # musl has none
        if trim is not None:
            trim(0)
