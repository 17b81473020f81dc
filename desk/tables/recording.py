"""The parts that recordings of all card tables share: sections, the deck, the declarations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.decks.deck import Deck
from calibration.decks.deck_file import MANIFEST
from calibration.decks.enrolment import FailedEnrolment, enrol_folder
from calibration.decks.index import index_in
from calibration.files import json_text
from calibration.files.folders import within
from calibration.files.text import TextFileError, lines_of, read_text
from desk.errors import DeskError
from desk.machine.decks import open_deck
from referee import toml_text
from referee.complaint import sentence_of
from referee.sentence import Sentence
from vision.plane.zones import TableZones, zones_of
from vision.recordings.recording import RecordingError, is_number, load_recording


@dataclass(frozen=True, slots=True)
class Declaration:
    """A line of `declarations.jsonl`."""

    t_ms: float
    player: int
    what: str


@dataclass(frozen=True, slots=True, eq=False)
class TableRecording:
    """A recording of a card table."""

    path: Path  # its `recording.toml`
    head: Mapping[str, Any]
    video: Path  # the film
    rules: str  # the name of its ruleset, or the path of a TOML file
    deck: Deck
    zones: TableZones
    # pictures per second at which slow motion was filmed, None if the file's times are true
    filmed_fps: float | None = None
    players: int = 2
    dealer: int | None = None  # the first dealer, None if nobody has said
    words: tuple[Declaration, ...] = ()

    def number(self, key: str) -> int:
        value = self.head.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise DeskError(
                "{path}: {key} must be a whole number from 0 on, got {value!r}",
                path=self.path,
                key=key,
                value=value,
            )
        return value

    def need_zones(self, name: str, number: int) -> None:
        there = sum(zone.name == name for zone in self.zones.zones)
        if there < number:
            raise DeskError(
                "{path}: [table] {name} needs a rectangle for each of {number} players, got {there}",
                path=self.path,
                name=name,
                number=number,
                there=there,
            )


def load_table(folder: Path, rules: str) -> TableRecording:
    """Read a recording's folder; without rules of its own it has these. DeskError if something is wrong."""
    path = folder / "recording.toml"
    with DeskError.wrapping("", RecordingError):
        recording = load_recording(folder)
        head = toml_text.parse(read_text(path))
        zones = zones_of(_section(head, "table", path), f"{path}: [table]")
    named = str(head.get("rules", rules))
    house = _named(folder, named)
    ruleset = str(house) if house.suffix == ".toml" and house.is_file() else named
    deck = _deck(folder, _section(head, "deck", path), recording.game)
    return TableRecording(path, head, recording.video, ruleset, deck, zones, recording.filmed_fps)


def read_zones(path: Path) -> TableZones:
    """Read the zones of a table from a TOML file with the section `[table]` of a recording, or DeskError."""
    try:
        section = toml_text.parse(read_text(path)).get("table")
        if not isinstance(section, dict):
            raise DeskError("{path}: expected a section [table]", path=path)
        return zones_of(section, str(path))
    except (OSError, TextFileError, ValueError, RecordingError) as error:
        raise DeskError("--table {path}: {why}", path=path, why=sentence_of(error)) from error


def declarations_in(folder: Path, players: int, words: Sequence[str]) -> tuple[Declaration, ...]:
    """Read the declarations, if any, in order of time; DeskError if a line is wrong."""
    path = folder / "declarations.jsonl"
    if not path.is_file():
        return ()
    rows = (
        _declaration(line, f"{path} line {number}", players, words)
        for number, line in enumerate(lines_of(read_text(path)), 1)
        if line.strip()
    )
    return tuple(sorted(rows, key=lambda row: row.t_ms))


def _section(head: dict[str, Any], name: str, path: Path) -> dict[str, Any]:
    section = head.get(name)
    if not isinstance(section, dict):
        raise DeskError("{path}: expected a section [{name}]", path=path, name=name)
    return section


def _deck(folder: Path, section: dict[str, Any], game: str) -> Deck:
    """Return the deck named by `enrol`: a folder of pictures in the recording, or an enrolled deck."""
    name = section.get("enrol")
    if not isinstance(name, str) or not name:
        raise DeskError(
            "{file}: [deck] enrol must name a folder or a deck, got {name!r}",
            file=folder / "recording.toml",
            name=name,
        )
    kept = _named(folder, name)
    if index_in(kept) is None:
        return open_deck(str(kept) if kept.is_file() or (kept / MANIFEST).is_file() else name)
    enrolled = enrol_folder(kept, "hanafuda" if game == "koikoi" else game, "recording")
    if isinstance(enrolled, FailedEnrolment):
        problems = "\n  ".join(enrolled.problems)
        raise DeskError("the deck in {kept} cannot be used:\n  {problems}", kept=kept, problems=problems)
    return enrolled


def _named(folder: Path, name: str) -> Path:
    with DeskError.wrapping("{file}: {why}", ValueError, file=folder / "recording.toml"):
        return within(folder, name)


def _declaration(line: str, place: str, players: int, words: Sequence[str]) -> Declaration:
    example = f'{{"t_ms": 51200, "player": 0, "what": "{words[0]}"}}'
    expected = Sentence("expected {example}", example=example)
    with DeskError.wrapping(
        "{place} is not JSON ({why}): {expected}, got {line!r}",
        ValueError,
        place=place,
        expected=expected,
        line=line[:80],
    ):
        row = json_text.parse(line)
    row = row if isinstance(row, dict) else {}
    t_ms, player, what = row.get("t_ms"), row.get("player"), row.get("what")
    if not is_number(t_ms) or t_ms < 0:
        raise DeskError(
            "{place}: t_ms must be a number of milliseconds from 0, {expected}, got {line!r}",
            place=place,
            expected=expected,
            line=line,
        )
    if not isinstance(player, int) or isinstance(player, bool) or not 0 <= player < players:
        raise DeskError(
            "{place}: player is a seat 0..{last}, got {player!r}",
            place=place,
            last=players - 1,
            player=player,
        )
    if not isinstance(what, str) or what not in words:
        raise DeskError(
            "{place}: what is one of {words}, got {what!r}", place=place, words=", ".join(words), what=what
        )
    return Declaration(float(t_ms), player, what)
