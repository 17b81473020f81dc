"""Cells that no spreadsheet runs."""

import pytest

from desk.panel.cells import csv_of, harmless


@pytest.mark.parametrize(
    "begins",
    [*"=+-@＝＋－＠﹦\n", "\t=", "\r=", " =", "\u3000=", "\xa0+", "\u200b=", "\ufeff@", "\x00-"],
)
def test_a_formula_is_text(begins: str) -> None:
    cell = f"{begins}cmd|'/c calc'!A1"
    assert harmless(cell) == f"'{cell}"
    assert csv_of([[cell]]).lstrip('\ufeff"').startswith("'")


@pytest.mark.parametrize("cell", ["山田", "O'Brien", "A-1", " B", "ー", "", 5, -3, None, 2.5])
def test_other_cells_stay(cell: object) -> None:
    assert harmless(cell) == cell
