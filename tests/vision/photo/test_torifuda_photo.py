"""Single photos: a few cards in perspective."""

import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.vision.photographed_cards import Photo, photograph, printed, scattered
from vision.photo.torifuda_photo import identify, read_photo


@pytest.mark.shared
@pytest.mark.parametrize(
    ("photo", "cards"),
    [("tatsy_level1.jpg", [9]), ("tatsy_level2.jpg", [9, 64, 31]), ("tatsy_torifuda_closeup.jpg", [9])],
)
def test_real_photos_are_read_from_left_to_right(shared: Path, photo: str, cards: list[int]) -> None:
    assert [card.card for card in read_photo(shared / "data" / "torifuda_photos" / photo)] == cards


def named(photo: Photo) -> dict[int, Any]:
    """The names found, each with its outline; a name that is not there fails the test."""
    found = {card.card: card.corners_px for card in identify(photo.gray) if card.card is not None}
    assert set(found) <= set(photo.cards), "named a card that is not on the photo"
    return found


@pytest.mark.parametrize(
    ("width", "tilt_deg", "roll_deg", "brightness"),
    [(1200, 0, 0, 40), (1600, 45, 180, 150), (900, 30, 90, 60), (2600, 35, 217, 120)],
)
def test_scattered_cards_on_a_cluttered_table_are_named(
    width: int, tilt_deg: float, roll_deg: float, brightness: float
) -> None:
    rng = np.random.default_rng(width)
    poems = [int(poem) for poem in rng.permutation(np.arange(1, 101))[:7]]
    faces = {poem: printed(poem, border_mm=2.0) for poem in poems}
    photo = photograph(faces, scattered(rng, 7), width, width, tilt_deg, roll_deg, brightness)
    found = named(photo)
    # What the clutter was laid under is all there; what leaves the picture cannot be read.
    inside = [
        poem
        for poem, corners in photo.cards.items()
        if (corners > 2).all() and (corners < np.array(photo.gray.shape[::-1]) - 2).all()
    ]
    assert set(inside) <= set(found)
    for poem in inside:
        size = np.linalg.norm(photo.cards[poem][1] - photo.cards[poem][0])
        assert np.abs(found[poem] - photo.cards[poem]).max() < 0.1 * size + 3


@pytest.mark.parametrize("border_mm", [0.0, 2.0])
def test_cards_that_touch_in_perspective_are_told_apart(border_mm: float) -> None:
    poems = [3, 17, 22, 48, 63, 70, 81, 99]
    faces = {poem: printed(poem, border_mm) for poem in poems}
    places = [(52.4 * (n % 4 - 1.5), 73.4 * (n // 4 - 0.5), 0.0) for n in range(8)]
    photo = photograph(faces, places, 5, things=False)
    assert len(named(photo)) >= (8 if border_mm else 4)


def test_card_half_under_another_is_not_guessed() -> None:
    faces = {poem: printed(poem, 2.0) for poem in (5, 50)}
    photo = photograph(faces, [(0, 0, 0), (18, 30, 12)], 6, things=False)
    assert set(named(photo)) == {50}


def test_other_texts_on_cards_are_not_named() -> None:
    rng = np.random.default_rng(9)
    poems = [8, 30, 57, 92]
    # The right text upside down in its upper half: kana, but no poem's.
    faces = {}
    for poem in poems:
        face = printed(poem, 2.0)
        half = face.shape[0] // 2
        face[:half] = face[:half][::-1, ::-1]
        faces[poem] = face
    photo = photograph(faces, scattered(rng, 4), 10)
    assert named(photo) == {}


def test_what_is_no_photo_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is not a file"):
        read_photo(tmp_path)
    path = tmp_path / "photo.png"

    def chunk(data: bytes) -> bytes:
        return (len(data) - 4).to_bytes(4, "big") + data + zlib.crc32(data).to_bytes(4, "big")

    header = b"IHDR" + (100_000).to_bytes(4, "big") * 2 + b"\x08\x00\x00\x00\x00"
    immense = (
        b"\x89PNG\r\n\x1a\n" + chunk(header) + chunk(b"IDAT" + zlib.compress(bytes(999))) + chunk(b"IEND")
    )
    contents = {"is empty": b"", "JPEG and PNG of up to": b"text", "cannot be read as a picture": immense}
    for told, content in contents.items():
        path.write_bytes(content)
        with pytest.raises(ValueError, match=told):
            read_photo(path)


PLACES = [(-120, -40, 10), (20, 30, 200), (140, -20, 75)]
POEMS = (5, 50, 77)
WITHIN_MM = 0.5


def photo(border_mm: float, table: float = 120, ink: float = 70) -> Photo:
    faces = {poem: printed(poem, border_mm, border=ink) for poem in POEMS}
    return photograph(faces, PLACES, 7, 1200, 20, 0, table, things=False)


@pytest.mark.parametrize("border_mm", [0.0, 1.3, 2.6])
def test_corners_of_named_cards_include_the_border(border_mm: float) -> None:
    seen = photo(border_mm)
    found = {card.card: card.corners_px for card in identify(seen.gray)}
    assert set(found) == set(POEMS)
    for poem, true in seen.cards.items():
        px_per_mm = np.linalg.norm(true[1] - true[0]) / 52
        assert np.abs(found[poem] - true).max() < WITHIN_MM * px_per_mm
