"""The commands that pages show, as a reader would type them."""

import io
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from desk.commands.cli import COMMANDS, build_parser

ROOT = Path(__file__).parents[2]
PAGES = (
    *sorted(ROOT.glob("README*.md")),
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "examples").rglob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "tools" / "README.md",
    *sorted((ROOT / "benchmarks").rglob("*.md")),
)
_FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>\w*)[^\n]*\n(?P<text>.*?)^ *```", re.MULTILINE | re.DOTALL
)
_INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_STARTS = ("shinpan ", "uv ", "uvx ", "python ", "pytest ", "pip ", ".ci/")
_SHORT = re.compile(rf"({'|'.join(command.name for command in COMMANDS)}) .*--")
"""A command in a sentence without the name of the program; only with an option it is more than a word."""
_JOINTS = {"&&", "||", "|", ";", "&"}


@dataclass(frozen=True, slots=True)
class Shown:
    """A command on a page."""

    place: str  # the page
    # of the command, without `uv run`, and without the marks of what can be left out or repeated
    words: tuple[str, ...]
    is_whole: bool  # whether it can be typed as it stands (in a block); in a sentence it may be only a name


def shown_commands(page: Path) -> Iterator[Shown]:
    """Iterate over the commands of a page, those in blocks before those in sentences."""
    text, place = page.read_text("utf-8"), str(page.relative_to(ROOT))
    for block in _FENCE.finditer(text):
        lines = block["text"].replace("\\\n", " ").splitlines()
        if block["language"] == "sh" or (not block["language"] and lines[0].strip().startswith(_STARTS)):
            for line in lines:
                yield from (Shown(place, words, is_whole=True) for words in commands_of(line))
    for inline in _INLINE.finditer(_FENCE.sub("", text)):
        text = f"shinpan {inline[1]}" if _SHORT.match(inline[1]) else inline[1]
        if text.startswith(_STARTS):
            plain = re.sub(r"(?<= )\[|\](?= |$)|,?\.\.\.", "", text)
            yield from (Shown(place, words, is_whole=False) for words in commands_of(plain))


def is_ours(shown: Shown) -> bool:
    """Tell whether a command is one of this program's."""
    return shown.words[:1] == ("shinpan",)


@cache
def refusal(words: tuple[str, ...]) -> str:
    """Return why the parser of the program does not take a command; nothing where it takes it."""
    chosen = next((word for word in words[1:] if not word.startswith("-")), None)
    said = io.StringIO()
    try:
        with redirect_stderr(said), redirect_stdout(io.StringIO()):
            build_parser(chosen).parse_args(words[1:])
    except SystemExit:
        return said.getvalue()
    return ""


def commands_of(line: str) -> Iterator[tuple[str, ...]]:
    """Iterate over the commands of a line as a shell takes it, without settings of variables and comments."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="&|;<>")
    lexer.whitespace_split = True
    command: list[str] = []
    for word in (*lexer, "&&"):
        if word not in _JOINTS:
            command.append(word)
        else:
            if typed := _typed(command):
                yield typed
            command = []


def _typed(words: list[str]) -> tuple[str, ...]:
    """Return the command itself, without variables before it, `uv run`, and the file that it writes to."""
    while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
        words = words[1:]
    if ">" in words:
        words = words[: words.index(">")]
    if words[:2] == ["uv", "run"]:
        words = words[2:]
        while words and words[0].startswith("--"):
            words = words[2:] if words[0] in {"--group", "--with", "--extra"} else words[1:]
    return tuple(words)
