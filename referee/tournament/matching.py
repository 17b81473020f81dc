"""Partners for everybody: perfect matchings of a graph by augmenting paths and blossoms (Edmonds 1965).

Nodes are numbered from 0. A graph lists each node's set of neighbours; a matching lists each node's partner,
-1 for none.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

Graph = list[set[int]]
Matching = list[int]


def without(graph: Graph, matching: Matching, unwanted: Iterable[tuple[int, int]]) -> None:
    """Remove unwanted edges from a graph as long as a perfect matching remains.

    The edges are tried in turn; one that every remaining perfect matching needs stays. `matching` is perfect
    before and after; it is updated in place, and so is `graph`.
    """
    for one, other in unwanted:
        if other not in graph[one]:
            continue
        graph[one].discard(other)
        graph[other].discard(one)
        if matching[one] == other and not _rematched(graph, matching, one, other):
            graph[one].add(other)
            graph[other].add(one)


def in_order(graph: Graph, matching: Matching, wishes: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Return partners: each node in turn gets its first wish that lets all others be matched.

    Parameters
    ----------
    graph, matching : as in `without`; both are consumed.
    wishes : for each node all other nodes, the most wanted first.
    """
    return [
        (one, next(other for other in wishes[one] if _paired(graph, matching, one, other)))
        for one in range(len(graph))
        if graph[one]  # not taken yet
    ]


def _paired(graph: Graph, matching: Matching, one: int, other: int) -> bool:
    """Remove a pair from the graph if the others can still be matched; otherwise change nothing."""
    if other not in graph[one]:
        return False
    left, right = matching[one], matching[other]
    kept = _cut(graph, one), _cut(graph, other)
    if left == other:
        return True
    matching[one], matching[other] = other, one
    matching[left] = matching[right] = -1
    if _augment(graph, matching, left):
        return True
    matching[one], matching[left] = left, one
    matching[other], matching[right] = right, other
    _mend(graph, other, kept[1])
    _mend(graph, one, kept[0])
    return False


def _rematched(graph: Graph, matching: Matching, one: int, other: int) -> bool:
    """Find new partners for two nodes that were partners; if there are none, change nothing."""
    matching[one] = matching[other] = -1
    if _augment(graph, matching, one):
        return True
    matching[one], matching[other] = other, one
    return False


def _cut(graph: Graph, node: int) -> set[int]:
    """Remove a node's edges from a graph and return its neighbours."""
    neighbours, graph[node] = graph[node], set()
    for neighbour in neighbours:
        graph[neighbour].discard(node)
    return neighbours


def _mend(graph: Graph, node: int, neighbours: set[int]) -> None:
    graph[node] = neighbours
    for neighbour in neighbours:
        graph[neighbour].add(node)


def _augment(graph: Graph, matching: Matching, root: int) -> bool:
    """Match `root`, which has no partner, along an augmenting path; tell whether there is one."""
    tree = _Tree(matching, root)
    while tree.queue:
        node = tree.queue.popleft()
        # sorted: a set has no defined order, and a draw must be reproducible
        for neighbour in sorted(graph[node]):
            if tree.base[node] == tree.base[neighbour] or matching[node] == neighbour:
                continue
            if tree.is_even[neighbour]:
                tree.contract(node, neighbour)
            elif tree.parent[neighbour] == -1:
                tree.parent[neighbour] = node
                if matching[neighbour] == -1:
                    tree.flip(neighbour)
                    return True
                tree.reach(matching[neighbour])
    return False


class _Tree:
    """Alternating paths from a node without a partner.

    `parent` leads from nodes at an odd distance towards the root; from an even one the partner does. `base`
    names the blossom that a node is part of. `queue` holds even nodes that are still to be visited.
    """

    def __init__(self, matching: Matching, root: int) -> None:
        self.matching = matching
        self.parent = [-1] * len(matching)
        self.base = list(range(len(matching)))
        self.is_even = [False] * len(matching)
        self.queue: deque[int] = deque()
        self.reach(root)

    def reach(self, node: int) -> None:
        """Queue a node at an even distance."""
        self.is_even[node] = True
        self.queue.append(node)

    def contract(self, one: int, other: int) -> None:
        """Contract a blossom, the odd cycle that an edge closes, to one node, its base."""
        stem = self._stem(one, other)
        blossom: set[int] = set()
        for end, before in ((one, other), (other, one)):
            here, below = end, before
            while self.base[here] != stem:
                partner = self.matching[here]
                blossom |= {self.base[here], self.base[partner]}
                self.parent[here] = below
                here, below = self.parent[partner], partner
        for node, base in enumerate(self.base):
            if base in blossom:
                self.base[node] = stem
                if not self.is_even[node]:
                    self.reach(node)

    def flip(self, end: int) -> None:
        """Exchange matched and unmatched edges from the end of an augmenting path to its root."""
        while end != -1:
            before = self.parent[end]
            following = self.matching[before]
            self.matching[end], self.matching[before] = before, end
            end = following

    def _stem(self, one: int, other: int) -> int:
        """Return the base at which the paths of two nodes to the root meet."""
        above = set()
        here = self.base[one]
        while True:
            above.add(here)
            if self.matching[here] == -1:
                break
            here = self.base[self.parent[self.matching[here]]]
        here = self.base[other]
        while here not in above:
            here = self.base[self.parent[self.matching[here]]]
        return here
