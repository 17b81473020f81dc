"""Read cards that lie over one another: whole cards first, then the visible parts of the cards below.

If nothing covers a card, its whole print fits. Once it is known, the cards below it have to fit only where it
does not lie, and so on downwards: a fan is peeled card by card, and the order tells which card lies over
which.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Picture
from vision.frames.frame import Gray
from vision.hanafuda.bare_table import Ground
from vision.hanafuda.candidates import distinct
from vision.hanafuda.fitting.pose_fit import CardFitter
from vision.hanafuda.gallery import COARSE, CardGallery, Floats
from vision.hanafuda.pose import (
    Poses,
    Proposals,
    around,
    distinct_places,
    fanned,
    same_places,
    touching,
    uncovered,
)
from vision.hanafuda.seen_card import MIN_VISIBLE, SeenCard, is_same_place, is_whole

Mask = NDArray[np.bool_]

MIN_LIKENESS: Final = 0.55
FOR_SEEING: Final = 0.2  # likeness by which a fully visible card is preferred to one that is hardly visible
FOR_BARE: Final = 0.4
"""Additional likeness required of a card whose whole place seems to show the bare table: in places, a card of
the table's colour can look like it."""
BETTER: Final = 0.04
"""A whole card may be two, one half over the other, if its likeness is this far below the median; and how
much more alike each of the two must be. Prints that continue from one card to the other were taken for one
card with 0.81 to 0.92 while others had 0.98, and each card's strip was 0.06 to 0.16 more like its own print
(measured on stacked cards of seven decks)."""
_REACH: Final = (1.5, 0.05)
LOST: Final = 0.08
"""Loss of likeness from coarse to fine that shows that the fine print was missed: the fine fit finds the
place only from about a millimetre away, and the rough place may be 1.5 mm off. Of the cards that are read 95
% lose less than 0.065 (measured on 144 tables of six decks)."""


