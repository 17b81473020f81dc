"""Recognition of a module's constants."""

import ast
from pathlib import Path

import pytest
from count_constants import constants, main

SOURCE = """
import numpy as np
ONE = 1
_TWO: Final = 2
_A, _B = 3, 4
__all__ = ["ONE"]
Alias = dict[str, int]
TABLE["key"] = ONE

def work():
    LOCAL = 5
    return LOCAL

class Kind:
    INSIDE = 6
"""


def test_names_in_capitals_that_a_module_binds_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert list(constants(ast.parse(SOURCE))) == ["ONE", "_TWO", "_A", "_B"]
    folder = tmp_path / "eye"
    folder.mkdir()
    (folder / "module.py").write_text(SOURCE)
    assert main([str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split() == ["4", "in", "all"]


def test_the_eye_keeps_its_numbers_where_they_are_used(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(Path(__file__).parents[2] / "vision")]) == 0
    assert int(capsys.readouterr().out.splitlines()[-1].split()[0]) <= 500
