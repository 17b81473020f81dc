"""One poem and its ruling as the page shows them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from desk.panel import phrases
from desk.panel.match.port import Caption, PoemRuled, SideName, TouchSeen
from desk.panel.match.sentence import card_name, ruling_sentence
from desk.panel.phrases import phrase
from desk.panel.words import N_, SOURCE_LANGUAGE, Words, picked
from desk.panel.words import words as words_of
from referee.cards.poems import JOKA, POEMS
from referee.karuta.rulebook import doubts, reasons, sources

_KANJI = re.compile(r"([一-龯々〆ヶ]+)")
_MOST_KANA_PER_KANJI = (3, 5)
"""Usual and absolute maximum (志, こころざし); a split within the usual maximum is preferred."""


class Part(NamedTuple):
    """A piece of text and its furigana, which are empty if the text is kana itself."""

    text: str
    kana: str


@cache
def furigana(text: str, kana: str) -> tuple[Part, ...]:
    """Split a phrase so that each run of kanji carries its own reading.

    `kana`: its reading, which must contain the kana of `text`. Unless exactly one split is likely, the whole
    phrase carries the whole reading.
    """
    if not _KANJI.search(text):
        return (Part(text, ""),)
    pieces = [piece for piece in _KANJI.split(text) if piece]
    for most in _MOST_KANA_PER_KANJI:
        splits = list(_splits(pieces, kana, most))
        if splits:
            return splits[0] if len(splits) == 1 else (Part(text, kana),)
    return (Part(text, kana),)


def _splits(pieces: Sequence[str], kana: str, most: int) -> Iterator[tuple[Part, ...]]:
    if not pieces:
        if not kana:
            yield ()
        return
    first, rest = pieces[0], pieces[1:]
    if not _KANJI.fullmatch(first):
        if kana.startswith(first):
            yield from ((Part(first, ""), *parts) for parts in _splits(rest, kana[len(first) :], most))
        return
    for length in range(len(first), most * len(first) + 1):
        if length <= len(kana):
            yield from ((Part(first, kana[:length]), *parts) for parts in _splits(rest, kana[length:], most))


_NS_PER_MS = 1_000_000


@cache
def poem_words(number: int) -> list[list[list[str]]]:
    """Return the five ku of a poem, each a list of `[text, furigana]`; 0 is the joka."""
    poem = POEMS[number] if number else JOKA
    texts = f"{poem.kami} {poem.shimo}".split()
    kana = f"{poem.kami_kana} {poem.shimo_kana}".split()
    return [
        [list(part) for part in furigana(text, reading)] for text, reading in zip(texts, kana, strict=True)
    ]


def poem_view(ruled: PoemRuled, names: Mapping[SideName, str], words: Words) -> dict[str, Any]:
    touches = sorted(ruled["touches"], key=lambda touch: touch["t_ns"])
    after_ns = reaction_ns(ruled)
    return {
        **picked(ruled, "seq", "order", "poem"),
        "ku": poem_words(ruled["poem"]),
        **picked(ruled, "kimariji", "state"),
        "state_text": state_text(ruled["state"], ruled.get("simulated", False), words),
        "sentence": ruling_sentence(ruled, names, words),
        **picked(ruled, "taken_by", "target_side", "faults", "sends"),
        "reasons": [_reason(name, words) for name in ruled["reasons"]],
        "doubts": [_doubt(name, words) for name in ruled["doubts"]],
        "confidence": round(ruled["confidence"], 3),
        "note": ruled["note"],
        "appealed_by": names[ruled["appealed_by"]] if ruled["appealed_by"] else None,
        "touches": [_touch(touch, ruled, names, words) for touch in touches],
        "lead_text": _lead(ruled, names, words),
        "reaction_text": None if after_ns is None else reaction_text(after_ns / _NS_PER_MS, words),
        "evidence": ruled["evidence"],
    }


def caption_of(ruled: PoemRuled, names: Mapping[SideName, str], words: Words) -> Caption:
    """Return the caption of a ruling's replay in the film that is shared."""
    poem = POEMS[ruled["poem"]]
    title = words("Poem {order}: {card} {text}", order=ruled["order"], card=poem.kimariji, text=poem.kami)
    state = phrase(words, phrases.STATES, ruled["state"])
    told = [title, ruling_sentence(ruled, names, words), _lead(ruled, names, words)]
    told += [state, *(_doubt(name, words) for name in ruled["doubts"])] if ruled["doubts"] else []
    contacts = {
        (touch["t_ns"], touch["card"], touch["player"]): _dated(touch, shown, words)
        for touch in ruled["touches"]
        for shown in (_touch(touch, ruled, names, words),)
        if shown["proven"] and not shown["free"]
    }
    plain = None if words.language == SOURCE_LANGUAGE else caption_of(ruled, names, words_of(SOURCE_LANGUAGE))
    return Caption([line for line in told if line], contacts, plain)


