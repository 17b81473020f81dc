"""The yaku: one row each, with the cards that make it. The ruleset says what it is worth.

A yaku is reached when all cards of `needs` and at least `count` cards of `pool` lie in the pile; every
further card of the pool adds one increment. Sources are the lines of a hanafuda club's written rules (2008);
"variant" marks yaku that these rules do not know.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from referee.koikoi.piles import (
    ANIMALS,
    BLUE_RIBBONS,
    CHAFF,
    CURTAIN,
    DRY_LIGHTS,
    LIGHTS,
    MOON,
    POETRY_RIBBONS,
    RAIN_MAN,
    RIBBONS,
    SAKE_CUP,
    Pile,
    month_cards,
)
from referee.koikoi.piles import (
    BOAR_DEER_BUTTERFLIES as BOAR_DEER,
)


class Group(StrEnum):
    """Yaku that compete for the same cards; a key of the ruleset says whether they stack."""

    LIGHTS = "lights"
    ANIMALS = "animals"
    RIBBONS = "ribbons"
    CHAFF = "chaff"
    VIEWING = "viewing"
    MONTH = "month"


@dataclass(frozen=True, slots=True)
class Yaku:
    """One combination."""

    name: str  # its id in rulesets and results
    kanji: str
    english: str
    group: Group  # the yaku it competes with
    source: str  # paragraph of the rule document
    count: int  # how many cards of the pool make the yaku
    pool: Pile  # cards that are counted
    needs: Pile = 0  # cards that must all be there

    def further_cards(self, pile: Pile) -> int:
        """Return how many pool cards `pile` holds beyond those needed; -1 if the yaku is not reached."""
        if pile & self.needs != self.needs:
            return -1
        return max((pile & self.pool).bit_count() - self.count, -1)

    def cards_in(self, pile: Pile) -> Pile:
        """Return the cards of `pile` that make the yaku, with those of its increment."""
        return pile & (self.needs | self.pool)


YAKU: tuple[Yaku, ...] = (
    Yaku("goko", "五光", "five lights", Group.LIGHTS, "L119", 5, LIGHTS),
    Yaku("shiko", "四光", "four dry lights", Group.LIGHTS, "L118", 4, DRY_LIGHTS),
    Yaku("ame_shiko", "雨四光", "four lights with the rain man", Group.LIGHTS, "L117", 4, LIGHTS, RAIN_MAN),
    Yaku("sanko", "三光", "three dry lights", Group.LIGHTS, "L111", 3, DRY_LIGHTS),
    Yaku("inoshikacho", "猪鹿蝶", "boar, deer, butterflies", Group.ANIMALS, "L116", 3, ANIMALS, BOAR_DEER),
    Yaku("tane", "タネ", "five animals", Group.ANIMALS, "L110", 5, ANIMALS),
    Yaku(
        "akatan_aotan",
        "赤短・青短の重複",
        "poetry and blue ribbons together",
        Group.RIBBONS,
        "L120",
        6,
        RIBBONS,
        POETRY_RIBBONS | BLUE_RIBBONS,
    ),
    Yaku("akatan", "赤短", "three poetry ribbons", Group.RIBBONS, "L113", 3, RIBBONS, POETRY_RIBBONS),
    Yaku("aotan", "青短", "three blue ribbons", Group.RIBBONS, "L112", 3, RIBBONS, BLUE_RIBBONS),
    Yaku("tan", "タン", "five ribbons", Group.RIBBONS, "L109", 5, RIBBONS),
    # the sake cup is both an animal and chaff (L133)
    Yaku("kasu", "カス", "ten chaff cards", Group.CHAFF, "L108", 10, CHAFF | SAKE_CUP),
    Yaku(
        "hanamizake",
        "花見で一杯",
        "sake under the cherry blossoms",
        Group.VIEWING,
        "L114",
        2,
        CURTAIN | SAKE_CUP,
    ),
    Yaku("tsukimizake", "月見で一杯", "sake under the moon", Group.VIEWING, "L115", 2, MOON | SAKE_CUP),
)
"""Every yaku that depends on the pile alone, the most valuable of each group first."""

MONTH_YAKU: tuple[Yaku, ...] = tuple(
    Yaku(
        "month", "月札", "the four cards of the round's month", Group.MONTH, "variant", 4, month_cards(month)
    )
    for month in range(1, 13)
)
"""The month cards of rounds 1..12, index 0 is January."""

YAKU_BY_NAME: Mapping[str, Yaku] = MappingProxyType({yaku.name: yaku for yaku in YAKU})
