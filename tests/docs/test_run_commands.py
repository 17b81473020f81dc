"""Every command of the program that a page shows is run as it stands, or a table says why it cannot be."""

import re
import shutil
from collections.abc import Iterable
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
import soundfile
from numpy.typing import NDArray

from calibration.decks.deck import deck_game
from desk.commands.cli import main
from desk.log.jsonl_file import import_jsonl
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import SAMPLE_RATE
from recitation.reading.rhythm import DEFAULT
from recitation.voices.catalogue import find_voice
from tests.desk.films.spoken_film import phone_film, reading_sound
from tests.docs.shown_commands import PAGES, ROOT, is_ours, refusal, shown_commands
from vision.recordings.recording import load_recording
from vision.simulator import single_poem, write_recording

EXAMPLE = "docs/reference/formats/examples/match.jsonl"
UNRUN = {
    r"demo .*--cards": "plays a match for a minute or more; .ci/package runs it",
    r"demo$|(serve|practise|koikoi live)\b": "shows a page until Ctrl-C; tests/e2e opens these pages",
    r"(calibrate|watch) (0|phone)\b|calibrate --latency|enrol .*--camera": "looks through a camera",
    r"recite\b(?!.* --render)": "reads aloud until the last poem; tests/desk/reciter does so without sound",
    r"listen --mic": "listens to a microphone",
    r"judge .*--fps 240": "judges 240 pictures a second; tests/desk/films does so with fewer",
    r"hall up .*--start|hall (board|read)\b": "runs until Ctrl-C; tests/desk/hall runs it",
    r"hall (backup|restore|streams|delay|work|forget)\b": "asks a hall's servers; tests/desk/hall runs them",
    r"judge .*--camera": "needs the measurements of a hall's camera; tests/desk/films makes them",
    r"trials (pack|table|labels)\b": "needs a hall's films; tests/desk/commands/test_trials.py makes some",
}
"""What begins like this is only given to its parser, and why."""
SLOW = (
    r"judge (?!RECORDING)",
    r"demo .*--game",
    r"recite --render",
    r"listen (?!--mic)",
    r"voices import",
    r"enrol .*--(photos|game)",
    r"calibrate --print",
    r"hall up --nodes",
)
"""What begins like this computes for seconds: films, matches, sound."""
NEGATIVE = (r"doctor", r"voices import")
"""What may end with 1 here: the machine lacks something, two recordings make no voice of a hundred poems."""
SAME = {
    "FILE": "evening.m4a",
    "FILM": "clip.mp4",
    "film.mp4": "clip.mp4",
    "FOLDER": "RECORDING",
    "disputed": "RECORDING",
    "NAME": "club",
    "match.sqlite": "MATCH.sqlite",
}
"""What is put in place of a word, as a reader would; `enrol` and `voices import` take folders."""
WRITES_LAST = (r"log import", r"decks (export|sheet)", r"(koikoi|kendo) mat")
MAKES_A_DECK = (r"enrol", r"decks import")
WRITES_NEXT = ("--json", "--jsonl", "--csv", "--save", "--results", "--repair", "--print", "--render")

Picture = NDArray[np.uint8]
Words = tuple[str, ...]
SHOWN: list[Words] = list(
    dict.fromkeys(
        shown.words[1:]
        for page in PAGES
        if page.relative_to(ROOT).parts[0] != "benchmarks"  # those measure, for minutes and hours
        for shown in shown_commands(page)
        if is_ours(shown) and not refusal(shown.words) and (shown.is_whole or len(shown.words) > 2)
    )
)


def begins(words: Words, starts: Iterable[str]) -> bool:
    """Tell whether a command begins like one of these."""
    return any(re.match(start, " ".join(words)) for start in starts)


HAS_HALL = find_spec("nats") is not None  # the extra `hall`
RUN = [words for words in SHOWN if not begins(words, UNRUN) and (HAS_HALL or words[0] != "hall")]
QUICK = [words for words in RUN if not begins(words, SLOW)]


