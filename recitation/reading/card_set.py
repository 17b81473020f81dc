"""The poems in play, given by number, first sounds, colour, or another program's saved set."""

import base64
import json
import re
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from types import MappingProxyType
from urllib.parse import unquote

from calibration.files import json_text
from calibration.files import typed_numbers as typed
from referee.cards.kimariji import FIRST_SOUNDS
from referee.cards.poems import POEMS
from referee.complaint import sentence_of
from referee.sentence import Sentence, SentenceError

_URL = "wasuramoti://fudaset/"
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_LONGEST_URL = 100_000

COLOURS: Mapping[str, frozenset[int]] = MappingProxyType(
    {
        "blue": frozenset({3, 5, 6, 12, 14, 24, 30, 31, 50, 57, 61, 62, 69, 70, 74, 75, 76, 82, 91, 100}),
        "pink": frozenset({1, 4, 13, 16, 22, 28, 34, 40, 48, 51, 58, 65, 66, 72, 73, 80, 83, 84, 86, 97}),
        "yellow": frozenset({2, 7, 10, 18, 32, 33, 37, 39, 46, 47, 55, 60, 78, 79, 81, 85, 87, 89, 94, 96}),
        "green": frozenset({8, 9, 11, 15, 17, 20, 23, 26, 29, 35, 36, 38, 41, 42, 54, 59, 68, 71, 92, 93}),
        "orange": frozenset({19, 21, 25, 27, 43, 44, 45, 49, 52, 53, 56, 63, 64, 67, 77, 88, 90, 95, 98, 99}),
    }
)
"""The five sets of twenty poems that schools use (goshiki hyakunin isshu)."""

_IN_JAPANESE = {
    "青": "blue",
    "桃": "pink",
    "ピンク": "pink",
    "黄": "yellow",
    "緑": "green",
    "橙": "orange",
    "オレンジ": "orange",
}


class CardSetError(SentenceError, ValueError):
    """A set of cards that cannot be read; the message says what was expected."""


def parse_cards(text: str, named: Mapping[str, frozenset[int]] = MappingProxyType({})) -> frozenset[int]:
    """Read a set of poems as people write it; CardSetError if an item is none of these, or fits no poem.

    Items are separated by commas or spaces, digits and signs of any width: a number `17`, a range `20-29` or
    `20..29`, a pattern `8?` or `*[13579]`, first sounds in hiragana `む` or `あさ`, several of one kana in a
    row `むすめふさほせ`, a colour `blue` or `青札`, or `all`. A name of `named` takes precedence.
    """
    chosen: set[int] = set()
    for item in typed.items(text) or [text]:
        fitting = named.get(item) or _fitting(typed.plain(item).lower())
        if not fitting:
            raise CardSetError(
                "expected numbers 1..100 (17 or 20-29), first sounds in hiragana (む), a colour (blue, "
                "pink, yellow, green, orange), the name of a set, or the word all for all hundred, "
                "got {item!r}",
                item=item,
            )
        chosen |= fitting
    return frozenset(chosen)


def in_two_ways(text: str, named: Mapping[str, frozenset[int]]) -> list[str]:
    """Return the items that name a set but would also mean something without it."""
    return [item for item in typed.items(text) if item in named and _fitting(typed.plain(item).lower())]


def _fitting(item: str) -> frozenset[int]:
    if item == "all":
        return frozenset(POEMS)
    colour = _IN_JAPANESE.get(re.sub("[色札]+$", "", item), item)
    if colour in COLOURS:
        return COLOURS[colour]
    if bounds := re.fullmatch(r"(\d{1,3})(?:-|\.\.)(\d{1,3})", item):
        first, last = (int(bound) for bound in bounds.groups())
        # a range beyond the hundred is a typing error
        return frozenset(range(first, last + 1)) if 1 <= first <= last <= len(POEMS) else frozenset()
    if re.fullmatch(r"[\d?*\[\]!-]+", item):
        return frozenset(number for number in POEMS if fnmatchcase(str(number), item))
    # as people write them, むすめふさほせ is seven first sounds; あき is one
    beginnings = item if item and not _begun_by(item) and {*item} <= {*FIRST_SOUNDS} else [item]
    return frozenset(number for sounds in beginnings if sounds for number in _begun_by(sounds))


def _begun_by(sounds: str) -> frozenset[int]:
    return frozenset(number for number, poem in POEMS.items() if poem.sounds.startswith(sounds))


def sets_from_url(url: str) -> dict[str, frozenset[int]]:
    """Read the named sets of a `wasuramoti://fudaset/` address.

    Raises CardSetError if the address holds no sets; nothing is guessed from a damaged one.
    """
    if not url.startswith(_URL) or len(url) > _LONGEST_URL:
        raise CardSetError("expected an address that begins with {url}, got {got!r}", url=_URL, got=url[:60])
    data = unquote(url.removeprefix(_URL)).strip()
    try:
        content = json_text.parse(base64.urlsafe_b64decode(data + "=" * (-len(data) % 4)))
        (named,) = content.values()
        return {str(name): _poems(mask) for entry in named for name, mask in entry.items()}
    except (ValueError, AttributeError, TypeError) as error:
        raise CardSetError(
            "the address holds no card sets ({error}); copy it once more in full", error=sentence_of(error)
        ) from error


def url_of_sets(title: str, named: Mapping[str, Iterable[int]]) -> str:
    """Return the `wasuramoti://fudaset/` address of some named sets; `sets_from_url` reads it."""
    content = {title: [{name: _mask(poems)} for name, poems in named.items()]}
    data = base64.urlsafe_b64encode(json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode())
    return _URL + data.decode().rstrip("=")


def _poems(mask: object) -> frozenset[int]:
    if not isinstance(mask, str):
        raise TypeError(f"expected a number in base 36, got {mask!r}")
    bits = int(mask, 36)
    poems = frozenset(number for number in POEMS if bits >> (number - 1) & 1)
    if bits < 0 or bits >> len(POEMS):
        raise ValueError(Sentence("expected poems 1..100 only, got the bits {mask!r}", mask=mask))
    return poems


def _mask(poems: Iterable[int]) -> str:
    bits = sum(1 << (number - 1) for number in set(poems))
    digits = ""
    while bits:
        bits, digit = divmod(bits, 36)
        digits = _DIGITS[digit] + digits
    return digits or "0"
