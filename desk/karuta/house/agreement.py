"""What players and officials agree on before a match."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from desk.errors import DeskError
from desk.karuta.engine.events import ReaderAgreed
from desk.karuta.engine.policy import Policies, Policy
from desk.tables.person import check_names
from desk.tables.rules_option import load_rules
from desk.tables.source_kind import Source
from referee.karuta.flow.state import MINUTE_NS, Settings
from referee.karuta.house_rules import PRESETS
from referee.karuta.ruleset import Measures, RuleSet
from referee.sides import BySide

CUSTOM = "custom"  # name of rules that were changed at the set-up of a match
_MEASURES = {
    part.name: {"off": "false", "usual": str(getattr(Measures(), part.name))} for part in fields(Measures)
}
_UNMEASURED = Measures(None, None, None)
RHYTHMS = ("4-3-1-5", "5-3-1-6")
_SEEDS = 2**31


@dataclass(frozen=True, slots=True)
class Agreement:
    """What was agreed."""

    # near, far: names of the players; empty if not given
    near: str = ""
    far: str = ""
    rules: str = "kyogi"  # name of a preset of house rules, or a TOML file
    cards_per_side: int = 25  # cards each player lays out
    memorise_min: int = 15  # minutes to memorise them; 0 begins at once
    appeals: int | None = 2  # how often each player may appeal; None for any number of times
    # take, fault: policy for each kind of ruling
    take: str = Policy.AUTO.value
    fault: str = Policy.AUTO.value
    # voice, rhythm: who reads, and how; `silent` only shows the text, `person` is heard by a microphone
    voice: str = "high"
    rhythm: str = RHYTHMS[0]
    order_seed: int | None = None  # seed of the reading order; None takes a random one
    # PortAudio's name or number of the microphone beside a person who reads; empty for the default
    microphone: str = ""
    # confidence, 0..1, from which the ear names a poem without an official; above 1 it never does
    certainty: float = 0.9
    official: bool = True  # whether a simulated match has an official who decides what people leave open
    keeps_sound: bool = True
    # switches that are set otherwise than these rules say, as text; `measures` is `off` or `usual`
    changes: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Agreement:
        """Return an agreement from the panel's data.

        Raises DeskError if the rules or the policies are not known, or both players have the same name.
        """
        agreed = cls(**data)
        _ = agreed.ruleset
        check_names((agreed.near, agreed.far))
        with DeskError.wrapping("", ValueError):
            _ = agreed.policies
        return agreed

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def names(self) -> BySide[str | None]:
        return BySide(self.near.strip() or None, self.far.strip() or None)

    @property
    def policies(self) -> Policies:
        return Policies(Policy(self.take), Policy(self.fault))

    @property
    def ruleset(self) -> RuleSet:
        """The house rules; those that were changed are called `custom`.

        Raises DeskError if there are no such rules, switches or values.
        """
        rules = load_rules(PRESETS, self.rules, list(_assignments(self.changes)))
        return replace(rules, name=CUSTOM) if self.changes else rules

    def settings(self, source: Source, *, rehearses: bool = False) -> Settings:
        """Return the settings of a match.

        A film begins with the first poem, so there is nothing to memorise and no joka; a simulated match has
        both where it `rehearses`.
        """
        has_opening = source is Source.CAMERA or rehearses
        rules = self.ruleset
        if not has_opening:
            rules = replace(rules, joka=False, practice_swings=False)
        memorise_ns = self.memorise_min * MINUTE_NS if has_opening else 0
        swings_ns = min(Settings().practice_swings_ns, memorise_ns)
        return Settings(rules, self.cards_per_side, memorise_ns, swings_ns, self.appeals)

    @property
    def reader(self) -> ReaderAgreed:
        """Who reads, with a random seed for the order if none was given."""
        seed = secrets.randbelow(_SEEDS) if self.order_seed is None else self.order_seed
        return ReaderAgreed(self.voice, self.rhythm, seed, self.microphone.strip(), self.certainty)


def rule_settings(rules: RuleSet) -> dict[str, str]:
    """Return the setting of every switch as `Agreement.changes` takes it; empty for measures of one's own."""
    found = {}
    for part in fields(rules):
        value = getattr(rules, part.name)
        if part.name == "measures":
            found["measures"] = {Measures(): "usual", _UNMEASURED: "off"}.get(value, "")
        elif part.name != "name":
            found[part.name] = str(value).lower()
    return found


def _assignments(changes: Mapping[str, str]) -> Iterator[str]:
    for switch, value in changes.items():
        if switch == "measures":
            for part, sizes in _MEASURES.items():
                yield f"measures.{part}={sizes.get(value, value)}"
        else:
            yield f"{switch}={value}"
