"""A person who is forgotten is in no byte of any file that the program wrote; all else stays."""

import gzip
import io
import json
import random
import re
import subprocess
import sys
import unicodedata
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.crash import koikoi_script
from desk.book.book import Book
from desk.commands.cli import main
from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.events import Remark
from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.events import GameOpened
from desk.log.event_log import EventLog, LogEntry
from desk.practice.events import CODEC as PRACTICE_CODEC
from desk.practice.events import PracticeOpened
from desk.shelf import erasure
from desk.shelf.entry import keep_entry, new_entry
from desk.tables import person
from desk.tables.person import Person, is_in_file
from desk.tables.source_kind import Source
from desk.tournament.desk import TournamentDesk
from referee.koikoi.house_rules import preset
from referee.sides import BySide
from referee.tournament.division import Division, Entrant, System
from referee.tournament.events import DivisionOpened, EntrantEntered, TournamentOpened
from tests.desk.karuta.karuta_script import OPENED, WALL, ScriptedClock, play, whole_match

NAME = "がもうベルタÜ 様子"
OTHER = "Ken"
CLEARLY = Source.CAMERA


SPELLINGS = (
    NAME,
    unicodedata.normalize("NFD", NAME),
    "がもうﾍﾞﾙﾀÜ　様子",  # half-width kana, as an old keyboard gives them, and a wide space
    "がもうﾍﾞﾙﾀU\u0308  様子",
)


def forms() -> list[bytes]:
    texts = {*SPELLINGS, *(each.split(maxsplit=1)[0] for each in SPELLINGS)}
    escaped = {json.dumps(text)[1:-1] for text in texts}
    texts |= escaped | {re.sub(r"(?<=\\u)....", lambda sign: sign[0].upper(), text) for text in escaped}
    return [text.encode(encoding) for text in texts for encoding in ("utf-8", "utf-16-le", "utf-16-be")]


def holding(folder: Path) -> list[Path]:
    """Return the files with the name in them, or in their own names."""
    wanted = set(forms())
    found = []
    for path in sorted(folder.rglob("*")):
        content = str(path.relative_to(folder)).encode() + (path.read_bytes() if path.is_file() else b"")
        if any(form in content for form in wanted):
            found.append(path)
    return found


def match(path: Path, near: str | None, remark: str) -> None:
    opened = replace(OPENED, id=path.stem, source=CLEARLY, names=BySide(near, OTHER))
    with EventLog.create(path) as log:
        engine = Engine.begin(log, opened, clock=ScriptedClock(), wall=lambda: WALL)
        play(engine, whole_match())
        engine.note(Remark(1, remark), Origin.OPERATOR)
    path.with_suffix(".evidence").mkdir()
    (path.with_suffix(".evidence") / f"{'a' * 64}.zip").write_bytes(b"pictures")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder of a club that has used everything."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    data = tmp_path / "shinpan"
    matches, film = data / "matches", data / "films" / "film_1"
    match(matches / "hers.sqlite", unicodedata.normalize("NFD", NAME), "nothing")
    match(matches / "told.sqlite", None, f"{NAME}さんが見ていた")
    match(matches / "others.sqlite", "Mei", "Hana was late")
    match(matches / ".bin" / "gone.sqlite", NAME, "deleted before")
    match(data / "board" / "mat-01" / "hers.sqlite", NAME, "a copy")
    with EventLog.create(matches / "koikoi_1.sqlite") as log:
        game = GameOpened("koikoi_1", "camera", 2, 0, preset(), "drawn", (OTHER, NAME))
        desk = KoiKoiDesk(log, game, clock=lambda: log.last_seq * 1_000_000, wall=lambda: WALL)
        for event in koikoi_script()[:9]:
            desk.tell(event)
    with EventLog.create(matches / "practice_1.sqlite") as log:
        kind, version, payload = PRACTICE_CODEC.encode(PracticeOpened("practice_1", CLEARLY, NAME, "0"))
        log.append([replace(_first(matches / "hers.sqlite"), kind=kind, version=version, payload=payload)])
    tournament = TournamentDesk.at(data / "board" / "tournament.sqlite", TournamentOpened("Spring", "1"))
    tournament.tell(DivisionOpened(Division("A", System.SWISS, 2)))
    tournament.tell(EntrantEntered("A", Entrant(1, NAME, "Club")), EntrantEntered("A", Entrant(2, OTHER)))
    tournament.close()
    book = Book(matches)
    for name in book.names():
        book.due_days(name)
    assert unicodedata.normalize("NFKC", NAME) in book.names()
    book.close()
    film.mkdir(parents=True)
    keep_entry(film, new_entry(f"{NAME} vs {OTHER}.mp4", 3, "film.mp4", WALL))
    (film / "film.mp4").write_bytes(b"mp4")
    (data / "films" / "uploads").mkdir()
    (data / "films" / "uploads" / f"{'b' * 32}.json").write_text(
        json.dumps({"name": f"{NAME}.mov", "size": 9})
    )
    (data / "films" / "uploads" / f"{'b' * 32}.part").write_bytes(b"mov")
    sets = {f"weak_{spelling}": [1] for spelling in SPELLINGS}
    (data / "card-sets.json").write_text(json.dumps(sets, ensure_ascii=False))
    (film / "verdicts.json").write_text(json.dumps({"note": SPELLINGS[2]}, ensure_ascii=False))
    again = data / "films" / "film_4"  # kept as her match once, and judged and kept anew since
    again.mkdir()
    keep_entry(
        again, {**new_entry("a.mp4", 3, "film.mp4", WALL), "kept_as": "others", "kept": ["hers", "others"]}
    )
    other = data / "films" / "film_3"  # named after nobody, with a note about her
    other.mkdir()
    keep_entry(other, new_entry("a.mp4", 3, "film.mp4", WALL))
    (other / "verdicts.json").write_text(json.dumps({"note": SPELLINGS[3]}))
    for number, spelling in enumerate(SPELLINGS[2:]):
        text = json.dumps({"name": f"{spelling}.mov", "size": 9}, ensure_ascii=False)
        (data / "films" / "uploads" / f"{number:032}.json").write_text(text)
        (matches / f"export_{number}.json").write_text(json.dumps({"names": {"near": spelling}}))
    for number, spelling in enumerate(SPELLINGS[1:]):
        match(matches / f"spelt_{number}.sqlite", spelling, f"{spelling}, {spelling}")
    return data