class Peeler:
    """Reads one view of the table; see `peel`.

    Parameters
    ----------
    gallery : the deck's cards.
    bare : mask of the view, 255 where the bare table shows and no card lies, less where it may.
    odds : shape (K,), added to the likeness to each card: negative for a card that cannot be there, positive
        for one that is missing elsewhere.
    untold : mask of the view, 255 where something lies that no known card explains; cards are searched for
        only there. None searches everywhere.
    drawn : whether a fully visible print must have the drawing of its card, not only its light and dark
        areas.
    """

    def __init__(
        self,
        view: Picture,
        gallery: CardGallery,
        bare: Gray | None = None,
        odds: Floats | None = None,
        untold: Gray | None = None,
        *,
        drawn: bool = True,
    ) -> None:
        self._gallery = gallery
        self._drawn = drawn
        self._ground = Ground(bare, untold, gallery.size_mm)
        self._odds = np.zeros(len(gallery.ids), np.float32) if odds is None else odds
        fine = np.asarray(cv2.blur(view, (2, 2)), np.uint8)
        coarse_scale = 0.5
        small = cv2.resize(view, None, fx=coarse_scale, fy=coarse_scale, interpolation=cv2.INTER_AREA)
        coarse = np.asarray(small, np.uint8)
        self._close = CardFitter(fine, gallery.fine, gallery.size_mm)
        self._rough = CardFitter(coarse, gallery.coarse, gallery.size_mm, coarse_scale)
        # Additional likeness required per unit of a print's monotony.
        per_monotony = 0.35
        self._handicap = np.tile(per_monotony * gallery.monotony - self._odds, 2)
        self._below: Sequence[tuple[SeenCard, Poses]] = ()
        self._possible = np.flatnonzero(self._handicap < 1)
        self._prints = gallery.coarse.only(self._possible)

    def peel(
        self,
        proposals: Poses,
        known: tuple[SeenCard, ...] = (),
        *,
        below: Sequence[tuple[SeenCard, Poses]] = (),
        first: Poses | None = None,
        clear: bool = False,
    ) -> list[SeenCard]:
        """Return the cards that lie on proposed poses, those on top first.

        Clear cases are examined first: they mostly explain what the other proposals saw.

        `proposals`: shape (N, 3). `known`: cards that are known to lie there, over everything else. `below`:
        the same, but each lies only over cards at the places that come with it, shape (M, 3). `first`: shape
        (L, 3), places of cards that are most likely still there.
        """
        self._below = below
        first = np.zeros((0, 3)) if first is None else first
        field = Proposals.none(self._gallery.coarse.grid)
        found: list[SeenCard] = []
        self._propose(field, distinct(proposals), list(known))
        max_rounds = 30  # rounds of peeling
        for _ in range(max_rounds):
            ask = field.changed & (field.visible.mean(axis=1) >= MIN_VISIBLE)
            field.surplus[field.changed] = -1
            if ask.any() and len(self._possible):
                table = self._prints.likeness(field.crops[ask], field.visible[ask])
                table -= self._handicap[self._possible]
                field.best[ask] = self._possible[table.argmax(axis=1)]
                field.surplus[ask] = table.max(axis=1, initial=-1) - FOR_BARE * field.bare[ask]
            # a card with more visible area is the likelier explanation of the same picture
            promise = field.surplus + FOR_SEEING * field.visible.mean(axis=1)
            for which, screen in field.tiers(first, self._handicap, clear=clear):
                rough, same = distinct_places(field.poses, which, promise, screen)
                if len(rough):
                    break
            if not len(rough):
                break
            new = self._settle(field.poses[rough], field.best[rough], [*known, *found])
            found += new
            # a place that was examined closely is settled, unless a card found now tells more about it
            field.surplus[same] = -1
            field.changed = touching(field.poses, [card.pose for card in new], self._gallery.size_mm)
            self._ground.tell([card.pose for card in new])
            field.keep(self._ground.is_untold(field.poses) | ~field.changed)
            field.visible[field.changed] &= self._uncovered(field.poses[field.changed], COARSE, new)
            self._propose(field, fanned([card.pose for card in new], self._gallery.size_mm), [*known, *found])
        for doubtful in _doubtful([*known, *found]):
            if any(card is doubtful for card in found):
                self._look_between(doubtful, found, known)
        return found

    def _look_between(self, doubtful: SeenCard, found: list[SeenCard], known: tuple[SeenCard, ...]) -> None:
        """Replace one of the found cards by two if both are clearly more alike than it is.

        The visible part of a card and the card half over it may look like one whole card: in some months
        hills and skies continue from one card to the other.
        """
        place = next(number for number, card in enumerate(found) if card is doubtful)
        # a card that was found later, is partly visible and would be covered by it lies below it
        later = [card for card in found[place + 1 :] if is_whole(card) or self._is_beside(card, doubtful)]
        others = [*known, *found[:place], *later]
        poses = fanned([doubtful.pose], self._gallery.size_mm)
        visible = self._uncovered(poses, COARSE, others)
        likely = np.flatnonzero(visible.mean(axis=1) >= MIN_VISIBLE)
        poses, visible = poses[likely], visible[likely]
        if not len(poses) or not len(self._possible):
            return
        table = self._prints.likeness(self._rough.cut(poses), visible) - self._handicap[self._possible]
        most_between = 6  # places and cards to try where one card may be two
        first = np.argsort(-table.max(axis=1))[:most_between]
        best = self._possible[table[first].argmax(axis=1)]
        poses, fit = self._rough.descended(poses[first], best, visible[first], _REACH)
        wanted = float(doubtful.likeness[doubtful.best]) + BETTER
        pairs = []
        for seen in self._look_closely(poses, best, others, fit):
            # prior evidence about cards was taken into account for only one of the two
            over = replace(seen, best=int(seen.likeness.argmax()))
            if not self._is_card(over, others, wanted):
                continue
            for turned in (0, len(self._gallery.ids)):
                which = np.argsort(-doubtful.likeness)[:most_between] + turned
                below = self._look_closely(np.tile(doubtful.pose, (len(which), 1)), which, [*others, over])
                fitting = (card for card in below if self._is_card(card, [*others, over], wanted))
                pairs += [(over, card) for card in fitting if self._may_both_lie(over, card)]
        if pairs:
            found[place : place + 1] = max(
                pairs, key=lambda pair: sum(float(card.likeness[card.best]) for card in pair)
            )

    def _may_both_lie(self, one: SeenCard, other: SeenCard) -> bool:
        """Tell whether two prints may belong to two cards: a deck has several copies of some."""
        return (
            one.best != other.best
            or int((self._gallery.classes == self._gallery.classes[one.best]).sum()) > 1
        )

    def _is_beside(self, card: SeenCard, other: SeenCard) -> bool:
        open_share = 0.75  # of a card, left open by another one that lies beside it
        return bool(self._left_by([other], card.pose[None], COARSE).mean() > open_share)

    def _is_card(self, card: SeenCard, over: list[SeenCard], wanted: float) -> bool:
        """Tell whether a print below others is a card's, with at least the wanted likeness."""
        bare = self._ground.bare_share(card.pose[None], self._uncovered(card.pose[None], COARSE, over))
        likeness = float(card.likeness[card.best])
        enough = max(wanted, self._wanted(card) + FOR_BARE * float(bare[0]))
        return card.visible >= MIN_VISIBLE and likeness >= enough

    def _propose(self, field: Proposals, poses: Poses, over: list[SeenCard]) -> None:
        """Add poses that are compatible with the bare table."""
        poses = poses[self._ground.is_untold(poses)]
        bare = self._ground.bare_share(poses)
        max_bare = 0.5  # of a card's place that may show the bare table
        poses, bare = poses[bare < max_bare], bare[bare < max_bare]
        if not len(poses):
            return
        visible = self._uncovered(poses, COARSE, over)
        # covered places will not become more visible later
        seen = visible.mean(axis=1) >= MIN_VISIBLE
        poses = poses[seen]
        field.add(poses, bare[seen], self._rough.cut(poses), visible[seen])

    def visible_share(self, pose: NDArray[np.float64], over: list[SeenCard]) -> float:
        """Return the share of a card at this pose that the cards over it leave visible, 0..1."""
        return float(self._uncovered(pose[None], COARSE, over).mean())

    def _settle(self, proposals: Poses, best: NDArray[np.intp], over: list[SeenCard]) -> list[SeenCard]:
        """Return cards that fit as they are, none of which covers another."""
        step = (2.2, 0.08)
        poses, _ = self._rough.climbed(proposals, best, self._uncovered(proposals, COARSE, over), step)
        # a card nearer to its place may turn out to be another one
        visible = self._uncovered(poses, COARSE, over)
        table = self._prints.likeness(self._rough.cut(poses), visible)
        table -= self._handicap[self._possible]
        best = self._possible[table.argmax(axis=1)]
        # Likeness, less the print's monotony requirement, from which a rough place is fitted. Fitting adds
        # 0.2, rarely more, and the least that becomes a card (of 107 measured) has 0.42.
        worth_fitting = 0.25
        worth = table.max(axis=1) >= worth_fitting
        if not worth.any():
            return []
        poses, best = poses[worth], best[worth]
        poses, fit = self._rough.descended(poses, best, visible[worth], _REACH)
        visible = self._uncovered(poses, COARSE, over)
        seen = visible.mean(axis=1)
        bare = FOR_BARE * self._ground.bare_share(poses, visible)
        surplus = fit - self._handicap[best] - bare
        likely = np.flatnonzero(surplus >= MIN_LIKENESS - 0.1)
        likely = likely[np.argsort(-surplus[likely] - FOR_SEEING * seen[likely], kind="stable")]
        new: list[SeenCard] = []
        for one, card in zip(
            likely, self._look_closely(poses[likely], best[likely], over, fit[likely]), strict=True
        ):
            if any(
                is_same_place(poses[one], other.pose)
                for other in [*new, *over, *(card for card, _ in self._below)]
            ):
                continue
            if new and self._left_by(new, poses[one : one + 1], COARSE).mean() < 0.97:
                continue  # to be asked again with what is left of it
            enough = self._wanted(card) + bare[one]
            if card.visible >= MIN_VISIBLE and card.likeness[card.best] >= enough and self._is_drawn(card):
                new.append(card)
        return new

    def _is_drawn(self, card: SeenCard) -> bool:
        """Tell whether a fully visible print has the drawing of the card.

        The edge of a black box on a bright cloth has the same light and dark areas as a bare hill below a
        bare sky.
        """
        wholly_seen = 0.97  # visible share of a card that nothing covers
        if card.visible < wholly_seen or not self._drawn:
            return True
        crops = self._close.cut(card.pose[None])
        drawn = float(self._gallery.fine.detail(crops, np.array([card.best]))[0])
        # How much less alike a card may be in its drawing than as a whole. Of 107 cards of 6 decks on cloth
        # of eight colours none lost more than 0.07; two things that were named as cards lost 0.20 and 0.27.
        least_drawn = 0.13
        return drawn >= float(card.likeness[card.best]) - least_drawn

    def _wanted(self, card: SeenCard) -> float:
        missing = np.clip((1 - card.visible) / (1 - MIN_VISIBLE), 0, 1)
        others = card.likeness[self._gallery.classes != self._gallery.classes[card.best]]
        clear_lead = 0.15
        lead = max(float(card.likeness[card.best] - others.max(initial=-1)) - clear_lead, 0)
        # Additional likeness needed if only `MIN_VISIBLE` is seen; in proportion in between.
        for_a_part = 0.05
        # Lead over all other kinds of cards beyond which a print in bad light needs less likeness
        # (`clear_lead`), and how much less per unit of lead.
        for_lead = 0.3
        wanted = MIN_LIKENESS + self._handicap[card.best] + missing * for_a_part - for_lead * lead
        if self._odds[card.best] <= -1:  # it lies elsewhere
            return float(wanted)
        # Likeness from which a fully visible print is a card, however monotonous: no table is that similar.
        enough_likeness = 0.86
        return float(min(wanted, enough_likeness + missing * (1 - enough_likeness)))

    def _look_closely(
        self, poses: Poses, best: NDArray[np.intp], over: list[SeenCard], rough: Floats | None = None
    ) -> list[SeenCard]:
        """Return what is seen near these poses, where the fine print of each card fits best.

        `poses`: shape (N, 3). `best`: shape (N,), each card's print. `rough`: shape (N,), likeness on the
        coarse grid; if the fine one is much lower, the fine print is searched for all around.
        """
        if not len(poses):
            return []
        fine = self._gallery.fine
        start = poses
        poses, fit = self._fitted_closely(start, best, over)
        if rough is not None:
            lost = np.flatnonzero(fit < rough - LOST)
            # Least visible share of a card whose fine print is searched for all around: with less, some print
            # always fits.
            min_sought = 0.3
            lost = lost[self._uncovered(start[lost], COARSE, over).mean(axis=1) >= min_sought]
            poses[lost] = self._sought(start[lost], best[lost], over, poses[lost], rough[lost] - LOST)
        visible = self._uncovered(poses, fine.grid, over)
        tables = fine.likeness(self._close.cut(poses), visible).reshape(len(poses), 2, -1)
        cards = []
        for pose, table, share in zip(poses, tables, visible.mean(axis=1), strict=True):
            turned, card = np.unravel_index(int((table + self._odds).argmax()), table.shape)
            upright = pose + np.array([0, 0, np.pi]) if turned else pose
            cards.append(SeenCard(upright, int(card), table.max(axis=0), float(share)))
        return cards

    def _fitted_closely(
        self, poses: Poses, best: NDArray[np.intp], over: list[SeenCard]
    ) -> tuple[Poses, Floats]:
        """Return the poses at which the fine prints fit best, and the likeness there."""
        fine = self._gallery.fine
        visible = self._uncovered(poses, fine.grid, over)
        # Millimetres and radians by which a pose moves to fit better; about half a cell.
        fine_reach = (0.7, 0.025)
        poses, fit = self._close.descended(poses, best, visible, fine_reach)
        part = np.flatnonzero(visible.mean(axis=1) < 1)
        if len(part):
            # the visible part of a card depends on where exactly it lies
            visible = self._uncovered(poses[part], fine.grid, over)
            poses = poses.copy()
            fit = fit.copy()
            poses[part], fit[part] = self._close.descended(poses[part], best[part], visible, fine_reach)
        return poses, fit

    def _sought(
        self, poses: Poses, best: NDArray[np.intp], over: list[SeenCard], fitted: Poses, wanted: Floats
    ) -> Poses:
        """Return places around poses at which the fine prints reach the wanted likeness, else `fitted`."""
        if not len(poses):
            return fitted
        aside_mm = 1.2  # how far to all sides to search
        places = around(poses, aside_mm)
        number = places.shape[1]
        found, fit = self._fitted_closely(places.reshape(-1, 3), np.repeat(best, number), over)
        found, fit = found.reshape(places.shape), fit.reshape(-1, number)
        nearest = found[np.arange(len(poses)), fit.argmax(axis=1)]
        return np.where((fit.max(axis=1) >= wanted)[:, None], nearest, fitted)

    def _uncovered(self, poses: Poses, grid: tuple[int, int], over: list[SeenCard]) -> Mask:
        """Tell which cells of `poses` neither `over` nor cards known to lie there cover; (N, cells)."""
        seen = self._left_by(over, poses, grid)
        for card, laid in self._below:
            under = ~same_places(poses, laid).any(axis=1)
            seen[under] &= self._left_by([card], poses[under], grid)
        return seen

    def _left_by(self, over: Sequence[SeenCard], poses: Poses, grid: tuple[int, int]) -> Mask:
        lying = np.array([card.pose for card in over]).reshape(-1, 3)
        return uncovered(poses, lying, grid, self._gallery.size_mm)


def _doubtful(cards: list[SeenCard]) -> list[SeenCard]:
    """Return the cards that seem fully visible but are less like their print than a single card would be."""
    whole = [card for card in cards if is_whole(card)]
    likeness = [float(card.likeness[card.best]) for card in whole]
    enough_cards = 4
    usual = float(np.median(likeness)) if len(whole) >= enough_cards else 0.0
    one_card = 0.93
    return [card for card, like in zip(whole, likeness, strict=True) if like < max(one_card, usual - BETTER)]
