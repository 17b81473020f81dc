"""Plays the logs that are frozen in `tests/golden/logs/`: every preset of every game, every declaration.

    python -m tests.desk.frozen_logs 0.3.0

writes those of a release, once, when it is made. They are never written again: what they hold is what that
release ruled. Beside each log of a card table, a tournament or a practice stands what was made of it.
"""

import argparse
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from calibration.files import json_text
from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.events import MatchOpened, PausedFor, PauseReason, PoemNamed, PoliciesSet, Remark
from desk.karuta.engine.policy import Policies, Policy
from desk.kendo.desk import KendoDesk
from desk.kendo.events import BoutOpened, CourtSeen, CourtUnseen, Said
from desk.kendo.lines import minutes_of as bout_minutes
from desk.kendo.scribe import WORDS
from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.events import Declared, GameOpened, NextRound, TableUnseen
from desk.koikoi.lines import minutes_of as match_minutes
from desk.log.event_log import EventLog
from desk.log.jsonl_file import export_jsonl
from desk.tables.source_kind import Source
from referee.facts import Contact, FieldSettled, Gap, Hand, KimarijiCompleted, PoemStarted, Touch, Unprovable
from referee.karuta.declarations import (
    BrokeRule,
    Conduct,
    Misread,
    PlayEnded,
    PlayingHand,
    SharedFault,
    WrongHand,
)
from referee.karuta.flow import events as flow
from referee.karuta.flow.events import Event
from referee.karuta.flow.state import Phase, Settings
from referee.karuta.house_rules import PRESETS
from referee.karuta.ruleset import RuleSet
from referee.karuta.ruling import Ruling
from referee.kendo.house_rules import PRESETS as KENDO
from referee.koikoi.events import Call
from referee.koikoi.house_rules import PRESETS as KOIKOI
from referee.layout import Layout
from referee.notation import parse_layout
from referee.sides import BySide, Side
from tests.desk.frozen_records import play_practice, play_tournament
from tests.desk.karuta.karuta_script import WALL, ScriptedClock, sent
from tests.desk.kendo.kendo_script import Court
from tests.desk.koikoi.koikoi_script import events_of, planned

LOGS = Path(__file__).parents[1] / "golden" / "logs"
MS = 1_000_000
NEAR, FAR = Side.NEAR, Side.FAR
START = parse_layout("near 1 2|3/4|/5| far 51 52|53/54|/55|")
DEAD = 100
PUSH = Contact.PUSHED_OUT


def touch(card: int | None, player: Side | None, t_ms: float, **more: Any) -> Touch:
    """Return a contact so many milliseconds after the first sound."""
    return Touch(card, player, round(t_ms * MS), MS, **more)


