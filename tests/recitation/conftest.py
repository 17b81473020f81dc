"""Helpers of the tests of sound."""

from tests.null_sink import null_sink

__all__ = ["null_sink"]
