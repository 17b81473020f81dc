"""Whole bouts of the Kendo game: random legal play always ends, and the minutes are right."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.cards.kendo import Brown, Card, Green, Technique, parse_card
from referee.kendo.bout import Bout, start
from referee.kendo.deck import opener, plausible_deck
from referee.kendo.events import Accept, Declare, Draw, Event, Exchange, Open, Pass, Pile, Play, Word
from referee.kendo.house_rules import house_rules, preset
from referee.kendo.judge import Played, candidates, judge_play, legal_plays
from referee.kendo.minutes import FlagId, Minutes, begin, play, step
from referee.kendo.ruleset import RuleSet
from referee.kendo.standing import Attack, Fudoshin, Jodan, Nothing, Seme, Standing
from tests.referee.kendo.test_umpire_evening import told

RULES = preset()
WATCHED = house_rules("readings.exchange_watched = true")
AFTER = 'readings.exchange_watched = true\nreadings.exchange_when = "after_play"'
OLD = 'readings.tsubazeriai_alone = "nothing_stands"'
MOVE_LIMIT = 400


class Court:
    """Two random players with real cards; the referee receives all of their actions."""

    def __init__(self, seed: int, rules: RuleSet = WATCHED) -> None:
        self.rng = random.Random(seed)
        deck = plausible_deck()
        self.piles: dict[Pile, list[Card]] = {
            Pile.BROWN: [card for card, _ in deck.brown],
            Pile.RED: list(deck.red),
            Pile.GREEN: list(deck.green),
        }
        for pile in self.piles.values():
            self.rng.shuffle(pile)
        self.minutes = begin(rules)
        self.hands: tuple[list[Card], list[Card]] = ([], [])
        self.situations: Counter[str] = Counter()
        self.deal(brown=2, red=3, green=3)
        self.told(Open(self.rng.randrange(2)))

    def deal(self, **counts: int) -> None:
        for hand in self.hands:
            hand.clear()
            for pile, count in counts.items():
                hand += [self.piles[Pile(pile)].pop() for _ in range(count) if self.piles[Pile(pile)]]
        self.exchange_and_draw()

    def told(self, event: Event) -> None:
        before = len(self.minutes.flags)
        self.minutes = step(self.minutes, event)
        assert self.minutes.flags[before:] == (), (event, self.minutes.flags, self.minutes.log[-3:])

    def exchange_and_draw(self) -> None:
        """Make the exchanges and draws that are due; with an empty pile they are skipped."""
        for seat in (0, 1):
            for _ in range(self.minutes.bout.exchanges[seat]):
                pile = self.rng.choice([pile for pile in self.piles.values() if pile] or [[]])
                if pile:
                    card = self.rng.randrange(len(self.hands[seat]))
                    self.hands[seat][card], pile[0] = pile[0], self.hands[seat][card]
                self.told(Exchange(seat))
            for _ in range(self.minutes.bout.draws[seat]):
                filled = [pile for pile in (Pile.RED, Pile.GREEN) if self.piles[pile]]
                if filled:
                    pile_name = self.rng.choice(filled)
                    self.hands[seat].append(self.piles[pile_name].pop())
                    self.told(Draw(seat, pile_name))
        # what an empty pile could not give is no debt
        self.minutes = replace(self.minutes, bout=replace(self.minutes.bout, draws=(0, 0)))

    def move(self) -> None:
        bout = self.minutes.bout
        self.situations[type(bout.standing).__name__] += 1
        seat = bout.actor
        hand = self.hands[seat]
        plays = list(candidates(hand))
        self.rng.shuffle(plays)
        cards = next((cards for cards in plays if isinstance(judge_play(bout, cards), Played)), None)
        lost = {Fudoshin: 2, Jodan: 2}.get(type(bout.standing), 0)
        if cards is None or self.rng.random() < 0.02:
            self.told(Pass(seat))
        else:
            self.told(Play(seat, cards))
            for card in cards:
                hand.remove(card)
            answered = isinstance(bout.standing, Jodan) or Green.FUDOSHIN in cards
            lost = 0 if answered else lost
        for _ in range(min(lost, len(hand))):
            hand.pop(self.rng.randrange(len(hand)))
        after = self.minutes.bout
        if after.may_cede and self.rng.random() < 0.5:
            self.told(Declare(seat, Word.CEDE))
        if after.may_ask_new_deal == seat and self.rng.random() < 0.5:
            self.told(Declare(seat, Word.NEW_DEAL))
            self.deal()
            self.told(Open(self.rng.randrange(2)))
        if self.minutes.bout.winner is None:
            self.exchange_and_draw()


def random_bout(seed: int, rules: RuleSet = WATCHED) -> Court:
    """Play a bout to its end and check it on the way."""
    court = Court(seed, rules)
    for _ in range(MOVE_LIMIT):
        bout = court.minutes.bout
        if bout.winner is not None:
            return court
        assert tuple(map(len, court.hands)) == bout.hand_counts
        check(bout)
        court.move()
    raise AssertionError(f"bout {seed} has not ended after {MOVE_LIMIT} moves: {court.minutes.log[-5:]}")


def check(bout: Bout) -> None:
    """Check the invariants of a running bout."""
    assert max(bout.ippon) <= 1
    assert max(bout.hansoku) <= 1
    assert bout.to_act in (0, 1)
    assert bout.last_round is None or bout.ippon[bout.last_round] == 1
    assert not bout.ippon_shobu or bout.ippon == (1, 1)
    assert bout.may_cede <= bout.opening
    assert bout.may_ask_new_deal is None or (bout.opening and bout.ippon == (1, 1))


def test_two_hundred_bouts_end_and_reach_every_situation() -> None:
    ends: Counter[str] = Counter()
    situations: Counter[str] = Counter()
    for seed in range(200):
        court = random_bout(seed, WATCHED if seed % 2 else house_rules(AFTER))
        bout = court.minutes.bout
        assert bout.winner is not None
        ends["-".join(map(str, sorted(bout.ippon, reverse=True)))] += 1
        situations += court.situations
    assert set(ends) == {"2-0", "2-1", "1-0"}
    assert set(situations) == {
        "Nothing", "Attack", "Seme", "SemeAnswered", "Fudoshin", "Oshidashi", "MakiWaza", "Jodan",
    }  # fmt: skip


@given(seed=st.integers(0, 10_000), size=st.integers(1, 9))
def test_legal_plays_are_those_the_judge_allows(seed: int, size: int) -> None:
    rng = random.Random(seed)
    hand = rng.sample(plausible_deck().cards, size)
    bout = replace(start(RULES), to_act=rng.randrange(2), standing=rng.choice(STANDINGS))
    plays = legal_plays(bout, hand)
    assert len(set(plays)) == len(plays)
    for cards in plays:
        assert not Counter(cards) - Counter(hand)
        assert isinstance(judge_play(bout, cards), Played)
    for card in hand:
        assert ((card,) in plays) == isinstance(judge_play(bout, (card,)), Played)


STANDINGS: list[Standing] = [Nothing(), Attack(Technique.MEN), Attack(Technique.DO, red=True), Seme(0)]


def cards(*names: str) -> tuple[Card, ...]:
    return tuple(map(parse_card, names))


def minutes(*events: Event, rules: str = "") -> Minutes:
    return play(house_rules(rules), events)


def flags(told: Minutes) -> list[tuple[FlagId, int, str]]:
    return [(flag.id, flag.event, flag.row) for flag in told.flags]


OPENED = (Open(0), Play(0, cards("men_uchi")))
CHANGED = {seat: (Exchange(seat), Draw(seat, Pile.RED)) for seat in (0, 1)}
COURSE = "a play: exchange, then draw"
ROW = {
    FlagId.WRONG_OPENER: "who opens",
    FlagId.BOUT_OVER: "the second IPPON",
    **dict.fromkeys((FlagId.OUT_OF_TURN, FlagId.NOT_DUE, FlagId.WRONG_PILE, FlagId.DUTY_MISSED), COURSE),
}
BEFORE = 'readings.exchange_watched = true\nreadings.exchange_when = "before_play"'
BEGUN = "0 changes, 1 changes, 0 open, "  # events 0 to 4
TWO_IPPON = "0 men_uchi, 1 -, 1 open, 1 tsuki, 0 tsuki, 1 seme, 0 seme, 1 men_uchi, 0 men>do, 1 -"

FLAGGED: list[tuple[str, str, str]] = [
    ("", f"0 open, {TWO_IPPON}", ""),
    ("", f"0 open, {TWO_IPPON}, 1 -", "bout_over@11"),
    ("", "0 open, 0 men_uchi, 1 open", "wrong_opener@2"),  # no answer to an attack
    ("", "0 open, 0 men_uchi, 0 open", "wrong_opener@2"),
    ("", "1 men_uchi", ""),  # the first play tells who opens
    ("", "0 open, 0 men_uchi, 0 tsuki", "out_of_turn@2"),
    ("", "0 open, 0 seme, 1 do_uchi, 0 do>men", ""),
    ("", "0 open, 0 seme, 1 do_uchi, 0 men>do", "illegal_play@3"),
    # without a red card the player of SEME opens a new round, whether he says so or just plays
    ("", "0 open, 0 seme, 1 do_uchi, 0 -", ""),
    ("", "0 open, 0 seme, 1 do_uchi, 0 open", ""),
    ("", "0 open, 0 seme, 1 do_uchi, 0 oshidashi", ""),
    # who has no card to open with draws one, and may replace it
    (AFTER, BEGUN + "0 -, 0 draw red, 0 draw green, 0 draw green", "not_due@8"),
    # exchange and draw follow a play once
    (AFTER, BEGUN + "0 men_uchi, 0 changes, 1 -", ""),
    (AFTER, BEGUN + "0 men_uchi, 1 exchange, 0 exchange, 0 exchange", "not_due@6 not_due@8"),
    (AFTER, BEGUN + "0 men_uchi, 0 draw brown", "wrong_pile@6"),
    (AFTER, BEGUN + "0 men_uchi, 1 men_uchi", "duty_missed@6"),
    # but not after BOGYO nor after an IPPON
    (AFTER, BEGUN + "0 men_uchi, 0 changes, 1 bogyo, 1 changes", "not_due@9 not_due@10"),
    (AFTER, BEGUN + "0 men_uchi, 0 changes, 1 -, 1 exchange", "not_due@9"),
    (AFTER, BEGUN + "0 men_uchi, 0 changes, 1 bogyo, 1 do_uchi, 1 changes", ""),
    # II: the first exchange and draw precede the first card; I: before a card, not again
    (BEFORE, BEGUN + "0 men_uchi, 1 changes, 1 men_uchi, 0 changes, 0 tsuki", ""),
    (BEFORE, BEGUN + "0 men_uchi, 1 men_uchi", "duty_missed@6"),
    (BEFORE, BEGUN + "0 men_uchi, 0 exchange", "not_due@6"),
    # III.3f: a new round sans devoir changer; I: after an IPPON or HANSOKU; III.3c: before the red card
    (BEFORE, BEGUN + "0 men_uchi, 1 changes, 1 bogyo, 1 do_uchi", ""),
    (BEFORE, BEGUN + "0 men_uchi, 1 changes, 1 -, 1 do_uchi", ""),
    (BEFORE, BEGUN + "0 oshidashi, 1 changes, 1 -, 1 do_uchi", ""),
    (BEFORE, BEGUN + "0 seme, 1 changes, 1 do_uchi, 0 do>men", ""),
    (BEFORE, BEGUN + "0 seme, 1 changes, 1 do_uchi, 0 exchange", "not_due@9"),
    # I: who puts a card down exchanges; "de nouveau" rules out only what was done before the touch
    *(
        (BEFORE, f"{BEGUN}0 {played}, {then}", flags)
        for played in ("men_uchi", "oshidashi")
        for then, flags in (
            ("1 -", ""),
            ("1 -, 1 changes, 1 do_uchi", ""),
            ("1 -, 1 do_uchi", "duty_missed@7"),
            ("1 changes, 1 -, 1 exchange", "not_due@9"),
        )
    ),
    # where nobody watches the piles, nothing is flagged
    *(
        (f'readings.exchange_when = "{when}"', f"0 open, 0 men_uchi, {piles}, 1 men_uchi, {piles}", "")
        for when in ("before_play", "after_play")
        for piles in ("0 exchange, 0 exchange, 1 draw brown, 1 exchange, 0 draw red, 0 draw red",)
    ),
    # III.3a: a round that may be ceded
    (OLD, "0 open, 0 tsubazeriai, 0 cede, 1 men_uchi", ""),
    (OLD, "0 open, 0 tsubazeriai, 1 open, 1 men_uchi", ""),
    ("", "0 open, 0 cede", "illegal_declaration@1"),
    # I: a touch, if a player has no more card that he could exchange
    ("", "0 open, 0 men_uchi, 1 no_card", ""),
    ("", "0 open, 0 men_uchi, 0 no_card", "illegal_declaration@2"),
    ("", "0 no_card", "illegal_declaration@0"),
    ("", "0 open, 0 men_uchi, 1 bogyo, 1 no_card", "illegal_declaration@3"),
    (BEFORE, BEGUN + "0 men_uchi, 1 no_card", "illegal_declaration@6"),
]


@pytest.mark.parametrize(("rules", "line", "expected"), FLAGGED)
def test_what_is_flagged(rules: str, line: str, expected: str) -> None:
    found = minutes(*told(line), rules=rules).flags
    assert " ".join(f"{flag.id}@{flag.event}" for flag in found) == expected
    assert all(flag.row == ROW.get(flag.id, flag.row) for flag in found)


def test_nobody_has_opened_yet() -> None:
    with pytest.raises(ValueError, match="the seats are 0 and 1, got 2"):
        minutes(Open(2))
    with pytest.raises(ValueError, match="nobody has opened yet"):
        judge_play(begin(RULES).bout, cards("men_uchi"))
    assert [opener(numbers) for numbers in ((5, 1), (2, 4), (3, 3))] == [0, 1, None]


def test_hansoku_and_the_second_one() -> None:
    line = "0 open, 0 oshidashi, 1 -, 1 maki_waza, 0 tsuyoi_kamae, 1 -"
    second = minutes(*told(line)).bout
    assert (second.hansoku, second.ippon, second.to_act) == ((0, 0), (1, 0), 1)
    kept = minutes(*told("1 open, 1 -, 1 -"), rules="readings.hansoku_pair_cleared = false").bout
    assert (kept.hansoku, kept.ippon) == ((0, 2), (1, 0))


def test_what_the_umpire_says_of_duties_and_of_no_card() -> None:
    missed = minutes(*told(BEGUN + "0 men_uchi, 1 men_uchi"), rules=AFTER).flags
    assert [flag.text for flag in missed] == ["player 0 did not exchange, player 0 did not draw"]
    refused = minutes(*OPENED, Declare(0, Word.NO_CARD)).flags
    assert [flag.row for flag in refused] == [COURSE]
    assert minutes(*OPENED, Declare(1, Word.NO_CARD)).bout.ippon == (1, 0)
    old = minutes(*OPENED, Play(1, cards("tsubazeriai")), rules=OLD).flags
    assert old[0].text.endswith("alone only while nothing stands, but brown attack men stands")
    assert [flag.row for flag in minutes(Open(0), Declare(0, Word.CEDE)).flags] == ["TSUBAZERIAI"]


@pytest.mark.parametrize(
    ("rules", "hands", "ippon"),
    [(BEFORE, (4, 0), (1, 0)), (AFTER, (1, 5), (0, 1)), ("", (1, 5), (0, 0))],
)
def test_an_empty_hand_that_must_exchange_is_an_ippon_where_it_is_watched(
    rules: str, hands: tuple[int, int], ippon: tuple[int, int]
) -> None:
    opens = replace(begin(house_rules(rules)).bout, to_act=0)
    last = replace(opens, hand_counts=hands, exchanges=(0, 0), draws=(0, 0))
    assert step(Minutes(last), Play(0, cards("men_uchi"))).bout.ippon == ippon


def test_a_hansoku_in_the_last_round_is_no_touch_unless_the_club_says_so() -> None:
    """III.e: if the opponent ends the round by a touch, the bout goes on; else it ends 1-0."""
    for reading, winner in (("ends", 0), ("goes_on", None)):
        rules = house_rules(f'readings.last_round_hansoku = "{reading}"')
        called = Minutes(replace(begin(rules).bout, to_act=0, ippon=(1, 0)))
        pushed = step(step(called, Play(0, cards("jikan_desu"))), Play(1, cards("oshidashi")))
        let = step(pushed, Pass(0)).bout
        assert (let.winner, let.hansoku, let.last_round) == (winner, (1, 0), None)


def test_after_an_ippon_hands_are_filled_to_six() -> None:
    few = replace(begin(RULES).bout, to_act=0, hand_counts=(3, 6))
    attacked = step(Minutes(few), Play(0, cards("men_uchi")))
    assert step(attacked, Pass(1)).bout.draws == (4, 1), "who had not drawn for its play yet draws besides"
    for event in CHANGED[1]:
        attacked = step(attacked, event)
    told = step(attacked, Pass(1))
    assert told.bout.draws == (4, 0)
    told = step(told, Draw(0, Pile.BROWN))
    assert (flags(told), told.bout.hand_counts) == ([], (3, 7))


def at(ippon: tuple[int, int]) -> Minutes:
    return Minutes(replace(begin(RULES).bout, to_act=0, ippon=ippon))


def test_a_new_deal_at_one_all_is_ippon_shobu() -> None:
    called = step(at((1, 1)), Play(0, cards("jikan_desu")))
    assert called.bout.to_act == 0
    dealt = step(called, Declare(0, Word.NEW_DEAL))
    assert (dealt.bout.ippon_shobu, dealt.bout.draws, dealt.bout.to_act) == (True, (5, 5), None)
    assert flags(step(dealt, Draw(1, Pile.BROWN))) == []
    again = step(step(dealt, Open(1)), Play(1, cards("jikan_desu")))
    assert "IPPON SHOBU" in again.flags[0].text
    assert step(step(step(dealt, Open(1)), Play(1, cards("tsuki"))), Pass(0)).bout.winner == 1
    assert flags(step(at((1, 1)), Declare(0, Word.NEW_DEAL))) == [
        (FlagId.ILLEGAL_DECLARATION, 0, "JIKAN DESU")
    ]


def test_after_a_new_deal_hands_are_filled_from_any_pile_also_where_it_is_watched() -> None:
    """III.e: the five cards are dealt anew; only a card that follows an exchange is red or green."""
    called = step(Minutes(replace(at((1, 1)).bout, rules=WATCHED)), Play(0, cards("jikan_desu")))
    dealt = step(called, Declare(0, Word.NEW_DEAL))
    assert [flag.id for flag in step(dealt, Draw(1, Pile.BROWN)).flags] == [flag.id for flag in called.flags]
    playing = replace(dealt.bout, refilling=False)
    assert step(Minutes(playing), Draw(1, Pile.BROWN)).flags[0].id is FlagId.WRONG_PILE


def test_fudoshin_takes_two_cards_unless_fudoshin_stops_it() -> None:
    told = minutes(*OPENED, Play(1, cards("fudoshin", "men>do")))
    let = step(told, Pass(0))
    assert (let.bout.hand_counts, let.bout.to_act, let.bout.opening) == ((5, 6), 0, True)
    stopped = step(step(told, Play(0, cards("fudoshin"))), Declare(0, Word.NEUTRALISE))
    assert flags(stopped) == []
    assert str(stopped.bout.standing) == "red attack do"
    assert flags(step(told, Declare(0, Word.NEUTRALISE))) == [(FlagId.ILLEGAL_DECLARATION, 3, "FUDOSHIN")]
    jodan = minutes(Open(0), Play(0, cards("jodan_no_kamae", "men_uchi")), Play(1, cards("bogyo")), Pass(1))
    assert flags(jodan) == [(FlagId.ILLEGAL_PLAY, 2, "BOGYO")]
    assert (jodan.bout.hand_counts, jodan.bout.to_act) == ((6, 6), 1), "and so does JODAN"


def test_the_log_tells_the_bout() -> None:
    told = minutes(*OPENED, Exchange(0), Draw(0, Pile.GREEN), Pass(1), Declare(1, Word.CEDE))
    assert told.log == (
        "player 0 open: player 0 opens",
        "player 0 plays men_uchi: brown attack men against player 1",
        "player 0 exchange: brown attack men against player 1",
        "player 0 draws green: brown attack men against player 1",
        "player 1 pass: IPPON for player 0, player 1 opens",
        "player 1 declares cede: refused, player 1 has no opening to cede",
    )
    assert "wins 2-0" in step(step(at((1, 0)), Play(0, cards("tsuki"))), Pass(1)).log[-1]
    assert "HANSOKU for player 0" in minutes(Open(0), Pass(0)).log[-1]
    assert (
        "a round is to be opened"
        in step(step(at((1, 1)), Play(0, cards("jikan_desu"))), Declare(0, Word.NEW_DEAL)).log[-1]
    )


def test_a_play_that_the_table_lets_stand_ends_the_round() -> None:
    attacked = play(RULES, [Open(0), Play(0, (Brown.MEN_UCHI,))])
    refused = step(attacked, Play(1, (Brown.KOTE_UCHI,)))
    assert refused.bout == attacked.bout
    let_stand = step(refused, Accept(1, (Brown.KOTE_UCHI,)))
    assert let_stand.bout.opening
    assert let_stand.bout.to_act == 0
    assert let_stand.bout.hand_counts == (7, 7)
    assert let_stand.log[-1] == "player 1 may play kote_uchi: player 0 opens"
    lawful = play(RULES, [Open(0)])
    assert step(lawful, Accept(0, (Brown.MEN_UCHI,))).bout == step(lawful, Play(0, (Brown.MEN_UCHI,))).bout
