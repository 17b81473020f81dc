"""The 48 hanafuda: twelve months of four cards, each month ordered bright, animal, ribbon, chaff."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Category(StrEnum):
    """The four kinds of cards, by the names players use; `kanji` is the written term."""

    HIKARI = "hikari"  # 光, bright
    TANE = "tane"  # 種, animal (and the bridge and the sake cup)
    TAN = "tan"  # 短, ribbon
    KASU = "kasu"  # カス, chaff

    @property
    def kanji(self) -> str:
        return _WRITTEN[self][0]

    @property
    def english(self) -> str:
        return _WRITTEN[self][1]


_WRITTEN = {
    Category.HIKARI: ("光", "bright"),
    Category.TANE: ("種", "animal"),
    Category.TAN: ("短", "ribbon"),
    Category.KASU: ("カス", "chaff"),
}


class Ribbon(StrEnum):
    """The three kinds of ribbons."""

    AKATAN = "akatan"  # 赤短, red with writing
    AOTAN = "aotan"  # 青短, blue (purple)
    PLAIN = "plain"  # red without writing


@dataclass(frozen=True, slots=True)
class Hanafuda:
    """One card."""

    month: int  # 1..12
    slot: int  # 1..4, its place among the month's cards ordered bright, animal, ribbon, chaff
    category: Category
    name_ja: str
    name_en: str
    ribbon: Ribbon | None = None  # kind of ribbon, None for cards that are not ribbons

    @property
    def id(self) -> str:
        """The card's id `MM-S`, such as `08-1` for the moon."""
        return f"{self.month:02}-{self.slot}"

    @property
    def index(self) -> int:
        """The card's number 0..47: (month - 1) * 4 + slot - 1."""
        return (self.month - 1) * 4 + self.slot - 1

    @property
    def flower_ja(self) -> str:
        return FLOWERS[self.month][0]

    @property
    def flower_en(self) -> str:
        return FLOWERS[self.month][1]


FLOWERS: Mapping[int, tuple[str, str]] = MappingProxyType(
    {
        1: ("松", "pine"),
        2: ("梅", "plum"),
        3: ("桜", "cherry"),
        4: ("藤", "wisteria"),
        5: ("菖蒲", "iris"),
        6: ("牡丹", "peony"),
        7: ("萩", "bush clover"),
        8: ("芒", "pampas grass"),
        9: ("菊", "chrysanthemum"),
        10: ("紅葉", "maple"),
        11: ("柳", "willow"),
        12: ("桐", "paulownia"),
    }
)
"""Each month's plant, in Japanese and English."""

_AKATAN = (Category.TAN, "赤短", "poetry ribbon", Ribbon.AKATAN)
_AOTAN = (Category.TAN, "青短", "blue ribbon", Ribbon.AOTAN)
_PLAIN = (Category.TAN, "短冊", "red ribbon", Ribbon.PLAIN)

_Face = tuple[Category, str, str, Ribbon | None]
_SPECIAL: dict[int, tuple[_Face, ...]] = {
    1: ((Category.HIKARI, "鶴", "crane", None), _AKATAN),
    2: ((Category.TANE, "鶯", "bush warbler", None), _AKATAN),
    3: ((Category.HIKARI, "幕", "curtain", None), _AKATAN),
    4: ((Category.TANE, "不如帰", "cuckoo", None), _PLAIN),
    5: ((Category.TANE, "八橋", "bridge", None), _PLAIN),
    6: ((Category.TANE, "蝶", "butterflies", None), _AOTAN),
    7: ((Category.TANE, "猪", "boar", None), _PLAIN),
    8: ((Category.HIKARI, "月", "moon", None), (Category.TANE, "雁", "geese", None)),
    9: ((Category.TANE, "盃", "sake cup", None), _AOTAN),
    10: ((Category.TANE, "鹿", "deer", None), _AOTAN),
    11: ((Category.HIKARI, "小野道風", "rain man", None), (Category.TANE, "燕", "swallow", None), _PLAIN),
    12: ((Category.HIKARI, "鳳凰", "phoenix", None),),
}

_CHAFF: _Face = (Category.KASU, "カス", "chaff", None)
_LIGHTNING: _Face = (Category.KASU, "鬼札", "lightning", None)


def _month(month: int) -> tuple[Hanafuda, ...]:
    faces = (*_SPECIAL[month], *[_LIGHTNING if month == 11 else _CHAFF] * 4)[:4]
    return tuple(Hanafuda(month, slot, *face) for slot, face in enumerate(faces, start=1))


HANAFUDA: Mapping[str, Hanafuda] = MappingProxyType(
    {card.id: card for month in range(1, 13) for card in _month(month)}
)
"""The 48 cards by id, in the order of their index."""


def by_index(index: int) -> Hanafuda:
    """Return the card with number `index`, 0..47."""
    if not 0 <= index < len(HANAFUDA):
        raise ValueError(f"hanafuda are numbered 0..47, got {index}")
    month, slot = divmod(index, 4)
    return HANAFUDA[f"{month + 1:02}-{slot + 1}"]
