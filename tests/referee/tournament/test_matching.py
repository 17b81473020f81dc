"""Perfect matchings, checked against an enumeration of all of them."""

from collections.abc import Iterator
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tournament.matching import in_order, without

Edges = frozenset[tuple[int, int]]


def all_matchings(nodes: tuple[int, ...]) -> Iterator[Edges]:
    """Iterate over every way to pair all nodes."""
    if not nodes:
        yield frozenset()
        return
    first, *others = nodes
    for other in others:
        for rest in all_matchings(tuple(node for node in others if node != other)):
            yield rest | {(first, other)}


def graph_of(edges: Edges, size: int) -> list[set[int]]:
    graph: list[set[int]] = [set() for _ in range(size)]
    for one, other in edges:
        graph[one].add(other)
        graph[other].add(one)
    return graph


@st.composite
def cases(draw: st.DrawFn) -> tuple[int, Edges, Edges]:
    """Return a number of nodes, edges with a perfect matching among them, and those of them to be avoided."""
    size = 2 * draw(st.integers(1, 4))
    ends = list(combinations(range(size), 2))
    planted = draw(st.permutations(range(size)))
    kept = {tuple(sorted(planted[at : at + 2])) for at in range(0, size, 2)}
    edges = frozenset(draw(st.sets(st.sampled_from(ends)))) | frozenset((a, b) for a, b in kept)
    return size, edges, frozenset(draw(st.sets(st.sampled_from(sorted(edges)))))


@given(cases())
@settings(max_examples=80, deadline=None)
def test_unwanted_edges_go_wherever_everybody_keeps_a_partner(case: tuple[int, Edges, Edges]) -> None:
    size, edges, unwanted = case
    possible = [each for each in all_matchings(tuple(range(size))) if each <= edges]
    graph = graph_of(edges, size)
    matching = [-1] * size
    for one, other in possible[-1]:
        matching[one], matching[other] = other, one
    without(graph, matching, sorted(unwanted))
    left = frozenset((one, other) for one in range(size) for other in graph[one] if one < other)
    assert left | unwanted == edges
    assert any(each <= left for each in possible)
    for edge in left & unwanted:
        assert not any(each <= left - {edge} for each in possible)
    if any(not each & unwanted for each in possible):
        assert not left & unwanted
    # and then everybody in turn gets the first with whom the rest can be paired
    everyone = range(size)
    pairs = in_order(graph, matching, [[other for other in everyone if other != one] for one in everyone])
    best = min(sorted(each) for each in possible if each <= left)
    assert pairs == best
