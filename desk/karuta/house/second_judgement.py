"""Refereeing a stored match again: from its events, from its facts, and from its pictures."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from desk.errors import DeskError
from desk.karuta.engine.engine import Engine, ReplayError
from desk.karuta.engine.minutes import describe, first_words
from desk.karuta.eye.recorded_match import judge_recording
from desk.karuta.simulated_hall.source import SimulatorWish, live_pace
from desk.karuta.simulated_hall.table import happenings, ruling_told
from desk.log.event_log import EventLog
from desk.tables.source_kind import Source
from referee.complaint import sentence_of
from referee.karuta.flow.reading import propose, proposed_ruling
from referee.karuta.flow.state import MatchState, Phase, PoemRecord
from referee.karuta.judge import judge_poem
from referee.karuta.ruleset import RuleSet
from referee.karuta.ruling import Ruling
from vision.frames.frame import Frame
from vision.match.watcher import MatchWatcher
from vision.poem.events import PoemSeen


@dataclass(frozen=True, slots=True)
class Difference:
    """A ruling that would be different today."""

    order: int  # place of the poem in the match, 1 for the first
    by: str  # what it was judged from now: `facts` or `pictures`
    proposed: Ruling
    now: Ruling
    stands: Ruling  # the final ruling then, after policies and officials

    @property
    def poem(self) -> int:
        return self.proposed.poem

    def line(self) -> str:
        overruled = "" if self.stands == self.proposed else f" (an official ruled: {describe(self.stands)})"
        return (
            f"{self.order:>3}  {self.poem:>3} {first_words(self.poem)}  by its {self.by}  "
            f"then: {describe(self.proposed)}{overruled}  now: {describe(self.now)}"
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "order": self.order,
            "poem": self.poem,
            "by": self.by,
            "proposed": self.proposed.to_json(),
            "now": self.now.to_json(),
            "stands": self.stands.to_json(),
        }


def steps_again(log: EventLog) -> tuple[Engine, str | None]:
    """Replay a log's events up to its end, or to the first answer of the rules that differs today.

    Returns the match, and that difference; None if there is none.
    """
    try:
        return Engine.resume(log), None
    except ReplayError as error:
        return Engine.resume(log, strict=False), sentence_of(error)


def rejudge(engine: Engine, rules: RuleSet | None = None) -> list[Difference]:
    """Judge every poem again from its recorded facts; a ruling that is only surer or less sure is the same.

    `rules`: other house rules; None takes the match's own.
    """
    rules = rules or engine.state.settings.rules
    return [
        Difference(order, "facts", record.proposed, now, record.ruling)
        for order, record in enumerate(engine.state.records, start=1)
        if _without_confidence(now := _judged(engine.state, record, order, rules))
        != _without_confidence(record.proposed)
    ]


def _without_confidence(ruling: Ruling) -> dict[str, Any]:
    return {key: value for key, value in ruling.to_json().items() if key != "confidence"}


def _judged(state: MatchState, record: PoemRecord, order: int, rules: RuleSet) -> Ruling:
    reading = MatchState(
        replace(state.settings, rules=rules),
        Phase.READING,
        home=record.layout_before,
        poem=record.poem,
        facts=record.facts,
        hands=state.hands,
        records=state.records[: order - 1],
        read=tuple(each.poem for each in state.records[: order - 1]),
    )
    return proposed_ruling(propose(reading)[0])


def watch_again(engine: Engine, recording: Path | None, rules: RuleSet | None = None) -> list[Difference]:
    """Judge every poem that the pictures show again, by other house rules or the match's own.

    Raises DeskError if the pictures of the match were not kept. `recording`: a recording of the match; None
    takes the one it was played from, or simulates it again.
    """
    rules = rules or engine.state.settings.rules
    opened = engine.opened
    if recording is None and opened.source is Source.VIDEO and opened.where is not None:
        recording = Path(opened.where)
    if recording is not None:
        judged = judge_recording(recording, rules)["poems"]
        seen = {poem["poem"]: _ruling(poem["poem"], poem["ruling"]) for poem in judged}
    elif opened.source is Source.SIMULATOR and opened.where is not None:
        seen = _simulated_again(opened.where, rules)
    else:
        raise DeskError(
            "the pictures of {match} were not kept: name a recording of it, --video RECORDING",
            match=opened.id,
        )
    return [
        Difference(order, "pictures", record.proposed, now, record.ruling)
        for order, record in enumerate(engine.state.records, start=1)
        if (now := seen.get(record.poem)) is not None and _outcome(now) != _outcome(record.proposed)
    ]


def _simulated_again(where: str, rules: RuleSet) -> dict[int, Ruling]:
    """Render a simulated match again, show it to the eye, and return the ruling on each poem."""
    eye, seen = MatchWatcher(), {}
    for item in happenings(SimulatorWish.parse(where).match(live_pace())):
        events = eye.feed(item) if isinstance(item, Frame) else eye.poem_started(item.start)
        for event in events:
            if isinstance(event, PoemSeen):
                poem = event.start.poem
                seen[poem] = judge_poem(poem, event.before.layout, (*event.facts, event.start), rules)
    return seen


def _ruling(poem: int, told: dict[str, Any]) -> Ruling:
    return replace(
        ruling_told(poem, told),
        reasons=tuple(told["reasons"]),
        doubts=tuple(told["doubts"]),
        confidence=told["confidence"],
    )


def _outcome(ruling: Ruling) -> tuple[object, ...]:
    return ruling.status, ruling.taken_by, ruling.faults, ruling.sends
