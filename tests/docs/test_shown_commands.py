"""Every command that a page shows can be typed, and the settings and house rules are taken."""

import argparse
import importlib
import io
import re
import sys
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

import pytest
from manual.command_pages import parts_of

from desk.commands.cli import COMMANDS, build_parser
from desk.karuta.house.settings import load_house_settings
from referee.karuta.house_rules import PRESETS
from referee.koikoi.house_rules import house_rules, preset
from tests.docs.shown_commands import PAGES, ROOT, is_ours, refusal, shown_commands

SHOWN = [shown for page in PAGES for shown in shown_commands(page)]
OTHERS = {
    "pip": "fetches from the network",
    "uvx": "fetches from the network",
    "uv": "fetches from the network, or changes the lock file",
    "cp": "is the system's",
    "ffmpeg": "records from a camera",
    "nats-server": "tests/desk/hall starts it with a hall's files",
    "ruff": ".ci/run begins with it",
    "mypy": ".ci/run begins with it",
    "lint-imports": ".ci/run begins with it",
    "mutmut": "tries ten thousand changes of the rules, for hours",
    "mkdocs": "builds the whole site; the tests of this folder look at its pages",
}
"""Programs of others that pages show, and why no test starts them as they are shown."""
UNASKED = {
    "tools/licences.py": "takes no words, and has no parser",
    "tools/trace_films.py": "is shown with FILMS or OUT for a folder; tests/tools/traced calls it",
    "tools/train_contact.py": "needs lightgbm of the group `train`; its options are looked for in its text",
}
"""Scripts whose parser cannot be asked."""
SCRIPTS = list(
    dict.fromkeys(
        shown.words[1:]
        for shown in SHOWN
        if shown.words[0] == "python" and shown.words[1] != "-c" and not {*shown.words} & {*UNASKED}
    )
)
TOOLS = [words for words in SCRIPTS if words[0].startswith("tools/")]


class ParsedError(Exception):
    """A script's parser has taken its words, and the rest of the script is not to run."""


@pytest.mark.parametrize("place", PAGES, ids=lambda place: str(place.relative_to(ROOT)))
def test_every_whole_command_can_be_typed(place: Path) -> None:
    whole = [shown for shown in shown_commands(place) if shown.is_whole or not is_ours(shown)]
    assert {shown.words: problem for shown in whole if (problem := problem_of(shown.words))} == {}


@pytest.mark.parametrize("place", PAGES, ids=lambda place: str(place.relative_to(ROOT)))
def test_every_command_in_a_sentence_exists_with_its_options(place: Path) -> None:
    in_sentences = [shown for shown in shown_commands(place) if not shown.is_whole and is_ours(shown)]
    assert {shown.words: problem for shown in in_sentences if (problem := missing(shown.words))} == {}


