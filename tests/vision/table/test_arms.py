"""Who may have laid a card down while others reach in too."""

from vision.table.stillness import Reaches

MS = 1_000_000


def reaches(*seen: tuple[int, set[str]]) -> Reaches:
    watched = Reaches()
    for t_ms, sides in seen:
        watched.feed(t_ms * MS, sides)
    return watched


def test_an_arm_that_comes_while_another_is_there_has_its_own_time() -> None:
    both = [(t_ms, {"top"}) for t_ms in range(1000, 3000, 100)]
    both += [(t_ms, {"top", "left"}) for t_ms in range(3000, 3400, 100)]
    both += [(t_ms, {"left"}) for t_ms in range(3400, 5000, 100)]
    watched = reaches(*both, (5000, set()))
    assert watched.at(2000 * MS) == (1000 * MS, frozenset({"top"}))
    assert watched.at(4500 * MS) == (3000 * MS, frozenset({"left"}))


def test_an_arm_that_has_only_just_come_has_laid_nothing_down() -> None:
    watched = reaches(*((t_ms, {"top"}) for t_ms in (1000, 1500, 1900)), (2000, {"left"}), (2100, {"left"}))
    # the other one's hand has just left: it was still seen moving
    assert watched.at(2000 * MS) == (1000 * MS, frozenset({"top"}))
    assert watched.at(2700 * MS) == (2000 * MS, frozenset({"left"}))


def test_without_any_arm_at_that_time_the_latest_is_told_and_none_after_a_rest() -> None:
    watched = reaches((1000, {"top"}), (2000, {"top"}), (2100, set()))
    assert watched.at(900 * MS) == (1000 * MS, frozenset({"top"}))
    watched.clear()
    assert watched.at(2500 * MS) == (None, frozenset())
