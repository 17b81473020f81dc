"""Every house rule of Koi-Koi as one documented value.

Presets are TOML files in `rulesets/`; a club's own file names a preset as its `base` and overrides keys.
`Lnn` are lines of a hanafuda club's written rules (16 March 2008). Where they are silent, one reading is
chosen and documented at its key.
"""

from dataclasses import dataclass
from typing import Literal

from referee.sentence import Sentence

Stacking = Literal["best", "add"]
Spoiling = Literal["never", "captured", "on_field"]
LightsFactor = Literal["off", "double", "count", "one_more"]
CallEffect = Literal[
    "each_call_doubles",
    "opponent_call_doubles",
    "any_call_doubles",
    "own_calls_multiply",
    "opponent_calls_multiply",
    "own_ladder",
]


@dataclass(frozen=True, slots=True)
class Worth:
    """What a yaku is worth.

    Attributes
    ----------
    points : for the yaku itself; 0 if the house does not play it.
    extra : for each further card of its kind.
    points_after_call : instead of `points` once its owner has called koi-koi; left out if it is the same.
    """

    points: int
    extra: int = 0
    points_after_call: int | None = None

    def of(self, further_cards: int, *, called: bool) -> int:
        """Return the points of the reached yaku with so many further cards."""
        points = self.points_after_call if called and self.points_after_call is not None else self.points
        return points + self.extra * further_cards


@dataclass(frozen=True, slots=True)
class YakuWorths:
    """What each yaku is worth (L108-L120); names as in `referee.koikoi.yaku`."""

    goko: Worth
    shiko: Worth
    ame_shiko: Worth
    sanko: Worth
    inoshikacho: Worth
    tane: Worth
    akatan_aotan: Worth
    akatan: Worth
    aotan: Worth
    tan: Worth
    kasu: Worth
    hanamizake: Worth
    tsukimizake: Worth
    month: Worth


@dataclass(frozen=True, slots=True)
class StackingRules:
    """Whether several yaku of one group count together (reading 2). Only the best yaku of the lights counts.

    Attributes
    ----------
    animals : `best`: inoshikacho replaces tane; `add`: both count.
    ribbons : `best`: the dearest ribbon yaku counts; `add`: all of them.
    """

    animals: Stacking
    ribbons: Stacking


@dataclass(frozen=True, slots=True)
class SakeCupRules:
    """What the sake cup counts as (L133).

    Attributes
    ----------
    counts_as_kasu : it counts among the ten kasu as well as among the animals.
    """

    counts_as_kasu: bool


@dataclass(frozen=True, slots=True)
class ViewingRules:
    """The two sake yaku (L114, L115).

    Attributes
    ----------
    rained_off : a player who holds the rain man has no viewing yaku.
    rain : November's willow cards spoil the flower viewing: `never`; when its player has `captured` one; or
        as long as one lies `on_field`, until somebody captures it.
    fog : December's paulownia cards spoil the moon viewing in the same way.
    beside_another : a viewing yaku counts only for a player who has another yaku as well.
    """

    rained_off: bool
    rain: Spoiling
    fog: Spoiling
    beside_another: bool


@dataclass(frozen=True, slots=True)
class CallRules:
    """What calling koi-koi does.

    Attributes
    ----------
    effect : `each_call_doubles`: every call of any player doubles (L97); `opponent_call_doubles`: x2 if an
        opponent of the stopping player has called; `any_call_doubles`: x2 if anyone has;
        `own_calls_multiply`: x(1 + own calls); `opponent_calls_multiply`: x(1 + calls of the others);
        `own_ladder`: own calls add 1, 2, 3 points, from the fourth on x2, x3, ...
    limit : how many calls one player may make in a round; 0 for no limit.
    minimum_base : undoubled points a player needs to call.
    """

    effect: CallEffect
    limit: int
    minimum_base: int


@dataclass(frozen=True, slots=True)
class DecisionRules:
    """When a player may stop or call (L79, reading 7).

    Attributes
    ----------
    requires : `growth`: the base has grown in this turn; `new_yaku`: a yaku that the player did not have.
    without_hand_cards : for a player without hand cards, who cannot go on (reading 9). `ask`: the
        player is asked, and only a stop is accepted; `stop`: the round stops at once.
    """

    requires: Literal["growth", "new_yaku"]
    without_hand_cards: Literal["ask", "stop"]


@dataclass(frozen=True, slots=True)
class ThresholdRules:
    """The doubling of a large undoubled sum (L91, L95, reading 1).

    Attributes
    ----------
    mode : `gt`: more than `points`; `ge`: `points` or more; `off`.
    points : the limit, compared with the sum before any doubling.
    factor : multiplies the sum.
    """

    mode: Literal["gt", "ge", "off"]
    points: int
    factor: int


