"""The table "which card may be played when": one row for each way to play a card.

A row says which cards it covers, what may stand against the player, and what the play does. A play that no
row allows is refused, and the refusal names the row.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from referee.cards.kendo import Combination, Green
from referee.kendo.bout import Bout, facing, round_over, with_ippon
from referee.kendo.standing import Attack, Fudoshin, Jodan, MakiWaza, Nothing, Oshidashi, Seme, SemeAnswered
from referee.sentence import Sentence

_ANY_ATTACK = Sentence("a brown or red card")
Covers = Callable[[Combination], bool]
Refusal = Callable[[Bout, Combination], Sentence | None]
Effect = Callable[[Bout, Combination], Bout]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table."""

    name: str
    source: str
    covers: Covers
    refusal: Refusal  # function that returns why they may not be played now, or None
    effect: Effect  # function that returns the bout after the play


def _is(*greens: Green, red: bool = False, brown: bool = False) -> Covers:
    """Cover exactly these green cards, plus one red card if `red` and one brown card if `brown`."""
    wanted = tuple(sorted(greens)), int(red), int(brown)
    return lambda cards: (cards.greens, len(cards.reds), len(cards.browns)) == wanted


def _uchi(*greens: Green, hiki: bool = False) -> Covers:
    """Cover exactly these green cards, plus one brown card that is a HIKI WAZA or not."""
    with_brown = _is(*greens, brown=True)
    return lambda cards: with_brown(cards) and cards.brown is not None and cards.brown.is_hiki is hiki


def _opener(bout: Bout, _: Combination) -> Sentence | None:
    return None if bout.opening else Sentence("it only opens a round, and {stands}", stands=_stands(bout))


def _against(*situations: type, what: Sentence) -> Refusal:
    def refusal(bout: Bout, _: Combination) -> Sentence | None:
        return None if isinstance(bout.standing, situations) else _played_against(what, bout)

    return refusal


def _played_against(what: Sentence, bout: Bout) -> Sentence:
    return Sentence("it is played against {what}, and {stands}", what=what, stands=_stands(bout))


def _stands(bout: Bout) -> Sentence:
    return (
        bout.standing.told() if bout.opening else Sentence("{standing} stands", standing=bout.standing.told())
    )


def _answered_by_red(bout: Bout, cards: Combination) -> Sentence | None:
    standing, red = bout.standing, cards.red
    assert red is not None
    if not isinstance(standing, Attack | Jodan | SemeAnswered):
        return Sentence("a red card receives an attack, and {stands}", stands=_stands(bout))
    if red.receives is not standing.technique:
        return Sentence(
            "{cards} receives {technique}, and {stands}",
            cards=str(red),
            technique=str(red.receives),
            stands=_stands(bout),
        )
    return None


def _fits_brown(bout: Bout, cards: Combination) -> Sentence | None:
    standing, brown = bout.standing, cards.brown
    assert brown is not None
    assert isinstance(standing, Attack | Jodan)
    if bout.rules.readings.brown_fits == "same" and brown.technique is not standing.technique:
        return Sentence(
            "{cards} meets {technique}, and {stands}",
            cards=str(brown),
            technique=str(brown.technique),
            stands=_stands(bout),
        )
    return None


# brown and red cards alone


def _brown_refusal(bout: Bout, cards: Combination) -> Sentence | None:
    if isinstance(bout.standing, Nothing | Seme):
        return None
    if isinstance(bout.standing, Attack):
        return _fits_brown(bout, cards)
    return Sentence("a brown card opens or answers an attack, and {stands}", stands=_stands(bout))


def _brown_effect(bout: Bout, cards: Combination) -> Bout:
    assert cards.brown is not None
    if isinstance(bout.standing, Seme):
        return facing(bout, SemeAnswered(cards.brown.technique))
    if bout.opening:
        return facing(bout, Attack(cards.brown.technique))
    return round_over(bout, 1 - bout.actor)


def _red_refusal(bout: Bout, cards: Combination) -> Sentence | None:
    if isinstance(bout.standing, Jodan):
        return Sentence(
            "it answers {standing} only together with TAI JODAN or FUDOSHIN", standing=bout.standing.told()
        )
    return _answered_by_red(bout, cards)


def _red_effect(bout: Bout, cards: Combination) -> Bout:
    assert cards.red is not None
    if isinstance(bout.standing, SemeAnswered):
        return with_ippon(bout, 1 - bout.actor)
    return facing(bout, Attack(cards.red.attacks, red=True))


# TSUBAZERIAI


_NEVER_ALONE = Sentence("it is never played alone")
_LONE_HIKI = Sentence("a HIKI WAZA is played together with TSUBAZERIAI")


def _tsubazeriai_refusal(bout: Bout, _: Combination) -> Sentence | None:
    if bout.rules.readings.tsubazeriai_alone == "never":
        return _NEVER_ALONE
    if bout.opening:
        return None
    return Sentence("it is played alone only while nothing stands, but {stands}", stands=_stands(bout))


