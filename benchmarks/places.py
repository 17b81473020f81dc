"""Where the benchmarks find their material, and where they keep what is expensive to make."""

from pathlib import Path
from typing import Final

SHARED: Final = Path(__file__).resolve().parents[2] / "shared"  # the test data beside the checkout
CACHE: Final = Path(__file__).resolve().parent / "cache"  # recordings that were made here; git ignores it
