"""What the tests of sound share."""

from tests.null_sink import null_sink

__all__ = ["null_sink"]
