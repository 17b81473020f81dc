"""Writing down a bout of the Kendo cards from what lies on the court: who laid what, and what was illegal.

A seat's play is all that it lays until something else happens; it is judged anew with every card that joins
it. An illegal play is flagged and changes nothing until it is taken back or accepted.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from desk.kendo.events import CourtLook, LaidCard
from desk.kendo.unseen_stretch import Span, after_sweep, stepped, told, was_long
from referee.cards.kendo import Card, face, parse_card
from referee.kendo.deck import opener
from referee.kendo.events import Accept, Declare, Event, Open, Pass, Play, Word
from referee.kendo.minutes import Minutes, begin
from referee.kendo.ruleset import RuleSet
from referee.kendo.standing import Nothing
from referee.sentence import Sentence

PASS = "pass"  # noqa: S105 (a word of the game)
ACCEPT = "accept"
WORDS = (*(word.value for word in Word), PASS, ACCEPT)
"""What people can say: declarations, that a seat does not answer, and that an illegal play is accepted."""


@dataclass(frozen=True, slots=True)
class Noted:
    """An inferred event, and when its cards lay still."""

    t_ms: float
    event: Event
    taken_back: bool = False  # whether its cards were taken up again, so that it no longer counts


@dataclass(frozen=True, slots=True)
class CourtFlag:
    """Something wrong."""

    event: int  # number of the note at which it occurred, from 0
    t_ms: float
    id: str  # what is wrong; `unsure` and `marker_differs` beside the ids of `referee.kendo.minutes.FlagId`
    row: str  # the row of the table, or the rule, that forbids it
    text: str


@dataclass(frozen=True, slots=True)
class _Play:
    """The latest play, as long as nothing else has happened."""

    seat: int
    cards: tuple[LaidCard, ...]
    before: tuple[Minutes, ...]  # the possible states of the bout before it
    flags: int
    note: int  # number of its note


class Scribe:
    """Takes looks and words in order of time; cards of one play overlap, others lie side by side."""

    def __init__(self, rules: RuleSet, card_width_mm: float = 63.0) -> None:
        self.readings: tuple[Minutes, ...] = (begin(rules),)
        self.is_uncertain = False
        self._pair_mm = 0.9 * card_width_mm
        self.notes: list[Noted] = []
        self.flags: list[CourtFlag] = []
        self.standing_flag: CourtFlag | None = None
        self._look = CourtLook(0.0, ((), ()))
        self._play: _Play | None = None
        self._revealed: list[CourtLook] = []
        self._doubted = False
        self._wrong_marks: list[str] = []
        self._unseen: tuple[Span, ...] = ()
        self._lost = False
        self._held: list[tuple[float, int, str]] = []

    @property
    def minutes(self) -> Minutes:
        """The bout as it most likely stands."""
        return self.readings[0]

    # --- what is seen ------------------------------------------------------------------------------------

    def look(self, look: CourtLook) -> None:
        """Take in the court at rest. Nothing is judged while a card on it is unreadable."""
        self._doubt(look)
        if look.cards_seen.unread:
            return
        if self._unseen or self._lost:
            self._look_again(look)
        else:
            self._look_on(look)

    def _look_on(self, look: CourtLook) -> None:
        if self.minutes.bout.to_act is None and not self.notes and self._is_reveal(look):
            return
        self._follow(look)

    # --- what nobody saw ---------------------------------------------------------------------------------

    def unseen(self, from_ms: float, to_ms: float) -> None:
        """Note that nobody saw the court between two instants, and that cards may have been moved."""
        self._unseen = (*self._unseen, (from_ms, to_ms))

    def _look_again(self, look: CourtLook) -> None:
        """Take in the first look after an unseen stretch, or a look while the situation is unknown."""
        if not self._lost:
            if self._is_put_right(look):
                self._call_off(look)
            elif self._lies_alike(look) or self._is_one_play(look) or not was_long(self._unseen):
                self._unseen = ()
                self._look_on(look)
            elif self.minutes.bout.winner is None:
                self._lose(look)
        if self._lost:
            self._look = look
            if look.is_bare:
                after = (state for reading in self.readings for state in after_sweep(reading, look))
                self.readings, self._lost = tuple(dict.fromkeys(after)), False
        self._unseen = ()
        held, self._held = self._held, []
        if not self._lost:
            for said in held:
                self.say(*said)

    def _lose(self, look: CourtLook) -> None:
        self._lost = self.is_uncertain = True
        if self.standing_flag is not None and self._play is not None and self._has_gone(self._play, look):
            self._call_off(look)  # the illegal play has no effect, whoever took it up
        self._play, self.standing_flag = None, None
        self._revealed.clear()
        t_ms = (self._unseen[0][0] + self._unseen[-1][1]) / 2
        self.flags.append(CourtFlag(len(self.notes), t_ms, "unsure", "the court", told(self._unseen)))

    def _lies_alike(self, look: CourtLook) -> bool:
        """Tell whether the court is unchanged; every play would bring a card to it."""
        latest = self._revealed[-1] if self._revealed else self._look
        same = all(look.cards(seat) == latest.cards(seat) for seat in (0, 1))
        return same and look.marks == latest.marks and look.done == latest.done and not look.is_bare

    def _is_one_play(self, look: CourtLook) -> bool:
        """Tell whether a look shows one lawful play of the seat whose move it was, and nothing else."""
        to_act = self.minutes.bout.to_act
        if to_act is None or any(self._look.cards(seat) - look.cards(seat) for seat in (0, 1)):
            return False
        new = [look.new_since(self._look, seat) for seat in (0, 1)]
        play = Play(to_act, _cards(new[to_act]))
        return bool(new[to_act]) and not new[1 - to_act] and _is_lawful(self.readings, play)

    def _is_put_right(self, look: CourtLook) -> bool:
        """Tell whether the only change is that an illegal play, which nobody accepted, was taken up.

        This is not certain after a longer stretch: the seat may have played anew, or the court been swept.
        """
        play = self._play
        accepted = any(said == ACCEPT for _, _, said in self._held)
        if self.standing_flag is None or play is None or accepted or was_long(self._unseen, reaches=3):
            return False
        gone = self._look.cards(1 - play.seat) - look.cards(1 - play.seat)
        new = [look.new_since(self._look, seat) for seat in (0, 1)]
        return self._has_gone(play, look) and not gone and not any(new)

    def _call_off(self, look: CourtLook) -> None:
        """Note that the illegal play that lay there was taken up."""
        assert self._play is not None, "a play is called off"
        self.notes[self._play.note] = replace(self.notes[self._play.note], taken_back=True)
        self._play, self.standing_flag, self._look = None, None, look

    def _has_gone(self, play: _Play, look: CourtLook) -> bool:
        return self._look.cards(play.seat) - look.cards(play.seat) == _counted(play.cards)

    def _is_reveal(self, look: CourtLook) -> bool:
        """Take in the brown cards that decide who opens; return False once the look shows a play."""
        browns = [[face(laid.face).number for laid in side] for side in look.laid]
        single = all(len(side) <= 1 and all(side) for side in browns)
        if single and any(browns):
            self._revealed.append(look)
            return True
        if not any(look.laid):
            shown = next((seen for seen in reversed(self._revealed) if all(seen.laid)), None)
            if shown is not None:
                numbers = face(shown.laid[0][0].face).number, face(shown.laid[1][0].face).number
                first = opener(numbers)
                if first is not None:
                    self._happened(shown.t_ms, Open(first))
            self._revealed.clear()
            self._look = look
            return True
        # more than one card on a side: the earlier cards were plays too
        earlier, self._revealed = self._revealed, []
        for before in earlier:
            self._follow(before)
        return False

    def _follow(self, look: CourtLook) -> None:
        before, self._look = self._look, look
        gone = [before.cards(seat) - look.cards(seat) for seat in (0, 1)]
        new = [look.new_since(before, seat) for seat in (0, 1)]
        if any(gone) and not self._take_back(gone, look) and look.is_bare:
            self._cleared(look.t_ms)
        for seat in self._in_turn(new):
            self._laid(look.t_ms, seat, new[seat])
        self._check_marks(look)

    def _in_turn(self, new: list[tuple[LaidCard, ...]]) -> Iterator[int]:
        """Yield the seats that laid something, the seat whose move it is first."""
        first = self.minutes.bout.to_act or 0
        if self._play is not None and new[self._play.seat]:
            first = self._play.seat
        yield from (seat for seat in (first, 1 - first) if new[seat])

    def _laid(self, t_ms: float, seat: int, cards: tuple[LaidCard, ...]) -> None:
        latest = self._play
        if latest is not None and latest.seat == seat and self._joins(latest, cards):
            self._judge(t_ms, replace(latest, cards=(*latest.cards, *cards)))
        else:
            self._judge(t_ms, _Play(seat, cards, self.readings, len(self.flags), len(self.notes)))

    def _joins(self, latest: _Play, cards: tuple[LaidCard, ...]) -> bool:
        """Tell whether cards belong to the latest play: they overlap it, or are lawful only with it."""
        if any(new.distance_mm(old) < self._pair_mm for new in cards for old in latest.cards):
            return True
        together = Play(latest.seat, _cards((*latest.cards, *cards)))
        return self.minutes.bout.to_act != latest.seat and _is_lawful(latest.before, together)

    def _judge(self, t_ms: float, play: _Play) -> None:
        """Judge a play, and replace its earlier note."""
        event = Play(play.seat, _cards(play.cards))
        del self.flags[play.flags :], self.notes[play.note :]
        self.standing_flag = None
        self.readings = play.before
        self._happened(t_ms, event)
        self._play = play
        if len(self.minutes.flags) > len(play.before[0].flags):
            self.standing_flag = self.flags[-1]

    def _take_back(self, gone: list[Counter[str]], look: CourtLook) -> bool:
        """Undo the latest play if only its cards, all or some, went back to the hand; else return False."""
        play = self._play
        if play is None or gone[1 - play.seat] or not gone[play.seat] <= _counted(play.cards):
            return False
        if _was_put_aside(gone[play.seat], look) or (look.is_bare and play.seat not in look.seats):
            return False
        left = _left(play.cards, gone[play.seat])
        if self.standing_flag is None:
            self.readings = play.before
        # the flag of an illegal play stays: it was laid, and then taken back
        self.notes[play.note] = replace(self.notes[play.note], taken_back=True)
        self._play, self.standing_flag = None, None
        if left:
            self._laid(look.t_ms, play.seat, left)
        return True

    def _cleared(self, t_ms: float) -> None:
        """Take in that the court was swept: the seat that should have answered does not answer."""
        self._play, self.standing_flag = None, None
        bout = self.minutes.bout
        if bout.winner is None and bout.to_act is not None and not isinstance(bout.standing, Nothing):
            self._happened(t_ms, Pass(bout.to_act))

    # --- what is said ------------------------------------------------------------------------------------

    def say(self, t_ms: float, player: int, what: str) -> None:
        """Take in a word of `WORDS`; if the court is not seen, it waits for the next look."""
        if self._unseen or self._lost:
            self._held.append((t_ms, player, what))
            return
        if self.is_uncertain and self.minutes.bout.to_act is None and what not in {PASS, ACCEPT}:
            return  # it may concern something that nobody saw
        play = self._play
        if what == ACCEPT:
            if play is None or self.standing_flag is None:
                return
            self.standing_flag = None
            event: Event = Accept(play.seat, _cards(play.cards))
        elif what == PASS:
            event = Pass(player)
        else:
            event = Declare(player, Word(what))
        self._happened(t_ms, event)
        self._play = None

    # --- the minutes -------------------------------------------------------------------------------------

    def _happened(self, t_ms: float, event: Event) -> None:
        before = len(self.minutes.flags)
        self.readings = stepped(self.readings, event)
        for flag in self.minutes.flags[before:]:
            self.flags.append(CourtFlag(len(self.notes), t_ms, flag.id.value, flag.row, flag.text))
        self.notes.append(Noted(t_ms, event))

    def _doubt(self, look: CourtLook) -> None:
        """Flag unreadable cards, once as long as they lie there."""
        if look.cards_seen.unread and not self._doubted:
            text = Sentence(
                "unreadable cards on the court: {n}; turn them up or lay them free", n=look.cards_seen.unread
            )
            self.flags.append(CourtFlag(len(self.notes), look.t_ms, "unsure", "the court", text))
        self._doubted = look.cards_seen.unread > 0

    def _check_marks(self, look: CourtLook) -> None:
        """Flag markers that still differ from the score when the next card is laid."""
        if self.is_uncertain:
            # with several readings, the markers show which one is right
            self.readings = tuple(sorted(self.readings, key=lambda reading: _differs(reading, look)))
            return
        wrong = [
            f"player {seat} shows {', '.join(look.marks[seat])}, and has "
            f"{self.minutes.bout.ippon[seat]} IPPON, {self.minutes.bout.hansoku[seat]} HANSOKU"
            for seat in (0, 1)
            if _mark_differs(self.minutes, look, seat)
        ]
        laid_now = bool(self.notes) and self.notes[-1].t_ms == look.t_ms
        if wrong and wrong == self._wrong_marks and laid_now:
            told = "; ".join(wrong)
            self.flags.append(CourtFlag(len(self.notes) - 1, look.t_ms, "marker_differs", "markers", told))
        self._wrong_marks = wrong


def _mark_differs(minutes: Minutes, look: CourtLook, seat: int) -> bool:
    """Tell whether a seat's markers differ from the score; a seat without markers does not count."""
    marks, bout = Counter(look.marks[seat]), minutes.bout
    if not marks["hajime"] + marks["ippon"]:
        return False
    return (marks["ippon"] > 0) != (bout.ippon[seat] > 0) or marks["hansoku"] != bout.hansoku[seat]


def _differs(minutes: Minutes, look: CourtLook) -> int:
    return sum(_mark_differs(minutes, look, seat) for seat in (0, 1))


def _is_lawful(readings: Sequence[Minutes], event: Event) -> bool:
    return any(now.flags == readings[0].flags for now in stepped(readings, event))


def _cards(laid: Iterable[LaidCard]) -> tuple[Card, ...]:
    return tuple(parse_card(each.card) for each in laid)


def _counted(laid: Iterable[LaidCard]) -> Counter[str]:
    return Counter(each.card for each in laid)


def _left(laid: Iterable[LaidCard], gone: Counter[str]) -> tuple[LaidCard, ...]:
    going = Counter(gone)
    left = []
    for each in laid:
        if going[each.card]:
            going[each.card] -= 1
        else:
            left.append(each)
    return tuple(left)


def _was_put_aside(gone: Counter[str], look: CourtLook) -> bool:
    """Tell whether one of the cards that left lies where played cards go."""
    return any(str(face(name).card) in gone for name in look.done)
