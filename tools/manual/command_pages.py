"""A page for each command, written from the parser that reads its command line."""

import argparse
from collections.abc import Iterator

from desk.commands.cli import COMMANDS, build_parser
from manual.markdown import block, cell, code, table

_WIDTH = 100  # characters in a line of a usage


def command_pages() -> dict[str, str]:
    """Return the pages of all commands by file name, the list of them as `index.md`."""
    rows = [(f"[`shinpan {each.name}`]({each.name}.md)", cell(each.help)) for each in COMMANDS]
    index = (
        "# Commands\n\nThe parser that reads the command line also makes these pages; `--help` says the same."
        "\n\n"
        + table(("command", "what it does"), rows)
        + "\nA command ends with 0 where it is done, with 1 where its answer is no (a check failed, a ruling "
        "would differ), with 2 where the call or its input was wrong.\n"
    )
    return {"index.md": index, **{f"{each.name}.md": _page(each.name) for each in COMMANDS}}


def parser_of(name: str) -> argparse.ArgumentParser:
    """Return the parser of one command."""
    return parts_of(build_parser(name))[name]


def parts_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of a parser's sub-commands."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _page(name: str) -> str:
    parser = parser_of(name)
    return "\n".join([f"# shinpan {name}\n", *_section(parser, parser.description or ""), *_parts(parser)])


def _parts(parser: argparse.ArgumentParser) -> Iterator[str]:
    summaries = _summaries(parser)
    for name, part in parts_of(parser).items():
        yield f"## {part.prog}\n"
        yield from _section(part, part.description or summaries.get(name, ""))
        yield from _parts(part)


def _summaries(parser: argparse.ArgumentParser) -> dict[str, str]:
    """Return the line that a parser's help says of each sub-command."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return {each.dest: each.help or "" for each in action._choices_actions}
    return {}


def _section(parser: argparse.ArgumentParser, about: str) -> Iterator[str]:
    formatter = argparse.HelpFormatter(parser.prog, width=_WIDTH)
    yield _prose(about)
    formatter.add_usage(parser.usage, parser._actions, parser._mutually_exclusive_groups, prefix="")
    yield block(formatter.format_help(), "text")
    rows = [
        (code(_invocation(action)), cell(formatter._expand_help(action)))
        for action in parser._actions
        if action.help not in {None, argparse.SUPPRESS} and action.dest != "help"
        if not isinstance(action, argparse._SubParsersAction)
    ]
    if rows:
        yield table(("argument", "what it says"), rows)
    yield _prose(parser.epilog or "")


def _invocation(action: argparse.Action) -> str:
    """Return how an argument is written, with the names of its values."""
    formatter = argparse.HelpFormatter("")
    return formatter._format_action_invocation(action)


def _prose(text: str) -> str:
    """Return a description as a sentence; one with lines of its own keeps them."""
    if "\n" in text.strip():
        return block(text, "text")
    text = text.replace("%%", "%").replace("<", "&lt;")
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') or not text else '.'}\n"
