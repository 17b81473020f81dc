"""The folder of results: one file for each recording, and a summary of all.

A result is the JSON of `shinpan judge` with an additional `archive`: the recording's name, its key, and the
seconds that judging took. Its file is named by recording and key, and written whole or not at all.
"""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from calibration.files import json_text
from calibration.files.storage import keep_text
from calibration.files.text import TextFileError, read_text
from desk.archive.judgement import counts_of
from desk.errors import DeskError

SUMMARY: Final = "summary.json"


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary of one recording."""

    recording: str
    result: str = ""  # the result's file in the folder; empty if there is none
    game: str = ""  # karuta, koikoi or kendo; empty if it could not be judged
    seconds: float = 0.0  # seconds that judging took, in this or an earlier run
    counts: dict[str, int] | None = None  # what was judged, and what a person has to look at
    problem: str = ""  # why there is no result, one line; empty if there is one


def open_folder(folder: Path) -> Path:
    """Make the folder of results if it is missing; DeskError if that is not possible."""
    with DeskError.wrapping("{folder} cannot be a folder of results: {why}", OSError, folder=folder):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def result_path(folder: Path, name: str, key: str) -> Path:
    """Return the file of the result of a recording with this key."""
    plain = re.sub(r"[^\w.-]+", "_", name).strip("._") or "recording"
    return folder / f"{plain[-80:]}-{key[:16]}.json"


def keep_result(
    path: Path, judged: dict[str, Any], *, name: str, key: str, game: str, seconds: float
) -> Summary:
    """Write a result, whole or not at all, and return its summary."""
    archive = {"recording": name, "key": key, "game": game, "seconds": round(seconds, 2)}
    keep_text(path, f"{json_text.dump({**judged, 'archive': archive}, indent=1)}\n")
    return Summary(name, path.name, game, round(seconds, 2), counts_of(game, judged))


def known_result(path: Path, key: str) -> Summary | None:
    """Return the summary of an existing result; None if there is none, or it belongs to another key."""
    try:
        judged = json_text.parse(read_text(path))
        archive = judged["archive"]
        if archive["key"] != key:
            return None
        game, seconds = archive["game"], archive["seconds"]
        return Summary(archive["recording"], path.name, game, seconds, counts_of(game, judged))
    except (OSError, TextFileError, ValueError, LookupError, TypeError):
        return None  # it is judged again and written anew


def keep_summary(folder: Path, rows: Sequence[Summary]) -> None:
    """Write the summary of all recordings."""
    judged = [row for row in rows if row.result]
    totals: dict[str, int] = {}
    for row in judged:
        for what, number in (row.counts or {}).items():
            totals[what] = totals.get(what, 0) + number
    said = {
        "recordings": len(rows), "judged": len(judged), "failed": len(rows) - len(judged), "totals": totals,
        "results": [asdict(row) for row in rows],
    }  # fmt: skip
    keep_text(folder / SUMMARY, f"{json_text.dump(said, indent=1)}\n")
