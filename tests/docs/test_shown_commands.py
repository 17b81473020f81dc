"""Every command that a page shows can be typed: the real parsers take it, and quick ones run."""

import re
from pathlib import Path

import pytest
from manual.command_pages import parts_of

from desk.commands.cli import COMMANDS, build_parser
from tests.docs.shown_commands import PAGES, ROOT, commands_of, is_ours, shown_commands

SHOWN = [shown for page in PAGES for shown in shown_commands(page)]
TOOLS = {
    "pip",
    "pipx",
    "uvx",
    "uv",
    "ruff",
    "mypy",
    "lint-imports",
    "mkdocs",
    "pytest",
    "git",
    "cd",
    "export",
    "mkdir",
}
TOOLS |= {"sudo", "printf", "pulseaudio", ".ci/run", "curl", "ffmpeg", "openssl"}
"""Programs of others, and what the shell itself does."""


@pytest.mark.parametrize("place", PAGES, ids=lambda place: str(place.relative_to(ROOT)))
def test_the_parsers_take_every_whole_command(place: Path) -> None:
    refused = [shown.words for shown in shown_commands(place) if shown.is_whole and not taken(shown.words)]
    assert refused == []


@pytest.mark.parametrize("place", PAGES, ids=lambda place: str(place.relative_to(ROOT)))
def test_every_command_in_a_sentence_exists_with_its_options(place: Path) -> None:
    in_sentences = [shown for shown in shown_commands(place) if not shown.is_whole and is_ours(shown)]
    unknown = {" ".join(shown.words): problem for shown in in_sentences if (problem := missing(shown.words))}
    assert unknown == {}


def taken(words: tuple[str, ...]) -> bool:
    """Tell whether a command can be typed as it stands."""
    if words[0] == "shinpan":
        chosen = next((word for word in words[1:] if not word.startswith("-")), None)
        try:
            build_parser(chosen).parse_args(words[1:])
        except SystemExit as ended:
            return ended.code == 0
        return True
    if words[0] == "python":
        return is_script(words[1:])
    return words[0] in TOOLS


def is_script(words: tuple[str, ...]) -> bool:
    """Tell whether Python would find a script or module of the repository, and its options in its text."""
    name = words[1] if words[0] == "-m" else words[0]
    path = ROOT / (name.replace(".", "/") if words[0] == "-m" else name)
    files = (
        sorted(path.rglob("*.py")) if path.is_dir() else [path if path.suffix else path.with_suffix(".py")]
    )
    if not files or not all(file.is_file() for file in files):
        return False
    text = "".join(file.read_text("utf-8") for file in files)
    return all(f'"{word.partition("=")[0]}"' in text for word in words if word.startswith("--"))


def missing(words: tuple[str, ...]) -> str:
    """Return which word of a command or which option does not exist; nothing where all do."""
    names = [word for word in words[1:] if not word.startswith("-")]
    parser = build_parser(names[0] if names else None)
    path = ["shinpan"]
    for word in names:
        parts = parts_of(parser)
        if not parts:
            break
        if word not in parts:
            return f"{' '.join(path)} has no {word}"
        parser = parts[word]
        path.append(word)
    options = {option for action in parser._actions for option in action.option_strings}
    asked = [re.sub(r"[\[\],=].*", "", word) for word in words[1:] if word.startswith("--")]
    return ", ".join(f"{' '.join(path)} has no {option}" for option in asked if option not in options)


def test_wrong_commands_would_be_found() -> None:
    assert not taken(("shinpan", "judge", "film.mp4", "--fast"))
    assert not taken(("shinpan", "demo", "--cards", "many"))
    assert not taken(("shinpan", "demo", "and", "words", "after", "it"))
    assert not taken(("python", "-m", "benchmarks.nothing"))
    assert not taken(("python", "tools/ablate.py", "WORK", "--unheard-of"))
    assert taken(("python", "tools/ablate.py", "WORK", "--table", "table.md"))
    assert missing(("shinpan", "log", "burn")) == "shinpan log has no burn"
    assert missing(("shinpan", "serve", "--moon")) == "shinpan serve has no --moon"
    assert missing(("shinpan", "log", "check")) == ""


def test_lines_are_read_as_a_shell_reads_them() -> None:
    line = "A=1 pip install uv && uv run --group docs shinpan demo --log 'my log'  # a note; shinpan x"
    assert list(commands_of(line)) == [("pip", "install", "uv"), ("shinpan", "demo", "--log", "my log")]
    assert list(commands_of("shinpan koikoi rules > house.toml")) == [("shinpan", "koikoi", "rules")]
    assert list(commands_of("# only a note")) == []


def test_pages_show_commands() -> None:
    assert {shown.words[1] for shown in SHOWN if is_ours(shown) and len(shown.words) > 1} >= {
        command.name for command in COMMANDS
    }
