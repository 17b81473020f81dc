"""Small valid inputs for every command that reads something from others, and how each is called."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import soundfile

from calibration.decks.deck_file import save_deck
from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.events import MatchOpened
from desk.log.event_log import EventLog
from desk.log.jsonl_file import exported_lines
from desk.tables.source_kind import Source
from recitation.reading.phrase import Half, Phrase
from recitation.reading.rhythm import parse_rhythm
from recitation.sound.clip import Clip
from recitation.voices.pack import writing_pack
from referee.facts import FieldSettled, PoemStarted, Touch
from referee.karuta.flow.events import Event, MemoriseEnded, MemoriseStarted, PoemFinished
from referee.karuta.flow.state import Settings
from referee.karuta.ruleset import KYOGI
from referee.koikoi.house_rules import preset
from referee.notation import parse_layout
from referee.rules_listing import listing
from referee.sides import Side
from vision.frames.decoding import decoded
from vision.simulator.art.kendo.deck import drawn_kendo_deck

MS = 1_000_000
KOIKOI_EVENTS: tuple[dict[str, Any], ...] = (
    {"kind": "deal", "round": 1, "players": 2, "dealer": 0, "field": [0, 4, 8, 12, 16, 20, 24, 28],
     "hands": [[1, 5, 9, 13, 17, 21, 25, 29], [2, 6, 10, 14, 18, 22, 26, 30]]},
    {"kind": "play", "player": 0, "card": 1, "taken": [1, 0]},
    {"kind": "draw", "player": 0, "card": 40, "taken": []},
    {"kind": "play", "player": 1, "card": 6, "taken": [6, 4]},
    {"kind": "draw", "player": 1, "card": 41, "taken": [41, 40]},
    {"kind": "declare", "player": 0, "what": "koikoi"},
    {"kind": "end"},
)  # fmt: skip
KENDO_EVENTS: tuple[dict[str, Any], ...] = (
    {"kind": "open", "player": 0},
    {"kind": "play", "player": 0, "cards": ["men_uchi"]},
    {"kind": "exchange", "player": 0},
    {"kind": "draw", "player": 0, "deck": "red"},
    {"kind": "play", "player": 1, "cards": ["kote>do"]},
    {"kind": "pass", "player": 0},
    {"kind": "declare", "player": 0, "what": "cede"},
)
RECORDING = """format = 1
game = "karuta"
video = "video.mkv"
audio = "sound.flac"
rules = "kyogi"
[camera]
fps = 30.0
[microphone]
start_ms = 0.0
distance_mm = 900
"""
TABLE = """format = 1
game = "koikoi"
video = "video.mkv"
players = 2
dealer = 0
rules = "nintendo"
[deck]
enrol = "deck"
[table]
size = [600, 400]
field = [[0, 0, 100, 100]]
"""
SETS_ADDRESS = b"wasuramoti://fudaset/eyJzaGlucGFuIjpbeyJhIjoiNyJ9XX0"


@dataclass(frozen=True, slots=True)
class Target:
    """One command and the one input of it that is damaged.

    Attributes
    ----------
    name : of the row in the table.
    seed : the input as it should be.
    words : the command line; `IN` stands for the damaged file, `DIR` for its folder.
    file : name of the damaged file; `None` gives it to standard input, an empty name puts it into `words`.
    beside : other files of the folder.
    """

    name: str
    seed: bytes
    words: tuple[str, ...]
    file: str | None = "input"
    beside: Mapping[str, bytes] = field(default_factory=dict)


def text_targets(folder: Path) -> tuple[Target, ...]:
    """Return the targets that read text, addresses or logs; `folder` is used while their seeds are made."""
    koikoi, kendo = (_lines(events) for events in (KOIKOI_EVENTS, KENDO_EVENTS))
    log, text = _log(folder)
    rules = preset()
    return (
        Target("koikoi play", koikoi, ("koikoi", "play", "--events", "IN", "--json", "-")),
        Target("koikoi play, stdin", koikoi, ("koikoi", "play", "--events", "-"), None),
        Target(
            "koikoi score", b'{"pile": [0, 8, 44], "own_calls": 1, "month": 3}\n', ("koikoi", "score"), None
        ),
        Target("koikoi rules", listing(rules).encode(), ("koikoi", "rules", "--rules", "IN"), "house.toml"),
        Target("kendo play", kendo, ("kendo", "play", "--events", "IN")),
        Target("kendo play, stdin", kendo, ("kendo", "play", "--events", "-"), None),
        Target("log show", log, ("log", "show", "IN"), "match.sqlite"),
        Target(
            "log export",
            log,
            ("log", "export", "IN", "--jsonl", "DIR/out.jsonl", "--replace"),
            "match.sqlite",
        ),
        Target("log check", log, ("log", "check", "IN", "--repair", "DIR/new.sqlite"), "match.sqlite"),
        Target("log check, text", text, ("log", "check", "IN", "--repair", "DIR/new.sqlite"), "match.jsonl"),
        Target("log import", text, ("log", "import", "IN", "DIR/new.sqlite"), "match.jsonl"),
        Target("replay", log, ("replay", "IN", "--json", "-"), "match.sqlite"),
        Target("sets import", SETS_ADDRESS, ("sets", "import", "IN"), ""),
        Target("sets save", "1,5,20-29,む,colour=blue".encode(), ("sets", "save", "one", "IN"), ""),
    )


def media_targets(folder: Path) -> tuple[Target, ...]:
    """Return the targets that read decks, pictures, films or sound; `folder` as above."""
    reading = _lines([{"poem": 0, "t_ms": 10.0}, {"poem": 17, "t_ms": 150.0}])
    film, flac = _film(folder), sound(folder / "sound.flac")
    recording = {"video.mkv": film, "sound.flac": flac, "reading.jsonl": reading}
    head = RECORDING.encode()
    deck = folder / "deck.zip"
    save_deck(drawn_kendo_deck(), deck)
    return (
        Target("decks show", deck.read_bytes(), ("decks", "show", "IN"), "club.deck.zip"),
        Target("decks import", deck.read_bytes(), ("decks", "import", "IN", "--replace"), "club.deck.zip"),
        Target(
            "enrol",
            b"file,card_id\na.png,01-1\nb.png,01-2\n",
            ("enrol", "--game", "hanafuda", "--name", "x", "DIR"),
            "index.csv",
            {"a.png": picture(".png")},
        ),
        Target(
            "enrol, picture",
            picture(".png"),
            ("enrol", "--game", "hanafuda", "--name", "x", "DIR"),
            "a.png",
            {"index.csv": b"file,card_id\na.png,01-1\n"},
        ),
        Target(
            "identify PNG",
            picture(".png"),
            ("identify", "IN", "--json", "DIR/out.json", "--replace"),
            "photo.png",
        ),
        Target("identify JPEG", picture(".jpg"), ("identify", "IN"), "photo.jpg"),
        Target("identify WebP", picture(".webp"), ("identify", "IN"), "photo.webp"),
        Target("calibrate", picture(".png"), ("calibrate", "--check", "IN", "--json"), "photo.png"),
        Target("judge, head", head, ("judge", "DIR", "--json", "-"), "recording.toml", recording),
        Target("judge, table", TABLE.encode(), ("judge", "DIR"), "recording.toml", {"video.mkv": film}),
        Target(
            "judge, reading",
            reading,
            ("judge", "DIR"),
            "reading.jsonl",
            {**recording, "recording.toml": head},
        ),
        Target("judge, video", film, ("judge", "DIR"), "video.mkv", {**recording, "recording.toml": head}),
        Target("judge, sound", flac, ("judge", "DIR"), "sound.flac", {**recording, "recording.toml": head}),
        Target(
            "listen WAV",
            sound(folder / "a.wav"),
            ("listen", "IN", "--json", "DIR/out.json", "--replace"),
            "a.wav",
        ),
        Target("listen FLAC", flac, ("listen", "IN"), "a.flac"),
        Target("listen Ogg", sound(folder / "a.ogg"), ("listen", "IN"), "a.ogg"),
        Target(
            "voices import",
            sound(folder / "b.wav"),
            ("voices", "import", "DIR", "--check-only"),
            "001-1.wav",
        ),
        Target("voices list", _pack(folder), ("voices", "list"), "data/shinpan/voices/club.zip"),
    )


def lay(target: Target, data: bytes, folder: Path) -> list[str]:
    """Lay a damaged input and what belongs beside it into a fresh folder; return the command line."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, there in {**target.beside, **({target.file: data} if target.file else {})}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(there)
    folder.mkdir(parents=True, exist_ok=True)
    # the words of a command line hold no NUL, and bytes that are no text come as half surrogates
    given = (
        str(folder / target.file)
        if target.file
        else data.replace(b"\0", b"").decode("utf-8", "surrogateescape")
    )
    return [word.replace("DIR", str(folder)).replace("IN", given) for word in target.words]


