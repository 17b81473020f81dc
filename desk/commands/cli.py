"""The `shinpan` command line.

A sub-command is one row of `COMMANDS`. Its module has `add_arguments(parser)` and `run(arguments) -> int`,
and is imported only if its name is on the command line, so that `shinpan --help` loads no picture library.
"""

import argparse
import errno
import importlib
import io
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple, NoReturn, Protocol, cast
from unicodedata import east_asian_width

from calibration.files import typed_numbers as typed
from desk.log.json_lines import STDOUT, people_on_stderr
from desk.machine.output_file import check_outputs
from referee.complaint import of_file, sentence_of
from referee.sentence import Sentence, SentenceError

EXIT_USAGE = 2
EXIT_INTERRUPTED = 130
_LONGEST_LINE = 2000  # longest error message, in characters; one that quotes its input may quote a whole file
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS)


class Command(NamedTuple):
    """A sub-command: its name, its line in `--help`, and the module that does the work."""

    name: str
    help: str
    module: str = ""


_NAMED: Final = (
    Command("serve", "open the officials' desk in the browser: set up, referee and keep matches"),
    Command("demo", "play a simulated match through the camera's eye and the referee", "demo.command"),
    Command("judge", "judge a film or a recording, and write the rulings as JSON", "judge.command"),
    Command("watch", "referee a live source without a panel, as JSON lines"),
    Command("identify", "say which cards lie on a photo"),
    Command("enrol", "make a deck from pictures of your own cards"),
    Command("decks", "list, show, export, import and draw the enrolled decks"),
    Command("replay", "re-referee a stored match and show any ruling that would differ"),
    Command("log", "show, check, mend, export or import the log of a match, or forget its pictures"),
    Command("book", "say what each player took, lost and faulted in all matches, and how fast"),
    Command("recite", "read the poems aloud, or write the reading to a file", "reading.recite"),
    Command(
        "practise",
        "practise alone against the clock: the camera times every take, and the book keeps it",
        "reading.practice",
    ),
    Command("voices", "list the voices, and import your own recordings"),
    Command("sets", "keep named sets of cards, import and export them", "reading.sets"),
    Command("listen", "find the halves in a recording of a reader and suggest the poems"),
    Command("rules", "write out karuta's house rules with their sources, as TOML"),
    Command("koikoi", "score, referee and set up games of Koi-Koi"),
    Command("kendo", "referee bouts of the Kendo card game, live or from events"),
    Command("hall", "join many mats, one reader and a board in a hall", "hall.command"),
    Command("calibrate", "measure a camera: lens, field, rhythm, shutter and latency"),
    Command("trials", "measure a hall by a film of trials, and pack films without the people in them"),
    Command("doctor", "check this machine: packages, sound, cameras, ports, disk, clock", "doctor.command"),
)
"""Without a module a command's is named like it."""
COMMANDS: tuple[Command, ...] = tuple(
    command._replace(module=f"desk.commands.{command.module or command.name}") for command in _NAMED
)


_SAID: Final = (
    Sentence("argument {argument}: {why}"),
    Sentence("the following arguments are required: {arguments}"),
    Sentence("one of the arguments {arguments} is required"),
    Sentence("unrecognized arguments: {arguments}"),
    Sentence("expected one argument"),
    Sentence("expected at least one argument"),
    Sentence("expected {number} arguments"),
    Sentence("invalid int value: {value}"),
    Sentence("invalid float value: {value}"),
    Sentence("invalid Path value: {value}"),
    Sentence("invalid choice: {value} (choose from {choices})"),
    Sentence("not allowed with argument {argument}"),
    Sentence("ignored explicit argument {value}"),
    Sentence("ambiguous option: {option} could match {options}"),
    Sentence("expected a day such as 2026-01-04, got {value}"),
    Sentence("expected 4..25 cards per side, got {value}"),
    Sentence("expected 1..12 rounds, got {value}"),
    Sentence("expected a number above 0, got {value}"),
    Sentence("expected WIDTHxHEIGHT of at least 240 pixels, such as 1280x720, got {value}"),
)
"""What argparse says. It writes English, from which `_usage_error` finds out what it says."""


_DESCRIPTION: Final = Sentence(
    "A physical tabletop referee: an overhead camera watches real cards and judges the game."
)
_USAGE: Final = Sentence("usage: ")
_FRAME: Final = (
    Sentence("positional arguments"),
    Sentence("options"),
    Sentence("show this help message and exit"),
)
"""What argparse writes around the help of commands and options."""
_WORDS: Final = r"\s+|[（「]*(?:[!-~]+|.)[、。：；）」・～]*"
"""A line of Japanese breaks anywhere but in words of Latin letters and before some marks."""


class CommandModule(Protocol):
    """The functions of a sub-command's module."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's arguments on its own parser."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Do the work and return the exit code."""


class _Help(argparse.HelpFormatter):
    """Help in the language of the terminal, whose letters may be two columns wide."""

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        if prefix is None:
            prefix = in_terminal_language(_USAGE)
        super().add_usage(usage, actions, groups, prefix)

    def _format_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None) -> str:
        self._width -= (wide := _columns(prefix or "") - len(prefix or ""))
        told = super()._format_usage(usage, actions, groups, prefix)
        self._width += wide
        return told

    def start_section(self, heading: str | None) -> None:
        super().start_section(heading and in_terminal_language(Sentence(heading)))

    def add_text(self, text: str | None) -> None:
        super().add_text(text and in_terminal_language(Sentence(text)))

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return action.help and in_terminal_language(Sentence(action.help))

    def _split_lines(self, text: str, width: int) -> list[str]:
        if text.isascii():
            return super()._split_lines(text, width)
        lines, columns = [""], 0
        for word in re.findall(_WORDS, text):
            needed = _columns(word)
            if columns + needed > width and lines[-1]:
                lines, columns = [*lines, ""], 0
            lines[-1] += word
            columns += needed
        return [line.strip() for line in lines]

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(indent + line for line in self._split_lines(text, width - len(indent)))


