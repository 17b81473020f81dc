"""A card that moved with hands at it, and how sure it can be at most whose hand touched it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vision.contact.approach import Approach
from vision.contact.driver import COARSE_NS, Contest, Evidence
from vision.field.slots import Slot
from vision.hand_cues.unseen_arms import unseen_mm2
from vision.hands.frame_map import NEAR, OTHER
from vision.launch.onset import WEAK

COVERED_MM = -30.0  # fingers pressed on a card cover as much of it as a square of this side
BESIDE_MM = 40.0  # a hand farther away than this has nothing to do with it
RIVAL_MM = 75.0  # but beside a hand that hovers, a fast one may have come from there
MET_NS, _MET = 60_000_000, 0.75  # followed through the other player's arm for longer, hands may be mixed up
_RESTS = 0.3  # metres per second: a hand slower than this, seen before and after, has not been elsewhere
TOUCHED_CHANCE = 0.8  # above which a card was touched for sure


@dataclass(frozen=True, slots=True, eq=False)
class CardCase(Contest):
    """A card that moved, the hands at it, and what speaks for whom.

    Attributes
    ----------
    shaded : the same with what may be only shade on the card; None where there were no two hands near.
    weighed : what speaks for whom; None where there were no two hands to choose from.
    """

    shaded: Mapping[int, Approach] | None = None
    weighed: Evidence | None = None

    @property
    def gaps(self) -> dict[int, float]:
        """How far each player's hand was from the card as it set off, millimetres."""
        return {player: one.gap_at(self.strike.onset.t_ns) for player, one in self.approach.items()}

    @property
    def is_uncovered(self) -> bool:
        """Whether no hand lay over the card in any picture of when it may have set off."""
        onset = self.strike.onset
        return all(one.nearest_mm(onset.t_ns, onset.t_unc_ns) > 0 for one in self.approach.values())

    def is_alone(self, player: int) -> bool:
        """Tell whether no kept picture shows the other player's hand near the card."""
        # a hand that no kept picture shows so near is not at the card
        alone_mm = 150.0
        return float(self.approach[OTHER[player]].gaps_mm.min()) > alone_mm

    def came_at_once(self, player: int, arrival: tuple[float, float] | None) -> tuple[float, float] | None:
        """Return when a player's hand came as the card set off, less than a picture apart from the other one.

        Either may have struck it first then, whatever speaks for one of them. Where they met in that picture,
        it does not tell which of them is where: the hand may have come as far as it could come by then.
        """
        onset, approach = self.strike.onset, self.approach[player]
        step_ns = approach.step_at(onset.t_ns)
        soon_ns = min(onset.t_unc_ns, step_ns)
        if approach.gap_before(onset.t_ns - soon_ns) <= 0 or self.rested(player) or self.stays(player):
            return None
        if arrival is not None and arrival[0] < onset.t_ns + soon_ns:
            other = self.approach[OTHER[player]].arrival(float("-inf"))
            if other is None or arrival[0] - other[0] < step_ns:
                return arrival
        met = any(one.meets_after(onset.t_ns) for one in self.approach.values())
        if met and self.weighed is not None and not approach.is_arm_at(onset.t_ns):
            pace = max(self.weighed.speeds.get(player, 0.0), approach.pace_before(onset.t_ns))
            if approach.gap_before(onset.t_ns) < pace * step_ns / 1e6:
                return onset.t_ns, step_ns / 2
        return None

    def is_away_before(self, arrival: tuple[float, float], player: int) -> bool:
        """Tell whether the card had flown off before a player's hand came to its place.

        `arrival` is an instant and its half width.
        """
        strike, gone_ns = self.strike, self.departure.shown_gone_ns
        if strike.flight is None:
            return False
        t_ns, earliest_ns = arrival[0], arrival[0] - arrival[1]
        set_off_ns = strike.onset.t_ns + strike.onset.t_unc_ns
        # A card that flew off, seen or not, is elsewhere by then: of 20 hands that came to its place later
        # than that no one touched it, while one that the first hand kept below it was struck once more up to
        # 0.25 s later.
        away_ns, away_unseen_ns = 100_000_000, 200_000_000
        if strike.flight.strength >= WEAK and t_ns > set_off_ns + away_ns:
            return True
        # of ten hands that were still so far away as it set off none had touched it: most were cards
        far_off_mm = 200.0
        if self.approach[player].gap_at(set_off_ns) > far_off_mm:
            return True
        empty_ns = 30_000_000  # none of 19 hands that came so long after its place was empty had
        is_empty = gone_ns is not None and earliest_ns > gone_ns + empty_ns
        return is_empty or earliest_ns > set_off_ns + away_unseen_ns

    def rested(self, player: int) -> bool:
        """Tell whether a player's hand was seen beside the card as it set off, and did not come nearer.

        The flow may lose a hand that meets another one and call it slow: its gap must not have shrunk either.
        """
        pace = self.approach[player].pace_before(self.strike.onset.t_ns)
        moved = None if self.weighed is None else self.weighed.speeds.get(player)
        return moved is not None and max(moved, pace) < _RESTS

    def stays(self, player: int) -> bool:
        """Tell whether the other player's hand goes on with the card, and this one stays behind."""
        on = 0.0 if self.weighed is None else self.weighed.goes_on
        goes_on = 0.4  # so clearly one hand goes on with a card: the other one stays, and did not strike it
        return (-on if player == NEAR else on) >= goes_on

    def may_hide(self, player: int) -> bool:
        """Tell whether a player's hand lay over the card for long as the other one's came to it.

        It may only have hovered there, with the fingers that moved the card below it.
        """
        t_ns, mine = self.strike.onset.t_ns, self.approach[player]
        # a hand that lies there for so long, and one that comes so near
        lain_ns, abuts_mm = 100_000_000, 15.0
        since_ns = t_ns - lain_ns
        before = (mine.times_ns >= since_ns) & (mine.times_ns <= t_ns)
        most_mm = max([mine.gap_at(since_ns), *mine.gaps_mm[before]])
        if mine.times_ns[0] > since_ns or most_mm > COVERED_MM:
            return False
        return self.approach[OTHER[player]].gap_before(t_ns) < abuts_mm

    def is_followed_by(self, player: int) -> bool:
        """Tell whether a player's hand, and no other, was over the card as it moved on."""
        after = self.approach[player].times_ns >= self.strike.onset.t_ns
        mine_mm = self.approach[player].gaps_mm[after]
        others_mm = self.approach[OTHER[player]].gaps_mm
        followed_mm = -33.0  # a hand that only passes a pushed card covers less of it
        return bool(len(mine_mm)) and mine_mm.min() < followed_mm and float(others_mm.min()) > RIVAL_MM

    @property
    def is_contest(self) -> bool:
        """Whether both players' hands were near enough for it to tell which of them struck here."""
        company_mm = 60.0, 120.0  # cards near both hands tell whose hand struck their neighbours
        return self.is_between(*company_mm) or self.is_between(BESIDE_MM, RIVAL_MM)

    def is_between(self, beside_mm: float, rival_mm: float) -> bool:
        """Tell whether one hand was as near as `beside_mm`, and the other player's within `rival_mm`."""
        gaps = sorted(self.gaps.values())
        return gaps[0] <= beside_mm and gaps[1] <= rival_mm


