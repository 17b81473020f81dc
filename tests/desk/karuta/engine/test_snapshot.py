"""The match as the panel shows it, at moments in which everything it can show is there."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.events import PausedFor, PauseReason, PoemSuggested, Suggested
from desk.karuta.engine.policy import Policies, Policy
from desk.karuta.engine.snapshot import snapshot
from desk.log.event_log import EventLog
from referee.facts import Contact, Hand, KimarijiCompleted, PoemStarted, Touch, Unprovable
from referee.karuta.flow.events import (
    Appeal,
    Confirm,
    MatchStopped,
    MemoriseEnded,
    MemoriseStarted,
    Pause,
    PoemFinished,
    Resume,
    Revert,
    StopReason,
)
from referee.karuta.risk import Risk
from referee.sides import BySide, Side
from tests.desk.karuta.karuta_script import (
    MS,
    OPENED,
    SETTINGS,
    START,
    WALL,
    ScriptedClock,
    begin,
    opening,
    play,
    poem,
    sent,
    settled,
)

APPEALING = replace(SETTINGS, appeals=2, rules=replace(SETTINGS.rules, joka=True))
OPENING = replace(OPENED, settings=APPEALING, names=BySide("Aki", None), risk=Risk(0.56, 0.85, 1000, 2))


def moments(engine: Engine) -> Iterator[str]:
    """Play a match, and yield at each of its moments what the panel shows otherwise than before."""
    before: dict[str, str] = {}

    def shown(name: str, *t_ku_ns: int, takes_names: bool = False) -> str:
        told = snapshot(engine, t_ku_ns, takes_names=takes_names)
        now = {key: json.dumps(value, ensure_ascii=False) for key, value in told.items()}
        rows = [f"  {key}: {text}\n" for key, text in now.items() if before.get(key) != text]
        before.update(now)
        return f"{name}\n{''.join(rows)}"

    yield shown("opened")
    play(engine, [settled(START, 1), MemoriseStarted(2 * MS)])
    yield shown("memorising")
    play(engine, [MemoriseEnded(), PoemStarted(0, 500 * MS, 1)])
    yield shown("joka", 500 * MS, 600 * MS)
    play(engine, [PoemFinished(), PoemStarted(3, 1000 * MS, 2)])
    suggestions = (Suggested(3, 0.75), Suggested(4, 0.25))
    engine.note(PoemSuggested(1000 * MS, 2, suggestions), Origin.READER)
    yield shown("a poem is read", 1000 * MS, takes_names=True)
    play(
        engine,
        [
            KimarijiCompleted(3, 1200 * MS, 3),
            Touch(4, Side.NEAR, 1350 * MS, MS, Contact.PUSHED_OUT, Hand.RIGHT, 0.9),
            Touch(3, Side.NEAR, 1400 * MS, MS, Contact.TOUCH, Hand.LEFT, 0.95),
            Unprovable(1, Side.FAR, 1500 * MS, MS, "under_head"),
            PoemFinished(),
        ],
    )
    yield shown("a ruling waits")
    engine.note(PausedFor(PauseReason.APPEAL, Side.FAR), Origin.OPERATOR)
    play(engine, [Pause()], Origin.OPERATOR)
    yield shown("paused for an appeal")
    play(engine, [Resume(), Appeal(Side.FAR), Confirm()], Origin.OPERATOR)
    play(engine, [settled(START.without(3), 2500), settled(START.without(3).without(2), 3000)])
    yield shown("a card is missing")
    play(engine, [settled(sent(START.without(3), 2), 4000)])
    yield shown("in order")
    play(engine, poem(50, 5000))
    play(engine, [Pause()], Origin.OPERATOR)
    yield shown("paused by the operator")
    play(engine, [Resume(), Revert(len(engine.state.log) - 1)], Origin.OPERATOR)
    yield shown("something was taken back")


def test_what_the_panel_shows(tmp_path: Path, golden: Callable[[str, str], None]) -> None:
    log = EventLog.create(tmp_path / "match.sqlite")
    policies = Policies(take=Policy.PROPOSE, fault=Policy.LOG)
    engine = Engine.begin(log, OPENING, policies=policies, clock=ScriptedClock(), wall=lambda: WALL)
    golden("karuta_snapshots.txt", "".join(moments(engine)))
    log.close()


def test_an_undo_is_news_until_somebody_decides_again_and_never_in_a_stored_match(tmp_path: Path) -> None:
    def news(*, is_live: bool = True) -> list[str]:
        return [each["id"] for each in snapshot(engine, is_live=is_live)["news"]]

    engine = begin(tmp_path / "match.sqlite")
    play(engine, [*opening(), MatchStopped(StopReason.FORFEIT, Side.FAR)], Origin.OPERATOR)
    play(engine, [Revert(len(engine.state.log))], Origin.OPERATOR)
    assert "reverted" in news()
    assert "reverted" not in news(is_live=False)
    play(engine, [MatchStopped(StopReason.FORFEIT, Side.FAR)], Origin.OPERATOR)
    assert "reverted" not in news()
