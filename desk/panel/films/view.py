"""The data of the film pages, in the visitor's language."""

from collections.abc import Mapping
from typing import Any, cast

from desk.panel.films.port import (
    FilmListed,
    FilmRefusedError,
    FilmShown,
    MessageShown,
    PoemOfFilm,
    TableOfFilm,
    UploadListed,
    Working,
)
from desk.panel.house.rules import risk_text
from desk.panel.match.poem_view import poem_view
from desk.panel.match.sentence import ruling_sentence, side_names
from desk.panel.match.view import card_view, marks_of
from desk.panel.phrases import phrase
from desk.panel.words import Words, picked, texts
from referee.cards.poems import POEMS


def told_text(told: MessageShown, words: Words) -> str:
    """Return a message in the visitor's language."""
    text = _filled(told, words)
    if not text or text.endswith("?"):
        return text
    return words("{sentence}.", sentence=f"{text[0].upper()}{text[1:]}".removesuffix("."))


def _filled(told: MessageShown, words: Words) -> str:
    values = {
        name: _filled(cast("MessageShown", value), words) if isinstance(value, dict) else value
        for name, value in told["values"].items()
    }
    text = told["text"]
    return words(text, **values) if text else ""


_SIZES = ("size", "most", "free")
_ABOUT_POEM = ("poem_unsure", "poem_assumed")  # doubts that are settled by naming the poem
TEXTS: Mapping[str, Mapping[str, str]] = texts("desk.panel.films")


def size_text(size: int, words: Words) -> str:
    """Return a number of bytes as people read it."""
    text = words("{n} bytes", n=size)
    if size >= 10**9:
        text = words("{n} GB", n=f"{size / 10**9:.1f}".removesuffix(".0"))
    elif size >= 10**6:
        text = words("{n} MB", n=round(size / 10**6))
    elif size >= 10**3:
        text = words("{n} kB", n=round(size / 10**3))
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def refusal_text(error: FilmRefusedError, words: Words) -> str:
    values = {
        name: size_text(int(str(value)), words) if name in _SIZES else value
        for name, value in error.values.items()
    }
    return phrase(words, TEXTS["refusals"], error.refusal, **values)


def upload_view(upload: UploadListed, words: Words) -> dict[str, Any]:
    offset, size = upload["offset"], upload["size"]
    share = 100 * offset // size if size else 0
    done, whole = size_text(offset, words), size_text(size, words)
    return {**upload, "arrived": words("{done} of {size} ({share} %)", done=done, size=whole, share=share)}


def listed_view(film: FilmListed, words: Words) -> dict[str, Any]:
    found = words.counted("{n} poem", "{n} poems", film["poems"]) if film["poems"] else ""
    if film["rounds"]:
        found = words.counted("{n} round", "{n} rounds", film["rounds"])
    doubted = film["in_doubt"]
    return {
        **film,
        "size_text": size_text(film["size"], words),
        "state_text": phrase(words, TEXTS["states"], film["state"]),
        "game_text": words.plain(TEXTS["games"].get(film["game"], film["game"])) if film["game"] else "",
        "found": found,
        "doubted": words.counted("{n} for a person", "{n} for a person", doubted) if doubted else "",
        "flagged_text": words.counted("{n} flag", "{n} flags", film["flagged"]) if film["flagged"] else "",
    }


def progress_view(working: Working | None, words: Words) -> dict[str, Any] | None:
    """Return the work on a film as text, None if there is none."""
    if working is None:
        return None
    left_s, left = working["left_s"], ""
    if left_s is not None:
        left = words("about {n} s left", n=max(1, round(left_s)))
        if left_s >= 90:
            left = words("about {n} min left", n=round(left_s / 60))
    text = phrase(words, TEXTS["stages"], working["stage"])
    return {"text": text, "share": round(working["share"], 3), "left": left}


def film_view(film: FilmShown, table: TableOfFilm | None, words: Words) -> dict[str, Any]:
    """Return a film with its readings in short form; `poem_of_film_view` has the details."""
    return {
        **listed_view(film, words),
        "version": film["version"],
        "working": progress_view(film["working"], words),
        "ask": film["ask"],
        "question": phrase(words, TEXTS["questions"], film["ask"]) if film["ask"] else "",
        "problem": told_text(film["problem"], words),
        "silent_why": told_text(film["silent_why"], words),
        "told": {key: _typed(value) for key, value in film["told"].items()},
        **picked(film, "length_ms", "has_overview", "kept_as"),
        "table": table,
        "readings": [_line(reading, words) for reading in film["readings"]],
        "risk": risk_text(film["risk"], words) if film["risk"] else "",
    }


def poem_of_film_view(reading: PoemOfFilm, words: Words) -> dict[str, Any]:
    """Return a poem of a film with its ruling, its field and the other candidates."""
    names, ruled = side_names(words, {"near": None, "far": None}), reading["ruled"]
    perhaps = ((card, POEMS[card]) for card in reading["perhaps"])
    return {
        **picked(reading, "number", "t_ms", "t_unc_ms"),
        "doubt": phrase(words, TEXTS["doubts"], reading["doubt"]) if reading["doubt"] else "",
        "poem_in_doubt": reading["doubt"] in _ABOUT_POEM,
        "perhaps": [{"card": card, "name": poem.kimariji, "text": poem.kami} for card, poem in perhaps],
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
        **picked(reading, "number", "t_ms", "t_unc_ms"),
        "poem": ruled["poem"],
        "kimariji": POEMS[ruled["poem"]].kimariji,
        **picked(ruled, "state", "taken_by"),
        "doubted": bool(reading["doubt"] or ruled["doubts"]),
        "label": ruling_sentence(ruled, names, words),
    }
