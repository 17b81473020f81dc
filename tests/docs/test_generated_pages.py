"""The generated pages name what the code has: every command, option, address, reason, switch and event."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from manual.address_pages import address_pages, panels
from manual.command_pages import command_pages, parser_of, parts_of
from manual.format_pages import LOGS, format_pages
from manual.rule_pages import disputed_rules, japanese_reasons, rule_pages

from desk.commands.cli import COMMANDS
from referee.karuta.rulebook import doubts, reasons
from referee.karuta.ruleset import BothFault, RuleSet
from referee.kendo.rows import ROWS


def all_parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for part in parts_of(parser).values():
        yield from all_parsers(part)


def test_the_page_of_each_command_names_all_that_it_takes() -> None:
    pages = command_pages()
    for command in COMMANDS:
        page = pages[f"{command.name}.md"]
        for parser in all_parsers(parser_of(command.name)):
            assert parser.prog in page
            for action in parser._actions:
                if action.help != argparse.SUPPRESS and action.dest != "help":
                    assert all(option in page for option in action.option_strings), (parser.prog, action.dest)
        assert "%(" not in page
        assert "%%" not in page


def test_the_descriptions_of_addresses_describe_every_operation() -> None:
    applications = panels()
    files = address_pages(applications)
    for panel in applications:
        paths = json.loads(files[f"{panel.name}.openapi.json"])["paths"]
        operations = [each for methods in paths.values() for each in methods.values()]
        assert [each["operationId"] for each in operations if "description" not in each] == []
        assert len([path for path in paths if not path.startswith("/matches/{match_id}")]) > 4
        assert f"({panel.name}.openapi.json)" in files["index.md"]
    assert '"overrule"' in files["desk.openapi.json"]
    assert "`tick`" in files["index.md"]


def test_the_rules_of_karuta_name_every_switch_reason_and_doubt_with_its_source() -> None:
    page = rule_pages()["karuta.md"]
    assert all(f"| `{switch}` |" in page for switch in RuleSet.__dataclass_fields__ if switch != "name")
    for reason in reasons().values():
        assert f"| `{reason.id}` | {reason.en} |" in page
    assert all(f"| `{doubt}` |" in page for doubt in doubts())
    japanese = japanese_reasons()
    assert all(f"| `{reason.id}` | {reason.ja} |" in japanese for reason in reasons().values())
    assert all(f"| `{doubt.id}` | {doubt.ja} |" in japanese for doubt in doubts().values())


@pytest.mark.parametrize(("language", "folder"), [("en", "docs"), ("ja", "docs/ja")])
def test_the_page_of_disputed_rules_is_what_the_switches_say(
    language: str, folder: str, request: pytest.FixtureRequest
) -> None:
    page = disputed_rules(language)
    path = Path(__file__).parents[2] / folder / "explanation" / "karuta-rules.md"
    if request.config.getoption("--regold"):
        path.write_text(page, "utf-8")
    assert page == path.read_text("utf-8"), "run pytest tests/docs/test_generated_pages.py --regold"
    assert all(f"| `both_fault = {word}` |" in page for word in BothFault)
    assert all(f"`{switch}" in page for switch in RuleSet.__dataclass_fields__ if switch != "name")


def test_the_rules_of_the_card_tables_can_be_read_back_as_they_stand() -> None:
    pages = rule_pages()
    assert "[stacking]" in pages["koikoi.md"]
    assert "## `koikoi-japan`" in pages["koikoi.md"]
    assert "jodan_discards = 2" in pages["kendo.md"]
    assert all(f"| {row.name} | {row.source} |" in pages["kendo.md"] for row in ROWS)


def test_the_events_of_every_log_are_listed() -> None:
    pages = format_pages()
    for log in LOGS:
        assert all(f"| `{kind}` |" in pages[f"{log.name}.md"] for kind in log.codec.shapes)
