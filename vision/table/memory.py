"""Memory of the cards on a table, from one reading to the next.

Every card is seen completely once; afterwards only what changed is read again. A covered card stays known, a
card that is gone does not, and no card lies in two places.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Picture
from vision.frames.frame import Gray
from vision.hanafuda.bare_table import BareTable, changed_since, like_table
from vision.hanafuda.candidates import lines_mm, poses_along, poses_of_blobs
from vision.hanafuda.gallery import ALMOST_WHOLE, COARSE, LEAST_LEAD, CardGallery, Floats, named
from vision.hanafuda.peeling import Peeler
from vision.hanafuda.pose import corners_mm, share_in, uncovered
from vision.hanafuda.seen_card import (
    MIN_VISIBLE,
    PlacedCard,
    SeenCard,
    is_among,
    is_in_place,
    is_same,
    is_sliver,
    numbers_of,
    still_there,
)
from vision.imaging.assignment import assigned
from vision.plane.table_plane import view_px

LOOSE: Final = 0.15  # share of a card's visible part that must have changed for it to be read again
GONE: Final = 0.6  # the same share from which nothing of a card remains visible
WHOLE: Final = 0.4
"""Share of a card that must lie in a new place, and that must be visible, to be reported at a glance."""
LIKE_STRIP: Final = 0.8
SLIVER: Final = 0.5  # visible share of a card from which no other card may take its name
SLIVER_MALUS: Final = 0.15
"""Malus of a card that seems to lie elsewhere as a sliver, since such a print is easily misread."""


class TableMemory:
    """The cards on a table; see `read`. `cards`: the cards on the table, those on top first."""

    def __init__(self, gallery: CardGallery) -> None:
        self.cards: tuple[PlacedCard, ...] = ()
        self._gallery = gallery
        self._view: Picture | None = None
        self._table = BareTable()
        self._layers = 0

    def read(self, view: Picture) -> tuple[PlacedCard, ...]:
        """Read the table as it rests now; `view` is the table from above, shape (height, width, 3)."""
        changed = changed_since(self._view, view)
        if not changed.any():
            self._view = view
            return self.cards
        size_mm = self._gallery.size_mm
        # uncertain cards are read again as if they had not been read
        unsure, known = (
            [card for card in self.cards if not card.sure],
            [card for card in self.cards if card.sure],
        )
        shares = {id(card): self._share(card, changed) for card in known}
        disturbed = [card for card in known if shares[id(card)] > LOOSE]
        kept = [
            card
            for card in known
            if not card.covered
            and card not in disturbed
            and not any(self._may_lie_under(card, other) for other in unsure)
        ]
        loose = [card for card in known if card not in kept]
        # they keep their places, but a card laid over them that is read again does not lie below them
        laid = [[other.seen.pose for other in loose if self._lies_below(card, other)] for card in kept]
        self._draw(unsure, changed)
        # a card that lay covered all the while has not moved
        stirred = [card for card in loose if not card.covered or card in disturbed]
        where = np.asarray(cv2.dilate(changed, np.ones((9, 9), np.uint8)), np.uint8)
        self._draw(loose, where)
        bare = self._table.shows(view)
        proposals = poses_along(lines_mm(view, where), size_mm)
        min_overlap = 0.2  # of a proposed card that must lie on something changed
        proposals = proposals[share_in(where, proposals, size_mm) >= min_overlap]
        unlike = np.where(changed > 0, 255 - np.where(bare > 0, 255, 0), 0).astype(np.uint8)
        alone = poses_of_blobs(unlike, size_mm)
        if self._view is None:
            # straw and grain draw long lines that run through the cards and absorb their borders
            inside = np.asarray(cv2.dilate(unlike, np.ones((5, 5), np.uint8)), np.uint8)
            proposals = np.concatenate([proposals, poses_along(lines_mm(view, inside), size_mm)])
        places = [card.seen.pose for card in (*loose, *unsure)]
        remembered = [np.append(pose[:2], pose[2] % np.pi) for pose in places]
        # a covered card is more likely there than elsewhere, but a card of its kind may be elsewhere
        there = [*kept, *(card for card in loose if card not in stirred)]
        peeler = Peeler(view, self._gallery, bare, self._odds(there, stirred))
        found = peeler.peel(
            np.array([*remembered, *alone, *proposals]).reshape(-1, 3),
            tuple(card.seen for card, over in zip(kept, laid, strict=True) if not over),
            below=[(card.seen, np.array(over)) for card, over in zip(kept, laid, strict=True) if over],
            first=np.array([card.seen.pose for card in stirred]).reshape(-1, 3),
        )
        named = self._name(found, there, stirred)
        kept = [_unless_among(card, named) for card in kept]
        named = self._layered([_weighed(card, known, unsure) for card in named])
        lying = [*named, *kept]
        alike = [card for card in loose if not card.covered and shares[id(card)] < GONE]
        lost = [] if _is_cleared(self.cards, lying) else self._not_found(peeler, lying, loose, alike, view)
        cards = (*lying, *lost)
        covered = np.zeros(view.shape[:2], np.uint8)
        self._draw(cards, covered)
        self._table.learn(view, np.asarray(cv2.dilate(covered, np.ones((7, 7), np.uint8)), np.uint8))
        # if anything above fails, the next view is compared with the last one that was understood
        self._view, self.cards = view, cards
        return self.cards

    def glimpse(self, view: Picture, where: Gray) -> list[PlacedCard]:
        """Return the cards that have come to lie where a mask is not 0, without changing anything.

        They are fully visible and new, or known ones that have moved there; see `known`. After them come
        strips of cards, without a name, that do not determine their card.

        `view`: the table from above, perhaps with arms over other places. `where`: mask of the view; only
        cards inside it are searched for.
        """
        size_mm = self._gallery.size_mm
        proposals = poses_along(lines_mm(view, where), size_mm)
        min_glimpsed = 0.5
        proposals = proposals[share_in(where, proposals, size_mm) >= min_glimpsed]
        odds = self._odds(list(self.cards), [])
        # a card where something has changed may have been taken away, or lie under an arm
        changed = changed_since(self._view, view)
        gone = [card for card in self.cards if not card.covered and self._share(card, changed) > LOOSE]
        kept = [card.seen for card in self.cards if not card.covered and all(card is not one for one in gone)]
        missing = [card.card for card in gone if card.card is not None]
        odds[missing] = 0
        found = Peeler(view, self._gallery, self._table.shows(view), odds).peel(proposals, tuple(kept))
        # a card that lies in its former place is only partly covered
        there = [seen for seen in found if still_there(seen, gone) is None]
        new = [seen for seen in there if not self._has_moved(seen, gone)]
        new += [seen for seen in there if seen.best in missing]
        whole = {seen.best for seen in there if seen.visible > ALMOST_WHOLE}
        told: list[PlacedCard] = []
        strips: list[PlacedCard] = []
        for seen in new:
            if self._tells(seen, whole):
                told.append(self._named(seen, seen.likeness + odds, seen.best))
            elif seen.likeness[seen.best] >= LIKE_STRIP:
                strips.append(self._named(seen, seen.likeness, None))
        return told + strips

    def known(self, card: int | None) -> PlacedCard | None:
        """Return where a card lay when the table was last at rest, None if nobody has seen it."""
        return next((one for one in self.cards if one.card is not None and one.card == card), None)

    def _has_moved(self, seen: SeenCard, gone: list[PlacedCard]) -> bool:
        """Tell whether a print belongs to a card that is missing elsewhere rather than to a new one.

        The part of a card that is visible beside another one laid on it is still that card, not one of its
        kind.
        """
        classes, reach_mm = self._gallery.classes, self._gallery.size_mm[1] / 2
        for card in gone:
            if card.card is None:
                continue
            if seen.best == card.card or seen.likeness[card.card] > seen.likeness[seen.best] + LEAST_LEAD:
                return True
            near = float(np.linalg.norm(card.seen.pose[:2] - seen.pose[:2])) < reach_mm
            if near and seen.visible <= ALMOST_WHOLE and classes[card.card] == classes[seen.best]:
                return True
        return False

    def _tells(self, seen: SeenCard, whole: set[int]) -> bool:
        """Tell whether a print seen for a moment determines its card: most of it, or an unmistakable strip.

        `whole` holds cards that are fully visible at the same moment: no strip is one of them.
        """
        if seen.visible > WHOLE:
            return True
        classes = self._gallery.classes
        # the strip of a known card that was moved is not another one of its kind
        known = [card for card in numbers_of(self.cards) if card != seen.best and card not in whole]
        others = seen.likeness[(classes != classes[seen.best]) | np.isin(np.arange(len(classes)), known)]
        own = float(seen.likeness[seen.best])
        # Least lead of a strip that is reported at a glance over all other kinds of cards, wherever they are
        # known to lie: wrongly read strips have hardly any (measured: 0.3 and more if right).
        lead_of_strip = 0.15
        return own >= LIKE_STRIP and own - float(others.max(initial=-1)) >= lead_of_strip

    def _odds(self, kept: list[PlacedCard], stirred: list[PlacedCard]) -> Floats:
        """Return the evidence for and against finding each card now, in likeness, (K,)."""
        odds = np.zeros(len(self._gallery.ids), np.float32)
        # Bonus for a card that has just left its place over a card that nobody has seen yet.
        known_bonus = 0.06
        odds[numbers_of(stirred)] = known_bonus
        for card in kept:
            if card.card is not None:
                odds[card.card] = -SLIVER_MALUS if is_sliver(card) else -2
        return odds

    def _twins(self, stirred: list[PlacedCard]) -> Floats:
        """Return the malus of unseen cards while another card of the same class is missing.

        It chooses between the two, and does not require either to match its print better: the missing card
        may lie beside the other and look quite different.
        """
        missing = numbers_of(stirred)
        # Malus of an unseen card while one of its class is missing, if it is one of the two.
        twin_malus = 0.1
        malus = np.where(np.isin(self._gallery.classes, self._gallery.classes[missing]), twin_malus, 0)
        malus[missing] = 0
        return malus.astype(np.float32)

    def _draw(self, cards: Iterable[PlacedCard], mask: NDArray[Any]) -> None:
        for card in cards:
            outline = view_px(corners_mm(card.seen.pose[None], self._gallery.size_mm))[0]
            cv2.fillConvexPoly(mask, np.rint(outline).astype(np.int32), 255)

    def _name(
        self, found: list[SeenCard], kept: list[PlacedCard], stirred: list[PlacedCard]
    ) -> list[PlacedCard]:
        """Name the found cards, first those that lie in their former places."""
        # a strip may belong to a card that lay covered there
        covered = [card for card in kept if card.covered]
        stayed = [
            still_there(s, stirred if s.visible > ALMOST_WHOLE else [*stirred, *covered]) for s in found
        ]
        # what each print shows by itself, None if too little is visible or it is ambiguous
        plain = [
            named(self._gallery, s.likeness, int(s.likeness.argmax()), s.visible)[0]
            if s.visible > ALMOST_WHOLE
            else None
            for s in found
        ]
        stayed = [
            None if self._was_replaced(card, name, plain) else card
            for card, name in zip(stayed, plain, strict=True)
        ]
        unmoved = [card for card in stayed if card is not None]
        kept, stirred = [*kept, *unmoved], [card for card in stirred if not is_among(card, unmoved)]
        others = iter(
            self._name_new([s for s, card in zip(found, stayed, strict=True) if card is None], kept, stirred)
        )
        return [next(others) if card is None else card for card in stayed]

    def _was_replaced(self, card: PlacedCard | None, name: int | None, names: list[int | None]) -> bool:
        """Tell whether a card was taken and another laid in its place, both of them clearly read.

        `name` is what the print in its place is by itself, `names` what all prints are.
        """
        if card is None or card.card is None or name is None or card.card not in names:
            return False
        return bool(self._gallery.classes[card.card] != self._gallery.classes[name])

    def _name_new(
        self, found: list[SeenCard], kept: list[PlacedCard], stirred: list[PlacedCard]
    ) -> list[PlacedCard]:
        """Name new cards, first those that are fully visible."""
        # a fully visible card is what its print says, even if another one of its kind is missing
        whole = [seen for seen in found if seen.visible > ALMOST_WHOLE]
        odds = self._odds(kept, stirred)
        certain = self._assigned(whole, np.where(odds <= -SLIVER_MALUS, odds, np.float32(0)))
        # cards that have turned up by now are not missing any more
        missing = [card for card in stirred if not is_among(card, certain)]
        odds, twins = self._odds([*kept, *certain], missing), self._twins(missing)
        rest = iter(self._assigned([seen for seen in found if seen.visible <= ALMOST_WHOLE], odds, twins))
        first = iter(certain)
        return [next(first if seen.visible > ALMOST_WHOLE else rest) for seen in found]

    def _assigned(self, found: list[SeenCard], odds: Floats, twins: Floats | float = 0.0) -> list[PlacedCard]:
        """Name cards, none in two places, with the highest total likeness; `twins` as in `_twins`."""
        if not found:
            return []
        worth = np.stack([seen.likeness + odds for seen in found])
        rows, columns = assigned(worth - twins)
        chosen = dict(zip(rows.tolist(), columns.tolist(), strict=True))
        return [self._named(seen, worth[row], chosen.get(row)) for row, seen in enumerate(found)]

    def _named(self, seen: SeenCard, worth: Floats, card: int | None) -> PlacedCard:
        # Difference in likeness beyond which a print is not named after a card: strips of two cards side by
        # side may look like a whole card that has turned up elsewhere.
        much_more = 0.2
        if card is None or float(seen.likeness.max() - seen.likeness[card]) > much_more:
            return PlacedCard(None, seen, covered=False, confidence=0.0)
        name, confidence = named(self._gallery, worth, card, seen.visible)
        return PlacedCard(name, seen, covered=False, confidence=confidence, wholly=seen.visible >= SLIVER)

    def _not_found(
        self,
        peeler: Peeler,
        lying: list[PlacedCard],
        loose: list[PlacedCard],
        alike: list[PlacedCard],
        view: Picture,
    ) -> list[PlacedCard]:
        """Return the cards that were not found again but lie where they were: under others, or as before.

        The visible parts of the cards `alike` look as before; an unread card may hide the rest. If a phone or
        a cup stands on a card's place, nobody has seen the card leave.
        """
        present = {card.card for card in lying}
        over = [card.seen for card in lying]
        strange = np.where(like_table(view), 0, 255).astype(np.uint8)
        inked = np.zeros_like(strange)
        self._draw(lying, inked)
        strange[inked > 0] = 0
        lost = []
        for card in loose:
            if card.card is None or card.card in present:
                continue
            visible = peeler.visible_share(card.seen.pose, over)
            if visible < MIN_VISIBLE:
                lost.append(replace(card, covered=True))
            elif card in alike:
                if not any(is_in_place(card, other) for other in lying):
                    lost.append(card)
            elif self._share_of(card, strange) > GONE * visible:
                lost.append(replace(card, covered=True))
        return lost

    def _may_lie_under(self, card: PlacedCard, other: PlacedCard) -> bool:
        """Tell whether a partly covered card may lie under another one."""
        away_mm = float(np.linalg.norm(card.seen.pose[:2] - other.seen.pose[:2]))
        return card.seen.visible <= ALMOST_WHOLE and away_mm < float(np.hypot(*self._gallery.size_mm))

    def _lies_below(self, strip: PlacedCard, other: PlacedCard) -> bool:
        """Tell whether another card was laid over a part of this one, which would hide it if kept on top."""
        if strip.layer >= other.layer:
            return False
        left = uncovered(other.seen.pose[None], strip.seen.pose[None], COARSE, self._gallery.size_mm)
        return not bool(left.all())

    def _layered(self, named: list[PlacedCard]) -> list[PlacedCard]:
        """Return the found cards, those on top first, with their layers: new cards lie over the others."""
        before = {card.card: card for card in self.cards if card.card is not None}
        layered = []
        for card in reversed(named):
            known = None if card.card is None else before.get(card.card)
            if known is None or not is_same(known, card):
                self._layers += 1
                layered.append(replace(card, layer=self._layers))
            else:
                layered.append(replace(card, layer=known.layer))
        return layered[::-1]

    def _share(self, card: PlacedCard, changed: Gray) -> float:
        return self._share_of(card, changed) / max(card.seen.visible, MIN_VISIBLE)

    def _share_of(self, card: PlacedCard, mask: Gray) -> float:
        """Return the share of a card's place that a mask of the view holds."""
        return float(share_in(mask, card.seen.pose[None], self._gallery.size_mm)[0])


def _is_cleared(before: Iterable[PlacedCard], now: list[PlacedCard]) -> bool:
    """Tell whether the cards were gathered and others dealt since: hardly any lies in its former place."""
    seen = [card for card in before if card.card is not None and not card.covered]
    gone = sum(not any(is_same(card, other) for other in now) for card in seen)
    # Share of the cards seen before that no turn moves, but gathering them for a deal does.
    cleared_share = 0.8
    return gone > cleared_share * len(seen)


def _weighed(card: PlacedCard, known: list[PlacedCard], unsure: list[PlacedCard]) -> PlacedCard:
    """Return a card just read, marked uncertain if it is new and little of it was seen only once."""
    if card.wholly or (card.card is not None and is_among(card, known)):
        return card
    return replace(card, sure=any(is_same(card, other) for other in unsure))


def _unless_among(card: PlacedCard, others: Iterable[PlacedCard]) -> PlacedCard:
    """Return a card without its name if that has turned up elsewhere."""
    return (
        replace(card, card=None, confidence=0.0) if card.card is not None and is_among(card, others) else card
    )
