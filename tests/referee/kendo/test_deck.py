"""Decks, rulesets and brackets of the Kendo game."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.cards.kendo import FACES, MARKERS, Brown, Green, Red, Technique, face, face_name
from referee.house_rules import RuleSetError
from referee.kendo.bracket import bracket
from referee.kendo.deck import DeckError, parse_deck, plausible_deck
from referee.kendo.house_rules import PRESET_NAMES, house_rules


def test_the_deck_that_ships_says_that_it_is_a_guess() -> None:
    deck = plausible_deck()
    assert deck.plausible
    assert deck.title
    assert (len(deck.brown), len(deck.red), len(deck.green)) == (25, 36, 46)
    assert len(deck.cards) == 107
    assert {number for _, number in deck.brown} == {1, 2, 3, 4, 5}


def deck_text(**changes: str) -> str:
    lines = {"brown": f"tsuki = {[1] * 25}", "red": '"men>do" = 36', "green": "seme = 46", **changes}
    head = lines.pop("head", "")
    return head + "".join(f"\n[{colour}]\n{cards}" for colour, cards in lines.items())


def test_a_club_writes_down_its_own_deck() -> None:
    deck = parse_deck(deck_text(head='title = "ours"'))
    assert (deck.title, deck.plausible) == ("ours", False)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (deck_text(green="seme = 45"), "the green deck has 46 cards, these are 45"),
        (deck_text(green="sene = 46"), r"unknown green card 'sene' \(did you mean 'seme'\?\)"),
        (deck_text(red='"men>foot" = 36'), "unknown red card 'men>foot'"),
        (deck_text(brown="tsuki = 25"), "tsuki needs the list of its numbers, each 1..5, got 25"),
        (deck_text(brown="tsuki = [6]"), r"each 1..5, got \[6\]"),
        (deck_text(green="seme = -1"), "seme needs a count from 0 on, got -1"),
        (deck_text(green="seme = true"), "seme needs a count from 0 on, got True"),
        (deck_text(head="colour = 1"), "unknown key 'colour'"),
        ("[brown", "^the deck is not valid TOML: "),
        ("brown = 25", "brown needs a table of its cards, got 25"),
    ],
)
def test_what_is_no_deck_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(DeckError, match=complaint):
        parse_deck(text)


def test_house_rules() -> None:
    assert PRESET_NAMES == ("seed-003",)
    assert house_rules("readings.brown_fits = 'any'").readings.brown_fits == "any"
    with pytest.raises(RuleSetError, match=r"did you mean 'readings\.brown_fits'"):
        house_rules("readings.brown_fit = 'any'")


names = st.lists(st.text("abcdef", min_size=1, max_size=4), min_size=2, max_size=40, unique=True)


@given(players=names, seed=st.text(max_size=8))
def test_byes_never_meet_and_everybody_enters_once(players: list[str], seed: str) -> None:
    first, *rest = bracket(players, seed)
    entered = [name for pairing in first for name in pairing.players if name is not None]
    assert sorted(entered) == sorted(players)
    assert all(pairing.players[0] is not None for pairing in first)
    assert len(first) * 2 - len(players) < len(first)
    later = rest[0] if rest else ()
    byes = [pairing.players[0] for pairing in first if pairing.players[1] is None]
    assert [name for pairing in later for name in pairing.players if name is not None] == byes


def test_what_cannot_be_a_tournament() -> None:
    with pytest.raises(ValueError, match="at least two players, got 1"):
        bracket(["Aoi"], "")
    with pytest.raises(ValueError, match="these came twice: \\['Aoi'\\]"):
        bracket(["Aoi", "Ben", "Aoi"], "")


def test_a_name_says_what_a_face_shows() -> None:
    assert face("men_uchi-3").card is Brown.MEN_UCHI
    assert face("men_uchi-3").number == 3
    assert face("tsuki-do").card == Red(Technique.TSUKI, Technique.DO)
    assert face("tsuki-4").card is Brown.TSUKI
    assert face("jikan_desu").card is Green.JIKAN_DESU
    assert face("hansoku").card is None


@pytest.mark.parametrize("name", FACES)
def test_names_lead_to_cards_and_back(name: str) -> None:
    shown = face(name)
    if name in MARKERS:
        assert shown.card is None
    else:
        assert shown.card is not None
        assert face_name(shown.card, shown.number) == name


@pytest.mark.parametrize("name", ["", "men_uchi", "men_uchi-6", "kote>do", "kote-dou", "MEN"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no face"):
        face(name)