def _cede(bout: Bout, _: Combination) -> Bout:
    over = round_over(bout, bout.actor)
    return replace(over, may_cede=over.winner is None)


def _red_attack(bout: Bout, _: Combination) -> Sentence | None:
    if isinstance(bout.standing, Attack) and bout.standing.red:
        return None
    return _played_against(Sentence("a red card"), bout)


def _fitting_red_attack(bout: Bout, cards: Combination) -> Sentence | None:
    return _red_attack(bout, cards) or _answered_by_red(bout, cards)


def _tsubazeriai_hiki_refusal(bout: Bout, cards: Combination) -> Sentence | None:
    return None if bout.opening else _red_attack(bout, cards)


def _hiki_effect(bout: Bout, cards: Combination) -> Bout:
    assert cards.brown is not None
    return facing(bout, Attack(cards.brown.technique))


# MUSHIN


def _no_effect(bout: Bout, _: Combination) -> Bout:
    return bout


def _mushin_refusal(bout: Bout, cards: Combination) -> Sentence | None:
    return _NEVER_ALONE if bout.rules.readings.mushin_alone == "never" else _opener(bout, cards)


def _mushin_red(cards: Combination) -> bool:
    return (
        Green.MUSHIN in cards.greens and len(cards.reds) == 1 and not cards.browns and len(cards.greens) <= 2
    )


def _mushin_companion(cards: Combination) -> Green | None:
    others = [green for green in cards.greens if green is not Green.MUSHIN]
    return others[0] if others else None


def _mushin_red_refusal(bout: Bout, cards: Combination) -> Sentence | None:
    companion = _mushin_companion(cards)
    allowed = {Green.SEME}
    if bout.rules.readings.mushin_companions == "seme_or_tsubazeriai":
        allowed.add(Green.TSUBAZERIAI)
    if len(cards.greens) == 2 and companion not in allowed:
        return Sentence("only {cards} may join MUSHIN and a red card", cards=" / ".join(sorted(allowed)))
    if not isinstance(bout.standing, Attack):
        return _played_against(_ANY_ATTACK, bout)
    return None


def _mushin_red_effect(bout: Bout, cards: Combination) -> Bout:
    companion = _mushin_companion(cards)
    opens = bout.actor if bout.rules.readings.mushin_red_opens == "player" else 1 - bout.actor
    if companion is Green.SEME:
        return facing(bout, Seme(reopens=opens))
    if companion is Green.TSUBAZERIAI:
        return _cede(bout, cards)
    return round_over(bout, opens)


# SEME and FUDOSHIN


def _seme_refusal(bout: Bout, _: Combination) -> Sentence | None:
    if isinstance(bout.standing, Nothing | Seme):
        return None
    return Sentence("alone it opens a round or neutralises SEME, and {stands}", stands=_stands(bout))


def _seme_effect(bout: Bout, _: Combination) -> Bout:
    return neutralised(bout) if isinstance(bout.standing, Seme) else facing(bout, Seme(reopens=bout.actor))


def _seme_red_effect(bout: Bout, cards: Combination) -> Bout:
    assert isinstance(bout.standing, Attack)
    assert cards.red is not None
    under = Attack(cards.red.attacks, red=True)
    return facing(bout, Seme(reopens=bout.actor, under=under, before=bout.standing))


def neutralised(bout: Bout, _: Combination | None = None) -> Bout:
    """Return the bout as if the standing card had not been played (III.c, III.d, III.k)."""
    standing = bout.standing
    if isinstance(standing, Jodan):
        return replace(bout, standing=Attack(standing.technique))
    assert isinstance(standing, Seme | Fudoshin)
    if standing.under is None:
        assert isinstance(standing, Seme)
        return replace(bout, standing=Nothing(), to_act=standing.reopens)
    if bout.rules.readings.neutralised_red == "gone":
        assert standing.before is not None
        return replace(bout, standing=standing.before, to_act=1 - bout.actor)
    return replace(bout, standing=standing.under)


def _fudoshin_red_refusal(bout: Bout, cards: Combination) -> Sentence | None:
    if isinstance(bout.standing, Attack | Jodan):
        return _answered_by_red(bout, cards)
    return _played_against(Sentence("a brown or red card or JODAN NO KAMAE"), bout)


def _fudoshin_red_effect(bout: Bout, cards: Combination) -> Bout:
    assert cards.red is not None
    under = Attack(cards.red.attacks, red=True)
    if isinstance(bout.standing, Jodan):
        return facing(bout, under)
    assert isinstance(bout.standing, Attack)
    return facing(bout, Fudoshin(under, before=bout.standing))


# the cards that are only played alone


def _jikan_desu_refusal(bout: Bout, cards: Combination) -> Sentence | None:
    if bout.ippon_shobu:
        return Sentence("it cannot be played any more: this is IPPON SHOBU")
    own, other = bout.ippon[bout.actor], bout.ippon[1 - bout.actor]
    if (own, other) not in {(1, 0), (1, 1)}:
        return Sentence(
            "it is played at 1-0 for its player or at 1-1, and the score is {own}-{other}",
            own=own,
            other=other,
        )
    return _opener(bout, cards)