@dataclass(frozen=True, slots=True)
class CaptureRules:
    """Taking cards (L77, L138).

    Attributes
    ----------
    mandatory : a matching card must be taken; a forgotten capture can still be made up for (reading 4).
    """

    mandatory: bool


@dataclass(frozen=True, slots=True)
class HandRules:
    """How a starting hand can end a round (L122-L128, L140, readings 14 and 19).

    Attributes
    ----------
    teshi : two players, four cards of a month: `win`, `redeal` or `play` on.
    kuttsuki : two players, exactly four pairs: `win`, `redeal` or `play` on.
    points : what teshi and kuttsuki pay; no multiplier.
    four_of_a_month : three or four players: `redeal` or `play` on.
    """

    teshi: Literal["win", "redeal", "play"]
    kuttsuki: Literal["win", "redeal", "play"]
    points: int
    four_of_a_month: Literal["redeal", "play"]


@dataclass(frozen=True, slots=True)
class FieldRules:
    """How the dealt field can force a redeal (L138, L139, reading 15).

    Attributes
    ----------
    four_of_a_month, four_pairs, three_of_a_month : `redeal` or `play` on; if play goes on with three of a
        month, the fourth card takes them all.
    lights_multiply : lights that were dealt to the field multiply the points of the round: `off`; `double`:
        by two, however many; `count`: by their number, if it is more than one; `one_more`: by their number
        and one.
    """

    four_of_a_month: Literal["redeal", "play"]
    four_pairs: Literal["redeal", "play"]
    three_of_a_month: Literal["redeal", "play"]
    lights_multiply: LightsFactor


@dataclass(frozen=True, slots=True)
class DealerRules:
    """Who deals (L69, L85, readings 11 and 13).

    Attributes
    ----------
    first_tie : for equal lowest months in the draw for the first deal: `draw_again`, or the `higher_card`.
    after_win : `right`: a winning dealer deals again, otherwise the right neighbour deals; `winner`: the
        winner deals.
    after_draw : after a round without a winner the deal passes to the `right` or `stays`.
    """

    first_tie: Literal["draw_again", "higher_card"]
    after_win: Literal["right", "winner"]
    after_draw: Literal["right", "stays"]


@dataclass(frozen=True, slots=True)
class SettlementRules:
    """Who gets and who pays (L132, reading 18).

    Attributes
    ----------
    mode : `winner_only`: only the winner's total changes; `zero_sum`: every other player pays the winner.
    dealer_points_without_winner : the dealer's reward for an exhausted round.
    """

    mode: Literal["winner_only", "zero_sum"]
    dealer_points_without_winner: int


@dataclass(frozen=True, slots=True)
class MatchRules:
    """The match around the rounds (L87, L137, reading 12).

    Attributes
    ----------
    rounds : how many rounds are played.
    start_points : points each player starts with; the match also ends when somebody has none left. 0: no
        purse.
    direction : the direction in which turn and deal pass around the table; seats are numbered that way.
    beyond_last : a deal after the last round is `flagged`, or `allowed`.
    """

    rounds: int
    start_points: int
    direction: Literal["counter_clockwise", "clockwise"]
    beyond_last: Literal["flagged", "allowed"]


@dataclass(frozen=True, slots=True)
class DealSize:
    """How many cards are dealt (L73-L75).

    Attributes
    ----------
    hand : cards for each player; 0 if this number of players is not allowed.
    field : cards face up in the middle.
    """

    hand: int
    field: int


@dataclass(frozen=True, slots=True)
class DealRules:
    """The deal for each number of players (L71-L75)."""

    players_2: DealSize
    players_3: DealSize
    players_4: DealSize

    def size(self, players: int) -> DealSize:
        """Return the deal for `players`; ValueError if the ruleset is not played with that many."""
        sizes = {2: self.players_2, 3: self.players_3, 4: self.players_4}
        played = {number: size for number, size in sizes.items() if size.hand > 0}
        if players not in played:
            each = ", ".join(map(str, played))
            why = Sentence(
                "these rules are for {counts} players, got {players}", counts=each, players=players
            )
            raise ValueError(why)
        return played[players]


@dataclass(frozen=True, slots=True)
class RuleSet:
    """All the house rules of one table.

    Attributes
    ----------
    name : id of the preset, or the house's own name.
    title : one line for people.
    yaku, stacking, sake_cup, viewing, calls, decision, threshold, capture, hands, field, dealer, settlement,
    match, deal : the sections; each key is documented at its own class.
    """

    name: str
    title: str
    yaku: YakuWorths
    stacking: StackingRules
    sake_cup: SakeCupRules
    viewing: ViewingRules
    calls: CallRules
    decision: DecisionRules
    threshold: ThresholdRules
    capture: CaptureRules
    hands: HandRules
    field: FieldRules
    dealer: DealerRules
    settlement: SettlementRules
    match: MatchRules
    deal: DealRules
