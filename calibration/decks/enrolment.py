"""Make a deck of a folder of card pictures, or report everything that is wrong with the folder at once."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import cv2
import numpy as np

from calibration.decks.deck import Deck, DeckGame, Picture, check_name, deck_game, picture_size_px
from calibration.decks.index import IndexFileError, read_index
from calibration.decks.signature import signatures
from referee.complaint import sentence_of
from referee.sentence import Sentence

_FEW: Final = 3  # up to this many missing files may each be a slip; more of them have one common reason
MIN_WIDTH_PX: Final = 64  # a narrower picture shows less than the camera will
MAX_PICTURE_BYTES: Final = 64 << 20
ASPECT_TOLERANCE: Final = 0.12
"""Editions differ by a few per cent in width to height; a table around the card differs by more."""
MIN_SHARPNESS: Final = 1.3
"""Sharp pictures of six editions reach 1.7 to 2.8; the same pictures, defocused by 0.7 mm, 1.1 to 1.4."""
TURNED_LIKENESS: Final = 0.6
"""A picture may be upside down if, turned round, it is this similar to another of its kind ..."""
TURNED_MARGIN: Final = 0.2
"""... and this much less similar as it is. In seven upright editions no pair comes near both."""
MAX_LIKENESS: Final = 0.975
"""Different cards of one edition correlate by at most 0.956 (measured on six editions)."""


@dataclass(frozen=True, slots=True)
class FailedEnrolment:
    """Returned in place of a deck; it is falsy."""

    problems: tuple[Sentence, ...]  # everything that is wrong, one line each

    def __bool__(self) -> Literal[False]:
        return False


def enrol_folder(
    folder: Path,
    game: str,
    name: str,
    notes: str = "",
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Deck | FailedEnrolment:
    """Make a deck of the card pictures in a folder; DeckError if game or name are not possible.

    `folder`: has `index.csv` with the columns `file` and `card_id` and one picture per card: the whole card,
    upright, cut out along its edge. `progress`: called with the number of pictures read and their total.
    """
    check_name(name)
    kind = deck_game(game)
    try:
        rows = read_index(folder, kind)
    except IndexFileError as problem:
        return FailedEnrolment((sentence_of(problem),))
    absent = [file for file, _ in rows if _is_name(file) and not (folder / file).is_file()]
    if len(absent) > _FEW:
        # one common mistake, not one per card: another file ending, another folder
        why = Sentence(
            "{n} of {total} files of the list are not in {folder}, such as {file}: put them there or "
            "correct their names",
            n=len(absent),
            total=len(rows),
            folder=folder,
            file=absent[0],
        )
        return FailedEnrolment((why,))
    problems = [
        Sentence("{file} is listed {n} times", file=file, n=n)
        for file, n in Counter(file for file, _ in rows).items()
        if n > 1
    ]
    pictures = []
    for done, (file, card) in enumerate(rows, 1):
        pictures.append(Labelled(file, card, _read_picture(folder, file)))
        progress(done, len(rows))
    return _enrolled(pictures, game, name, notes, problems)


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """A picture with the card that it is said to show."""

    label: str  # the picture's name in complaints
    card: str
    picture: Picture | Sentence  # shape (height, width, 3), or a description of what is wrong with it


def enrol_pictures(
    pictures: Sequence[Labelled], game: str, name: str, notes: str = ""
) -> Deck | FailedEnrolment:
    """Make a deck of pictures, each the whole card, upright, cut out along its edge; as `enrol_folder`."""
    check_name(name)
    return _enrolled(pictures, game, name, notes, [])


def _enrolled(
    labelled: Sequence[Labelled], game: str, name: str, notes: str, problems: list[Sentence]
) -> Deck | FailedEnrolment:
    kind = deck_game(game)
    problems += _wrong_cards([each.card for each in labelled], kind, game)
    width_mm, height_mm = kind.card_size_mm
    size_px = picture_size_px(width_mm, height_mm)
    pictures: dict[str, Picture] = {}
    for each in labelled:
        read = each.picture
        wrong = [read] if isinstance(read, Sentence) else _wrong_picture(read, width_mm / height_mm)
        problems += [
            Sentence("{file} (card {card}): {why}", file=each.label, card=each.card, why=problem)
            for problem in wrong
        ]
        if not isinstance(read, Sentence) and each.card in kind.card_ids:
            pictures.setdefault(each.card, _normalised(read, size_px))
    problems += _lookalikes(pictures, kind)
    problems += _turned(pictures, kind)
    if problems:
        return FailedEnrolment(tuple(problems))
    ordered = {card: pictures[card] for card in kind.of_this_game(tuple(pictures))}
    return Deck(game, name, ordered, width_mm, height_mm, notes)


def _wrong_cards(cards: Sequence[str], kind: DeckGame, game: str) -> Iterator[Sentence]:
    counts, known = Counter(cards), kind.card_ids
    # every deck of a game that owes each of its cards is as large
    if all(kind.owed(card) == card for card in known) and len(cards) != len(known):
        yield Sentence(
            "a {game} deck has {total} cards, the list has {found}",
            game=game,
            total=len(known),
            found=len(cards),
        )
    for card in known:
        if counts[card] > 1:
            yield Sentence("card {card} is listed {n} times", card=card, n=counts[card])
    if missing := kind.missing(cards):
        yield Sentence("missing: {cards}", cards=", ".join(missing))
    if foreign := sorted(counts.keys() - set(known)):
        yield Sentence(
            "no card of {game}: {cards} (ids run from {first} to {last})",
            game=game,
            cards=", ".join(map(repr, foreign)),
            first=known[0],
            last=known[-1],
        )


def _is_name(file: str) -> bool:
    return bool(file) and not Path(file).is_absolute() and ".." not in Path(file).parts


def _read_picture(folder: Path, file: str) -> Picture | Sentence:
    """Return a picture without transparency, or a description of what is wrong with it."""
    path = folder / file
    if not _is_name(file):
        return Sentence("expected the name of a file in the folder")
    if not path.is_file():
        return Sentence("there is no such file")
    if path.stat().st_size > MAX_PICTURE_BYTES:
        return Sentence("the file is larger than {n} MB", n=MAX_PICTURE_BYTES >> 20)
    try:
        # from memory, because OpenCV cannot open every path on every system
        data = np.frombuffer(path.read_bytes(), np.uint8)
        picture = cv2.imdecode(data, cv2.IMREAD_UNCHANGED) if data.size else None
        if picture is not None and picture.shape[2:] != (4,):
            # only without transparency does OpenCV turn a picture as its camera noted
            picture = cv2.imdecode(data, cv2.IMREAD_ANYCOLOR | cv2.IMREAD_ANYDEPTH)
    except (OSError, cv2.error) as error:
        return Sentence("cannot be read: {why}", why=sentence_of(error))
    if picture is None:
        return Sentence("cannot be read as a picture; save it as PNG or JPEG")
    if picture.dtype == np.uint16:
        picture = (picture // 257).astype(np.uint8)
    if picture.dtype != np.uint8:
        return Sentence("has pixels of type {type}; save it with 8 bits per channel", type=picture.dtype)
    if picture.ndim == 2 or picture.shape[2] == 1:
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)
    return _opaque(np.asarray(picture, np.uint8)) if picture.shape[2] == 4 else np.asarray(picture, np.uint8)


def _opaque(picture: Picture) -> Picture:
    """Fill transparent corners with the colour of the card's edge, as if they were not rounded."""
    alpha = picture[..., 3:].astype(np.float32) / 255
    edge = np.ones(alpha.shape[:2], bool)
    rim = max(1, round(0.02 * picture.shape[1]))
    edge[rim:-rim, rim:-rim] = False
    opaque = picture[edge & (alpha[..., 0] > 0.99)]
    fill = np.median(opaque[:, :3], axis=0) if len(opaque) else np.full(3, 128.0)
    return np.asarray(np.rint(picture[..., :3] * alpha + fill * (1 - alpha)), np.uint8)


