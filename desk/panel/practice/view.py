"""The data of the practice page in one language."""

from __future__ import annotations

from typing import Any

from desk.panel.expectation import awaited_view
from desk.panel.house.setup_view import phone_view
from desk.panel.match.poem_view import poem_words
from desk.panel.phrases import READING_PROBLEMS, phrase
from desk.panel.practice.phrases import AWAITED, OUTCOMES, PROBLEMS, STATES
from desk.panel.practice.port import AttemptShown, PracticeNow
from desk.panel.words import Words
from referee.cards.poems import POEMS

_PROBLEMS = {**READING_PROBLEMS, **PROBLEMS}


def practice_view(now: PracticeNow, said: Words) -> dict[str, Any]:
    attempts = [_attempt(each, said) for each in now["attempts"]]
    problem = now["problem"]
    return {
        "state": now["state"],
        "state_text": phrase(said, STATES, now["state"]),
        "player": now["player"],
        "cards": len(now["laid"]),
        "cards_text": _cards_text(now, said),
        "wanted": [{**_card(poem), "lies": poem in now["laid"]} for poem in now["wanted"]],
        "count_text": _count_text(now, said),
        "done": len(attempts),
        "poems": now["poems"],
        "last": attempts[-1] if attempts else None,
        "attempts": attempts[::-1],
        "slow": [_attempt(each, said) for each in now["slow"]],
        "median_text": None
        if now["median_ms"] is None
        else said.counted(
            "Median {time} s of {n} take",
            "Median {time} s of {n} takes",
            sum(each["ms"] is not None for each in now["attempts"]),
            time=_seconds(now["median_ms"]),
        ),
        **awaited_view(AWAITED[now["awaits"]], said),
        "counts": now["counts"],
        "live": now["live"],
        "phone": None if now["phone"] is None else phone_view(now["phone"], said),
        "problem": None if problem is None else _problem_text(problem, said),
    }


def _problem_text(problem: str, said: Words) -> str:
    return phrase(said, _PROBLEMS, problem) if problem in _PROBLEMS else said.complaint(problem)


def _attempt(attempt: AttemptShown, said: Words) -> dict[str, Any]:
    ms, unc_ms = attempt["ms"], attempt["unc_ms"]
    lure = attempt["lure"]
    text = phrase(said, OUTCOMES, attempt["outcome"])
    if ms is not None:
        text = said("after the end of the kimariji")
        if ms < 0:
            text = said("a take before the end of the kimariji")
    elif attempt["outcome"] == "taken":
        text = said("Taken; the time is not known")
    elif lure is not None:
        text = said("{card} touched instead", card=POEMS[lure].kimariji)
    return {
        "poem": attempt["poem"],
        "kimariji": attempt["kimariji"],
        "ku": poem_words(attempt["poem"]),
        "outcome": attempt["outcome"],
        "text": text,
        "time": None if ms is None else _seconds(ms),
        "unsure": None if unc_ms is None else said("± {time} s", time=_seconds(unc_ms)),
        "due": attempt["due"],
    }


def _seconds(ms: float) -> str:
    """Return a time in seconds with two decimals."""
    return f"{ms / 1000:.2f}".replace("-", "−")


def _card(poem: int) -> dict[str, Any]:
    return {"poem": poem, "kimariji": POEMS[poem].kimariji, "shimo": POEMS[poem].shimo}


def _cards_text(now: PracticeNow, said: Words) -> str:
    sentences = [said.counted("{n} card is read.", "{n} cards are read.", len(now["laid"]))]
    if now["unread"]:
        sentences.append(
            said.counted(
                "{n} lies there that cannot be read.", "{n} lie there that cannot be read.", now["unread"]
            )
        )
    if now["wanted"]:
        laid = len(set(now["wanted"]) & set(now["laid"]))
        sentences.append(said("{n} of the {m} proposed cards lie there.", n=laid, m=len(now["wanted"])))
    return ("" if said.language == "ja" else " ").join(sentences)


def _count_text(now: PracticeNow, said: Words) -> str:
    done = len(now["attempts"])
    if now["poems"] is None:
        return said.counted("{n} poem", "{n} poems", done) if done else ""
    if not now["karafuda"]:
        return said("{n} of {m} poems", n=done, m=now["poems"])
    return said("{n} of {m} poems, {k} of them karafuda", n=done, m=now["poems"], k=now["karafuda"])