def timeline_entry(ruled: PoemRuled, names: Mapping[SideName, str], words: Words) -> dict[str, Any]:
    return {
        **picked(ruled, "seq", "order", "poem", "kimariji", "state", "taken_by"),
        "dead": ruled["target_side"] is None,
        "faults": ruled["faults"],
        "label": ruling_sentence(ruled, names, words),
    }


def is_free(touch: TouchSeen, ruled: PoemRuled) -> bool:
    """Tell whether a touch of another card is no fault: it was in the territory that holds the target."""
    if touch["card"] == ruled["poem"] or touch["at_mm"] is None or ruled["target_side"] is None:
        return False
    return (touch["at_mm"][1] > 0) == (ruled["target_side"] == "near")  # y grows towards the near player


def reaction_ns(ruled: PoemRuled) -> int | None:
    """Return the time of the take after the end of the kimariji, None if it is not known."""
    if ruled["t_kimariji_ns"] is None or ruled["taken_by"] is None:
        return None
    by_taker = [touch for touch in ruled["touches"] if touch["player"] == ruled["taken_by"]]
    at_target = [
        touch["t_ns"] for touch in by_taker if touch["card"] == ruled["poem"] and touch["unprovable"] is None
    ]
    return min(at_target) - ruled["t_kimariji_ns"] if at_target else None


def state_text(state: str, simulated: bool, words: Words) -> str:
    """Return the state of a ruling; `simulated`: whether the official of a simulated match decided."""
    text = phrase(words, phrases.STATES, state)
    return words("{state} by the simulated official", state=text) if simulated else text


def _reason(name: str, words: Words) -> dict[str, str]:
    japanese = words.language == "ja"
    reason = reasons()[name]
    source = sources()[reason.source]
    return {
        "id": name,
        "text": reason.ja if japanese else reason.en,
        "source": source.title_ja if japanese else source.title_en,
        "paragraph": reason.paragraph,
    }


def _doubt(name: str, words: Words) -> str:
    doubt = doubts()[name]
    return doubt.ja if words.language == "ja" else doubt.en


def _touch(touch: TouchSeen, ruled: PoemRuled, names: Mapping[SideName, str], words: Words) -> dict[str, Any]:
    card = words("a card that was not read")
    if touch["card"]:
        card = words("card {card}", card=card_name(touch["card"], words))
    player = names[touch["player"]] if touch["player"] else words("Someone")
    if touch["unprovable"]:
        why = phrase(words, phrases.UNPROVABLE, touch["unprovable"])
        text = words("{player}, {card}: not provable ({why})", player=player, card=card, why=why)
    elif touch["contact"] == "pushed_out":
        text = words("{player} pushes {card} out", player=player, card=card)
    else:
        text = words("{player} touches {card}", player=player, card=card)
    return {
        **picked(touch, "player", "card"),
        "target": touch["card"] == ruled["poem"],
        "t_ms": _ms(touch["t_ns"] - ruled["t_poem_ns"]),
        "unc_ms": _ms(touch["t_unc_ns"]),
        **picked(touch, "t_ns", "t_unc_ns"),
        "proven": touch["unprovable"] is None,
        "free": is_free(touch, ruled),
        "text": text,
    }


def _dated(touch: TouchSeen, shown: Mapping[str, Any], words: Words) -> str:
    """Return the text of a contact: its hand, if known, and its instant."""
    hands = {"left": words("{text}, left hand", **shown), "right": words("{text}, right hand", **shown)}
    return f"{hands.get(touch['hand'] or '', shown['text'])}: {shown['t_ms']} ± {shown['unc_ms']} ms"


def _lead(ruled: PoemRuled, names: Mapping[SideName, str], words: Words) -> str | None:
    """Return the text on the lead of the take, None unless both players reached the card."""
    lead_ns, unc_ns, taker = ruled["lead_ns"], ruled["lead_unc_ns"], ruled["taken_by"]
    if lead_ns is None or unc_ns is None or taker is None:
        return None
    gap, unc = f"{abs(lead_ns) / _NS_PER_MS:.1f}", f"{unc_ns / _NS_PER_MS:.1f}"
    if abs(lead_ns) <= unc_ns:
        return words("Too close to call: {gap} ms apart, measured to ± {unc} ms", gap=gap, unc=unc)
    return words("{side} was {gap} ms earlier (± {unc} ms)", side=names[taker], gap=gap, unc=unc)


def reaction_text(after_ms: float, words: Words) -> str:
    """Return the text on a reaction time, which is negative for a take before the end of the kimariji."""
    whole_ms = round(abs(after_ms))  # the end of the kimariji is not known more exactly
    text = N_("{t} ms before the kimariji") if after_ms < 0 else N_("{t} ms after the kimariji")
    return words(text, t=whole_ms)


def _ms(t_ns: int) -> float:
    return round(t_ns / _NS_PER_MS, 1)
