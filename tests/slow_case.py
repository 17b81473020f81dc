"""A case of a parametrised test that only `.ci/run --all` runs."""

from typing import Any

import pytest

__all__ = ["slow_case"]


def slow_case(*values: Any, id: str | None = None) -> Any:  # noqa: A002 (pytest's own word)
    """Mark one more case of what the quicker ones of its test assert."""
    return pytest.param(*values, id=id, marks=pytest.mark.slow)
