"""`shinpan rules`: what it prints is a club's file of karuta rules."""

from pathlib import Path

import pytest

from desk.commands.cli import main
from referee.karuta.house_rules import PRESETS


@pytest.mark.parametrize("name", PRESETS.names)
def test_what_is_printed_is_a_file_with_every_switch_and_its_source(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", "--rules", name]) == 0
    text = capsys.readouterr().out
    assert PRESETS.house(text) == PRESETS[name]
    assert "opponent_takes: The read card counts as taken by the opponent. (seed-000)" in " ".join(
        text.split("\n# ")
    )


def test_a_file_and_options_change_what_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "club.toml"
    file.write_text('base = "official"\nboth_hands = "warn"\n', "utf-8")
    assert main(["rules", "--rules", str(file), "--set", "may_waive=false"]) == 0
    rules = PRESETS.house(capsys.readouterr().out)
    assert (rules.name, rules.wrong_hand, rules.both_hands, rules.may_waive) == (
        "club",
        "void",
        "warn",
        False,
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


@pytest.mark.parametrize(
    ("command", "written"),
    [
        (
            ["koikoi", "rules", "--rules", "koikoi-japan", "--set", "match.rounds=3"],
            "# how many rounds are played.\nrounds = 3\n",
        ),
        (["kendo", "rules"], 'brown_fits = "same"\n'),
    ],
)
def test_the_rules_of_card_games_are_written_out_with_their_meaning(
    command: list[str], written: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command) == 0
    assert written in capsys.readouterr().out
