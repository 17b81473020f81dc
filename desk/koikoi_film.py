"""Watches the recording of a Koi-Koi table and judges what is played there."""

from __future__ import annotations

import json
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.deck import Deck
from calibration.deck_enrolment import INDEX, enrol_folder
from desk.decks import open_deck
from desk.errors import DeskError
from desk.koikoi_look import look_of
from desk.koikoi_scribe import Scribe
from referee.cards.hanafuda import HANAFUDA
from referee.koikoi.events import Call
from referee.koikoi.ruleset import RuleSet
from vision.card_gallery import CardGallery
from vision.recording import RecordingError, load_recording
from vision.sources.video import VideoError, VideoSource
from vision.table_watcher import CardGlimpsed, TableSettled, TableWatcher
from vision.table_zones import TableZones, zones_of

NEXT_ROUND = "next_round"


@dataclass(frozen=True, slots=True)
class Declaration:
    """A line of `declarations.jsonl`."""

    t_ms: float
    player: int
    what: str


@dataclass(frozen=True, slots=True, eq=False)
class KoiKoiRecording:
    """A recording of a Koi-Koi table.

    Attributes
    ----------
    video : the film.
    rules : the name of its ruleset, or the path of a TOML file.
    players, dealer : how many play, and who deals first.
    deck : the cards.
    zones : the table.
    declarations : what was declared, in the order of time.
    """

    video: Path
    rules: str
    players: int
    dealer: int
    deck: Deck
    zones: TableZones
    declarations: tuple[Declaration, ...]


def load_koikoi(folder: Path) -> KoiKoiRecording:
    """Read and check a recording's folder.

    Raises
    ------
    DeskError
        Where something is missing or cannot be understood.
    """
    path = folder / "recording.toml"
    try:
        recording = load_recording(folder)
        head = tomllib.loads(path.read_text("utf-8"))
        zones = zones_of(_section(head, "table", path), f"{path}: [table]")
    except RecordingError as error:
        raise DeskError(str(error)) from error
    players, dealer = _number(head, "players", path), _number(head, "dealer", path)
    strips = sum(zone.name == "capture" for zone in zones.zones)
    if strips < players:
        raise DeskError(
            f"{path}: [table] capture needs a rectangle for each of {players} players, got {strips}"
        )
    if dealer >= players:
        raise DeskError(f"{path}: dealer is a seat 0..{players - 1}, got {dealer}")
    rules = head.get("rules", "kasu-2008")
    house = folder / str(rules)
    return KoiKoiRecording(
        recording.video,
        str(house) if house.suffix == ".toml" and house.is_file() else str(rules),
        players,
        dealer,
        _deck(folder, _section(head, "deck", path)),
        zones,
        tuple(_declarations(folder / "declarations.jsonl", players)),
    )


@dataclass(frozen=True, slots=True)
class Watched:
    """A recording that was watched to its end.

    Attributes
    ----------
    scribe : what was written down.
    looks : the table each time it had come to rest.
    frames, video_s, cpu_s : how much film, and what watching it cost.
    """

    scribe: Scribe
    looks: tuple[TableSettled, ...]
    frames: int
    video_s: float
    cpu_s: float


