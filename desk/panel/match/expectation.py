"""What a match waits for, and which button goes on where it waits in vain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from desk.panel.expectation import Awaited
from desk.panel.match.port import Snapshot
from desk.panel.words import N_

AWAITED: Final[Mapping[str, Awaited]] = {
    "set_up": Awaited(
        N_("The cards are being laid out."),
        N_("'Start' begins the time to memorise."),
    ),
    "memorise": Awaited(
        N_("The players memorise the field."),
        N_("'Start' begins the match before their time is over."),
    ),
    "joka": Awaited(N_("The opening poem is read, then the match begins.")),
    "joka_by_person": Awaited(
        N_("The reader is awaited with the opening poem."),
        N_("If a poem of the hundred is read already: 'Name the poem'."),
    ),
    "name": Awaited(
        N_("A poem is being read, and it is not known which."),
        N_("'Name the poem' tells it."),
    ),
    "reading": Awaited(
        N_("The ruling comes as soon as no hand and no head is over the field and the cards lie still."),
        N_("If it does not come: 'More', then 'Void: read the poem again'."),
    ),
    "ruling": Awaited(
        N_("A ruling waits for an official."),
        N_("'Confirm' lets it stand, 'Overrule' gives another one."),
    ),
    "to_do": Awaited(
        N_("Before the next poem the field is put in order; what is left to do stands beside it."),
        N_("If the field is in order as it lies: 'Field in order'."),
    ),
    "next": Awaited(N_("The next poem is read in a moment.")),
    "next_by_person": Awaited(
        N_("The reader is awaited with the next poem."),
        N_("If it is read and was not recognised: 'Name the poem'."),
    ),
    "nobody": Awaited(
        N_("Nobody watches this match: it has no camera and no reader, and no poem comes."),
        N_(
            "To go on, end it on the home page and start the program with the camera: "
            "'shinpan serve 0 --resume MATCH'."
        ),
    ),
    "nobody_simulates": Awaited(
        N_("This simulated match was interrupted and cannot go on: its table is gone."),
        N_("Its record stays. End it on the home page, and begin another."),
    ),
    "stored": Awaited(
        N_(
            "This match is not over. The page shows it as its log stood when it was opened; "
            "nothing comes here."
        ),
    ),
    "paused": Awaited(N_("The match is paused."), N_("'Go on' continues it.")),
    "over": Awaited(""),
}


def awaited(snapshot: Snapshot) -> str:
    """Return what a match waits for, a key of `AWAITED`."""
    pause, phase = snapshot["pause"], snapshot["phase"]
    if phase == "over":
        return "over"
    if snapshot.get("is_stored", False):
        return "stored"
    if pause is not None:
        return "ruling" if pause["reason"] == "review" else "paused"
    if not snapshot.get("is_watched", True):
        return "nobody_simulates" if snapshot["match"]["source"] == "simulator" else "nobody"
    if phase == "poem" and snapshot["reading"] is not None:
        return "reading"
    if phase == "restore" and snapshot["to_do"]:
        return "to_do"
    by_person = snapshot["takes_names"]
    if phase == "poem":
        return "name" if by_person else "next"
    if phase == "restore":
        return "next_by_person" if by_person else "next"
    return "joka_by_person" if phase == "joka" and by_person else phase