def _are_mixed(case: CardCase, slot: Slot, first: int) -> bool:
    """Tell whether a hand has met the other player's, of whose arms too little is seen to follow them.

    The other hand may be nowhere near the card by now: the one that is there may be that one.
    """
    t_ns = case.strike.onset.t_ns
    met_views, soon_ns = 3, 6_000_000  # pictures that tell, up to the one in which the card sets off
    views = [view for view in case.departure.views if view.t_ns < t_ns + soon_ns][-met_views:]
    # a third of a palm; so much of met hands that is not told from the floor is too much
    most_unseen_mm2 = 2400.0
    return case.approach[first].met_at(t_ns) > 0 and unseen_mm2(slot, views) > most_unseen_mm2


def _is_blurred(case: CardCase, evidence: Evidence, second: int) -> bool:
    """Tell whether two hands may have come to a card one after the other without being told apart."""
    onset, flight = case.strike.onset, case.strike.flight
    step_ns = case.approach[second].step_at(onset.t_ns)
    if evidence.speeds.get(second, _RESTS) < _RESTS and onset.t_unc_ns < step_ns:
        return False  # it lay there before and after: it did not come
    if flight is None and case.approach[second].nearest_mm(onset.t_ns, onset.t_unc_ns) > 0:
        return False  # a hand that presses stays for a moment: it would lie over the card in a picture
    followed = flight is not None and len(flight.spots) > 1
    blurred_ns = 16e6  # hands that come to a card within so long a doubt cannot be told apart
    return onset.t_unc_ns > blurred_ns or (step_ns > COARSE_NS and not followed)