def _first(path: Path) -> LogEntry:
    with EventLog.read(path) as log:
        return next(log.entries())


def test_no_byte_of_the_name_stays(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(holding(data)) >= 9
    before = {path: path.read_bytes() for path in data.rglob("*") if path.is_file()}
    assert main(["log", "forget", "--person", NAME]) == 2
    assert "nothing was changed yet: add --yes" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in data.rglob("*") if path.is_file()} == before

    assert main(["log", "forget", "--person", NAME, "--yes"]) == 0
    assert holding(data) == []
    assert "holds this name" in capsys.readouterr().out
    assert not list((data / "matches" / "hers.evidence").glob("*.zip"))
    assert list((data / "matches" / "others.evidence").glob("*.zip"))
    assert not (data / "films" / "film_1").exists()
    assert not (data / "films" / "film_4").exists()
    for name in ("hers", "told", "others"):  # what is left is what was played
        with EventLog.open(data / "matches" / f"{name}.sqlite") as log:
            engine = Engine.resume(log)
            assert engine.opened.names == BySide({"others": "Mei"}.get(name), OTHER)
            assert engine.state.winner is not None
            with pytest.raises(Exception, match="never changed"):
                log._connection.execute("UPDATE event SET wall = ''")


def test_a_book_that_is_open_meanwhile_forgets_too(data: Path) -> None:
    """Whose data stay those of the others."""
    book = Book(data / "matches")
    file = (data / "matches" / "book.index").stat().st_ino
    assert main(["log", "forget", "--person", NAME, "--yes"]) == 0
    assert (data / "matches" / "book.index").stat().st_ino == file
    assert book.names() == ["Ken", "Mei"]
    book.close()
    assert holding(data) == []


