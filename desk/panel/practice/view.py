"""The data of the practice page in one language."""

from collections.abc import Mapping
from typing import Any, Protocol, TypedDict

from desk.panel.house.port import PhoneShown
from desk.panel.house.setup_view import phone_view
from desk.panel.match.poem_view import poem_words
from desk.panel.phrases import READING_PROBLEMS, Awaited, awaited_view, phrase
from desk.panel.words import N_, Words, picked, texts
from referee.cards.poems import POEMS


class AttemptShown(TypedDict):
    """The outcome of a poem."""

    poem: int  # 1..100
    kimariji: str
    outcome: str  # `taken`, `missed`, `lured`, `left` (a karafuda) or `unclear`
    # ms, unc_ms: reaction time after the end of the kimariji and its 95 % half width, None if not known
    ms: float | None
    unc_ms: float | None
    lure: int | None  # the card that was touched instead
    due: str | None  # day of the card's next review, None if not known


class PracticeNow(TypedDict):
    """The state of a practice as it may be shown; it does not reveal the next poem."""

    state: str  # `looking` (at the field, before the start), `reading`, `paused` or `ended`
    player: str | None  # name of the player, None without one
    laid: list[int]  # the cards that were recognised on the field
    unread: int  # number of cards on the field that were not recognised
    # the cards that the book proposes to lay out; empty if any will do. Other cards may stay on the field;
    # their poems are not read.
    wanted: list[int]
    poems: int | None  # number of poems to be read, None before the start
    karafuda: int  # number of those whose cards do not lie there
    attempts: list[AttemptShown]  # the outcomes, the latest last
    slow: list[AttemptShown]  # at the end, the cards to review, the worst first
    median_ms: float | None  # median of the known take times
    awaits: str  # what it waits for, a key of `desk.panel.practice.view.AWAITED`
    counts: bool  # whether the book counts it; it counts nothing of the simulator
    live: bool  # whether the pictures come from a camera and the reader is heard on this machine
    phone: PhoneShown | None  # how a phone joins as the camera, None for other cameras
    problem: str | None  # why it does not go on, a message or an id; None if all is well


class PracticePort(Protocol):
    """A practice."""

    def now(self) -> PracticeNow: ...
    def preview(self) -> bytes | None: ...  # small JPEG; None before the first

    def do(self, name: str) -> str | None:
        """Carry out `start`, `next`, `pause`, `resume` or `end`; return an id of the refusal, or None.

        Raises KeyError if there is no command of that name.
        """


_TEXTS = texts("desk.panel.practice")
OUTCOMES: Mapping[str, str] = _TEXTS["outcomes"]
STATES: Mapping[str, str] = _TEXTS["states"]
REFUSALS: Mapping[str, str] = _TEXTS["refusals"]
WHEN: Mapping[str, str] = _TEXTS["when"]  # when a command that cannot be carried out now can be
AWAITED: Mapping[str, Awaited] = {name: Awaited(*each) for name, each in _TEXTS["awaited"].items()}
PROBLEMS: Mapping[str, str] = _TEXTS["problems"]
CARD_SETS: Mapping[str, str] = _TEXTS["card_sets"]
"""Card sets from the book; see `desk.panel.book.port.CardSet`."""


_PROBLEMS = {**READING_PROBLEMS, **PROBLEMS}


def practice_view(now: PracticeNow, said: Words) -> dict[str, Any]:
    attempts = [_attempt(each, said) for each in now["attempts"]]
    problem = now["problem"]
    if problem is not None:
        problem = said(_PROBLEMS[problem]) if problem in _PROBLEMS else said.complaint(problem)
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
        "median_text": _median_text(now, said),
        **awaited_view(AWAITED[now["awaits"]], said),
        **picked(now, "counts", "live"),
        "phone": None if now["phone"] is None else phone_view(now["phone"], said),
        "problem": problem,
    }


def _median_text(now: PracticeNow, said: Words) -> str | None:
    if now["median_ms"] is None:
        return None
    takes, time = sum(each["ms"] is not None for each in now["attempts"]), _seconds(now["median_ms"])
    return said.counted("Median {time} s of {n} take", "Median {time} s of {n} takes", takes, time=time)


def _attempt(attempt: AttemptShown, said: Words) -> dict[str, Any]:
    ms, unc_ms, lure = attempt["ms"], attempt["unc_ms"], attempt["lure"]
    text = phrase(said, OUTCOMES, attempt["outcome"])
    if ms is not None:
        late = N_("after the end of the kimariji")
        text = said(N_("a take before the end of the kimariji") if ms < 0 else late)
    elif attempt["outcome"] == "taken":
        text = said("Taken; the time is not known")
    elif lure is not None:
        text = said("{card} touched instead", card=POEMS[lure].kimariji)
    return {
        **picked(attempt, "poem", "kimariji"),
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