SITUATIONS: tuple[tuple[int, tuple[Event, ...]], ...] = (
    (1, (touch(1, NEAR, 500), touch(1, FAR, 520))),
    (51, (touch(51, NEAR, 500),)),
    (51, (touch(1, NEAR, 400), touch(51, NEAR, 500))),
    (51, (touch(1, NEAR, 400), touch(51, NEAR, 500), touch(1, FAR, 510))),
    (1, (touch(51, FAR, 400), touch(1, NEAR, 500))),
    (1, (touch(51, NEAR, 400), touch(1, FAR, 500))),
    (1, (touch(1, NEAR, 500), touch(1, FAR, 500.5))),
    (1, (touch(2, NEAR, 400), touch(1, NEAR, 500), touch(2, FAR, 480))),
    (DEAD, ()),
    (DEAD, (touch(1, NEAR, 500),)),
    (DEAD, (touch(1, NEAR, 500), touch(51, NEAR, 510))),
    (DEAD, (touch(1, NEAR, 500), touch(51, FAR, 510))),
    (DEAD, (touch(1, NEAR, 500), touch(51, NEAR, 510), touch(51, FAR, 520))),
    (DEAD, (touch(1, NEAR, 500, confidence=0.8), touch(2, NEAR, 510, confidence=0.8))),
    (1, (touch(2, NEAR, 400), touch(1, NEAR, 450, contact=PUSH))),
    (1, (touch(3, NEAR, 500), touch(2, FAR, 500), touch(1, NEAR, 550, contact=PUSH),
         touch(1, FAR, 550, contact=PUSH))),
    (1, (touch(51, FAR, -100), touch(1, NEAR, 500))),
    (1, (touch(2, FAR, -100), touch(1, FAR, 550, contact=PUSH))),
    (1, (touch(1, FAR, -100),)),
    (1, (touch(2, FAR, 500, hand=Hand.LEFT), touch(1, FAR, 550, contact=PUSH), touch(1, NEAR, 600))),
    (1, (touch(1, FAR, 550, hand=Hand.LEFT), touch(1, NEAR, 600, hand=Hand.RIGHT))),
    (1, (touch(1, NEAR, 500), WrongHand(NEAR, 1))),
    (1, (touch(51, NEAR, 450), touch(1, NEAR, 500), WrongHand(NEAR, 51))),
    (51, (touch(1, FAR, 500), WrongHand(FAR, 1))),
    (DEAD, (SharedFault(NEAR),)),
    (1, (SharedFault(NEAR), touch(1, NEAR, 500))),
    (1, (SharedFault(FAR), touch(1, FAR, 500))),
    *((51, (touch(51, NEAR, 500), BrokeRule(NEAR, conduct))) for conduct in Conduct),
    (DEAD, (touch(5, NEAR, 450, contact=PUSH), touch(2, NEAR, 400), touch(5, FAR, 3000))),
    (1, (touch(1, NEAR, 500), touch(51, NEAR, 8000))),
    (1, (touch(1, NEAR, 500), PlayEnded(1000 * MS, MS), touch(51, NEAR, 1500))),
    (1, (touch(None, NEAR, 500, territory=NEAR), touch(1, NEAR, 600))),
    (1, (touch(1, None, 500),)),
    (1, (Unprovable(1, FAR, 450 * MS, MS, "second_hand"), touch(1, NEAR, 500))),
    (1, (Unprovable(1, NEAR, 450 * MS, MS, "swept_along"), touch(2, NEAR, 440))),
    (1, (Gap(400 * MS, 600 * MS, "dropped_frames"), touch(1, NEAR, 500))),
    (1, (KimarijiCompleted(1, 600 * MS, MS), touch(1, NEAR, 500))),
    (1, (touch(1, NEAR, 500, confidence=0.55), touch(2, NEAR, 505, confidence=0.99))),
    (99, (touch(88, NEAR, 500),)),
    (1, (touch(1, NEAR, 500), Misread())),
)  # fmt: skip
"""Poems of which every ruling differs from the others in something: the poem, and what was told of it."""


class KarutaScript:
    """Plays a match into a log, as the house would: every poem is settled before the next."""

    def __init__(self, path: Path, rules: RuleSet) -> None:
        opened = MatchOpened(
            "frozen", Source.CAMERA, Settings(rules, cards_per_side=5, appeals=2), BySide("Aki", "Haru")
        )
        self.engine = Engine.begin(EventLog.create(path), opened, clock=ScriptedClock(), wall=lambda: WALL)
        self.t_ns = 0

    def say(self, *events: Event, by: Origin = Origin.OPERATOR) -> None:
        """Submit events."""
        for event in events:
            self.engine.submit(event, by)

    def settle(self, layout: Layout | None = None) -> None:
        """The field comes to rest as the rules want it, or as `layout`."""
        state = self.engine.state
        if layout is None:
            layout = state.home
            for side in Side:
                for placed in state.home.of(side)[: state.owed[side]]:
                    layout = sent(layout, placed.card or 0)
        self.say(FieldSettled(layout, self.t_ns), by=Origin.EYE)

    def read(self, poem: int, told: Iterable[Event] = ()) -> None:
        """Read a poem and tell what happened at it."""
        self.t_ns += 20_000 * MS
        self.say(PoemStarted(poem, self.t_ns, MS), by=Origin.READER)
        for fact in told:
            if self.engine.state.phase is Phase.READING:
                self.say(_later(fact, self.t_ns), by=Origin.EYE)

    def close(self) -> None:
        """The contacts of the poem are over; what is left open is confirmed."""
        if self.engine.state.phase is Phase.READING:
            self.say(flow.PoemFinished(), by=Origin.EYE)
        if self.engine.state.phase is Phase.RULING:
            self.say(flow.Confirm())

    def undo_from(self, number: int) -> None:
        """Take back everything from an event on, and go on."""
        self.say(flow.Revert(number), flow.Resume())

    @property
    def next_number(self) -> int:
        """Number of the next event for a `Revert`."""
        return len(self.engine.state.log) + 1


def _later(fact: Event, by_ns: int) -> Event:
    match fact:
        case Touch() | Unprovable() | KimarijiCompleted() | PlayEnded():
            return replace(fact, t_ns=fact.t_ns + by_ns)
        case Gap():
            return replace(fact, t_from_ns=fact.t_from_ns + by_ns, t_to_ns=fact.t_to_ns + by_ns)
        case _:
            return fact


