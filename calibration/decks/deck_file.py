"""A deck as one file: a ZIP archive, or a folder with the same contents.

        deck.json             format, version, game, name, size, notes, and an entry for every card
        cards/01-1.png        one picture per card, each with its SHA-256 in deck.json

All of it may lie in one folder of the archive, as it does once somebody has unpacked and packed it again.
Files come from other people, so nothing is unpacked: only files that `deck.json` names are read, within
limits.
"""

import hashlib
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from calibration.decks.deck import Deck, DeckError, Picture, deck_game, picture_size_px
from calibration.files import json_text
from calibration.files.archive import read_member
from calibration.files.folders import listed, own
from calibration.files.storage import writing
from calibration.files.text import decode
from referee.complaint import sentence_of

SUFFIX: Final = ".deck.zip"
FORMAT: Final = "shinpan deck"
VERSION: Final = 1
MANIFEST: Final = "deck.json"  # the manifest in every deck's folder or archive
_MAX_MANIFEST_BYTES: Final = 1 << 20
_MAX_PICTURE_BYTES: Final = 8 << 20
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""Date of all members, the earliest that ZIP allows: the same deck gives the same bytes."""


def save_deck(deck: Deck, path: Path) -> None:
    """Write a deck as one ZIP file, whole or not at all; OSError if the file cannot be written."""
    members = {f"cards/{card}.png": _png(picture) for card, picture in deck.pictures.items()}
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "game": deck.game,
        "name": deck.name,
        "card_width_mm": deck.width_mm,
        "card_height_mm": deck.height_mm,
        "notes": deck.notes,
        "cards": [
            {"id": card, "file": file, "sha256": hashlib.sha256(data).hexdigest()}
            for card, (file, data) in zip(deck.pictures, members.items(), strict=True)
        ],
    }
    text = json_text.dump(manifest, indent=1) + "\n"
    with writing(path) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for file, data in {MANIFEST: text.encode("utf-8"), **members}.items():
            archive.writestr(zipfile.ZipInfo(file, _EPOCH), data)


def load_deck(path: Path) -> Deck:
    """Read a deck from its ZIP file or from a folder with the same contents.

    Raises DeckError if the file is no deck, is of another version, is damaged or incomplete. Raises OSError
    if it cannot be read.
    """
    if path.is_dir():
        return _read(path, _in_folder(path))
    try:
        with zipfile.ZipFile(path) as archive:
            return _read(path, _in_archive(archive))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise DeckError(
            "{path}: expected a deck, a ZIP file with {manifest} in it: {why}",
            path=path,
            manifest=MANIFEST,
            why=sentence_of(error),
        ) from error


Read = Callable[[str, int], bytes]
"""Returns a member's bytes; KeyError if there is none of this name or it is larger than the limit."""


def _in_folder(folder: Path) -> Read:
    below = [manifest.parent for manifest in listed(folder, f"*/{MANIFEST}")]
    place = below[0] if len(below) == 1 and not (folder / MANIFEST).is_file() else folder

    def read(file: str, limit: int) -> bytes:
        path = place / file
        if not path.is_file() or path.stat().st_size > limit:
            raise KeyError(file)
        return path.read_bytes()

    return read


def _in_archive(archive: zipfile.ZipFile) -> Read:
    # Windows' own packing writes backslashes, and macOS' and Windows' put all into one folder
    members = {member.filename.replace("\\", "/"): member for member in archive.infolist()}
    below = [name for name in own(members) if name.endswith(f"/{MANIFEST}") and name.count("/") == 1]
    place = below[0].removesuffix(MANIFEST) if len(below) == 1 and MANIFEST not in members else ""

    def read(file: str, limit: int) -> bytes:
        member = members[f"{place}{file}"]
        if member.file_size > limit:
            raise KeyError(file)
        return read_member(archive, member, limit)

    return read


def _read(path: Path, read: Read) -> Deck:
    manifest = _manifest(path, read)
    try:
        return _deck(manifest, read)
    except DeckError as error:
        raise DeckError("{path}: {why}", path=path, why=sentence_of(error)) from error


def _deck(manifest: dict[str, Any], read: Read) -> Deck:
    game, name, notes = (_text(manifest, key) for key in ("game", "name", "notes"))
    width_mm, height_mm = (_number(manifest, key) for key in ("card_width_mm", "card_height_mm"))
    size_px = picture_size_px(width_mm, height_mm)
    digests = _digests(manifest)
    cards = tuple(digests)
    if lacking := deck_game(game).missing(cards):
        raise DeckError("card {card} is missing", card=lacking[0])
    known = deck_game(game).of_this_game(cards)
    pictures = {card: _picture(card, read, digests[card], size_px) for card in known}
    if len(digests) > len(pictures):
        raise DeckError(
            "{game} has no card {cards}", game=game, cards=", ".join(sorted(digests.keys() - pictures.keys()))
        )
    return Deck(game, name, pictures, width_mm, height_mm, notes)


