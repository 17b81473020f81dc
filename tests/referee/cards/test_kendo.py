"""The faces of a box of Kendo cards."""

import pytest

from referee.cards.kendo import FACES, MARKERS, Brown, Green, Red, Technique, face, face_name


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
