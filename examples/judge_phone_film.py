"""Referee a film from a phone: one row for each poem, in a table that any spreadsheet opens.

    uv run python examples/judge_phone_film.py clip.mp4 rulings.csv --poems 17,46

Without `--poems` the poems are found in the film's sound. What is in doubt says `review`: show it to
a person.
"""

import argparse
import csv
import sys
from pathlib import Path
from typing import Any

from desk.errors import DeskError
from desk.films.judgement import FilmHints, judge_film
from referee.cards.poems import POEMS

COLUMNS = ("poem", "kimariji", "read at s", "status", "taken by", "after ms", "faults near", "faults far")


def main() -> int:
    """Judge the film that the command line names."""
    parser = argparse.ArgumentParser(description="referee a phone's film into a table")
    parser.add_argument("film", type=Path)
    parser.add_argument("table", type=Path, help="the CSV file to write")
    parser.add_argument("--poems", type=poem_numbers, default=(), help="what is read in it, such as 17,46")
    parser.add_argument("--fps", type=float, help="pictures a second of slow motion, where the film hides it")
    asked = parser.parse_args()
    try:
        film = judge_film(asked.film, FilmHints(filmed_fps=asked.fps, poems=asked.poems))
    except DeskError as error:  # the film leaves something open, or cannot be read: it says what to do
        sys.exit(str(error))
    if film.game != "karuta":
        sys.exit(f"{asked.film} shows {film.game}, and this table is for karuta: shinpan judge takes it")
    try:
        write_table(asked.table, film.judged["poems"])
    except OSError as error:
        sys.exit(f"{asked.table} cannot be written: {error.strerror}")
    return 0


def poem_numbers(text: str) -> tuple[int, ...]:
    """Return the poems that a text such as `17,46` names."""
    try:
        poems = tuple(POEMS[int(number)].number for number in text.split(","))
    except (ValueError, KeyError):
        raise argparse.ArgumentTypeError(
            f"expected poems from 1 to 100 such as 17,46, got {text!r}"
        ) from None
    return poems


def write_table(path: Path, poems: list[dict[str, Any]]) -> None:
    """Write what was judged, in UTF-8 with the mark by which spreadsheets know it."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        table.writerows(map(row_of, poems))


def row_of(poem: dict[str, Any]) -> list[object]:
    """Return the row of one judged poem."""
    ruling = poem["ruling"]
    # from the first sound to the taker's first proven contact with the card that was read
    contacts = [
        touch["t_ms"] - poem["t_ms"]
        for touch in poem["touches"]
        if touch["card"] == poem["poem"] and touch["player"] == ruling["taken_by"]
    ]
    after_ms = round(min(contacts), 1) if ruling["taken_by"] and contacts else ""
    kimariji, faults = POEMS[poem["poem"]].kimariji, ruling["faults"]
    return [
        poem["poem"],
        kimariji,
        round(poem["t_ms"] / 1000, 2),
        ruling["status"],
        ruling["taken_by"] or "",
        after_ms,
        faults["near"],
        faults["far"],
    ]


if __name__ == "__main__":
    sys.exit(main())
