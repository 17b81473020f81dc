"""The cheapest matching, checked against an enumeration of all of them."""

from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tournament.draw import cheapest

Pairs = tuple[tuple[int, int], ...]


def all_matchings(nodes: tuple[int, ...]) -> Iterator[Pairs]:
    """Iterate over every way to pair all nodes."""
    if not nodes:
        yield ()
        return
    first, *others = nodes
    for other in others:
        for rest in all_matchings(tuple(node for node in others if node != other)):
            yield ((first, other), *rest)


@st.composite
def tables(draw: st.DrawFn) -> list[list[int]]:
    """Return what each pair costs: mostly nothing, as in a draw."""
    size = 2 * draw(st.integers(1, 4))
    costs = st.sampled_from((0, 0, 0, 1, 1, 9, 81))
    table = [[0] * size for _ in range(size)]
    for one in range(size):
        for other in range(one):
            table[one][other] = table[other][one] = draw(costs)
    return table


@given(tables())
@settings(max_examples=200, deadline=None)
def test_no_other_matching_is_cheaper(table: list[list[int]]) -> None:
    size = len(table)
    partners = [node ^ 1 for node in range(size)]
    cheapest(partners, lambda one, other: table[one][other])
    assert sorted(partners) == list(range(size))
    assert all(partners[partners[node]] == node != partners[node] for node in range(size))
    found = sum(table[node][partners[node]] for node in range(size)) // 2
    least = min(sum(table[one][other] for one, other in pairs) for pairs in all_matchings(tuple(range(size))))
    assert found == least


def test_who_costs_nothing_stays_together() -> None:
    partners = [1, 0, 3, 2]
    cheapest(partners, lambda _one, _other: 0)
    assert partners == [1, 0, 3, 2]
