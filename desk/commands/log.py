"""`shinpan log`: show, check, repair and export a match log."""

from __future__ import annotations

import argparse
import io
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from desk.errors import DeskError
from desk.machine.output_file import add_output
from referee.complaint import sentence_of
from referee.sentence import Sentence

if TYPE_CHECKING:
    from desk.log.event_log import EventLog, LogEntry

_MATCH = Sentence("the file of a match log, or its name in the data folder")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = actions.add_parser("show", help="replay a match and list its rulings")
    show.add_argument("match", metavar="MATCH", help=_MATCH)
    check = actions.add_parser("check", help="say whether every event of a log can be read")
    check.add_argument("match", metavar="MATCH", help=Sentence("{match}, or an exported text", match=_MATCH))
    check.add_argument("--repair", type=Path, metavar="NEW", help="copy what can be read into this new log")
    export = actions.add_parser("export", help="write a log as text, one JSON object per line")
    export.add_argument("match", metavar="MATCH", help=_MATCH)
    add_output(export, "--jsonl", type=Path, metavar="OUT", help="the text file to write (default: print)")
    forget = actions.add_parser("forget", help="delete the pictures of a match, or forget a person")
    whom = forget.add_mutually_exclusive_group(required=True)
    whom.add_argument("match", metavar="MATCH", nargs="?", help=_MATCH)
    forget.add_argument("--evidence", action="store_true", help="yes, delete its replays and films for good")
    whom.add_argument(
        "--person", metavar="NAME", help="take this name out of everything, with the pictures of its matches"
    )
    forget.add_argument("--yes", action="store_true", help="yes, forget the person for good")
    forget.add_argument(
        "--matches", type=Path, metavar="FOLDER", help="with --person: look in this folder, too"
    )
    imported = actions.add_parser("import", help="make a log from an exported text")
    imported.add_argument("jsonl", type=Path, metavar="TEXT", help="the exported text")
    imported.add_argument("log", type=Path, metavar="LOG", help="the log to create")


def run(arguments: argparse.Namespace) -> int:
    from desk.karuta.house.history import path_of
    from desk.log.event_log import EventLog
    from desk.log.jsonl_file import import_jsonl

    if arguments.action == "import":
        with import_jsonl(arguments.jsonl, arguments.log) as log:
            sys.stdout.write(f"{log.last_seq} events\n")
        return 0
    if arguments.action == "forget" and arguments.person is not None:
        return _forget_person(arguments.person, arguments.matches, sure=arguments.yes)
    path = path_of(arguments.match)
    if arguments.action == "forget":
        return _forget(path, sure=arguments.evidence)
    if arguments.action == "check":
        return _check(path, arguments.repair)
    with EventLog.read(path) as log:
        if arguments.action == "show":
            _show(log)
        else:
            _export(log, arguments.jsonl)
    return 0


def _check(path: Path, target: Path | None) -> int:
    """Print the state of a log, and repair it if asked; return 1 if something is lost."""
    from desk.log.damaged_log import inspect, is_text, repair
    from desk.log.database import is_whole_alone

    # asked first: reading takes in the `-wal` of a desk that was killed
    is_whole_file = not path.is_file() or is_text(path) or is_whole_alone(path)
    found = inspect(path)
    broken = None if found.problem is not None else _first_difference(path, found.intact)
    whole, count = found.problem is None and broken is None, len(found.intact)
    if whole:
        sys.stdout.write(f"{path}: all {count} events are intact\n")
        if not is_whole_file and _is_under_way(found.intact):
            ahead = path.with_name(f"{path.name}-wal")
            sys.stdout.write(
                f"the match is not over: if this file was copied while it ran, {ahead.name} belongs with it, "
                f"at {ahead}\n"
            )
    elif broken is not None:
        sys.stdout.write(f"{path}: all {count} events can be read, but {broken}\n")
    else:
        between = f", {len(found.lost)} between them are lost" if found.lost else ""
        sys.stdout.write(
            f"{path}: event {found.first_damaged} is damaged or missing; {count} events are intact{between} "
            f"({found.problem})\n"
        )
    if target is not None:
        repair(found, target)
        sys.stdout.write(f"{target}: {count} events copied\n")
    elif found.problem is not None:
        sys.stdout.write(f"copy what is intact: shinpan log check {path} --repair NEW\n")
    return 0 if whole else 1


def _is_under_way(entries: Sequence[LogEntry]) -> bool:
    kinds = [entry.kind for entry in entries]
    return kinds[:1] == ["match_opened"] and not {"match_ended", "match_stopped"} & {*kinds}


