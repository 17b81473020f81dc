"""The Kendo game's rules as one documented value; a switch decides each silent or ambiguous point.

Source: the French text of the game's rules; its sections are I (aim, and a second I: course
of the game), II (start), III (cards) and IV (more than two players).
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class BoutRules:
    """The numbers in the rules.

    Attributes
    ----------
    ippons_to_win : IPPON that win the bout (I.1).
    hansoku_for_ippon : HANSOKU that make an IPPON for the opponent (I).
    start_brown, start_red, start_green : cards drawn at the start (II).
    hand_after_ippon : size up to which hands are filled after an IPPON (I).
    new_deal_hand : cards drawn for the new deal of JIKAN DESU (III.e).
    fudoshin_takes : cards that FUDOSHIN with a red card takes out of the opponent's hand (III.d).
    jodan_discards : cards discarded by a player who cannot neutralise JODAN NO KAMAE (III.k).
    """

    ippons_to_win: int
    hansoku_for_ippon: int
    start_brown: int
    start_red: int
    start_green: int
    hand_after_ippon: int
    new_deal_hand: int
    fudoshin_takes: int
    jodan_discards: int


@dataclass(frozen=True, slots=True)
class Readings:
    """Where the text is silent or ambiguous.

    Attributes
    ----------
    hansoku_pair_cleared : whether the two HANSOKU that made an IPPON are taken away (I).
    brown_fits : a brown card answers an attack with the `same` technique, or with `any` (III.1 "adéquates").
    tsubazeriai_alone : TSUBAZERIAI alone may be played when `nothing_stands` against the player, or `never`
        (III.3a "seules: aucune carte"; a round is opened "qu'avec la carte HIKI WAZA", which leaves nothing).
    mushin_alone : the same of MUSHIN (III.3b, in the same words "seules: aucune carte"); where it may be
        played, it has no effect.
    mushin_companions : green cards that may join MUSHIN and a red card: `seme` as in the text's example, or
        `seme_or_tsubazeriai` (III.3b "d'autres cartes").
    mushin_red_opens : who opens after MUSHIN and a red card alone, which leave nothing standing: the
        `opponent`, as after a brown answer, or its own `player`.
    neutralised_red : when SEME or FUDOSHIN is neutralised, the red card under it `stands` and must be
        answered, or it is `gone` and the attack before it stands again (III.3c "comme si la carte n'était pas
        jouée").
    after_parry_opens : who opens after TSUYOI KAMAE or KAIHI SURU: the `attacker`, whose move is next, or the
        `defender`.
    exchange_when : exchange and draw come `before_play` or `after_play`. The text says "puis" (I), and four
        passages say before: the first exchange and draw precede the first card (II); after BOGYO a round is
        opened "sans devoir changer/tirer" (III.3f); after an IPPON or HANSOKU neither comes "avant de mettre
        une carte" (I), and after SEME neither "immédiatement avant placer une carte rouge" (III.3c).
    exchange_watched : whether the piles are in view. If so, an exchange or draw that is missing, too many or
        from the wrong pile is flagged, and a player without a card to exchange suffers an IPPON; otherwise
        they are taken on trust, and the player says that no card is left.
    last_round_hansoku : a HANSOKU against the player of JIKAN DESU, which is no touch, `ends` the bout like
        any end of the last round without a touch, or the bout `goes_on` (III.e "fructueuses").
    """

    hansoku_pair_cleared: bool
    brown_fits: Literal["same", "any"]
    tsubazeriai_alone: Literal["nothing_stands", "never"]
    mushin_alone: Literal["nothing_stands", "never"]
    mushin_companions: Literal["seme", "seme_or_tsubazeriai"]
    mushin_red_opens: Literal["opponent", "player"]
    neutralised_red: Literal["stands", "gone"]
    after_parry_opens: Literal["attacker", "defender"]
    exchange_when: Literal["before_play", "after_play"]
    exchange_watched: bool
    last_round_hansoku: Literal["ends", "goes_on"]


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The rules of one table.

    Attributes
    ----------
    name : id of the preset, or the club's own name.
    title : one line for people.
    bout, readings : the sections; each key is documented at its own class.
    """

    name: str
    title: str
    bout: BoutRules
    readings: Readings
