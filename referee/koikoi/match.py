"""A match of Koi-Koi: rounds, totals, who deals, and when it is over (L85, L87, L137)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from referee.koikoi.dealing import duplicates, misdeal, next_dealer
from referee.koikoi.events import Deal, Event, Missed
from referee.koikoi.flags import Flag, FlagId, flagged
from referee.koikoi.judge import close, judge, unfinished
from referee.koikoi.round import Ending, Result, Round, Verdict, begin, joined, redealt
from referee.koikoi.ruleset import RuleSet
from referee.koikoi.score import Score
from referee.koikoi.unseen_part import after_missed, any_dealer, joined_midway, joined_missed
from referee.sentence import Sentence


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """A round as it stands in the minutes."""

    table: Round  # the round's state when it ended, or now
    flags: tuple[Flag, ...]  # everything flagged in it, in the order of discovery

    @property
    def result(self) -> Result | None:
        return self.table.result

    @property
    def points(self) -> tuple[int, ...]:
        """What each seat got (positive) or paid (negative); zeros while it lasts."""
        return (0,) * self.table.players if self.result is None else self.result.points

    @property
    def scores(self) -> tuple[Score, ...]:
        """Each seat's pile, scored."""
        return tuple(self.table.score(seat) for seat in range(self.table.players))


@dataclass(frozen=True, slots=True)
class Match:
    """A match at one instant."""

    rules: RuleSet
    finished: tuple[RoundRecord, ...] = ()  # the rounds before the current one
    # the possible states of the current round, the likeliest first; more than one only if a fault left open
    # how play went on. Empty before the first deal.
    readings: tuple[Round, ...] = ()
    flags: tuple[Flag, ...] = ()  # what was flagged in the current round
    events: int = 0

    @property
    def table(self) -> Round | None:
        """The current round as it most likely stands, None before the first deal."""
        return self.readings[0] if self.readings else None

    @property
    def rounds(self) -> tuple[RoundRecord, ...]:
        """All rounds, the current one last."""
        table = self.table
        return self.finished if table is None else (*self.finished, RoundRecord(table, self.flags))

    @property
    def totals(self) -> tuple[int, ...]:
        """What each seat has won or lost so far; empty before the first deal."""
        return tuple(map(sum, zip(*(record.points for record in self.rounds), strict=True)))

    @property
    def next_dealer(self) -> int | None:
        """The next dealer: the present one while the round lasts or is redealt; None before a deal."""
        return None if self.table is None else _next_dealer(self.table)

    @property
    def rounds_played(self) -> int:
        """How many of the match's rounds are used up: a redeal uses up none."""
        return sum(_counts(record.result) for record in self.rounds)

    @property
    def is_over(self) -> bool:
        """Whether all rounds are played or a purse is empty."""
        purse = self.rules.match.start_points
        return self.rounds_played >= self.rules.match.rounds or (
            purse > 0 and any(purse + total <= 0 for total in self.totals)
        )

    @property
    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """Seats by total, best first; seats with equal totals share their place (reading 17)."""
        totals = self.totals
        places = sorted(set(totals), reverse=True)
        return tuple(tuple(seat for seat, total in enumerate(totals) if total == place) for place in places)


def step(match: Match, event: Event) -> Match:
    """Return the match after one event.

    An event is lawful if it is lawful in any of the states that earlier faults left open; the other states
    are then dropped. If it is lawful in none of them, it is flagged. Raises ValueError if it does not belong
    to this match: a card before the first deal, or a seat or a number of players that the rules do not have.
    """
    line = match.events
    if isinstance(event, Deal):
        return replace(_deal(match, event, line), events=line + 1)
    if isinstance(event, Missed):
        return replace(match, readings=_missed(match, event), events=line + 1)
    if not match.readings:
        raise ValueError("the first event of a match is a deal")
    judged = _joined([judge(reading, event, line) for reading in match.readings], match.readings)
    return replace(match, readings=judged.futures, flags=_noted(match.flags, judged.flags), events=line + 1)


def concluded(match: Match) -> Match:
    """Return the match if no event follows: a round without any played card ends by its starting hands."""
    if not match.readings:
        return match
    last = _joined([unfinished(reading, match.events) for reading in match.readings], match.readings)
    return replace(match, readings=last.futures, flags=_noted(match.flags, last.flags))


