"""The rules of the eye that `tools/ablate.py` can switch off, and what each says when it is off.

A rule is a function, named by the module that asks it and its name there. Off, it answers as it would where
it has nothing to say. A rule that is only a number is given another one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from vision.sightings.spots import _NO_VOTE

Answer = Callable[..., Any]


@dataclass(frozen=True)
class Rule:
    """Something the eye does that may be left out."""

    name: str  # says what the rule does
    place: str  # ``module:function``, ``module:Class.method`` or ``module:NUMBER``
    # what the function answers when it is off, given its arguments; of a number, the one in its place
    off: Answer | float

    @property
    def is_number(self) -> bool:
        """Whether the rule is a number: then only a trial tells whether it matters in a clip."""
        return not callable(self.off)


def always(value: Any) -> Answer:
    """Return a function that answers the same, whatever it is asked."""
    return lambda *_, **__: value


def given(number: int) -> Answer:
    """Return a function that answers with one of its arguments."""
    return lambda *arguments, **_: arguments[number]


_NO, _YES, _NONE, _ZERO = always(value=False), always(value=True), always(None), always(0.0)

_FIELD: Final = (
    Rule("cards found by their print", "vision.field.layout_reader:with_further_cards", given(2)),
    Rule(
        "no card where print is missing",
        "vision.field.layout_reader:phantom_cards",
        lambda _, corners, *__: np.zeros(len(corners), np.bool_),
    ),
    Rule("a camera that was moved", "vision.field.layout_reader:_slipped", _NO),
    Rule("measure again by what is read", "vision.field.layout_reader:_measured_by_what_is_read", given(2)),
    Rule("lay the field onto its rows", "vision.field.layout_reader:fit_to_lines", given(0)),
    Rule("read in colour what is unnamed", "vision.field.layout_reader:_read_by_colour", given(2)),
    Rule("names carried to the next layout", "vision.match.known_field:carried_over", given(1)),
    Rule("no card twice in a layout", "vision.match.known_field:without_taken", given(0)),
    Rule("light under a wide shade", "vision.field.resting_map:WideShade.light_under", _NONE),
)

_HANDS: Final = (
    Rule("what is new comes from an edge", "vision.hands.player_map:PlayerMap._from_edge", always(0)),
    Rule(
        "an arm that vanished in another's",
        "vision.hands.regions:_swallowed",
        lambda _, owner, *__: np.zeros(len(owner), np.bool_),
    ),
    Rule("arms that cross keep their ways", "vision.hands.arm_crossing:Meeting.divided", _NONE),
    Rule(
        "floor in another light is no hand",
        "vision.field.resting_map:RestingMap.covered",
        lambda _, small, __: np.ones(small.shape, np.uint8),
    ),
)

_DEPARTURES: Final = (
    Rule("a card that vanished in one step", "vision.departures.card_track:has_vanished", _NO),
    Rule("cards seen elsewhere in the end", "vision.departures.last_place:last_places", always({})),
    Rule("a coded film shifts still cards", "vision.departures.outcome:_PER_GRAIN", 0.0),
)

_LAUNCH: Final = (
    Rule("print voted for by tiles", "vision.launch.flight:find_spots", always([])),
    Rule("a path through several pictures", "vision.launch.flight:follow_print", always([])),
    Rule(
        "no other card's print",
        "vision.sightings.spots:TiledFace._against_others",
        lambda _self, _, alike, __: (float(np.maximum(alike - _NO_VOTE, 0.0).sum()), 0.0),
    ),
    Rule("hands that move as one", "vision.contact.attribution:_without_divided_hands", given(0)),
    Rule("followed again beside other paths", "vision.launch.strikes:nearby", _NO),
    Rule("cards of a row tell one another", "vision.launch.strikes:in_rows", given(1)),
    Rule("a gap between cards ahead", "vision.launch.strikes:_cards_ahead", _ZERO),
    Rule("a card flies like its hand", "vision.launch.flight:hand_velocity", _NONE),
    Rule("a hand found again elsewhere", "vision.hand_cues.speed:_found_again", _NONE),
    Rule("neighbours narrow a hidden time", "vision.launch.strikes:_with_company", given(1)),
    Rule("cards creep below a hand", "vision.launch.onset:_CREEP_SHARE", 1e-12),
    Rule("cards glide when knocked", "vision.launch.onset:_glides_ms", always(np.zeros(0))),
    Rule("a laden row starts slowly", "vision.launch.path_search:_LADEN", 1e-9),
    Rule("later pictures fit somewhere", "vision.launch.path_search:_SEEN_LATER", 0.0),
    Rule("out of the territory by its path", "vision.launch.territory_exit:_out_by_path", _NONE),
)

_HANDS_AT_CARDS: Final = (
    Rule("print seen means no hand there", "vision.contact.approach:print_in", _NONE),
    Rule(
        "flying cards are no hands",
        "vision.contact.approach:_hands_only",
        lambda _, view, *__: view.over.players,
    ),
    Rule("fingers that catch up", "vision.contact.attribution:caught_up_ns", _ZERO),
    Rule("a hand refound by its shape", "vision.contact.velocities:_by_shape", _NONE),
    Rule("fingers that may have lain there", "vision.contact.attribution:_lain_ns", _ZERO),
    Rule(
        "its pusher's driver drove it",
        "vision.contact.attribution:_pushed_by",
        lambda number, looks: (looks[number].first, looks[number].confidence),
    ),
    Rule("a flying card came down", "vision.contact.evidence:is_loose_before", _NO),
)

_TIDYING: Final = (Rule("tidying is no play", "vision.poem.watcher:manners_of", always({})),)

RULES: Final = (*_FIELD, *_HANDS, *_DEPARTURES, *_LAUNCH, *_HANDS_AT_CARDS, *_TIDYING)
