import pytest

from referee.cards.poems import common_prefix


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        ("あさぼらけあ", "あさぼらけう", "あさぼらけ"),
        ("むらさめの", "すみのえの", ""),
        ("きみがため", "きみがためは", "きみがため"),
    ],
)
def test_two_poems_share_the_kana_with_which_both_begin(one: str, other: str, shared: str) -> None:
    assert common_prefix(one, other) == common_prefix(other, one) == shared
