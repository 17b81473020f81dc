"""Writing down a Koi-Koi round from what lies on the table: who put down and took what, and what was wrong.

A turn is judged when it is over, that is, when the next player's card appears. Until then its player may
collect late or correct what he did.
"""

from collections.abc import Mapping
from dataclasses import replace

from desk.koikoi.scribe.appearances import (
    Appearance,
    GlimpsedInTurn,
    belongs_to_next,
    completes_capture,
    newly_taken,
    unread_months,
    went_with_own,
)
from desk.koikoi.scribe.belief import Belief, is_slip, misread
from desk.koikoi.scribe.look import Cards, Glimpse, Look, renamed_glimpse, renamed_look
from desk.koikoi.scribe.misplaced_cards import Astray, faults_between
from desk.koikoi.scribe.notes import Doubts, cards_on_table, judged_anew
from desk.koikoi.scribe.readings import Evidence, TurnReading, likeliest, moves_of, took_with_unread
from desk.koikoi.scribe.round_record import NO_LOOK, PartMissedError, RoundRecord, SoFar, new_flags
from desk.koikoi.scribe.turn import Explanation, cut_off
from referee.koikoi.events import Call, Deal, Declare, End, Event, Missed
from referee.koikoi.flags import FlagId
from referee.koikoi.match import Match, concluded, dealt_by_anybody, step
from referee.koikoi.piles import month_of
from referee.sentence import Sentence

_LOOKS_OF_A_DEAL = 3
"""After this many equal looks without captured cards, the cards count as dealt, even if it is a misdeal."""