@pytest.fixture(scope="module")
def things(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a reader has at hand, by the names on the pages: a recording, cards, matches, a deck."""
    folder = tmp_path_factory.mktemp("things")
    write_recording(single_poem("own", 2, 15, (640, 360), cards_per_side=4), folder / "RECORDING")
    write_cards("hanafuda", folder)
    (folder / "PHOTO").write_bytes(photo_of(list(card_pictures("hanafuda").values())[:4], 4))
    nobody, both = '"far": null, "near": null', '"far": "Ken", "near": "Hana"'
    played = (ROOT / EXAMPLE).read_text("utf-8").replace(nobody, both, 1)
    played = played.replace('"source": "simulator"', '"source": "camera"', 1)  # the book counts no simulation
    for name in ("match.jsonl", EXAMPLE):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(played, "utf-8")
    kept = folder / "data" / "shinpan" / "matches"
    kept.mkdir(parents=True)
    import_jsonl(folder / "match.jsonl", kept / "MATCH.sqlite").close()
    for name in ("MATCH.sqlite", "restored.sqlite"):
        shutil.copy(kept / "MATCH.sqlite", folder / name)
    with pytest.MonkeyPatch.context() as here:
        here.setenv("XDG_DATA_HOME", str(folder / "data"))
        assert main(["enrol", "--name", "club", str(folder / "cards of hanafuda")]) == 0
        assert main(["decks", "export", "club", str(folder / "club.deck.zip")]) == 0
    return folder


@pytest.fixture(scope="module")
def films(things: Path) -> None:
    """Add what only long commands ask for: films of a phone, a reader's recordings, a photo of a deck."""
    match = write_recording(single_poem("own", 2, 30, (640, 360), cards_per_side=6), things / "filmed")
    (reading,) = load_recording(match).readings
    phone_film(match, things / "clip.mp4", reading_sound([(reading.t_ms / 1e3, reading.poem)], 6.5))
    for game in ("karuta", "kendo"):
        write_cards(game, things)
    (things / "my-recordings").mkdir()
    quiet, voice = np.zeros(SAMPLE_RATE, np.float32), find_voice("high", DEFAULT)
    for name, half in (("evening.flac", Half.KAMI), ("054a.flac", Half.KAMI), ("054b.flac", Half.SHIMO)):
        wave = np.concatenate([quiet, voice.clip(Phrase(54, half)).wave, quiet, quiet])
        soundfile.write(things / "my-recordings" / name, wave, SAMPLE_RATE)
    photo = photo_of(list(card_pictures("hanafuda").values()), 8)
    (things / "all.jpg").write_bytes(photo)  # the content tells the format, not the name
    (things / "my-recordings" / "evening.flac").rename(things / "evening.m4a")


def write_cards(game: str, folder: Path) -> None:
    """Write the folder from which a game's deck is enrolled."""
    own, lines = folder / f"cards of {game}", ["file,card_id"]
    own.mkdir()
    for number, (card, picture) in enumerate(card_pictures(game).items()):
        cv2.imwrite(str(own / f"{number:03}.png"), picture)
        lines.append(f"{number:03}.png,{card}")
    (own / "index.csv").write_text("\n".join(lines))


def card_pictures(game: str) -> dict[str, Picture]:
    """Return a picture of each card of a game: blocks of any colours."""
    kind = deck_game(game)
    width_mm, height_mm = kind.card_size_mm
    size_px = (100, round(100 * height_mm / width_mm))
    pictures = {}
    for number, card in enumerate(kind.card_ids):
        blocks = np.random.default_rng(number).integers(0, 256, (8, 5, 3)).astype(np.uint8)
        pictures[card] = np.asarray(cv2.resize(blocks, size_px, interpolation=cv2.INTER_NEAREST), np.uint8)
    return pictures


def photo_of(cards: list[Picture], in_a_row: int) -> bytes:
    """Return a photo of cards that lie apart on a gray table, in rows."""
    around = ((30, 30), (30, 30), (0, 0))
    framed = [np.pad(card, around, constant_values=150) for card in cards]
    rows = [np.hstack(framed[first : first + in_a_row]) for first in range(0, len(cards), in_a_row)]
    return cv2.imencode(".png", np.vstack(rows))[1].tobytes()


def test_quick_commands_run(things: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused(QUICK, things, tmp_path, monkeypatch) == {}


@pytest.mark.slow
def test_long_commands_run(
    things: Path, films: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert refused([words for words in RUN if words not in QUICK], things, tmp_path, monkeypatch) == {}


def refused(
    commands: list[Words], things: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[Words, int]:
    """Return the commands that ended with an unexpected exit code."""
    codes = {}
    for number, words in enumerate(commands):
        code = run(words, things, folder / str(number), monkeypatch)
        if code and not (code == 1 and begins(words, NEGATIVE)):
            codes[words] = code
    return codes


def run(words: Words, things: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """Run a command beside what it names, with a data folder of its own; return its exit code."""
    ignored = shutil.ignore_patterns("decks") if begins(words, MAKES_A_DECK) else None
    shutil.copytree(things / "data", place / "data", ignore=ignored)
    monkeypatch.setenv("XDG_DATA_HOME", str(place / "data"))
    monkeypatch.chdir(place)
    typed = [thing_named(word, words).replace("/srv", str(place)) for word in words]
    for before, word in pairwise(["", *typed]):
        is_last = word is typed[-1]
        written = before in WRITES_NEXT or (is_last and begins(words, WRITES_LAST))
        if not written and not word.startswith(("-", "/")):
            lay_out(things / word, place / word)
    try:
        return main(typed)
    except SystemExit as ended:  # --help
        return int(ended.code or 0)


def thing_named(word: str, words: Words) -> str:
    """Return the name of what a reader puts in place of a word of a command."""
    if words[0] == "enrol" and word == "FOLDER":
        return f"cards of {words[words.index('--game') + 1] if '--game' in words else 'hanafuda'}"
    if words[:2] == ("voices", "import") and word == "FOLDER":
        return "my-recordings"
    return SAME.get(word, word)


def lay_out(thing: Path, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    if thing.is_dir():
        shutil.copytree(thing, place)
    elif thing.is_file():
        shutil.copy(thing, place)


def test_every_account_is_of_a_command() -> None:
    texts = [" ".join(words) for words in SHOWN]
    for start in (*UNRUN, *SLOW, *NEGATIVE, *WRITES_LAST):
        assert any(re.match(start, text) for text in texts), start
    assert {word for words in RUN for word in words} >= set(SAME)
