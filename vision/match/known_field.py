"""The field as known from one rest to the next: where each card lies, and which card it is."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.failure import FailedEstimation
from calibration.field.geometry import FieldGeometry
from referee.facts import Testimony, Touch
from referee.layout import Layout
from vision.field.continuity import carried_over, with_name, without_taken
from vision.field.layout_reader import LayoutReading, read_layout
from vision.field.wrong_view import held_rightly
from vision.frames.frame import Frame
from vision.poem.clearance import Clearance
from vision.torifuda.prior_knowledge import PriorKnowledge


class KnownField:
    """Reads the field, and carries names from one reading to the next.

    `known`: prior knowledge of the camera's lens and of the deck.

    `reading`: the latest layout, in the pixels of enlarged pictures; None before the first. `problem`: why
    the latest attempt to read a layout failed; None if it succeeded.
    """

    def __init__(self, known: PriorKnowledge) -> None:
        self.reading: LayoutReading | None = None
        self.problem: FailedEstimation | None = None
        self.given: frozenset[int] = frozenset()
        self.known = known
        self._taken = set[int]()

    @property
    def geometry(self) -> FieldGeometry | None:
        """Place of the field in the enlarged picture; None before the first layout."""
        return None if self.reading is None else self.reading.geometry

    def look(self, resting: Sequence[Frame]) -> LayoutReading | FailedEstimation:
        """Read the layout in pictures of a field at rest, without names carried over."""
        pictures = [frame.gray for frame in resting]
        return read_layout(pictures, self.geometry, self.known, resting[-1].colour)

    def layout_in(self, resting: Sequence[Frame]) -> Layout:
        """Return the layout in these pictures, empty if it cannot be read."""
        found = self.look(resting)
        return found.layout if isinstance(found, LayoutReading) else Layout(())

    def read(self, resting: Sequence[Frame], clearance: Clearance | None) -> LayoutReading | None:
        """Read the layout, with the names that still hold.

        `clearance`: knows which cards lie as they did at the latest reading; None before the first.

        Returns: None if it cannot be read; `problem` says why.
        """
        found = self.look(resting)
        if isinstance(found, LayoutReading) and self.reading is None:
            found = held_rightly(found, [frame.gray for frame in resting], self.known)
        if isinstance(found, FailedEstimation):
            self.problem = found
            return None
        self.problem = None
        if self.reading is not None and clearance is not None:
            found = carried_over(self.reading, found, clearance.cards_in_place(resting[-1].gray), self.given)
        return without_taken(found, self._taken)

    def name(self, place: int, card: int | None) -> LayoutReading:
        """Return the latest layout with the card at a place named as a person says.

        Raises IndexError if no layout was read, or it has no such place.
        """
        if self.reading is None or not 0 <= place < len(self.reading.layout):
            raise IndexError(f"the layout has no place {place}")
        was = self.reading.layout.cards[place].card
        self.given = self.given - {was or 0} | ({card} if card is not None else frozenset())
        return with_name(self.reading, place, card)

    def note_taken(self, poem: int, facts: Sequence[Testimony], instead_of: int | None = None) -> None:
        """Remember that a poem's card has left the field, if it was touched."""
        self._taken.discard(instead_of or 0)
        if any(isinstance(fact, Touch) and fact.card == poem for fact in facts):
            self._taken.add(poem)