def _lay_on(case: CardCase, player: int) -> bool:
    """Tell whether fingers lay on a card as it set off, in pictures too far apart to tell since when."""
    t_ns, approach = case.strike.onset.t_ns, case.approach[player]
    apart_ns, tip_mm2 = 12_000_000, 300.0
    return approach.step_at(t_ns) > apart_ns and case.gaps[player] < 0 and approach.fingers_at(t_ns) > tip_mm2


def most_sure(
    case: CardCase, slot: Slot, first: int, touched: float, *, likely: float, pressed: int
) -> float:
    """Return how sure a contact can be at most, for all that may have been taken for something else.

    `touched` is the chance that a hand was on it, see `chance_touched`, and `likely` that it was the first
    player's; `pressed` cards slid with this one, alike, under the same hand. Shade beyond a card is taken for
    an arm, too: where only one player's hand was near, whose it was is known, and where its fingers are is
    part of `touched`.
    """
    strike, onset = case.strike, case.strike.onset
    most = 1.0
    covered = min(case.gaps.values()) < COVERED_MM
    lonely = covered and case.is_alone(first)
    alone = lonely and strike.flight is None
    pressed_by_arm = 2  # so many others: no card that came down moves three alike
    known = (alone and pressed >= pressed_by_arm) or (lonely and touched >= TOUCHED_CHANCE)
    arm = case.approach[first].is_arm_at(onset.t_ns) and not known
    vague_ns, most_vague = 100_000_000, 0.55  # hidden for so long that another hand may have been there
    if (onset.t_unc_ns > vague_ns and not alone) or arm:
        most = most_vague
    if strike.flight is None and case.may_hide(first):
        # below the one that lay over the card the fingers of the one that came to it are not seen
        most_hidden = 0.75
        most = min(most, most_hidden)
    pressed_clearly = 0.95  # surer than this whose hand pressed a card, it is known though hands had met
    if strike.flight is None and likely >= pressed_clearly:
        return most  # hands that press cards stay, and are seen again
    second = OTHER[first]
    if case.is_past(second) and not case.is_past(first):
        return most  # the other hand is seen beyond it, whatever met where
    if case.weighed is not None:
        # who goes on with the card afterwards may have come to it when it was on its way
        below = case.stays(second) and _lay_on(case, second)
        agreeing = case.weighed.odds if first == NEAR else -case.weighed.odds
        agrees = 0.7  # odds of two to one: the signs of the instant itself say so, too
        # Of 8 cards that one hand went on with while fingers of the other one lay on them, and for which less
        # spoke than this, three were touched by the other one first.
        agrees_clearly = 1.5
        told = case.stays(second) and agreeing >= (agrees_clearly if below else agrees)
        if not told and (below or _is_blurred(case, case.weighed, second)):
            most_blurred = 0.75  # hands that come to a card within so long a doubt cannot be told apart
            most = min(most, most_blurred)
    if case.approach[first].met_at(onset.t_ns) > MET_NS or (
        case.weighed is not None and _are_mixed(case, slot, first)
    ):
        most = min(most, _MET)
    return most
