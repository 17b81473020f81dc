"""The report of `shinpan demo`: each ruling compared with the truth, and how the match ended."""

import argparse
from collections import Counter
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from desk.karuta.engine.events import MatchOpened
from desk.karuta.engine.minutes import describe, first_words
from desk.karuta.simulated_hall.official import SimulatedOfficial, same_outcome
from desk.karuta.simulated_hall.source import SimulatorWish
from desk.log.clocks import name_stamp, wall_clock
from desk.machine.config import data_folder
from desk.tables.source_kind import Source
from referee.cards.poems import POEMS
from referee.karuta.flow.state import MatchState, Settings
from referee.karuta.risk import risk_of
from referee.karuta.ruleset import KYOGI
from referee.karuta.ruling import Ruling, Status
from referee.sides import BySide, Side


class Verdict(StrEnum):
    """How a ruling compares with the truth."""

    OK = "OK"
    WRONG = "WRONG"  # the machine decided wrongly
    REVIEW = "REVIEW"  # the machine left it to the official


@dataclass(frozen=True, slots=True)
class Compared:
    """One poem: the truth and the machine's ruling."""

    order: int  # 1 for the first poem
    truth: Ruling
    ruling: Ruling
    scenario: str  # the simulator's name for what the players did

    @property
    def verdict(self) -> Verdict:
        if self.ruling.status is Status.REVIEW:
            return Verdict.REVIEW
        return Verdict.OK if same_outcome(self.ruling, self.truth) else Verdict.WRONG

    def line(self) -> str:
        poem = self.truth.poem
        right = same_outcome(self.ruling, self.truth)
        ruled = "the same" if right else describe(self.ruling)
        text = (
            f"{self.order:>3}  {poem:>3} {first_words(poem)}  truth: {describe(self.truth)}; ruled: {ruled}"
        )
        doubts = f" ({', '.join(self.ruling.doubts)})" if self.ruling.doubts else ""
        return f"{text}  {self.verdict}{doubts}"

    def to_json(self) -> dict[str, Any]:
        return {
            "order": self.order,
            "poem": self.truth.poem,
            "text": POEMS[self.truth.poem].kami,
            "scenario": self.scenario,
            "truth": _outcome(self.truth),
            "ruling": self.ruling.to_json(),
            "verdict": self.verdict.value,
            "right": same_outcome(self.ruling, self.truth),
        }


@dataclass(slots=True)
class Report:
    """The whole match, with the official who knows its truth."""

    official: SimulatedOfficial
    poems: list[Compared] = field(default_factory=list)
    winner: Side | None = None  # who won according to the referee, None while nobody has
    true_winner: Side | None = None

    def follow(self, state: MatchState) -> list[Compared]:
        """Take over and return the new final rulings; of one decided anew, the first stays."""
        new = [
            Compared(order, read.truth, record.proposed, read.scenario)
            for order, (record, read) in enumerate(
                zip(state.records, self.official.read, strict=False), start=1
            )
        ][len(self.poems) :]
        self.poems.extend(new)
        self.winner = state.winner
        return new

    @property
    def counts(self) -> Counter[Verdict]:
        return Counter(poem.verdict for poem in self.poems)

    def summary(self) -> str:
        counts = self.counts
        looked = [poem for poem in self.poems if poem.verdict is Verdict.REVIEW]
        confirmed = sum(same_outcome(poem.ruling, poem.truth) for poem in looked)
        lines = [
            f"{len(self.poems)} poems: {counts[Verdict.OK]} decided right, {counts[Verdict.WRONG]} decided "
            f"wrong, {len(looked)} left to the official: {confirmed} confirmed, "
            f"{len(looked) - confirmed} overruled"
        ]
        if corrected := self.official.corrected:
            lines.append(
                f"the field gave {len(corrected)} of those decided wrong away, "
                "and the official corrected them"
            )
        if times := self.official.fields_accepted:
            lines.append(f"the official accepted the field as it lay {times} times")
        if self.winner is None:
            lines.append("the match was not refereed to its end: no territory is empty")
        elif self.winner is self.true_winner:
            lines.append(f"the winner is {self.winner}")
        else:
            lines.append(
                f"the winner is {self.winner} by the referee's book, "
                f"but really {self.true_winner or 'nobody'}"
            )
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        return {
            "poems": [poem.to_json() for poem in self.poems],
            "counts": {verdict.value.lower(): self.counts[verdict] for verdict in Verdict},
            "corrected": self.official.corrected,
            "fields_accepted": self.official.fields_accepted,
            "winner": self.winner and self.winner.value,
            "true_winner": self.true_winner and self.true_winner.value,
            "risk": risk_of(KYOGI).to_json(),
        }


def _outcome(ruling: Ruling) -> dict[str, Any]:
    def pair(values: BySide[int]) -> dict[str, int]:
        return {"near": values.near, "far": values.far}

    return {
        "taken_by": ruling.taken_by and ruling.taken_by.value,
        "faults": pair(ruling.faults),
        "sends": pair(ruling.sends),
    }


def opening_of(arguments: argparse.Namespace) -> tuple[MatchOpened, Path]:
    """Return the opening of the match, which goes straight to the first poem, and the file of its log."""
    stamp = name_stamp(wall_clock())
    name = f"demo_{stamp}_seed_{arguments.seed}"
    rules = replace(KYOGI, joka=False, practice_swings=False)
    settings = Settings(rules=rules, cards_per_side=arguments.cards)
    # a headless match has another pace, so it could not be rendered again from its wish
    where = None if arguments.headless else str(SimulatorWish.of(arguments))
    opening = MatchOpened(name, Source.SIMULATOR, settings, seed=arguments.seed, where=where)
    return opening, arguments.log or data_folder() / "matches" / f"{name}.sqlite"
