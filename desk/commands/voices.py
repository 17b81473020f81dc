"""`shinpan voices`: list the voices, and import your own recordings."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.files.folders import is_device
from desk.errors import DeskError
from desk.log.json_lines import write_json
from desk.machine.output_file import add_output
from desk.reciter.voice_folders import own_voices_folder, voice_folders

if TYPE_CHECKING:
    from recitation.imports.importer import ImportReport

_NAME = re.compile(r"[\w][\w.-]{0,39}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="list the installed voices")
    importing = actions.add_parser("import", help="make a voice from a folder of recordings")
    importing.add_argument(
        "folder", type=Path, help="the recordings: 200 halves or 100 poems, the joka if you have it"
    )
    importing.add_argument("--name", help="name of the voice (default: the folder's name)")
    importing.add_argument(
        "--check-only", action="store_true", help="only report what was found, write nothing"
    )
    add_output(importing, "--json", type=Path, metavar="OUT", help="write the report to this file as JSON")


def run(arguments: argparse.Namespace) -> int:
    """List the voices, or import one; return 1 if the recordings do not make a voice."""
    return _list() if arguments.action == "list" else _import(arguments)


def _list() -> int:
    from recitation.voices.catalogue import voice_names

    sys.stdout.writelines(f"{name}\n" for name in voice_names(voice_folders()))
    return 0


def _import(arguments: argparse.Namespace) -> int:
    from desk.commands.progress_line import Counted
    from recitation.imports.importer import Stage, import_voice
    from recitation.reading.rhythm import AS_RECORDED
    from recitation.voices.catalogue import BUILT_IN, CHIME, PLAIN, pack_path

    folder: Path = arguments.folder
    if not folder.is_dir():
        raise DeskError("expected a folder of recordings, but {folder} is not a folder", folder=folder)
    name = arguments.name or folder.resolve().name
    if not _NAME.fullmatch(name) or is_device(name) or name in {*BUILT_IN, PLAIN, CHIME}:
        raise DeskError(
            "a voice's name has up to 40 letters, digits, '.', '-' or '_', and is not "
            "{built_in}, {plain}, {chime} or a device of Windows such as con, got {name!r}; "
            "choose one with --name",
            built_in=", ".join(BUILT_IN),
            plain=PLAIN,
            chime=CHIME,
            name=name,
        )
    path = pack_path(name, AS_RECORDED, own_voices_folder())
    if path.is_file() and not (arguments.replace or arguments.check_only):
        raise DeskError(
            "there is a voice {name!r} already: choose another --name, or add --replace", name=name
        )
    told = {Stage.CHECKING: Counted("halves listened to"), Stage.WRITING: Counted("halves written")}
    report = import_voice(
        folder,
        name,
        own_voices_folder(),
        check_only=arguments.check_only,
        progress=lambda stage, done, total: told[stage](done, total),
    )
    write_json(arguments.json, report.as_json())
    sys.stdout.write(_report_text(report, name))
    return 0 if report.is_fit else 1


def _report_text(report: ImportReport, name: str) -> str:
    lines = [f"{one.file}: {one.what}" for one in report.problems]
    if report.convention is not None:
        lengths = ", ".join(f"{half} {length_s:.1f} s" for half, length_s in report.lengths_s.items())
        lines.append(f"files named as {report.convention}: {report.clips} halves are fit ({lengths})")
        lines.append(
            f"{report.heard} of them were heard to say what their names say"
            if report.heard
            else "no half could be recognised, so no name could be checked: listen to a few files yourself"
        )
    if report.missing:
        lines.append(f"missing: {', '.join(report.missing)}")
    if report.imported:
        lines.append(f"imported; try: shinpan recite --voice {name} --rhythm as-recorded")
    elif report.is_fit:
        lines.append("fit to be imported")
    else:
        lines.append("nothing was imported")
    return "".join(f"{line}\n" for line in lines)
