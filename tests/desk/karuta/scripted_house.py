"""A house for the panel's tests: what was chosen, corrected and agreed is noted, nothing is opened."""

from collections.abc import Mapping
from typing import Any

from desk.karuta.house.agreement import rule_settings
from desk.panel.house.port import (
    BinPort,
    Choices,
    FindingShown,
    MatchListed,
    PhoneShown,
    Seat,
    SetUpShown,
    SourceKind,
    SourceOffered,
)
from desk.panel.house.setup_view import FINDINGS
from desk.panel.match.port import Port
from referee.karuta.house_rules import PRESETS
from referee.sentence import Sentence
from tests.desk.panel.panel_port import ScriptedPort

VALUES: Mapping[str, Mapping[str, Any]] = {
    "fps": {"fps": "29", "nominal": "60"},
    "steady": {"lost": 0},
    "exposure": {"ms": 8.3},
    "exposure_held": {},
    "white_balance_held": {},
    "focus_held": {},
    "light": {"paper": 198, "clipped": 1},
    "noise": {"noise": 2.4},
    "blur": {"blur_mm": 3.1},
    "scale": {"card_px": 55},
    "angle": {"tilt_deg": 6},
    "in_view": {"margin_mm": 61},
    "cards": {"near": 25, "far": 25, "unread": 1},
}
STATUSES: Mapping[str, Any] = {"fps": "warn", "exposure": "unknown", "blur": "fail", "cards": "warn"}
AGREED: Mapping[str, Any] = {
    "near": "",
    "far": "",
    "rules": "kyogi",
    "cards_per_side": 25,
    "memorise_min": 15,
    "appeals": 2,
    "take": "auto",
    "fault": "propose",
    "voice": "high",
    "rhythm": "4-3-1-5",
    "microphone": "",
    "certainty": 0.9,
    "keeps_sound": True,
}


def all_findings() -> list[FindingShown]:
    return [{"id": id_, "status": STATUSES.get(id_, "ok"), "values": VALUES[id_]} for id_ in FINDINGS]


class ScriptedSetUp:
    """A set-up whose source is always a camera that lacks this and that."""

    def __init__(self) -> None:
        self.chosen: list[tuple[str, str]] = []
        self.deck: str | None = None
        self.phone: PhoneShown | None = None
        self.seat: Seat | None = None
        self.named: list[tuple[int, int | None]] = []
        self.agreed: Mapping[str, Any] | None = None
        self.refusal: str | None = None
        self._layout = ScriptedPort().snapshot["layout"]

    def sources(self) -> list[SourceOffered]:
        return [{"kind": "camera", "where": "/dev/video0", "label": "video0"}]

    def choices(self) -> Choices:
        return {
            "rules": [
                {"name": name, "settings": rule_settings(PRESETS[name])} for name in ("kyogi", "seed-000")
            ],
            "voices": ["high", "low", "silent"],
            "rhythms": ["4-3-1-5"],
            "decks": ["club-1962"],
            "agreed": dict(AGREED),
        }

    async def choose(self, kind: SourceKind, where: str, deck: str | None = None) -> None:
        self.chosen.append((kind, where))
        self.deck = deck or None

    def state(self) -> SetUpShown:
        source: SourceOffered | None = None
        if self.chosen:
            source = {"kind": "camera", "where": self.chosen[-1][1], "label": self.chosen[-1][1]}
        layout = [dict(placed) for placed in self._layout] if source else []
        for place, card in self.named:
            layout[place]["card"] = card
        return {
            "source": source,
            "deck": self.deck,
            "opening": False,
            "problem": None if source is None or layout else "no_field",
            "findings": all_findings() if source else [],
            "layout": layout,  # type: ignore[typeddict-item]
            "corrected": [place for place, _ in self.named],
            "counts": {"near": 25 * bool(source), "far": 25 * bool(source)},
            "phone": self.phone,
            "seat": self.seat,
        }

    def preview(self) -> bytes | None:
        return None

    def correct(self, place: int, card: int | None) -> bool:
        if place >= len(self._layout):
            return False
        self.named.append((place, card))
        return True

    async def start(self, agreed: Mapping[str, Any]) -> str | None:
        self.agreed = agreed
        return self.refusal


class ScriptedHouse:
    """A house with one earlier match."""

    bin: BinPort | None = None

    def __init__(self, match: Port | None = None) -> None:
        self.match = match
        self.set_up = ScriptedSetUp()
        self.earlier = ScriptedPort("earlier")
        self.went_on: list[str] = []
        self.interrupted: list[MatchListed] = []

    def matches(self) -> list[MatchListed]:
        return [
            *self.interrupted,
            {
                "id": "earlier",
                "source": "camera",
                "rules": "kyogi",
                "names": {"near": "<Hana>", "far": None},
                "started_wall": "2026-01-04T10:00:00.000+09:00",
                "poems": 71,
                "winner": "near",
                "over": True,
                "stopped": None,
            },
        ]

    async def go_on(self, match_id: str) -> str | None:
        self.went_on.append(match_id)
        return None if match_id == "late" else f"no {match_id}"

    async def end(self) -> None:
        self.match = None

    def unreadable(self) -> dict[str, Sentence]:
        return {}

    async def stored(self, match_id: str) -> Port | None:
        return self.earlier if match_id == "earlier" else None