def play_karuta(path: Path, rules: RuleSet) -> None:
    """Play a match with every situation, declaration and command to its end."""
    match = KarutaScript(path, rules)
    engine = match.engine
    match.settle(START.without(5))
    match.settle(START)
    match.say(flow.MemoriseStarted(0), by=Origin.DESK)
    match.say(touch(3, NEAR, 100), touch(51, FAR, 800_000), by=Origin.EYE)
    match.say(flow.Tick(780_000 * MS), by=Origin.DESK)
    match.say(touch(3, NEAR, 850_000), by=Origin.EYE)
    match.say(flow.MemoriseEnded())
    match.say(flow.JokaFinished(), by=Origin.READER)
    match.t_ns = 900_000 * MS
    match.say(PlayingHand(FAR, Hand.RIGHT), PlayingHand(NEAR, Hand.RIGHT))
    for poem, told in SITUATIONS:
        number = match.next_number
        match.read(poem, told)
        match.close()
        match.undo_from(number)
    _play_officials(match)
    _play_restoring(match)
    order = (1, 51, 98, 2, 52, 97, 3, 53, 4, 54, 5, 55)
    for poem in order:
        if engine.state.phase is Phase.ENDED:
            break
        match.read(poem, (touch(poem, NEAR, 500), touch(poem, FAR, 700)))
        match.close()
        match.settle()
    assert engine.state.phase is Phase.ENDED


def _play_officials(match: KarutaScript) -> None:
    """Everything officials do with a ruling."""
    engine, number = match.engine, match.next_number
    engine.note(PoliciesSet(Policies(Policy.PROPOSE, Policy.PROPOSE)), Origin.OPERATOR)
    match.read(51, (touch(51, NEAR, 500),))
    match.say(flow.PoemFinished(), flow.Appeal(FAR))
    engine.note(PausedFor(PauseReason.APPEAL, FAR), Origin.OPERATOR)
    match.say(flow.Pause(), flow.Resume())
    match.say(flow.Overrule(Ruling(51, FAR, BySide.both(0), BySide.both(0))))
    match.settle()
    match.say(flow.Overrule(Ruling(51, NEAR, BySide(0, 1), BySide(2, 0))))
    engine.note(Remark(engine.last_seq, "seen by the second official"), Origin.OPERATOR)
    match.say(WrongHand(NEAR, 51), flow.Confirm())
    match.settle()
    match.read(1, (touch(1, NEAR, 500),))
    match.say(flow.PoemFinished())
    match.read(52, (touch(52, NEAR, 500),))
    engine.note(PoemNamed(52), Origin.OPERATOR)
    match.read(2)
    match.close()
    match.say(flow.Overrule(Ruling(2, NEAR, BySide(0, 1), BySide(1, 0))))
    engine.note(PoliciesSet(Policies(Policy.AUTO, Policy.LOG)), Origin.OPERATOR)
    match.read(51, (touch(1, FAR, 500), touch(51, NEAR, 600)))
    match.close()
    engine.note(PoliciesSet(Policies()), Origin.OPERATOR)
    match.undo_from(number)


def _play_restoring(match: KarutaScript) -> None:
    """Everything that happens between two poems."""
    engine, number = match.engine, match.next_number
    match.read(51, (touch(51, NEAR, 500),))
    match.close()
    home = engine.state.home
    match.settle(home)
    match.settle(sent(sent(home, 1), 2))
    match.settle(sent(home, 1))
    match.settle(home)
    match.settle(sent(home, 3))
    match.say(flow.HandRaised(FAR), flow.HandLowered(FAR), flow.Rearranging(NEAR))
    moved = tuple(replace(one, x_m=one.x_m + 0.06) if one.card == 4 else one for one in engine.state.home)
    match.settle(Layout(moved))
    match.settle(engine.state.home.without(2))
    match.say(flow.FieldAccepted())
    match.settle()
    match.say(touch(2, NEAR, match.t_ns / MS + 5000), by=Origin.EYE)
    match.read(DEAD)
    match.close()
    match.settle()
    # scattered cards, and a right that is not used
    match.read(52, (touch(1, FAR, 400), touch(52, NEAR, 500)))
    match.close()
    match.settle(sent(engine.state.home, 2))
    match.settle(sent(engine.state.home, 4))
    match.read(99, (Gap(match.t_ns + 40_000 * MS, match.t_ns + 41_000 * MS, "view_blocked"),))
    match.close()
    match.settle()
    match.undo_from(number)
    # a right that is waived, and a hand that is raised too late
    number = match.next_number
    match.read(51, (touch(51, NEAR, 500),))
    match.say(flow.HandRaised(FAR), flow.HandLowered(FAR))
    match.close()
    if engine.state.settings.rules.may_waive:
        match.say(flow.RightWaived(NEAR))
    match.say(flow.MatchStopped(flow.StopReason.EARLY, NEAR))
    match.undo_from(number)
    # a field that is accepted while the last card is owed
    number = match.next_number
    match.say(flow.FieldAccepted(parse_layout("near 1 2|3/|/| far 54|/|/|")))
    match.read(54, (touch(54, NEAR, 500),))
    match.close()
    match.say(flow.FieldAccepted())
    match.undo_from(number)


