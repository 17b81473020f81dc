"""The cards of the Kendo Taikai game, as they are written in events: `men_uchi`, `kote>do`, `seme`.

Source: the French text of the game's rules, sections "contenu" and III.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Technique(StrEnum):
    """What an attack strikes."""

    MEN = "men"  # 面, the head
    KOTE = "kote"  # 小手, the wrist
    DO = "do"  # 胴, the trunk
    TSUKI = "tsuki"  # 突き, the thrust to the throat


class Brown(StrEnum):
    """The brown deck: basic attacks (仕掛け技), and the HIKI WAZA struck while stepping back."""

    MEN_UCHI = "men_uchi"
    KOTE_UCHI = "kote_uchi"
    DO_UCHI = "do_uchi"
    TSUKI = "tsuki"
    HIKI_MEN = "hiki_men"
    HIKI_KOTE = "hiki_kote"
    HIKI_DO = "hiki_do"

    @property
    def is_hiki(self) -> bool:
        """Whether it is a HIKI WAZA, which is only played with TSUBAZERIAI."""
        return self.value.startswith("hiki_")

    @property
    def technique(self) -> Technique:
        return Technique(self.value.removeprefix("hiki_").removesuffix("_uchi"))


class Green(StrEnum):
    """The green deck: special cards."""

    TSUBAZERIAI = "tsubazeriai"  # 鍔迫り合い: the guards of both swords touch
    MUSHIN = "mushin"  # 無心: the empty mind
    SEME = "seme"  # 攻め: pressing the opponent
    FUDOSHIN = "fudoshin"  # 不動心: the mind that cannot be shaken
    JIKAN_DESU = "jikan_desu"  # 時間です: time is up
    BOGYO = "bogyo"  # 防御: parry
    TSUYOI_KAMAE = "tsuyoi_kamae"  # 強い構え: a strong stance
    KAIHI_SURU = "kaihi_suru"  # 回避する: a step aside
    OSHIDASHI = "oshidashi"  # 押し出し: pushing the opponent off the court
    MAKI_WAZA = "maki_waza"  # 巻き技: twisting the sword out of the opponent's hand
    JODAN_NO_KAMAE = "jodan_no_kamae"  # 上段の構え: the high stance
    TAI_JODAN = "tai_jodan"  # 対上段: knowing how to fight the high stance


@dataclass(frozen=True, slots=True)
class Red:
    """A chain card `RECEIVED *** ATTACK`."""

    receives: Technique  # the technique that it can receive (left)
    attacks: Technique  # the technique that it then attacks with (right)

    def __str__(self) -> str:
        return f"{self.receives}>{self.attacks}"


Card = Brown | Red | Green


def parse_card(text: str) -> Card:
    """Return the card that `text` names; ValueError if there is no such card."""
    received, arrow, attack = text.partition(">")
    try:
        if arrow:
            return Red(Technique(received), Technique(attack))
        return Brown(text) if text in set(Brown) else Green(text)
    except ValueError:
        raise ValueError(
            f"there is no card {text!r}: brown cards are {', '.join(Brown)}; "
            f"red cards are written like kote>do; green cards are {', '.join(Green)}"
        ) from None


MARKERS = ("hajime", "ippon", "hansoku")
"""Markers in front of a player: one card with the sides HAJIME and IPPON, and the halves of HANSOKU
(section "contenu")."""
NUMBERS = range(1, 6)  # a brown card bears a number 1..5 (II)

FACES: tuple[str, ...] = (
    *(f"{brown}-{number}" for brown in Brown for number in NUMBERS),
    *(f"{received}-{attack}" for received in Technique for attack in Technique),
    *(green.value for green in Green),
    *MARKERS,
)
"""Every face that a box can hold, by a name that is valid in file names: `men_uchi-3`, `kote-do`, `seme`,
`ippon`. The numbers of a brown card differ from box to box."""


@dataclass(frozen=True, slots=True)
class Face:
    """What a face shows."""

    card: Card | None  # the card, None for a marker
    number: int = 0  # of a brown card, 0 of all others


def face(name: str) -> Face:
    """Return the face of this name; ValueError if no box has it."""
    if name not in FACES:
        raise ValueError(f"there is no face {name!r}: faces are named like men_uchi-3, kote-do, seme, ippon")
    if name in MARKERS:
        return Face(None)
    left, dash, right = name.rpartition("-")
    if not dash:
        return Face(Green(name))
    if right.isdecimal():
        return Face(Brown(left), int(right))
    return Face(Red(Technique(left), Technique(right)))


def face_name(card: Card, number: int = 0) -> str:
    """Return the name of a card's face; `number` is that of a brown card."""
    if isinstance(card, Brown):
        return f"{card}-{number}"
    return f"{card.receives}-{card.attacks}" if isinstance(card, Red) else str(card)


@dataclass(frozen=True, slots=True)
class Combination:
    """Cards that are put on the court together, sorted by colour."""

    browns: tuple[Brown, ...] = ()
    reds: tuple[Red, ...] = ()
    greens: tuple[Green, ...] = ()

    @classmethod
    def of(cls, cards: Sequence[Card]) -> Combination:
        """Sort cards by colour; their order on the court does not matter."""
        return cls(
            tuple(sorted(card for card in cards if isinstance(card, Brown))),
            tuple(card for card in cards if isinstance(card, Red)),
            tuple(sorted(card for card in cards if isinstance(card, Green))),
        )

    @property
    def brown(self) -> Brown | None:
        """The only brown card, or None."""
        return self.browns[0] if len(self.browns) == 1 else None

    @property
    def red(self) -> Red | None:
        return self.reds[0] if len(self.reds) == 1 else None

    @property
    def size(self) -> int:
        return len(self.browns) + len(self.reds) + len(self.greens)

    def __str__(self) -> str:
        return " + ".join(map(str, (*self.greens, *self.reds, *self.browns)))