def _manifest(path: Path, read: Read) -> dict[str, Any]:
    try:
        manifest = json_text.parse(decode(read(MANIFEST, _MAX_MANIFEST_BYTES), MANIFEST))
    except KeyError:
        raise DeckError(
            "{path}: expected a deck, but there is no {manifest} in it", path=path, manifest=MANIFEST
        ) from None
    except ValueError as error:
        raise DeckError(
            "{path}: {manifest} is not JSON: {why}", path=path, manifest=MANIFEST, why=sentence_of(error)
        ) from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise DeckError(
            '{path}: {manifest} should say "format": "{format}"', path=path, manifest=MANIFEST, format=FORMAT
        )
    if manifest.get("version") != VERSION:
        raise DeckError(
            "{path}: this program reads version {known} of the deck format, the file has version "
            "{version!r}: install the newer program or ask for an older export",
            path=path,
            known=VERSION,
            version=manifest.get("version"),
        )
    return manifest


def _digests(manifest: dict[str, Any]) -> dict[str, str]:
    """Return the SHA-256 of each card's picture, as the manifest gives it."""
    cards = manifest.get("cards")
    if not isinstance(cards, list) or not all(isinstance(card, dict) for card in cards):
        raise DeckError(
            '{manifest} should have "cards", a list of objects with id, file and sha256', manifest=MANIFEST
        )
    digests: dict[str, str] = {}
    for card in cards:
        name = _text(card, "id")
        if name in digests:
            raise DeckError("card {name} is listed twice", name=name)
        # the file's name must follow from the id, so that no manifest can point elsewhere
        if card.get("file") != f"cards/{name}.png":
            raise DeckError(
                "card {name}: expected the file cards/{name}.png, got {got!r}",
                name=name,
                got=card.get("file"),
            )
        digests[name] = _text(card, "sha256")
    return digests


def _picture(card: str, read: Read, sha256: str, size_px: tuple[int, int]) -> Picture:
    file = f"cards/{card}.png"
    try:
        data = read(file, _MAX_PICTURE_BYTES)
    except KeyError:
        raise DeckError(
            "card {card}: there is no {file} of at most {most} bytes",
            card=card,
            file=file,
            most=_MAX_PICTURE_BYTES,
        ) from None
    if hashlib.sha256(data).hexdigest() != sha256:
        raise DeckError(
            "card {card}: {file} is damaged: its SHA-256 is not the one in {manifest}",
            card=card,
            file=file,
            manifest=MANIFEST,
        )
    # a picture gives its size in its first bytes: one that would fill the memory is not decoded
    announced = (int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big"))
    if data[:8] != b"\x89PNG\r\n\x1a\n" or announced != size_px:
        raise DeckError(
            "card {card}: expected a PNG picture of {width} x {height} px",
            card=card,
            width=size_px[0],
            height=size_px[1],
        )
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise DeckError("card {card}: {file} cannot be decoded", card=card, file=file)
    return np.asarray(picture, np.uint8)


def _png(picture: Picture) -> bytes:
    done, data = cv2.imencode(".png", picture)
    assert done, "a deck's pictures are uint8 with three channels, which PNG always takes"
    return data.tobytes()


def _text(table: dict[str, Any], key: str) -> str:
    value = table.get(key)
    if not isinstance(value, str):
        raise DeckError(
            '{manifest}: "{key}" should be a text, got {value!r}', manifest=MANIFEST, key=key, value=value
        )
    return value


def _number(table: dict[str, Any], key: str) -> float:
    value = table.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 10 <= value <= 300:
        raise DeckError(
            '{manifest}: "{key}" should be a number of millimetres, 10 to 300, got {value!r}',
            manifest=MANIFEST,
            key=key,
            value=value,
        )
    return float(value)


COLUMNS: Final = 12
GAP_PX: Final = 12
LABEL_PX: Final = 22
CARD_WIDTH_PX: Final = 99
_PAPER: Final = 235
_INK: Final = (40, 40, 40)


def contact_sheet(deck: Deck) -> Picture:
    """Return a picture of all cards in the deck's order, column by column, each with its id under it.

    With twelve columns the four cards of a hanafuda month stand one above the other.
    """
    rows = -(-len(deck.pictures) // COLUMNS)
    width, height = deck.picture_size_px
    size = (CARD_WIDTH_PX, round(CARD_WIDTH_PX * height / width))
    step_x, step_y = size[0] + GAP_PX, size[1] + LABEL_PX + GAP_PX
    sheet = np.full((rows * step_y + GAP_PX, COLUMNS * step_x + GAP_PX, 3), _PAPER, np.uint8)
    for index, (card, picture) in enumerate(deck.pictures.items()):
        column, row = divmod(index, rows)
        x, y = GAP_PX + column * step_x, GAP_PX + row * step_y
        sheet[y : y + size[1], x : x + size[0]] = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        at = (x, y + size[1] + LABEL_PX - 6)
        cv2.putText(sheet, card, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, _INK, 1, cv2.LINE_AA)
    return sheet
