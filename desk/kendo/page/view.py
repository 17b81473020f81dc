"""The data of the Kendo page in one language."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from desk.kendo.desk import KendoDesk
from desk.kendo.events import SEATS
from desk.kendo.lines import event_json, flag_json
from desk.kendo.page.phrases import FLAGS, NOTES, STANDINGS
from desk.kendo.scribe import Noted
from desk.panel.films.port import FilmPage, FilmPart
from desk.panel.phrases import phrase
from desk.panel.table.names import by_names, seat_name
from desk.panel.words import Words
from desk.tables.evidence.events import evidence_at
from desk.tables.log_follower import Numbered
from referee.cards.kendo import Brown, Red, face
from referee.kendo.bout import Bout
from referee.kendo.events import Accept, Declare, Pass
from referee.kendo.standing import Attack, Jodan, SemeAnswered, Standing


def kendo_view(bout: Mapping[str, Any], said: Words) -> dict[str, Any]:
    names = [seat_name(seat, name, said) for seat, name in enumerate(bout["names"])]
    return {
        **bout,
        "names": names,
        "sentence": _sentence(bout, names, said),
        "flags": [flag_view(flag, names, said) for flag in reversed(bout["flags"])],
        "notes": [note_view(note, names, said) for note in reversed(bout["notes"])],
    }


def face_label(name: str) -> str:
    """Return the label of a face: `MEN UCHI 3`, `KOTE → DO`, `SEME`; the same in every language."""
    shown = face(name)
    if isinstance(shown.card, Red):
        return f"{shown.card.receives} → {shown.card.attacks}".upper()
    number = f" {shown.number}" if isinstance(shown.card, Brown) else ""
    return (str(shown.card or name).replace("_", " ") + number).upper()


def _sentence(bout: Mapping[str, Any], names: list[str], said: Words) -> str:
    winner, standing = bout["winner"], bout["standing"]
    if winner is not None:
        own, other = bout["ippon"][winner], bout["ippon"][1 - winner]
        return phrase(said, STANDINGS, "over", player=names[winner], own=own, other=other)
    if bout["to_act"] is None:
        return phrase(said, STANDINGS, "unopened")
    technique = (standing["technique"] or "").upper()
    return phrase(said, STANDINGS, standing["kind"], player=names[bout["to_act"]], technique=technique)


def flag_view(flag: Mapping[str, Any], names: list[str], said: Words) -> dict[str, Any]:
    told = FLAGS[flag["id"]]
    text = by_names(flag["text"], names, said)
    return {**flag, "text": text, "what": said(told.what), "mend": said(told.mend)}


def note_view(note: Mapping[str, Any], names: list[str], said: Words) -> dict[str, Any]:
    cards = " + ".join(card.replace("_", " ").replace(">", " → ").upper() for card in note.get("cards", ()))
    text = phrase(said, NOTES, note.get("what") or note["kind"], player=names[note["player"]], cards=cards)
    return {**note, "text": text}


def film_page(judged: Mapping[str, Any], stories: Sequence[Any], said: Words) -> FilmPage:  # noqa: ARG001 (the minutes say it all)
    names = [seat_name(seat, None, said) for seat in range(SEATS)]
    events, flags = judged["events"], defaultdict[int, list[dict[str, Any]]](list)
    for flag in judged["flags"]:
        flags[min(flag["event"], len(events) - 1)].append(flag_view(flag, names, said))
    steps = [
        {
            "t_ms": event["t_ms"],
            "text": note_view(event, names, said)["text"],
            "flags": flags[at],
            "reached": [],
            "taken_back": event.get("taken_back", False),
        }
        for at, event in enumerate(events)
    ]
    part: FilmPart = {"title": "", "more": "", "doubt": "", "late": flags[-1], "steps": steps}
    return {"sentence": _score(judged, names, said), "parts": [part]}


def _score(judged: Mapping[str, Any], names: list[str], said: Words) -> str:
    (own, other), hansoku = judged["score"]["ippon"], judged["score"]["hansoku"]
    score = said("IPPON {own} to {other}", own=own, other=other)
    if any(hansoku):
        score = f"{score}, HANSOKU {hansoku[0]} – {hansoku[1]}"
    if judged["winner"] is None:
        return said("{score}; the bout is not over", score=score)
    return said("{player} wins: {score}", player=names[judged["winner"]], score=score)


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
