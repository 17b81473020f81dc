"""The list of a deck's pictures, as spreadsheets of several countries save it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from calibration.decks.deck import DECK_GAMES
from calibration.decks.index import IndexFileError, read_index
from referee.cards.hanafuda import HANAFUDA

KIND = DECK_GAMES["hanafuda"]
ENGLISH = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
GERMAN = ["Jän", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for card in HANAFUDA:
        (tmp_path / f"{card}.jpg").touch()
    return tmp_path


def rows(folder: Path) -> list[tuple[str, str]]:
    return read_index(folder, KIND)


RIGHT = [(f"{card}.jpg", card) for card in HANAFUDA]


def as_id(month: int, slot: int) -> str:
    return f"{month:02d}-{slot}"


def listing(
    separator: str = ",", header: str = "file,card_id", card: Callable[[int, int], str] = as_id
) -> str:
    lines = [header.replace(",", separator)]
    lines += [f"{own}.jpg{separator}{card(*map(int, own.split('-')))}" for own in HANAFUDA]
    return "\r\n".join(lines) + "\r\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp932", "cp1252"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_separators_and_encodings(folder: Path, separator: str, encoding: str) -> None:
    (folder / "index.csv").write_bytes(listing(separator).encode(encoding))
    assert rows(folder) == RIGHT


HEADERS = ("FILE,CARD_ID", "File , Card ID", "card_id,file", "No,file,Card-ID", "ＦＩＬＥ,ＣＡＲＤ＿ＩＤ")


@pytest.mark.parametrize("header", HEADERS)
def test_headers(folder: Path, header: str) -> None:
    text = listing()
    columns = [name.strip().lower() for name in header.split(",")]
    place = next(number for number, name in enumerate(columns) if name.startswith(("file", "ｆ")))
    lines = [header]
    for line in text.splitlines()[1:]:
        file, card = line.split(",")
        cells = [card] * len(columns)
        cells[place] = file
        lines.append(",".join(cells))
    (folder / "index.csv").write_text("\n".join(lines))
    assert rows(folder) == RIGHT


DATES: dict[str, Callable[[int, int], str]] = {
    "01-Jan, months first": lambda m, s: f"{s:02d}-{ENGLISH[m - 1]}",
    "1-Jan, days first": lambda m, s: f"{m}-{ENGLISH[s - 1]}",
    "01. Jän": lambda m, s: f"{m:02d}. {GERMAN[s - 1]}",
    "Jan-01": lambda m, s: f"{ENGLISH[m - 1]}-{s:02d}",
    "2026-01-01": lambda m, s: f"2026-{m:02d}-{s:02d}",
    "2026-01-01, days first": lambda m, s: f"2026-{s:02d}-{m:02d}",
    "1月1日": lambda m, s: f"{m}月{s}日",
    "1/1/2026": lambda m, s: f"{m}/{s}/2026",
    "01.01.2026": lambda m, s: f"{m:02d}.{s:02d}.2026",
    "full width": lambda m, s: f"{m:02d}－{s}".translate({ord(d): ord(d) + 0xFEE0 for d in "0123456789"}),
    "numbers": lambda m, s: str(4 * (m - 1) + s - 1),
}


@pytest.mark.parametrize("card", DATES.values(), ids=DATES)
def test_ids_that_became_dates(folder: Path, card: Callable[[int, int], str]) -> None:
    (folder / "index.csv").write_text(listing(";", card=card), "utf-8-sig")
    assert rows(folder) == RIGHT


def test_dates_that_may_mean_two_cards_are_asked_about(folder: Path) -> None:
    (folder / "index.csv").write_text("file,card_id\na.jpg,03-Feb\nb.jpg,01-Apr\n")
    with pytest.raises(IndexFileError, match="took the card ids for dates, such as '03-Feb'"):
        rows(folder)


def test_names_as_they_are_spelt_on_the_disk(folder: Path) -> None:
    (folder / "01-1.jpg").rename(folder / "が.JPG")
    text = listing().replace("01-1.jpg", "か\u3099.jpg").replace("02-1.jpg", ".\\02-1.JPG")
    (folder / "Index.TXT").write_text(text, "utf-16")
    found = rows(folder)
    assert found[0] == ("が.JPG", "01-1")
    assert found[1:] == RIGHT[1:]


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"PK\x03\x04rest", "is a workbook, not a text file: save it as `CSV UTF-8`"),
        (b"picture|card\n", "expected the columns file,card_id in line 1, got 'picture|card'"),
        (b"file,card_id\n\n", "expected the columns file,card_id and a line for every card"),
        (b"\x00\x01\x02\xff" * 50, "not UTF-8 text"),
    ],
)
def test_what_is_no_list_gets_one_sentence(folder: Path, data: bytes, complaint: str) -> None:
    (folder / "index.csv").write_bytes(data)
    with pytest.raises(IndexFileError) as raised:
        rows(folder)
    assert complaint in str(raised.value)
    assert "\n" not in str(raised.value)