def _jikan_desu_effect(bout: Bout, _: Combination) -> Bout:
    if bout.ippon[1 - bout.actor]:
        return replace(bout, may_ask_new_deal=bout.actor)
    return replace(facing(bout, Nothing()), last_round=bout.actor)


def _parry_effect(bout: Bout, _: Combination) -> Bout:
    attacker_opens = bout.rules.readings.after_parry_opens == "attacker"
    return round_over(bout, 1 - bout.actor if attacker_opens else bout.actor)


# JODAN


def _jodan_effect(bout: Bout, cards: Combination) -> Bout:
    assert cards.brown is not None
    return facing(bout, Jodan(cards.brown.technique))


def _tai_jodan_refusal(bout: Bout, cards: Combination) -> Sentence | None:
    if not isinstance(bout.standing, Jodan):
        return Sentence("it neutralises JODAN NO KAMAE, and {stands}", stands=_stands(bout))
    return _answered_by_red(bout, cards) if cards.red is not None else _fits_brown(bout, cards)


def _tai_jodan_effect(bout: Bout, cards: Combination) -> Bout:
    if cards.red is not None:
        return facing(bout, Attack(cards.red.attacks, red=True))
    return round_over(bout, 1 - bout.actor)


def _tai_jodan(cards: Combination) -> bool:
    return _is(Green.TAI_JODAN, red=True)(cards) or _uchi(Green.TAI_JODAN)(cards)


_ATTACK = _against(Attack, what=_ANY_ATTACK)
_JODAN = _against(Jodan, what=Sentence("JODAN NO KAMAE"))

ROWS: tuple[Row, ...] = (
    Row("brown", "III.1", _uchi(), _brown_refusal, _brown_effect),
    Row("red", "III.2", _is(red=True), _red_refusal, _red_effect),
    Row("TSUBAZERIAI", "III.3a", _is(Green.TSUBAZERIAI), _tsubazeriai_refusal, _cede),
    Row("TSUBAZERIAI + red", "III.3a", _is(Green.TSUBAZERIAI, red=True), _fitting_red_attack, _cede),
    Row(
        "TSUBAZERIAI + HIKI WAZA",
        "III.3a",
        _uchi(Green.TSUBAZERIAI, hiki=True),
        _tsubazeriai_hiki_refusal,
        _hiki_effect,
    ),
    Row("TSUBAZERIAI + HIKI WAZA", "III.3a", _uchi(hiki=True), lambda *_: _LONE_HIKI, _no_effect),
    Row("MUSHIN", "III.3b", _is(Green.MUSHIN), _mushin_refusal, _no_effect),
    Row("MUSHIN + red", "III.3b", _mushin_red, _mushin_red_refusal, _mushin_red_effect),
    Row("SEME", "III.3c", _is(Green.SEME), _seme_refusal, _seme_effect),
    Row("SEME + red", "III.3c", _is(Green.SEME, red=True), _fitting_red_attack, _seme_red_effect),
    Row(
        "FUDOSHIN",
        "III.3d",
        _is(Green.FUDOSHIN),
        _against(Seme, Fudoshin, Jodan, what=Sentence("SEME, FUDOSHIN or JODAN NO KAMAE")),
        neutralised,
    ),
    Row(
        "FUDOSHIN + red", "III.3d", _is(Green.FUDOSHIN, red=True), _fudoshin_red_refusal, _fudoshin_red_effect
    ),
    Row("JIKAN DESU", "III.3e", _is(Green.JIKAN_DESU), _jikan_desu_refusal, _jikan_desu_effect),
    Row("BOGYO", "III.3f", _is(Green.BOGYO), _ATTACK, lambda bout, _: round_over(bout, bout.actor)),
    Row(
        "TSUYOI KAMAE",
        "III.3g",
        _is(Green.TSUYOI_KAMAE),
        _against(MakiWaza, what=Sentence("MAKI WAZA")),
        _parry_effect,
    ),
    Row(
        "KAIHI SURU",
        "III.3h",
        _is(Green.KAIHI_SURU),
        _against(Oshidashi, what=Sentence("OSHIDASHI")),
        _parry_effect,
    ),
    Row("OSHIDASHI", "III.3i", _is(Green.OSHIDASHI), _opener, lambda bout, _: facing(bout, Oshidashi())),
    Row("MAKI WAZA", "III.3j", _is(Green.MAKI_WAZA), _opener, lambda bout, _: facing(bout, MakiWaza())),
    Row("JODAN NO KAMAE + brown", "III.3k", _uchi(Green.JODAN_NO_KAMAE), _opener, _jodan_effect),
    Row("JODAN NO KAMAE", "III.3k", _is(Green.JODAN_NO_KAMAE), _JODAN, neutralised),
    Row("TAI JODAN + brown or red", "III.3l", _tai_jodan, _tai_jodan_refusal, _tai_jodan_effect),
)
"""The table. A HIKI WAZA without TSUBAZERIAI is covered by a row that always refuses it."""