def _columns(text: str) -> int:
    return sum(1 + (east_asian_width(letter) in "FW") for letter in text)


class _OneLineParser(argparse.ArgumentParser):
    """A parser whose usage errors fit on one line."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **{"formatter_class": _Help, **settings})
        # numbers as any keyboard types them; only finite ones
        self.register("type", int, typed.whole)
        self.register("type", float, typed.number)

    def error(self, message: str) -> NoReturn:
        told = Sentence("{problem} (see: {prog} --help)", problem=_usage_error(message), prog=self.prog)
        self.exit(EXIT_USAGE, f"{self.prog}: {in_terminal_language(told)}\n")


def _usage_error(message: str) -> Sentence:
    """Return what argparse complains of as a sentence; in English where it says something else."""
    for said in _SAID:
        pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(said.text))
        if found := re.fullmatch(pattern, message, re.DOTALL):
            values = found.groupdict()
            return Sentence(
                said.text,
                **{name: _usage_error(each) if name == "why" else each for name, each in values.items()},
            )
    return Sentence(message)


def build_parser(chosen: str | None = None) -> argparse.ArgumentParser:
    """Return the parser, importing the module of the `chosen` sub-command; None imports nothing."""
    parser = _OneLineParser(
        prog="shinpan",
        description=in_terminal_language(_DESCRIPTION),
    )
    parser.add_argument("--version", action="store_true", help=Sentence("print the version and exit"))
    commands = parser.add_subparsers(metavar="COMMAND")
    parser.set_defaults(run=lambda arguments: _version() if arguments.version else _no_command(parser))
    for command in COMMANDS:
        # argparse formats help texts with %, so a plain percent sign is doubled
        summary = in_terminal_language(Sentence(command.help)).replace("%", "%%")
        sub_parser = commands.add_parser(
            command.name,
            help=summary,
            description=in_terminal_language(Sentence("{what}.", what=summary[0].upper() + summary[1:])),
        )
        if command.name == chosen:
            module = _load(command)
            module.add_arguments(sub_parser)
            sub_parser.set_defaults(run=module.run)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run these words or the process's. Exit code 0: done; 1: a negative answer; 2: wrong call or input."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    _make_output_safe()
    use_one_thread()
    limit_pictures()
    chosen = next((word for word in words if not word.startswith("-")), None)
    prog = "shinpan" if chosen is None else f"shinpan {chosen}"
    try:
        namespace = build_parser(chosen).parse_args(words)
        check_outputs(namespace)
        if str(getattr(namespace, "json", None)) == STDOUT:
            with people_on_stderr():
                answer = int(namespace.run(namespace))
        else:
            answer = int(namespace.run(namespace))
        sys.stdout.flush()
    except SentenceError as error:
        return _complain(prog, sentence_of(error))
    except BrokenPipeError:
        # the reader closed the pipe (`shinpan doctor | head`): exit quietly, as other tools do
        sys.stdout = io.StringIO()
        return 1
    except (ImportError, OSError) as error:
        advice = _advice(error)
        if advice is None:
            raise
        sys.stdout = io.StringIO()  # so that the failed output is not flushed again at exit
        return _complain(prog, advice)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return answer


def use_one_thread() -> None:
    """Limit NumPy and OpenCV to one thread, before they are loaded: on small arrays, threads only spin."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"):
        os.environ.setdefault(name, "1")


def limit_pictures() -> None:
    """Make OpenCV refuse pictures with more pixels than any camera takes; call it before OpenCV is loaded.

    2^27 pixels are 134 megapixels, 0.4 GB in colour; processing them takes three times as much.
    """
    os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(1 << 27))


def _version() -> int:
    from importlib.metadata import version  # takes longer to import than everything else

    sys.stdout.write(f"shinpan {version('shinpan')}\n")
    return 0


def _no_command(parser: argparse.ArgumentParser) -> int:
    parser.print_help(sys.stderr)
    return EXIT_USAGE


def _load(command: Command) -> CommandModule:
    return cast("CommandModule", importlib.import_module(command.module))


def _advice(error: ImportError | OSError) -> Sentence | None:
    """Return one line that tells the user what to do, or None if the error is the program's own."""
    # to import it with the dataclasses that it leans on takes as long as the rest of `--help`
    from desk.machine.system_packages import missing_library_advice

    advice = missing_library_advice(str(error))
    if advice is not None or not isinstance(error, OSError):
        return advice
    if error.filename is not None:
        return of_file(error)
    if error.errno not in _FULL:
        return None
    return Sentence("standard output: {why}", why=sentence_of(error))


def in_terminal_language(text: Sentence) -> str:
    """Return a refusal in the language that the terminal asks for, if the pages have it, too."""
    named = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    language = next(filter(None, named), "")[:2]
    if language in ("", "C", "C.", "en", "PO"):  # English takes no catalogue
        return text
    from desk.panel.words import choose_language, words

    return words(choose_language(language)).complaint(text)


def _complain(prog: str, text: Sentence) -> int:
    one_line = " ".join(in_terminal_language(text).split())
    if len(one_line) > _LONGEST_LINE:
        one_line = f"{one_line[:_LONGEST_LINE]} ..."
    with suppress(OSError):  # without standard error there is only the exit code
        sys.stderr.write(f"{prog}: {one_line}\n")
    return EXIT_USAGE


def _make_output_safe() -> None:
    """Make terminals print and read question marks, not fail, for characters that they cannot show."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
