"""The least threshold that decides few enough poems wrongly is chosen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from choose_threshold import Row, main


def written(path: Path, *poems: tuple[float, bool, list[str]]) -> Path:
    keys = ("confidence", "ruling_right", "doubts")
    path.write_text(json.dumps({"poems": [dict(zip(keys, poem, strict=True)) for poem in poems]}), "utf-8")
    return path


def test_the_least_threshold_whose_upper_bound_keeps_within_the_share_is_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(
        tmp_path / "clips.json",
        *[(0.86, True, [])] * 1000,
        (0.78, False, ["low_confidence"]),
        (0.72, True, ["low_confidence"]),
        (0.99, False, ["order_not_proven"]),
    )
    assert main([str(file)]) == 0
    said = capsys.readouterr().out
    assert "| 0.8 | 1000 | 0 | 0.3% |" in said
    assert "at most 0.3% wrong, at 95 %: 0.8\n" in said
    assert main([str(file), "--most-wrong", "0.01"]) == 0
    assert "95 %: 0.5\n" in capsys.readouterr().out


def test_few_poems_without_a_wrong_one_show_no_threshold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(written(tmp_path / "clips.json", *[(0.97, True, [])] * 33))]) == 1
    assert "it takes 998 decided poems without a wrong one" in capsys.readouterr().out


def test_where_the_surest_ruling_is_wrong_none_is_chosen(tmp_path: Path) -> None:
    assert main([str(written(tmp_path / "clips.json", (0.99, False, [])))]) == 1


def test_few_poems_prove_little() -> None:
    assert Row(0.85, 10, 0).wrong_at_most == pytest.approx(0.259, abs=0.001)
    assert Row(0.85, 1000, 0).wrong_at_most == pytest.approx(0.003, abs=0.001)
    assert Row(0.85, 0, 0).wrong_at_most == 1.0