def match_log(path: Path) -> None:
    """Write the log of a match of four cards whose first poem was judged."""
    opened = MatchOpened(
        "match_1", Source.SIMULATOR, Settings(rules=replace(KYOGI, joka=False), cards_per_side=2)
    )
    layout = parse_layout("near 1 2|/|/| far 3 4|/|/|")
    events: tuple[Event, ...] = (
        FieldSettled(layout, MS), MemoriseStarted(2 * MS), MemoriseEnded(), PoemStarted(1, 1000 * MS, 1),
        Touch(1, Side.NEAR, 1900 * MS, MS), PoemFinished(), FieldSettled(layout.without(1), 3000 * MS),
    )  # fmt: skip
    with EventLog.create(path) as log:
        engine = Engine.begin(log, opened, clock=_steps(), wall=lambda: "2026-01-04T10:00:00.000+09:00")
        for event in events:
            engine.submit(event, Origin.EYE)


def _log(folder: Path) -> tuple[bytes, bytes]:
    path = folder / "seed.sqlite"
    match_log(path)
    with EventLog.read(path) as log:
        text = "".join(exported_lines(log))
    return path.read_bytes(), text.encode()


def _steps() -> Callable[[], int]:
    instants_ns = iter(range(MS, 10**15, MS))
    return lambda: next(instants_ns)


