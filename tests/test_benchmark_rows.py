"""The table that `python -m benchmarks` writes."""

import importlib.util

from benchmarks.__main__ import BEGIN, END, ROWS, replaced


def test_every_row_has_a_command() -> None:
    missing = [row.command[0] for row in ROWS.values() if importlib.util.find_spec(row.command[0]) is None]
    assert missing == []


def test_a_measured_row_replaces_its_line_and_the_others_stay() -> None:
    first, second, *_ = ROWS
    page = f"before\n{BEGIN}\n| {second} | old |\n{END}\nafter\n"
    once = replaced(page, {first: f"| {first} | new |"})
    assert [line for line in once.splitlines() if line.startswith(f"| {first} ")] == [f"| {first} | new |"]
    assert once.index(f"| {first} | new |") < once.index(f"| {second} | old |")
    again = replaced(once, {second: f"| {second} | newer |"})
    assert f"| {second} | old |" not in again
    assert again.startswith("before\n")
    assert again.endswith("after\n")