def test_nothing_changes_while_a_desk_has_a_log_open(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hold = (
        "import sys; from pathlib import Path; from desk.log.event_log import EventLog\n"
        "log = EventLog.open(Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold, data / "matches" / "koikoi_1.sqlite"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as desk:
        assert desk.stdout is not None
        assert desk.stdout.readline() == "open\n"
        assert main(["log", "forget", "--person", NAME, "--yes"]) == 2
        said = capsys.readouterr()
        assert "nothing was changed: " in said.err
        assert "koikoi_1.sqlite is already open" in said.err
        assert said.out == ""  # it tells of no file as changed
        assert len(holding(data)) >= 9
        desk.communicate("")
    assert main(["log", "forget", "--person", NAME, "--yes"]) == 0


def test_what_cannot_be_changed_is_named(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A damaged log, what somebody saved there, and a long file, searched in pieces."""
    monkeypatch.setattr(person, "_PIECE_BYTES", 1 << 20)
    monkeypatch.setattr(erasure, "_MOST_BYTES", 1 << 20)
    spelt = NAME.replace("ベルタ", "ﾍﾞﾙﾀ")
    saved = data / "matches" / "saved"
    saved.mkdir()
    store = data / "hall" / "hall-1"
    store.mkdir(parents=True)
    kept = {
        store / "1.blk": b"\0" + NAME.encode(),
        data / "matches" / "damaged.sqlite": b"\0" * 100 + NAME.encode(),
        data / "matches" / "damaged.json": f'{{"name": "{spelt}"'.encode(),
        saved / "a.csv": f"takes,{spelt}\r\n".encode("utf-16"),
        saved / "b.jsonl": json.dumps({"note": f"for\n{spelt}"}).encode().upper().replace(b"\\U", b"\\u"),
        saved / "c.zip": b"PK" + bytes((1 << 20) - 12) + NAME.encode() + bytes(9),
        saved / f"{spelt}.txt": b"",
    }
    for path, content in kept.items():
        path.write_bytes(content)
    assert main(["log", "forget", "--person", NAME, "--yes"]) == 1
    told = capsys.readouterr().out
    assert [path for path in kept if f"{path}: still holds the name, or cannot be searched" not in told] == []
    how = "still holds the name, or cannot be searched: take it out with shinpan hall forget"
    assert f"{store / '1.blk'}: {how}" in told
    assert set(holding(data)) == set(kept)


def packed(content: bytes, name: str = "notes.json") -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return target.getvalue()


def test_a_name_is_found_in_what_is_packed(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also in an archive within an archive, in more than is unpacked at once, and in the middle of a cut."""
    spelt = SPELLINGS[2].encode()
    saved = {
        "a.zip": packed(spelt),
        "b.zip": packed(packed(b"x", f"{NAME}.txt"), "inner.zip"),
        "c.gz": gzip.compress(bytes((4 << 20) - 9) + spelt + bytes(80 << 20)),
        "d.json.gz": gzip.compress(json.dumps({"near": NAME}).encode()),
        "others.zip": packed(OTHER.encode()),
        "damaged.zip": packed(bytes(1000))[:90],
        "damaged.gz": gzip.compress(bytes(1000))[:20],
    }
    for name, content in saved.items():
        (data / name).write_bytes(content)
    assert main(["log", "forget", "--person", NAME, "--yes"]) == 1
    told = capsys.readouterr().out
    assert [
        name for name in saved if f"{data / name}: still holds the name, or cannot be searched" in told
    ] == [*saved][:4]


def test_a_bomb_does_not_hold_up_the_search_and_is_named(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(person, "_FREE_BYTES", 1 << 20)
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", bytes(4 << 20))
    bomb = data / "board" / f"{'b' * 64}.zip"
    bomb.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(1000):
            archive.writestr(f"{number}.zip", inner.getvalue())
    searched: list[int] = []
    is_in = Person.is_in

    def noted(self: Person, data: bytes) -> bool:
        searched.append(len(data))
        return is_in(self, data)

    monkeypatch.setattr(Person, "is_in", noted)
    with bomb.open("rb") as file:
        assert is_in_file(file, Person(NAME, "(1)"))
    assert sum(searched) < 64 << 20, "of 4 GB"
    assert main(["log", "forget", "--person", NAME, "--yes"]) == 1
    assert f"{bomb}: still holds the name, or cannot be searched: delete it" in capsys.readouterr().out


def test_no_damaged_archive_ends_the_search_and_a_disk_that_cannot_read_does() -> None:
    sought, whole = Person(NAME, "(1)"), packed(b"x" * 5000)
    for seed in range(2000):
        dice = random.Random(seed)
        damaged = bytearray(whole)
        for _ in range(3):
            damaged[dice.randrange(4, len(damaged))] = dice.randrange(256)
        assert not is_in_file(io.BytesIO(damaged), sought)

    class Failing(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError(5, "Input/output error")

    with pytest.raises(OSError, match="Input/output error"):
        is_in_file(Failing(whole), sought)


@pytest.mark.parametrize(
    ("name", "text", "left"),
    [
        ("Ken", "Kendo with Ken, ken", "Kendo with (1), ken"),
        ("山田 花子", "山田　花子さん", "(1)さん"),
        ("Ｈａｎａ", "Hana", "(1)"),
        ("a.b", "a-b", "a-b"),
        ("Ken", "Kenさん、健Ken", "(1)さん、健(1)"),
        ("Åsa", "Åsalund, Åsa", "Åsalund, (1)"),
        ("ハナ", "ﾊﾅ", "(1)"),
    ],
)
def test_a_name_is_found_as_people_write_it(name: str, text: str, left: str) -> None:
    her = Person(name, "(1)")
    assert her.forgotten({"note": text}) == {"note": left}
    for data in (text.encode(), json.dumps(text).encode(), f"\0{text}".encode("utf-16-le")):
        assert her.is_in(data) == (text != left)


def test_the_pictures_of_a_match_are_deleted_wherever_they_are(data: Path) -> None:
    film = data / "films" / "film_2"
    (film / "evidence").mkdir(parents=True)
    keep_entry(film, {**new_entry("a.mp4", 3, "film.mp4", WALL), "kept_as": "hers"})
    (film / "evidence" / f"{'a' * 64}.zip").write_bytes(b"pictures")
    assert main(["log", "forget", "hers", "--evidence"]) == 0
    assert not list(data.rglob("hers.evidence/*.zip"))
    assert not list(film.rglob("*.zip"))
    assert list((data / "matches" / "others.evidence").glob("*.zip"))


def test_nobody_else_may_enter_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "shinpan").mkdir(parents=True, mode=0o755)
    main(["sets", "list"])
    assert (tmp_path / "home" / "shinpan").stat().st_mode & 0o777 == 0o700
