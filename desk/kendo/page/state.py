"""A bout as JSON data: what its page shows in any language, and its record for other programs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from desk.kendo.desk import KendoDesk
from desk.kendo.lines import event_json, flag_json
from desk.kendo.scribe import Noted
from desk.tables.evidence.events import evidence_at
from desk.tables.log_follower import Numbered
from referee.kendo.bout import Bout
from referee.kendo.events import Accept, Declare, Pass
from referee.kendo.standing import Attack, Jodan, SemeAnswered, Standing

_MOST_NOTES = 40


def shown(desk: KendoDesk) -> dict[str, Any]:
    """Return the bout as it stands.

    Returns: JSON data. `court` has the faces on each seat's side, empty for a card that was not recognised;
    `standing` is what stands against the seat `to_act`; a flag `lies` while its play waits to be taken back
    or accepted; `may` has for each declaration the seat that may make it now, or None; `evidence` is the
    number of the log's event that names the pictures of a note.
    """
    game = desk.game
    scribe, opened = game.scribe, game.opened
    bout = scribe.minutes.bout
    return {
        "id": opened.id,
        "source": opened.source,
        "rules": opened.rules.name,
        "deck": opened.deck,
        "seq": desk.last_seq,
        "names": list(opened.names),
        "ippon": list(bout.ippon),
        "hansoku": list(bout.hansoku),
        "winner": bout.winner,
        "to_act": bout.to_act if bout.winner is None else None,
        "standing": _standing(bout.standing),
        "ippon_shobu": bout.ippon_shobu,
        "court": [
            [laid.face for laid in sorted(side, key=lambda laid: laid.x_mm)]
            for side in (game.look.laid if game.look else ((), ()))
        ],
        "flags": [{**flag_json(flag), "lies": flag is scribe.standing_flag} for flag in scribe.flags],
        "notes": [_note(noted, desk.history) for noted in scribe.notes[-_MOST_NOTES:]],
        "may": _may(bout, flagged=scribe.standing_flag is not None),
    }


def _standing(standing: Standing) -> dict[str, Any]:
    kind = re.sub(r"(?<!^)(?=[A-Z])", "_", type(standing).__name__).lower()
    technique = standing.technique.value if isinstance(standing, Attack | Jodan | SemeAnswered) else None
    return {"kind": kind, "technique": technique, "red": isinstance(standing, Attack) and standing.red}


def _may(bout: Bout, *, flagged: bool) -> dict[str, Any]:
    going_on = bout.winner is None
    return {
        "cede": bout.to_act if going_on and bout.may_cede else None,
        "new_deal": bout.may_ask_new_deal if going_on else None,
        "no_card": bout.to_act if going_on and _may_lack_a_card(bout) else None,
        "passes": bout.to_act if going_on else None,
        "accept": going_on and flagged,
    }


def _may_lack_a_card(bout: Bout) -> bool:
    """Tell whether the seat to act exchanges a card now, and nobody watches whether it has one."""
    return (
        bout.to_act is not None
        and bout.exchanges[bout.to_act] > 0
        and not bout.rules.readings.exchange_watched
    )


def _note(noted: Noted, history: Sequence[Numbered]) -> dict[str, Any]:
    is_seen = not isinstance(noted.event, Accept | Declare | Pass)
    return {**event_json(noted), "evidence": evidence_at(history, noted.t_ms) if is_seen else None}
