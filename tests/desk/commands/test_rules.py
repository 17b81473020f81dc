"""`shinpan rules`: what it prints is a club's file of karuta rules."""

import pytest

from desk.commands.cli import main
from referee.karuta.house_rules import PRESETS


@pytest.mark.parametrize("name", PRESETS.names)
def test_a_file_of_every_switch_and_source_is_printed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--rules", name]) == 0
    text = capsys.readouterr().out
    assert PRESETS.house(text) == PRESETS[name]
    assert "opponent_takes: The read card counts as taken by the opponent. (seed-000)" in " ".join(
        text.split("\n# ")
    )


@pytest.mark.parametrize(
    ("command", "wrong", "why"),
    [
        (["rules"], "foo=1", "unknown key 'foo'"),
        (["rules"], "wrong_hnad=void", "did you mean 'wrong_hand'?"),
        (["koikoi", "rules"], "match.rounds=-1", "a whole number from 0 on"),
        (["koikoi", "rules"], "threshold.mode", "key=value"),
        (["kendo", "rules"], "foo=1", "unknown key 'foo'"),
    ],
)
def test_a_wrong_assignment_is_blamed_and_not_the_rules(
    command: list[str], wrong: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fit = {"rules": "may_waive=true", "koikoi": "match.rounds=3", "kendo": "bout.ippons_to_win=2"}
    assert main([*command, "--set", fit[command[0]], "--set", wrong]) == 2
    error = capsys.readouterr().err
    assert f"--set {wrong}: " in error
    assert why in error
    assert "--rules" not in error
    assert error.count("\n") == 1
