"""Sound systems complain in their own words, straight to file descriptor 2; people are told in ours."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def quiet_stderr() -> Iterator[None]:
    """Keep the sound system's own complaints, written straight to file descriptor 2, off the screen."""
    sys.stderr.flush()
    saved = os.dup(2)
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(saved, 2)
            os.close(saved)