def _lines(values: Any) -> bytes:
    return "".join(json.dumps(value) + "\n" for value in values).encode()


def picture(suffix: str) -> bytes:
    """Return a small picture of two cards, as a file with that suffix holds it."""
    drawn = np.full((120, 160, 3), 60, np.uint8)
    cv2.rectangle(drawn, (20, 20), (62, 80), (240, 244, 246), -1)
    cv2.rectangle(drawn, (90, 30), (132, 90), (240, 244, 246), -1)
    cv2.putText(drawn, "a", (30, 60), cv2.FONT_HERSHEY_SIMPLEX, 1, (10, 10, 10), 2)
    return bytes(cv2.imencode(suffix, drawn)[1])


def _film(folder: Path) -> bytes:
    path = folder / "video.mkv"
    with av.open(str(path), "w", format="matroska") as container:
        stream = container.add_stream("mjpeg", rate=30)
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = 160, 120, "yuvj420p"
        bgr = decoded(picture(".png"), cv2.IMREAD_COLOR)
        assert bgr is not None
        for _ in range(8):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(bgr, format="bgr24")))
        container.mux(stream.encode(None))
    return path.read_bytes()


def sound(path: Path) -> bytes:
    """Write a tenth of a second of a tone and return the file."""
    wave = np.sin(np.arange(4800, dtype=np.float32) * 0.05) * 0.3
    soundfile.write(path, wave, 48_000)
    return path.read_bytes()


def _pack(folder: Path) -> bytes:
    path = folder / "club.zip"
    wave = np.sin(np.arange(4800, dtype=np.float32) * 0.05) * 0.3
    with writing_pack(path, "club", parse_rhythm("4-3-1-5"), 0.9) as writer:
        writer.add(Phrase(1, Half.KAMI), Clip(wave, ()))
    return path.read_bytes()
