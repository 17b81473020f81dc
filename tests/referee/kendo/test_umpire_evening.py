"""An evening of bouts: who lays what, and how it stands then. Seat 0 opens; `-` is no answer.

The paragraphs are those of the French text that comes with the cards.
"""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from referee.cards.kendo import parse_card
from referee.kendo.events import Declare, Draw, Event, Exchange, Open, Pass, Pile, Play, Word
from referee.kendo.house_rules import preset
from referee.kendo.minutes import Minutes, begin, step

Score = tuple[int, int]


def told(line: str) -> Iterator[Event]:
    """Iterate over what a line tells, such as `0 men_uchi+seme, 1 -, 0 open, 0 draw red, 1 changes`."""
    for each in line.split(", "):
        seat, what, *pile = each.split()
        if what == "-":
            yield Pass(int(seat))
        elif what == "open":
            yield Open(int(seat))
        elif what in {"exchange", "changes"}:
            yield Exchange(int(seat))
            yield from [Draw(int(seat), Pile.RED)] * (what == "changes")
        elif what == "draw":
            yield Draw(int(seat), Pile(*pile))
        elif what in set(Word):
            yield Declare(int(seat), Word(what))
        else:
            yield Play(int(seat), tuple(map(parse_card, what.split("+"))))


def after(line: str, ippon: Score) -> Minutes:
    bout = Minutes(replace(begin(preset()).bout, ippon=ippon))
    for event in (Open(0), *told(line)):
        bout = step(bout, event)
    return bout


def says(minutes: Minutes) -> str:
    """Return how a bout stands, as an umpire calls it."""
    bout = minutes.bout
    call = [f"{bout.ippon[0]}-{bout.ippon[1]}"]
    if bout.winner is not None:
        return f"{call[0]}, {bout.winner} wins"
    call += [f"HANSOKU {seat}" for seat in (0, 1) if bout.hansoku[seat]]
    call.append(f"{bout.to_act} opens" if bout.opening else f"{bout.standing} against {bout.to_act}")
    call += ["may cede"] if bout.may_cede else []
    return ", ".join([*call, *(f"{flag.id}: {flag.row}" for flag in minutes.flags)])


EVENING: dict[str, tuple[str, str]] = {
    "III.3a: and it is ceded": ("0 men_uchi, 1 men>kote, 0 tsubazeriai+kote>do, 0 cede", "0-0, 1 opens"),
    "III.3b: the red card beside MUSHIN is not there": ("0 men_uchi, 1 mushin+kote>do+seme",
        "0-0, SEME against 0"),
    "III.3c: SEME without an answer": ("0 seme, 1 -", "1-0, 1 opens"),
    "III.3c: SEME, a cut, and no red card for it": ("0 seme, 1 men_uchi, 0 -", "0-0, 0 opens"),
    "III.3c: SEME over a chain, and the touch": (
        "0 men_uchi, 1 men>kote, 0 seme+kote>do, 1 men_uchi, 0 men>do",
        "1-0, 1 opens"),
    "III.3d: two cards go, no touch, and the other opens": ("0 men_uchi, 1 fudoshin+men>do, 0 -",
        "0-0, 0 opens"),
    "III.3d: unless FUDOSHIN stops it": ("0 men_uchi, 1 fudoshin+men>do, 0 fudoshin",
        "0-0, red attack do against 0"),
    "III.3f: who parries opens": ("0 men_uchi, 1 men>kote, 0 bogyo", "0-0, 0 opens"),
    "I: one penalty each": ("0 oshidashi, 1 -, 1 maki_waza, 0 -", "0-0, HANSOKU 0, HANSOKU 1, 0 opens"),
    "I: the second one is a touch": ("0 oshidashi, 1 -, 1 -", "1-0, 1 opens"),
    "I: nothing to open with, draws and plays": ("0 -, 0 men_uchi",
        "0-0, HANSOKU 0, brown attack men against 1"),
    "III.3k: JODAN against JODAN leaves the cut": ("0 jodan_no_kamae+men_uchi, 1 jodan_no_kamae",
        "0-0, brown attack men against 1"),
    "III.3l: TAI JODAN with a red card strikes back": ("0 jodan_no_kamae+men_uchi, 1 tai_jodan+men>do",
        "0-0, red attack do against 0"),
    "III.1: two brown cards answer nothing": ("0 men_uchi, 1 men_uchi+men_uchi",
        "0-0, brown attack men against 1, illegal_play: brown"),
    "III.2: two red cards at once answer nothing": ("0 men_uchi, 1 men>kote+men>do",
        "0-0, brown attack men against 1, illegal_play: red"),
}  # fmt: skip


@pytest.mark.parametrize("case", EVENING)
def test_how_it_stands(case: str) -> None:
    line, call = EVENING[case]
    assert says(after(line, (0, 0))) == call


@pytest.mark.parametrize(
    ("ippon", "line", "call"),
    [
        ((0, 0), "0 jikan_desu", "0-0, 0 opens, illegal_play: JIKAN DESU"),
        ((0, 1), "0 jikan_desu", "0-1, 0 opens, illegal_play: JIKAN DESU"),
        ((1, 0), "0 jikan_desu, 1 men_uchi, 0 men_uchi", "1-0, 0 wins"),
        ((1, 0), "0 jikan_desu, 1 oshidashi, 0 kaihi_suru", "1-0, 0 wins"),
        ((1, 0), "0 jikan_desu, 1 men_uchi, 0 men>kote, 1 -", "2-0, 0 wins"),
        ((1, 0), "0 jikan_desu, 1 men_uchi, 0 -", "1-1, 0 opens"),
        ((1, 0), "0 jikan_desu, 1 seme, 0 do_uchi, 1 -", "1-0, 0 wins"),
        ((1, 1), "0 jikan_desu", "1-1, 0 opens"),
        ((1, 1), "0 jikan_desu, 0 new_deal, 1 seme, 0 -", "1-2, 1 wins"),
        ((0, 0), "0 seme, 1 -, 1 seme, 0 -, 0 seme, 1 -", "2-1, 0 wins"),
    ],
)
def test_towards_the_end_of_a_bout(ippon: Score, line: str, call: str) -> None:
    """III.3e: time is called at 1-0 or 1-1; I: the second touch wins."""
    assert says(after(line, ippon)) == call


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("0 men_uchi, 1 kote>do", "kote>do receives kote, and brown attack men stands"),
        ("0 men_uchi, 1 mushin+men>kote+bogyo", "only seme may join MUSHIN and a red card"),
        ("0 kote>do", "a red card"),
    ],
)
def test_the_words_at_the_bout(line: str, words: str) -> None:
    (flag,) = after(line, (0, 0)).flags
    assert words in flag.text
