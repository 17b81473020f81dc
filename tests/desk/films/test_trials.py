"""Lists of trials as clubs write them."""

import json
from pathlib import Path

import pytest

from desk.commands.cli import main
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


HEAD = "at,card,player,seen,taken,faults"
ONE = [
    HEAD,
    "10.0,17,near,10.520,near,0-0",
    "20.0,46,far,20.600,near,0-1",
    "30.0,,,,none,0-0",
    "0:40,8,near,40.700,near,0-0",
    "50.0,?,,,,",
    "60.0,3,near,60.100,,",
]
OTHER = [
    HEAD,
    "10.0,17,near,10.524,near,0-0",
    "20.1,46,far,20.612,near,0-1",
    "30.0,,,,none,0-0",
    "40.0,8,far,40.700,far,0-0",
    "50.0,9,near,50.1,near,0-0",
    "60.0,3,near,60.104,,",
]


def judged(at_s: float, taken: str | None, faults: int = 0, **change: object) -> dict[str, object]:
    touch = {"card": 17, "player": "near", "t_low_ms": 10_518.0, "t_high_ms": 10_530.0} | change
    ruling = {"status": "decided", "taken_by": taken, "faults": {"near": 0, "far": faults}}
    return {"t_ms": 1e3 * at_s, "touches": [touch], "ruling": ruling}


def files(folder: Path, *poems: dict[str, object]) -> list[str]:
    for name, lines in (("one.csv", ONE), ("other.csv", OTHER)):
        (folder / name).write_text("\n".join(lines), "utf-8")
    (folder / "rulings.json").write_text(json.dumps({"poems": poems}), "utf-8")
    return ["trials", "labels", str(folder / "one.csv"), str(folder / "other.csv"), "--rulings"]


POEMS = [judged(10.2, "near"), judged(20.0, "near", 1, card=46, player="far", t_low_ms=2.0, t_high_ms=3.0)]


def test_two_people_and_the_judge_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*files(tmp_path, *POEMS, judged(30, None)), str(tmp_path / "rulings.json")]) == 1
    assert capsys.readouterr().out.splitlines() == [
        # by chance 1/25 four times for what is alike, of 5: (0.8 - 0.16) / (1 - 0.16)
        "card and hand: 4 of 5 alike, Cohen's kappa 0.76",
        # by chance (2 * 1 + 1 + 1) / 16, of 4: (0.75 - 0.25) / (1 - 0.25)
        "ruling: 3 of 4 alike, Cohen's kappa 0.67",
        "instants: the second is 4 ms after the first in the median, 95 % from 4 to 12 ms, 3 touches",
        "rulings decided wrongly: 0 of 3 (95 % interval 0.0 to 56.1 %): passes",
        "touches inside their 95 % interval: 1 of 2 (95 % interval 9.5 to 90.5 %): does not pass",
        "poems decided of those on which both agree: 3 of 3 (95 % interval 43.9 to 100.0 %): passes",
    ]


def test_a_wrong_ruling_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*files(tmp_path, judged(10, "far")), str(tmp_path / "rulings.json")]) == 1
    assert (
        "rulings decided wrongly: 1 of 1 (95 % interval 20.7 to 100.0 %): does not pass"
        in capsys.readouterr().out
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("10.0,17,,10.5,near,0-0", "line 2: expected a time, a card from 1 to 100"),
        ("10.0,101,near,10.5,near,0-0", "line 2"),
        ("99.0,17,near,99.5,near,0-0", "have no trial in common"),
    ],
)
def test_lists_that_cannot_be_compared_say_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, said: str
) -> None:
    *command, _ = files(tmp_path)
    (tmp_path / "other.csv").write_text(f"{HEAD}\n{line}", "utf-8")
    assert main(command) == 2
    assert said in capsys.readouterr().err
