"""Lists of trials as clubs write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from desk.errors import DeskError
from desk.films.trials import Called, read_trials
from vision.match.trials import Trial


def listed(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "trials.csv"
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("at,trial\n3.5,quiet\n1:02,slap\n1:01:00.5,press\n", "utf-8"),
        ("Our evening;\nat;trial;who\n3,5;quiet;\n", "utf-16"),
        ("時刻,試行\n３．５,静止\n1:02,叩き\n1:01:00.5,押さえ\n", "cp932"),
    ],
)
def test_a_list_is_read_in_whatever_way_a_spreadsheet_saves_it(
    tmp_path: Path, text: str, encoding: str
) -> None:
    first, *rest = read_trials(listed(tmp_path, text, encoding))
    assert first == Called(3_500_000_000, Trial.QUIET)
    assert rest in ([], [Called(62_000_000_000, Trial.SLAP), Called(3_660_500_000_000, Trial.PRESS)])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("when,what\n1,quiet\n", "expected the columns at,trial"),
        ("at,trial\n", "names no trial"),
        ("at,trial\n1,quiet\n2,dance\n", "line 3: a trial is one of quiet, kneel, slap"),
        ("at,trial\nsoon,quiet\n", "line 2: expected a time on the film's clock such as 93.5 or 1:33.5"),
        ("at,trial\n-1,quiet\n", "line 2: expected a time"),
        ("at,trial\n9,quiet\n3,slap\n", "slap at 3 s comes after quiet at 9 s"),
        ("PK\x03\x04", "is a workbook"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(DeskError, match=complaint):
        read_trials(listed(tmp_path, text))
