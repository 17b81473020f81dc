"""What keeps a card table from being read, and what goes on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from desk.panel.expectation import Awaited
from desk.panel.words import N_

HINDRANCES: Final[Mapping[str, Awaited]] = {
    "ended": Awaited(
        N_("The pictures have ended: nothing more is seen of this game."),
        N_("The buttons still work; the home page ends the game with 'End it'."),
    ),
    "pictures": Awaited(
        N_("No pictures come from the camera: the game waits for them."),
        N_("Look to the camera and its line; the buttons work meanwhile."),
    ),
    "markers": Awaited(
        N_("The table's four markers are awaited."),
        N_("'The table as the camera sees it' shows whether one is hidden or lies outside the picture."),
    ),
    "hands": Awaited(
        N_("A hand or a head is over the table: the cards are read as soon as nothing is over it."),
        N_(
            "If nobody is there, something else reaches in at the picture's edge: "
            "'The table as the camera sees it' shows it."
        ),
    ),
    "moves": Awaited(
        N_("Something moves on the table: the cards are read as soon as they lie still."),
        N_("If nothing moves there, the light or the camera does: use steady lamps and a firm stand."),
    ),
}
"""By the id of `LiveTable.health`: why what lies on the table cannot be read now."""
