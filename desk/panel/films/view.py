"""The data of the film pages, in the visitor's language."""

from __future__ import annotations

from typing import Any

from desk.panel.films import phrases
from desk.panel.films.port import (
    FilmListed,
    FilmRefusedError,
    FilmShown,
    PoemOfFilm,
    TableOfFilm,
    UploadListed,
    Working,
)
from desk.panel.films.sentence import told_text
from desk.panel.house.rules import risk_text
from desk.panel.match.poem_view import poem_view
from desk.panel.match.sentence import ruling_sentence, side_names
from desk.panel.match.view import card_view, marks_of
from desk.panel.phrases import phrase
from desk.panel.words import Words
from referee.cards.poems import POEMS

_GIGA, _MEGA, _KILO = 10**9, 10**6, 10**3
_SIZES = ("size", "most", "free")


def size_text(size: int, words: Words) -> str:
    """Return a number of bytes as people read it."""
    if size >= _GIGA:
        text = words("{n} GB", n=f"{size / _GIGA:.1f}".removesuffix(".0"))
    elif size >= _MEGA:
        text = words("{n} MB", n=round(size / _MEGA))
    elif size >= _KILO:
        text = words("{n} kB", n=round(size / _KILO))
    else:
        text = words("{n} bytes", n=size)
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def refusal_text(error: FilmRefusedError, words: Words) -> str:
    values = {
        name: size_text(int(str(value)), words) if name in _SIZES else value
        for name, value in error.values.items()
    }
    return phrase(words, phrases.REFUSALS, error.refusal, **values)


def upload_view(upload: UploadListed, words: Words) -> dict[str, Any]:
    offset, size = upload["offset"], upload["size"]
    arrived = words(
        "{done} of {size} ({share} %)",
        done=size_text(offset, words),
        size=size_text(size, words),
        share=100 * offset // size if size else 0,
    )
    return {**upload, "arrived": arrived}


def listed_view(film: FilmListed, words: Words) -> dict[str, Any]:
    found = words.counted("{n} poem", "{n} poems", film["poems"]) if film["poems"] else ""
    if film["rounds"]:
        found = words.counted("{n} round", "{n} rounds", film["rounds"])
    doubted = film["in_doubt"]
    return {
        **film,
        "size_text": size_text(film["size"], words),
        "state_text": phrase(words, phrases.STATES, film["state"]),
        "game_text": words.plain(phrases.GAMES.get(film["game"], film["game"])) if film["game"] else "",
        "found": found,
        "doubted": words.counted("{n} for a person", "{n} for a person", doubted) if doubted else "",
        "flagged_text": words.counted("{n} flag", "{n} flags", film["flagged"]) if film["flagged"] else "",
    }


def progress_view(working: Working | None, words: Words) -> dict[str, Any] | None:
    """Return the work on a film as text, None if there is none."""
    if working is None:
        return None
    left_s, text = working["left_s"], phrase(words, phrases.STAGES, working["stage"])
    left = ""
    if left_s is not None:
        minutes = round(left_s / 60)
        left = (
            words("about {n} min left", n=minutes)
            if left_s >= 90
            else words("about {n} s left", n=max(1, round(left_s)))
        )
    return {"text": text, "share": round(working["share"], 3), "left": left}


def film_view(film: FilmShown, table: TableOfFilm | None, words: Words) -> dict[str, Any]:
    """Return a film with its readings in short form; `poem_of_film_view` has the details."""
    return {
        **listed_view(film, words),
        "version": film["version"],
        "working": progress_view(film["working"], words),
        "ask": film["ask"],
        "question": phrase(words, phrases.QUESTIONS, film["ask"]) if film["ask"] else "",
        "problem": told_text(film["problem"], words),
        "silent_why": told_text(film["silent_why"], words),
        "told": {key: _typed(value) for key, value in film["told"].items()},
        "length_ms": film["length_ms"],
        "has_overview": film["has_overview"],
        "kept_as": film["kept_as"],
        "table": table,
        "readings": [_line(reading, words) for reading in film["readings"]],
        "risk": risk_text(film["risk"], words) if film["risk"] else "",
    }


def poem_of_film_view(reading: PoemOfFilm, words: Words) -> dict[str, Any]:
    """Return a poem of a film with its ruling, its field and the other candidates."""
    names, ruled = side_names(words, {"near": None, "far": None}), reading["ruled"]
    perhaps = [
        {"card": card, "name": POEMS[card].kimariji, "text": POEMS[card].kami} for card in reading["perhaps"]
    ]
    return {
        "number": reading["number"],
        "t_ms": reading["t_ms"],
        "t_unc_ms": reading["t_unc_ms"],
        "doubt": phrase(words, phrases.DOUBTS, reading["doubt"]) if reading["doubt"] else "",
        "poem_in_doubt": reading["doubt"] in phrases.ABOUT_POEM,
        "perhaps": perhaps,
        "field": [card_view(placed, names, words) for placed in reading["field"]],
        "marks": marks_of(ruled),
        "poem": poem_view(ruled, names, words),
    }


def _typed(value: Any) -> Any:
    """Return a statement as a person types it."""
    return ", ".join(map(str, value)) if isinstance(value, list) else value


def _line(reading: PoemOfFilm, words: Words) -> dict[str, Any]:
    ruled = reading["ruled"]
    names = side_names(words, {"near": None, "far": None})
    return {
        "number": reading["number"],
        "t_ms": reading["t_ms"],
        "t_unc_ms": reading["t_unc_ms"],
        "poem": ruled["poem"],
        "kimariji": POEMS[ruled["poem"]].kimariji,
        "state": ruled["state"],
        "taken_by": ruled["taken_by"],
        "doubted": bool(reading["doubt"] or ruled["doubts"]),
        "label": ruling_sentence(ruled, names, words),
    }
