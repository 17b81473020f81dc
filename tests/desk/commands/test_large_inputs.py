"""Inputs that announce or contain more than fits into memory give one line, fast and with little memory."""

import sys
from pathlib import Path

import pytest

from benchmarks.hostile.cost import MOST_BYTES
from benchmarks.hostile.large import costs, large_inputs


@pytest.mark.skipif(sys.platform != "linux", reason="the system tells no peak of memory")
def test_large_inputs_get_one_line_and_little_memory(tmp_path: Path) -> None:
    told = costs(large_inputs(tmp_path))
    assert [each for each in told if not each.is_good] == []
    assert max(each.held for each in told) < MOST_BYTES / 3
    picture, *_ = told
    assert picture.said.endswith("cannot be read as a picture: JPEG and PNG of up to 134 megapixels work\n")