def _first_difference(path: Path, entries: Sequence[LogEntry]) -> str | None:
    """Return the first difference on replaying a karuta match; None if there is none, or for other logs."""
    from desk.karuta.engine.engine import Engine
    from desk.log.damaged_log import is_text
    from desk.log.event_log import EventLog

    if not entries or entries[0].kind != "match_opened" or is_text(path):
        return None
    try:
        with EventLog.read(path) as log:
            Engine.resume(log)
    except DeskError as error:
        return sentence_of(error)
    return None


def _forget(path: Path, *, sure: bool) -> int:
    """Delete the pictures of a match, also those on a board and those of the film that it was kept from."""
    from desk.log.event_log import EventLog
    from desk.machine.config import data_folder
    from desk.shelf.erasure import copies_of
    from desk.tables.evidence.events import delete

    with EventLog.read(path):
        pass  # an unknown name deletes nothing
    if not sure:
        raise DeskError(
            "say what to forget of {path}: --evidence deletes its pictures and keeps its rulings", path=path
        )
    found = {path.with_suffix(".evidence"), *copies_of(path.stem, [data_folder()])}
    deleted = [delete(folder) for folder in sorted(found)]
    count, size = sum(each for each, _ in deleted), sum(each for _, each in deleted)
    if count:
        files = "1 file" if count == 1 else f"{count} files"
        sys.stdout.write(f"{path}: {files} with pictures deleted ({size / 1e6:.1f} MB), its rulings stay\n")
    else:
        sys.stdout.write(f"{path}: no pictures are kept\n")
    return 0


def _forget_person(name: str, matches: Path | None, *, sure: bool) -> int:
    """Forget a person, or say what that would change; return 1 if the name stays anywhere."""
    from desk.book.book import Book
    from desk.book.index import FILE_NAME
    from desk.machine.config import data_folder
    from desk.machine.letters import drawn
    from desk.shelf.erasure import erase, traces_of
    from desk.tables.person import Person

    folders = [folder for folder in (data_folder(), matches) if folder is not None and folder.is_dir()]
    person = Person(name, f"({secrets.token_hex(3)})")
    traces = traces_of(person, folders)
    told = [f"{path}: the name, and all pictures of it\n" for path in traces.logs]
    told += [f"{path}: the whole film\n" for path in traces.films]
    told += [f"{path}: the name\n" for path in traces.texts]
    if told and not sure:
        sys.stdout.writelines(told)
        raise DeskError("nothing was changed yet: add --yes to forget {person} for good", person=person.name)
    left = sorted({*erase(person, traces, folders), *traces.unreadable})
    sys.stdout.writelines(told)
    for path in left:
        # a server's file that is deleted or mended by hand is damaged
        is_hall = data_folder() / "hall" in path.parents
        how = "take it out with shinpan hall forget" if is_hall else "delete it, or mend it by hand"
        sys.stdout.write(f"{path}: still holds the name, or cannot be searched: {how}\n")
    indexed = [each for each in (data_folder() / "matches", matches) if each and (each / FILE_NAME).is_file()]
    for folder in indexed:
        book = Book(folder)
        for other in book.names():
            if drawn(other) == drawn(person.name):
                sys.stdout.write(
                    f"{other} looks like this name, but is written with other letters: it stays\n"
                )
        book.close()
    if not left:
        sys.stdout.write(f"no file in {', '.join(map(str, folders)) or data_folder()} holds this name\n")
    return 1 if left else 0


def _export(log: EventLog, target: Path | None) -> None:
    from calibration.files.storage import writing
    from desk.log.json_lines import STDOUT, print_for_programs
    from desk.log.jsonl_file import export_jsonl, exported_lines

    if target is None or str(target) == STDOUT:
        for line in exported_lines(log):
            print_for_programs(line)
        return
    with writing(target) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="\n")
        count = export_jsonl(log, text)
        text.detach()
    sys.stdout.write(f"{count} events\n")


def _show(log: EventLog) -> None:
    from desk.karuta.engine.engine import Engine
    from desk.karuta.engine.minutes import describe, first_words, read_minutes

    engine = Engine.resume(log)
    opened = engine.opened
    sys.stdout.write(
        f"{opened.id}: {opened.source}, rules {opened.settings.rules.name}, "
        f"begun {engine.history[0].wall}, {log.last_seq} events replayed\n"
    )
    for minute in read_minutes(engine.history):
        ruling = minute.ruling
        note = f" ({minute.note})" if minute.note else ""
        sys.stdout.write(
            f"{minute.order:>3}  {ruling.poem:>3} {first_words(ruling.poem)}  {describe(ruling)}  "
            f"{minute.standing}{note}\n"
        )
    winner = engine.state.winner
    sys.stdout.write(f"the winner is {winner}\n" if winner else f"the match is in {engine.state.phase}\n")