def play_koikoi(path: Path, preset: str, seed: int, players: int) -> dict[str, Any]:
    """Play two rounds of Koi-Koi with every declaration; return the minutes."""
    opening = GameOpened("frozen", "camera", players, 0, KOIKOI[preset], "shinpan", ("Aki", "Haru"))
    desk = KoiKoiDesk(EventLog.create(path), opening, clock=lambda: 0, wall=lambda: WALL)
    for number in range(2):
        for place, event in enumerate(events_of(planned(seed + number, players), players)):
            desk.tell(event)
            if place < len(Call):
                desk.tell(Declared(place, place % players, tuple(Call)[place]))
        desk.tell(NextRound(1e6))
    desk.tell(Declared(2e6, 0, Call.STOP))
    desk.undo()
    desk.tell(TableUnseen(2e6, 3e6))
    return match_minutes(desk.game.match)


def play_kendo(path: Path, preset: str) -> dict[str, Any]:
    """Play a bout with every word; return the minutes."""
    opening = BoutOpened("frozen", "camera", KENDO[preset], "shinpan-kendo", 63.0, ("Aki", "Haru"))
    desk = KendoDesk(EventLog.create(path), opening, clock=lambda: 0, wall=lambda: WALL)
    court = Court()
    looks = [
        court.lay(0, "seme"),
        court.lay(1, "men_uchi-3"),
        court.lay(0, "oshidashi"),
        court.take_back(0),
        court.lay(0, "men-do"),
        court.sweep(1),
        court.lay(0, "tsubazeriai"),
        court.take_back(0),
        court.lay(0, "kote-do"),
        court.lay(1, "seme"),
        court.sweep(0),
        court.lay(1, "jikan_desu"),
        court.sweep(0),
    ]
    for look in looks:
        desk.tell(CourtSeen(look))
        for player in (0, 1):
            for word in WORDS:
                desk.tell(Said(look.t_ms + 10, player, word))
    desk.undo()
    desk.tell(CourtUnseen(court.t_ms, court.t_ms + 5000))
    return bout_minutes(desk.game.scribe.minutes)


def scripts() -> Iterator[tuple[str, Callable[[Path], dict[str, Any] | None]]]:
    """Iterate over the names of all logs and the functions that play them."""
    for name in PRESETS.names:
        yield f"karuta-{name}", partial(play_karuta, rules=PRESETS[name])
    for name in KOIKOI.names:
        for players, size in ((2, KOIKOI[name].deal.players_2), (3, KOIKOI[name].deal.players_3)):
            if not size.hand:
                continue
            yield (
                f"koikoi-{name}-{players}",
                partial(play_koikoi, preset=name, seed=2 + players, players=players),
            )
    for name in KENDO.names:
        yield f"kendo-{name}", partial(play_kendo, preset=name)
    yield "tournament", play_tournament
    yield "practice", play_practice


def freeze(version: str) -> None:
    """Write the logs of a release into its folder, which must not exist yet."""
    folder = LOGS / version
    folder.mkdir(parents=True)
    for name, play in scripts():
        with TemporaryDirectory() as scratch:
            path = Path(scratch) / "log.sqlite"
            minutes = play(path)
            with EventLog.read(path) as log, (folder / f"{name}.jsonl").open("w", encoding="utf-8") as file:
                export_jsonl(log, file)
        if minutes is not None:
            (folder / f"{name}.minutes.json").write_text(json_text.dump(minutes, indent=1) + "\n", "utf-8")


def main() -> None:
    """Freeze the logs of the release that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version", metavar="VERSION", help="the release, such as 0.3.0")
    freeze(parser.parse_args().version)


if __name__ == "__main__":
    main()
