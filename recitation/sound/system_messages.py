"""Silencing messages that sound systems write straight to file descriptor 2; the program gives its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def quiet_stderr() -> Iterator[None]:
    """Discard everything written to file descriptor 2 inside the block."""
    sys.stderr.flush()
    saved = os.dup(2)
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(saved, 2)
            os.close(saved)
