"""Texts of the Kendo page for the bout, flags and refusals; English is the source of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from desk.panel.table.phrases import FlagTexts
from desk.panel.words import N_

STANDINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "unopened": N_("Turn up a brown card each: the higher number opens"),
        "nothing": N_("{player} opens a round"),
        "attack": N_("{player} answers {technique}"),
        "seme": N_("{player} answers SEME with MEN UCHI, KOTE UCHI, DO UCHI or TSUKI alone"),
        "seme_answered": N_("{player} strikes with a red card against {technique}, or opens a new round"),
        "fudoshin": N_("{player} neutralises FUDOSHIN, or loses two cards"),
        "oshidashi": N_("{player} answers OSHIDASHI with KAIHI SURU"),
        "maki_waza": N_("{player} answers MAKI WAZA with TSUYOI KAMAE"),
        "jodan": N_("{player} neutralises JODAN NO KAMAE with {technique}"),
        "over": N_("{player} wins {own} to {other}"),
    }
)
"""Texts by what stands against the player, see `referee.kendo.standing`."""

FLAGS: Final[Mapping[str, FlagTexts]] = MappingProxyType(
    {
        "illegal_play": FlagTexts(
            N_("This play is not allowed"), N_("Take the cards back, or let the play stand.")
        ),
        "out_of_turn": FlagTexts(
            N_("A player acted whose turn it is not"), N_("Stop and take the card back.")
        ),
        "wrong_opener": FlagTexts(N_("Somebody else opens the round"), N_("Stop and take the card back.")),
        "not_due": FlagTexts(
            N_("No card is to be drawn or exchanged now"), N_("Put the card back on its pile.")
        ),
        "wrong_pile": FlagTexts(
            N_("The card came from the wrong pile"), N_("Put the card back on its pile.")
        ),
        "duty_missed": FlagTexts(N_("An exchange or a draw was left out"), N_("Make up for it, then go on.")),
        "illegal_declaration": FlagTexts(
            N_("There was nothing to declare"), N_("The declaration does not count.")
        ),
        "bout_over": FlagTexts(N_("The bout is over"), N_("No further card counts.")),
        "marker_differs": FlagTexts(
            N_("The markers before a player differ from the score"),
            N_("Turn the HAJIME/IPPON card or lay HANSOKU as the score says."),
        ),
        "unsure": FlagTexts(
            N_("The eye cannot tell"), N_("Look at the table and correct what is shown wrongly.")
        ),
    }
)
"""Texts by the id of a flag of `referee.kendo.minutes`."""

NOTES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "open": N_("{player} opens the bout"),
        "play": N_("{player} plays {cards}"),
        "accept": N_("The table lets {cards} of {player} stand"),
        "pass": N_("{player} does not answer"),
        "cede": N_("{player} cedes the opening"),
        "new_deal": N_("{player} asks for a new deal"),
        "neutralise": N_("{player} neutralises"),
        "no_card": N_("{player} has no card left to exchange"),
    }
)
"""Texts by the kind of an event, or by the declaration."""

REFUSALS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "nothing_to_undo": N_(
            "There is nothing to take back: 'Undo' takes back what was said or corrected with a button."
        ),
        "nothing_to_accept": N_("A play can be let stand while one that is not allowed lies on the court."),
        "no_such_card": N_("That card does not lie there."),
        "same_card": N_("It is that card already."),
        "not_yours": N_("Only the player or the operator may do this."),
    }
)
WHEN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "cede": N_("The opening can be ceded by whoever opens after a TSUBAZERIAI, before the next card."),
        "new_deal": N_(
            "A new deal can be asked for at 1 to 1 by who called JIKAN DESU, before the next card."
        ),
        "neutralise": N_("That can be said right after a card that neutralises what stands."),
        "no_card": N_(
            "That can be said by a player who has to exchange a card before the next one is played."
        ),
        "pass": N_("'Does not answer' is for the player on turn, until the bout is over."),
    }
)
"""When a word that the rules do not allow now can be said."""
RULES: Final[Mapping[str, str]] = MappingProxyType({"seed-003": N_("The rules that come with the cards")})
"""Titles of the presets."""