def play(rules: RuleSet, events: Iterable[Event]) -> Match:
    """Return the match after all of `events`."""
    return concluded(reduce(step, events, Match(rules)))


def dealt_by_anybody(match: Match) -> Match:
    """Return the match if nobody knows who dealt the round that has just been dealt."""
    readings = (state for reading in match.readings for state in any_dealer(reading))
    return replace(match, readings=tuple(dict.fromkeys(readings)))


def _missed(match: Match, event: Missed) -> tuple[Round, ...]:
    """Return the possible states of the current round after a part that nobody saw."""
    if not match.readings or all(reading.result is not None for reading in match.readings):
        return match.readings or joined_midway(match.rules, event)
    open_still = (reading for reading in match.readings if reading.result is None)
    return tuple(dict.fromkeys(state for reading in open_still for state in after_missed(reading, event)))


def _joined(verdicts: Sequence[Verdict], readings: Sequence[Round]) -> Verdict:
    """Join the verdicts of all readings; after a missed part, doubt about the turn is no fault."""
    if not any(reading.missed for reading in readings) or any(verdict.lawful for verdict in verdicts):
        return joined(verdicts)
    return joined(joined_missed(verdicts))


def _deal(match: Match, deal: Deal, line: int) -> Match:
    match.rules.deal.size(deal.players)  # refuses a number of players that the rules do not have
    if match.table is not None and deal.players != match.table.players:
        raise ValueError(f"a match keeps its {match.table.players} players, this deal has {deal.players}")
    if not 0 <= deal.dealer < deal.players:
        raise ValueError(f"seats are numbered 0..{deal.players - 1}, got dealer {deal.dealer}")
    if deal.hands is not None and len(deal.hands) != deal.players:
        raise ValueError(
            f"hands are given for all {deal.players} players or not at all, got {len(deal.hands)}"
        )
    finished, dealers, number = match.finished, {deal.dealer}, 1
    if match.readings:
        closed = _joined([close(reading, line) for reading in match.readings], match.readings)
        dealers = {_next_dealer(future) for future in closed.futures}
        last = closed.futures[0]
        number = last.number + _counts(last.result)
        finished = (*finished, RoundRecord(last, _noted(match.flags, closed.flags)))
    flags = []
    readings = [begin(deal, match.rules, line, number)]
    if deal.dealer not in dealers:
        expected = min(dealers)
        who, other = f"player {expected}", f"player {deal.dealer}"
        text = Sentence("{player} deals this round, not {other}", player=who, other=other)
        flags.append(Flag(line, FlagId.WRONG_DEALER, text))
        readings.append(replace(readings[0], dealer=expected, turn=expected))
    before = replace(match, finished=finished, readings=())
    rounds = match.rules.match.rounds
    if match.rules.match.beyond_last == "flagged" and before.is_over:
        if before.rounds_played < rounds:
            over = Sentence("a player has no points left: this match is over")
        else:
            over = Sentence("the {n} rounds of this match have been played: it is over", n=rounds)
        flags.append(Flag(line, FlagId.PLAY_AFTER_END, over))
    for card in map(str, duplicates(deal)):
        text = Sentence("card {card} was dealt twice: each card exists once", card=card)
        flags.append(Flag(line, FlagId.DUPLICATE_CARD, text))
    if reason := misdeal(deal, match.rules):
        flags.append(flagged("{why}: the cards are dealt again", line, FlagId.MISDEAL, why=reason))
        readings = [redealt(reading) for reading in readings]
    return replace(match, finished=finished, readings=tuple(readings), flags=tuple(flags))


def _next_dealer(table: Round) -> int:
    if not _counts(table.result):
        return table.dealer
    assert table.result is not None
    return next_dealer(table.players, table.dealer, table.result.winner, table.rules)


def _counts(result: Result | None) -> bool:
    """Tell whether a round uses up one of the match's rounds: a redeal does not (reading 15)."""
    return result is not None and result.ending is not Ending.REDEAL


def _noted(flags: tuple[Flag, ...], new: tuple[Flag, ...]) -> tuple[Flag, ...]:
    return (*flags, *(flag for flag in new if flag not in flags))