def watch(recording: KoiKoiRecording, rules: RuleSet) -> Watched:
    """Watch a recording from its beginning to its end.

    Raises
    ------
    DeskError
        Where the video cannot be read or its table is never seen.
    """
    started_ns = time.process_time_ns()
    watcher = TableWatcher(CardGallery.of(recording.deck), recording.zones, glimpse_at=("turn",))
    scribe = Scribe(rules, recording.players, recording.dealer)
    waiting = list(recording.declarations)
    looks: list[TableSettled] = []
    frames, first_ns, last_ns = 0, None, 0
    try:
        for frame in VideoSource(recording.video):
            while waiting and waiting[0].t_ms * 1e6 <= frame.t_ns:
                _declare(scribe, waiting.pop(0))
            for fact in watcher.feed(frame):
                _tell(scribe, fact, recording)
                if isinstance(fact, TableSettled):
                    looks.append(fact)
            first_ns = frame.t_ns if first_ns is None else first_ns
            frames, last_ns = frames + 1, frame.t_ns
    except VideoError as error:
        raise DeskError(str(error)) from error
    if watcher.plane is None:
        raise DeskError(
            f"{recording.video}: the table was never seen: its four markers (4x4 ArUco, numbers 0 to 3 "
            "clockwise from the upper left) must be in view while nothing moves"
        )
    for declaration in waiting:
        _declare(scribe, declaration)
    scribe.close()
    cpu_s = (time.process_time_ns() - started_ns) / 1e9
    return Watched(scribe, tuple(looks), frames, (last_ns - (first_ns or 0)) / 1e9, cpu_s)


def _tell(scribe: Scribe, fact: TableSettled | CardGlimpsed, recording: KoiKoiRecording) -> None:
    if isinstance(fact, TableSettled):
        scribe.look(look_of(fact, recording.zones, recording.players))
    else:
        scribe.glimpse(HANAFUDA[fact.card_id].index)


def _declare(scribe: Scribe, declaration: Declaration) -> None:
    if declaration.what == NEXT_ROUND:
        scribe.next_round(declaration.t_ms)
    else:
        scribe.declare(declaration.t_ms, declaration.player, Call(declaration.what))


def _section(head: dict[str, Any], name: str, path: Path) -> dict[str, Any]:
    section = head.get(name)
    if not isinstance(section, dict):
        raise DeskError(f"{path}: expected a section [{name}]")
    return section


def _number(head: dict[str, Any], key: str, path: Path) -> int:
    value = head.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise DeskError(f"{path}: {key} must be a whole number from 0 on, got {value!r}")
    return value


def _deck(folder: Path, section: dict[str, Any]) -> Deck:
    """Return the deck that `enrol` names: a folder of pictures in the recording, or an enrolled deck."""
    name = section.get("enrol")
    if not isinstance(name, str) or not name:
        raise DeskError(
            f"{folder / 'recording.toml'}: [deck] enrol must name a folder or a deck, got {name!r}"
        )
    if not (folder / name / INDEX).is_file():
        return open_deck(str(folder / name) if (folder / name).exists() else name)
    enrolled = enrol_folder(folder / name, "hanafuda", "recording")
    if not enrolled:
        problems = "\n  ".join(enrolled.problems)
        raise DeskError(f"the deck in {folder / name} cannot be used:\n  {problems}")
    return enrolled


def _declarations(path: Path, players: int) -> Iterator[Declaration]:
    """Read the declarations in the order of time; a recording without any has none."""
    if not path.is_file():
        return
    words = (*(call.value for call in Call), NEXT_ROUND)
    rows = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if line.strip():
            rows.append(_declaration(line, f"{path} line {number}", players, words))
    yield from sorted(rows, key=lambda row: row.t_ms)


def _declaration(line: str, place: str, players: int, words: tuple[str, ...]) -> Declaration:
    expected = 'expected {"t_ms": 51200, "player": 0, "what": "koikoi"}'
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise DeskError(f"{place} is not JSON ({error.msg}): {expected}, got {line!r}") from error
    row = row if isinstance(row, dict) else {}
    t_ms, player, what = row.get("t_ms"), row.get("player"), row.get("what")
    if not isinstance(t_ms, int | float) or isinstance(t_ms, bool) or t_ms < 0:
        raise DeskError(f"{place}: t_ms must be a number of milliseconds from 0, {expected}, got {line!r}")
    if not isinstance(player, int) or isinstance(player, bool) or not 0 <= player < players:
        raise DeskError(f"{place}: player is a seat 0..{players - 1}, got {player!r}")
    if what not in words:
        raise DeskError(f"{place}: what is one of {', '.join(words)}, got {what!r}")
    return Declaration(float(t_ms), player, what)
