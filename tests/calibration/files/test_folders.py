"""What a file names lies in its own folder."""

from pathlib import Path

import pytest

from calibration.files.folders import within


@pytest.mark.parametrize("name", ["video.mkv", "films/video.mkv", "a..b", "札.mkv"])
def test_a_file_in_the_folder_or_below_it(name: str) -> None:
    assert within(Path("/r"), name) == Path("/r") / name


@pytest.mark.parametrize("name", ["/etc/passwd", "../x", "a/../../x", ".."])
def test_a_name_that_leads_out_of_the_folder(name: str) -> None:
    with pytest.raises(ValueError, match=r"lies outside .*: copy the file into it"):
        within(Path("/r"), name)