class Scribe(RoundRecord):
    """Takes looks, glimpses and declarations in order of time, until it is closed; see `RoundRecord`."""

    # --- what is seen and said ---------------------------------------------------------------------------

    def look(self, look: Look) -> None:
        if self.awaits_deal:
            self.looks.append(look)
            self._await_deal(look)
            return
        self._learn(look)
        reread = self._reread(look)
        known = self._before.cards | {card.card for card in self._turn}
        on_table = self._latest.cards | known | cards_on_table(self.match)
        look = self._belief.corrected(look, self._latest, on_table, self._glimpses, reread)
        self.looks.append(look)
        if self._is_over:
            return
        try:
            if not self._missed.pending or self._is_followed(look):
                self._follow(self._seen_by_nobody(look) if self._missed.pending else look, known)
        except PartMissedError:
            self._lose(look)

    def _follow(self, look: Look, known: Cards) -> None:
        if found := self._astray.found(look):
            self._before, self._latest = self._before.lying(found), self._latest.lying(found)
            known |= found
        look = self._notice_another_turn(look, known)
        waits_for_draw = len(self._turn) == 1 and not self._turn[0].drawn
        # a card taken back may come again from the next player, who draws it
        turn = frozenset(card.card for card in self._turn)
        cards = look.cards - known | (turn & look.middle - self._latest.cards)
        for shown in self._glimpses.appearances(cards, look, waits_for_draw=waits_for_draw):
            if shown.card in self._before.cards.union(card.card for card in self._turn):
                continue  # the turn that has just been judged includes it, or its player put it back
            new = self._as_glimpsed(shown)
            if self._begun and completes_capture(
                new.card, self._turn, self._before, self._latest, look, seat=self._seat
            ):
                self._turn.append(replace(new, look_ms=self._latest.t_ms))
                continue
            if self._begun and belongs_to_next(new, self._turn, self._seat):
                if is_slip(new, self._turn, self._latest, look, self._seat):
                    self._belief.distrust({new.card})
                    look = look.without(frozenset({new.card}))
                    continue
                look = self._end_turn_before(look)
            if not self._begun:
                look = self._judge_who_took_before(new, look)
                self._begun, self._seat = True, self._whose(new.seats)
            self._turn.append(new)
        look = self._notice_taking(look)
        self._note_changes(look)
        self._laid_on = dict(look.over) | self._laid_on
        left = (look.captured - self._before.captured) | (self._before.middle - look.cards)
        self._apart |= {(new.card, card) for new in self._turn if new.card in look.middle for card in left}
        self._latest = look
        self._in_turn.add(self._glimpses, look)
        self._glimpses.clear()

    def glimpse(self, seen: Glimpse) -> None:
        """Take in a card that has lain on the table, while the table is not at rest."""
        seen = renamed_glimpse(seen, self._belief.names)
        if seen.on_pile and seen.card in self._latest.middle:
            self._glimpses.piled.setdefault(seen.card, seen.t_ms)
            return
        self._glimpses.add(seen)
        if seen.over is not None:
            self._laid_on.setdefault(seen.card, seen.over)

    def glimpse_strip(self, seat: int, alike: Mapping[int, float]) -> None:
        """Take in an unreadable strip in a seat's pile, with its likeness 0..1 to each card."""
        self._glimpses.strips.append((seat, alike))

    def declare(self, t_ms: float, player: int, what: Call) -> None:
        """Take in a player's declaration; it counts after the cards of the open turn."""
        if self.awaits_deal:
            return
        self._waiting.append((t_ms, Declare(player, what)))
        if not self._begun and not self._missed.pending:
            self._say_what_waits()

    def next_round(self, t_ms: float) -> None:
        """Take in that the players go on to the next round; if one has just been dealt, this is it."""
        self._close_turn()
        latest: Look | None = None
        if self._has_joined and isinstance(self.notes[-1].event, Missed) and self._undealt is not None:
            # the cards were left over from an earlier round that nobody continued
            self.match, self._undealt = self._undealt, None
            self.notes.pop()
            self.flags = [flag for flag in self.flags if flag.round < len(self.match.rounds)]
        elif self._undealt is not None and isinstance(self.notes[-1].event, Deal) and not self._is_over:
            latest = self._latest
            self.match, self._undealt = self._undealt, None
            self.notes.pop()
        elif self.match.table is not None and self.match.table.result is None:
            self._dealer_is_known &= not isinstance(self.notes[-1].event, Missed)
            self._judge(t_ms, End())
        self._before = self._latest = NO_LOOK
        self.awaits_deal, self._alike = True, 0
        if latest is not None:
            self._await_deal(latest)

    def close(self) -> None:
        self._close_turn()
        self.match = concluded(self.match)

    # --- the deal ----------------------------------------------------------------------------------------

    def _await_deal(self, look: Look) -> None:
        """Accept the deal once the right number of cards lies there, or the table stays the same."""
        self._alike = self._alike + 1 if self._latest.cards == look.cards else 1
        self._latest = look
        size = self.match.rules.deal.size(self._players).field
        if (self._missed.pending or len(self.looks) == 1) and (look.captured or len(look.middle) > size):
            self._join(look)
            return
        if not look.cards or look.captured or look.unnamed:
            return
        if len(look.field) == size or self._alike >= _LOOKS_OF_A_DEAL:
            self.deal(look)

    def deal(self, look: Look) -> None:
        """Begin a round with the cards in the middle as the deal, whatever they are."""
        dealer = self._dealer if self.match.next_dealer is None else self.match.next_dealer
        self._undealt = self.match
        self._judge(look.t_ms, Deal(None, self._players, dealer, tuple(sorted(look.middle))))
        self._before = self._latest = look
        self.awaits_deal = False
        if not self.looks or self.looks[-1] is not look:
            self.looks.append(look)
        self._turn, self._waiting, self._changed, self._begun = [], [], [], False
        self._in_turn = GlimpsedInTurn()
        self._belief, self._doubts = Belief(), Doubts()
        self._laid_on, self._astray = {}, Astray()
        self._glimpses.clear()  # cards seen until now belong to the deal
        self._missed.dismiss()
        self._has_joined = False
        if not self._dealer_is_known:
            self.match, self._dealer_is_known = dealt_by_anybody(self.match), True

    # --- who has put what down ---------------------------------------------------------------------------

    def _learn(self, look: Look) -> None:
        """Correct a conclusion about a captured card if that card is now seen elsewhere."""
        known = self._latest.cards | self._before.cards | cards_on_table(self.match) | look.cards
        names = self._belief.refuted(look, known, self._glimpses.since_ms)
        table = self.match.table
        if not names or self._undealt is None or self._astray.has_any or (table and table.missed):
            return
        self.notes[:], self.match = judged_anew(self._undealt, self.notes, names)
        self._before, self._latest = renamed_look(self._before, names), renamed_look(self._latest, names)
        for flag in self._doubts.dropped(names):
            self.flags.remove(flag)

    def _as_glimpsed(self, new: Appearance) -> Appearance:
        """Return a card with its earlier appearance in the open turn, if it was glimpsed there."""
        since_ms = self._in_turn.since_ms.get(new.card) if self._begun else None
        return new if since_ms is None else replace(new, t_ms=min(new.t_ms, since_ms), certain=True)

    def _reread(self, look: Look) -> Cards:
        """Drop misread slivers of this turn; return the cards of their months that are read instead."""
        read = frozenset[int]()
        for card, others in list(misread(self._turn, self._latest, look, self._seat)):
            self._turn.remove(card)
            self._latest = self._latest.without(frozenset({card.card}))
            if others:
                self._belief.distrust({card.card})
            read |= others
        return read

    def _whose(self, seats: frozenset[int]) -> int:
        """Return the seat whose turn begins: the next player's, unless only others have reached in."""
        assert self.match.table is not None
        expected = self.match.table.turn
        if not seats or expected in seats:
            return expected
        return min(seats, key=lambda seat: (seat - expected) % self._players)

    def _notice_taking(self, look: Look) -> Look:
        """Begin the turn of a player who took cards of the middle with cards that nobody saw."""
        for seat in sorted(look.seats):
            taken = newly_taken(self._latest, look, seat)
            if went_with_own(taken, self._turn) or (self._begun and seat == self._seat):
                continue
            if self._begun:
                if self._seat in look.seats and len(self._turn) < 2:
                    continue  # the player on turn may have laid them there
                look = self._end_turn_before(look)
            self._begun, self._seat = True, seat
        return look

    def _judge_who_took_before(self, new: Appearance, look: Look) -> Look:
        """Judge the turn before another player's new card, if only its captures were seen."""
        assert self.match.table is not None
        seat = self.match.table.turn
        if new.seats and seat in look.seats - new.seats and newly_taken(self._latest, look, seat):
            self._begun, self._seat = True, seat
            look = self._end_turn_before(look)
        return look

    def _notice_another_turn(self, look: Look, known: Cards) -> Look:
        """Begin another turn of the same player if the last is complete and an unread card took another."""
        seat = self._seat
        complete = len({card.drawn for card in self._turn}) > 1
        if not self._begun or not complete or seat not in look.seats:
            return look
        own = {month_of(card.card) for card in self._turn}
        months = set(map(month_of, newly_taken(self._latest, look, seat))) - own
        if not months & unread_months(self._latest, look, seat, known):
            return look
        look = self._end_turn_before(look)
        self._begun, self._seat = True, seat
        return look

    def _note_changes(self, look: Look) -> None:
        """Note cards that were captured in this turn and put back after the draw."""
        back = (self._latest.captured - self._before.captured) & look.middle
        if back and any(card.drawn for card in self._turn):
            self._changed.append((look.t_ms, back))

    # --- the game as it stands ----------------------------------------------------------------------------

    def so_far(self) -> SoFar:
        """Return the game as it stands now. Faults wait for the turn's end, because players collect late."""
        turned = frozenset(card.card for card in self._turn)
        match, begun = self._begun_turn()
        return SoFar(match, None if self._latest is NO_LOOK else self._latest, turned, begun)

    def _begun_turn(self) -> tuple[Match, tuple[Event, ...]]:
        """Return the match as if the turn were over, and the events of that turn."""
        if not self._begun or self._is_over:
            return self.match, ()
        likely = self._likeliest([self._latest])
        if likely is None or likely[0].cost:
            return self.match, ()
        match, said = likely[0].match, tuple(declared for _, declared in self._waiting)
        for declared in said:
            match = step(match, declared)
        return match, (*likely[0].events, *said)

    # --- the end of a turn -------------------------------------------------------------------------------

    def _end_turn_before(self, look: Look) -> Look:
        """Judge the open turn; return the look, which already shows the next turn, as that begins with it."""
        self._in_turn.add(self._glimpses.of(self._seat), look)
        self._end_turn(look)
        return self._belief.freed(look).remembering(self._latest)

    def _end_turn(self, following: Look | None = None) -> None:
        """Judge the open turn; `following`, if given, already shows the next player's card."""
        after = self._latest
        afters, own = [after], {card.card for card in self._turn}
        if following is not None:
            # the player may have collected while the next one was already at the table
            afters.append(following.without_others(after, self._seat, own, self._in_turn.piled.keys()))
        likely = self._likeliest(afters)
        if following is not None:
            likely = self._with_draw_only(likely)
        self._check_missed(likely, after)
        if likely is None:
            self._flag(
                after.t_ms,
                FlagId.UNSURE,
                Sentence("nobody saw which card {player} captured with", player=f"player {self._seat}"),
            )
        else:
            found, reading = likely
            self._write(found, reading.moves)
            after, own = reading.after, {move.card for move in reading.moves}
            self._belief.judged(own, {card.card for card in self._turn})
            for card, rivals in reading.unread:
                self._conclude(card, rivals, after.t_ms)
        for t_ms, flag, text in faults_between(self._before, after, self._seat, own, self._changed):
            self._flag(t_ms, flag, text)
        self.match = self._astray.follow(
            self._astray.settle(self.match, after),
            gone=(self._before.middle | own) - after.cards,
            returned=self._before.captured & after.middle,
        )
        self._before, self._latest = after, after
        self._turn, self._changed, self._begun = [], [], False
        self._in_turn = GlimpsedInTurn()
        self._apart = set()
        self._say_what_waits()

    def _conclude(self, card: int, rivals: Cards, t_ms: float) -> None:
        """Note a captured card that nobody has read; flag it if it may be one of several."""
        self._belief.conclude(card)
        if rivals:
            text = Sentence(
                "nobody saw which card {player} captured with: was it {card}?",
                player=f"player {self._seat}",
                card=str(card),
            )
            self._flag(t_ms, FlagId.UNSURE, text)
            self._doubts.add(self.flags[-1], card, rivals)

    def _likeliest(self, afters: list[Look]) -> tuple[Explanation, TurnReading] | None:
        known = cards_on_table(self.match)
        evidence = Evidence(tuple(self._turn), self._seat, self._in_turn, known, self._laid_on, self._apart)
        return likeliest(self.match, evidence, self._before, afters)

    def _close_turn(self) -> None:
        """Judge the last turn; if the film cuts it off, as if it went on lawfully."""
        if self._missed.lost:
            self._go_on_from(self._latest)
        try:
            self._judge_last_turn()
        except PartMissedError:
            self._missed.lose()
            self._go_on_from(self._latest)
        self._turn, self._begun = [], False
        self._say_what_waits(is_last=True)

    def _judge_last_turn(self) -> None:
        if self._begun and not self._is_over:
            moves = moves_of(self._turn, self._latest)
            unread = took_with_unread(moves, self._before, self._latest, self._seat)
            if len(moves) > 1 or self._waiting or unread:
                self._end_turn()
            elif moves:
                found = cut_off(self.match, self._seat, moves[0], self._before, self._latest)
                if self._missed.blurs(
                    self._before, self._turn, new_flags(self.match, found.match), plain=True
                ):
                    raise PartMissedError
                self._write(found, moves)