def test_the_parsers_of_tools_take_their_words(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(TOOLS) > 5
    assert {words: problem for words in TOOLS if (problem := misread(words, monkeypatch))} == {}


@pytest.mark.slow
def test_the_parsers_of_benchmarks_take_their_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask every script: benchmarks load what they measure, which takes seconds."""
    assert {words: problem for words in SCRIPTS if (problem := misread(words, monkeypatch))} == {}


def test_every_account_is_of_a_command() -> None:
    first = {shown.words[0] for shown in SHOWN}
    assert set(OTHERS) - first == set()
    assert {word for shown in SHOWN for word in shown.words} >= set(UNASKED)


def problem_of(words: tuple[str, ...]) -> str:
    """Return why a command cannot be typed as it stands; nothing where it can."""
    match words:
        case ("shinpan", *_):
            return refusal(words)
        case ("python", *more):
            return "" if is_script(tuple(more)) else "there is no such script with these options"
        case ("pytest", *more):
            absent = [word for word in more if word.startswith("tests") and not (ROOT / word).exists()]
            return f"there is no {absent[0]}" if absent else ""
    if words[0].startswith(".ci/"):
        return "" if (ROOT / words[0]).is_file() else f"there is no {words[0]}"
    return "" if words[0] in OTHERS else "say in OTHERS why no test starts it"


def is_script(words: tuple[str, ...]) -> bool:
    """Tell whether Python would find a script or module of the repository, and its options in its text."""
    if words[0] == "-c":
        return True
    name = words[1] if words[0] == "-m" else words[0]
    path = ROOT / (name.replace(".", "/") if words[0] == "-m" else name)
    files = (
        sorted(path.rglob("*.py")) if path.is_dir() else [path if path.suffix else path.with_suffix(".py")]
    )
    if not files or not all(file.is_file() for file in files):
        return False
    beside = (
        files if path.is_dir() else sorted(path.parent.glob("*.py"))
    )  # options that several scripts share
    text = "".join(file.read_text("utf-8") for file in beside)
    options = [word.partition("=")[0] for word in words if word.startswith("--")]
    # benchmarks name their options as `read_options` takes them
    return all(f'"{one}"' in text or re.search(rf"\b{one[2:].replace('-', '_')}=", text) for one in options)


def misread(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a script until its parser has taken its words; return what the parser has against them."""
    parse = argparse.ArgumentParser.parse_args

    def parse_and_stop(parser: argparse.ArgumentParser, *given: Any) -> None:
        parse(parser, *given)
        raise ParsedError

    name, *options = words[1:] if words[0] == "-m" else (Path(words[0]).stem, *words[1:])
    is_package = (ROOT / name.replace(".", "/")).is_dir()
    with monkeypatch.context() as patched, redirect_stderr(io.StringIO()) as said:
        patched.setattr(sys, "argv", [name, *options])
        patched.setattr(argparse.ArgumentParser, "parse_args", parse_and_stop)
        try:
            importlib.import_module(f"{name}.__main__" if is_package else name).main()
        except ParsedError:
            return ""
        except SystemExit:
            return said.getvalue()
    return "it ran without asking a parser"


def missing(words: tuple[str, ...]) -> str:
    """Return what is wrong with a command in a sentence, which may leave out arguments and a last value."""
    problem = refusal(words)
    is_short = re.search("arguments? .*(is|are) required|arguments is required", problem) or (
        words[-1].startswith("--") and "expected one argument" in problem
    )
    return unknown_word(words) if is_short else problem


def unknown_word(words: tuple[str, ...]) -> str:
    """Return which part of a command or which option does not exist; nothing where all do."""
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
    asked = [word.partition("=")[0] for word in words[1:] if word.startswith("--")]
    return ", ".join(f"{' '.join(path)} has no {option}" for option in asked if option not in options)


def test_wrong_commands_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("judge film.mp4 --fast", "demo --cards many", "demo and words after it"):
        assert problem_of(("shinpan", *text.split()))
    for text in ("-m benchmarks.nothing", "tools/ablate.py WORK --unheard-of"):
        assert problem_of(("python", *text.split()))
    assert problem_of(("pytest", "tests/nowhere")) == "there is no tests/nowhere"
    assert problem_of((".ci/nothing",)) == "there is no .ci/nothing"
    assert "OTHERS" in problem_of(("make", "all"))
    assert "invalid" in misread(("tools/ablate.py", "WORK", "--seed", "many"), monkeypatch)
    assert misread(("tools/ablate.py", "WORK", "--table", "table.md"), monkeypatch) == ""
    for text, problem in (
        ("log burn", "invalid choice: 'burn'"),
        ("log check --moon", "shinpan log check has no --moon"),
        ("serve --moon", "unrecognized arguments: --moon"),
        ("demo --cards many", "got 'many'"),
    ):
        assert problem in missing(("shinpan", *text.split()))
    for text in ("log check", "judge --json", "serve --matches", "enrol --game karuta"):
        assert missing(("shinpan", *text.split())) == ""


def test_pages_show_commands() -> None:
    assert {shown.words[1] for shown in SHOWN if is_ours(shown) and len(shown.words) > 1} >= {
        command.name for command in COMMANDS
    }


# --- the settings and house rules that pages show are those that the program takes -------------------------
BLOCKS = [
    (str(page.relative_to(ROOT)), block)
    for page in sorted((ROOT / "docs").rglob("*.md"))
    for block in re.findall(r"^```toml\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
]
SETTINGS = [(page, block) for page, block in BLOCKS if "[policies]" in block]
HOUSES = [(page, block) for page, block in BLOCKS if block.startswith("base =")]
RULES = [(page, block) for page, block in HOUSES if "[yaku]" in block]
KARUTA = [(page, block) for page, block in HOUSES if "wrong_hand" in block]


@pytest.mark.parametrize(("place", "text"), SETTINGS, ids=[page for page, _ in SETTINGS])
def test_settings_are_taken(place: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shinpan.toml").write_text(text, "utf-8")
    monkeypatch.setenv("SHINPAN_CONFIG", str(tmp_path / "shinpan.toml"))
    assert load_house_settings().policies.fault in {"auto", "propose"}


@pytest.mark.parametrize(("place", "text"), RULES, ids=[page for page, _ in RULES])
def test_house_rules_are_taken_and_differ_from_their_base(place: str, text: str) -> None:
    house = house_rules(text)
    assert house.match.rounds == 6 != preset().match.rounds
    assert house.yaku.hanamizake.points == 0 != preset().yaku.hanamizake.points


@pytest.mark.parametrize(("place", "text"), KARUTA, ids=[page for page, _ in KARUTA])
def test_house_rules_of_karuta_are_taken_and_differ_from_their_base(place: str, text: str) -> None:
    house, base = PRESETS.house(text), PRESETS["kyogi"]
    assert (house.wrong_hand, house.both_hands) == ("void", "warn")
    assert house.measures.width_m != base.measures.width_m


def test_pages_show_settings_and_rules() -> None:
    assert len(SETTINGS) >= 3
    assert len(RULES) >= 2
    assert len(KARUTA) >= 2