def _wrong_picture(picture: Picture, aspect: float) -> Iterator[Sentence]:
    height, width = picture.shape[:2]
    if width < MIN_WIDTH_PX:
        yield Sentence(
            "{width} x {height} px is too small: at least {least} px wide",
            width=width,
            height=height,
            least=MIN_WIDTH_PX,
        )
    if abs(width / height / aspect - 1) > ASPECT_TOLERANCE:
        yield Sentence(
            "{width} x {height} px is not a card's shape: cut it out upright along the card's edge, "
            "{aspect:.2f} times as wide as high",
            width=width,
            height=height,
            aspect=aspect,
        )
    elif (sharp := _sharpness(picture, aspect)) < MIN_SHARPNESS:
        yield Sentence(
            "is blurred (sharpness {sharpness:.2f}, at least {least}): take it again",
            sharpness=sharp,
            least=MIN_SHARPNESS,
        )


def _sharpness(picture: Picture, aspect: float) -> float:
    """Return how much steeper the steepest edges are than after a blur of half a millimetre.

    The ratio does not depend on how much print a card has, only on how crisp it is; 0 if nothing is printed.
    """
    width = 99
    method = cv2.INTER_AREA if picture.shape[1] > width else cv2.INTER_LINEAR
    small = cv2.resize(picture, (width, round(width / aspect)), interpolation=method)
    gray = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    steepness = []
    for image in (gray, cv2.GaussianBlur(gray, (0, 0), 1.5)):
        slope = np.hypot(cv2.Sobel(image, cv2.CV_32F, 1, 0), cv2.Sobel(image, cv2.CV_32F, 0, 1))
        steepness.append(float(np.percentile(slope, 99)))
    return steepness[0] / steepness[1] if steepness[1] > 1 else 0.0


def _normalised(picture: Picture, size_px: tuple[int, int]) -> Picture:
    method = cv2.INTER_AREA if picture.shape[1] > size_px[0] else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, size_px, interpolation=method), np.uint8)


def _turned(pictures: Mapping[str, Picture], kind: DeckGame) -> list[Sentence]:
    """Name cards that look more like their own kind when turned round: one of the two is upside down.

    Only cards of one kind, such as a month's chaff, are alike enough to tell.
    """
    cards = list(pictures)
    upright = signatures(list(pictures.values()))
    turned = signatures([np.asarray(cv2.rotate(picture, cv2.ROTATE_180)) for picture in pictures.values()])
    likeness, likeness_turned = upright @ upright.T, upright @ turned.T
    return [
        Sentence(
            "cards {one} and {other} lie in opposite directions: turn one of them round",
            one=cards[a],
            other=cards[b],
        )
        for a in range(len(cards))
        for b in range(a + 1, len(cards))
        if kind.kind(cards[a]) == kind.kind(cards[b])
        and likeness_turned[a, b] > max(TURNED_LIKENESS, likeness[a, b] + TURNED_MARGIN)
    ]


def _lookalikes(pictures: Mapping[str, Picture], kind: DeckGame) -> list[Sentence]:
    """Name the pairs of different cards that look the same: one picture was probably saved twice."""
    cards = list(pictures)
    described = signatures(list(pictures.values()))
    alike = np.triu(described @ described.T > MAX_LIKENESS, 1)
    return [
        Sentence(
            "cards {one} and {other} look the same: is one picture saved under two names?",
            one=cards[a],
            other=cards[b],
        )
        for a, b in np.argwhere(alike)
        if kind.kind(cards[a]) != kind.kind(cards[b])
    ]
