"""The machine's health in one language."""

from __future__ import annotations

from typing import Any

from desk.panel import phrases
from desk.panel.match.port import HallLink, Health
from desk.panel.phrases import phrase
from desk.panel.words import Words


def health_view(health: Health, words: Words) -> dict[str, Any]:
    """Return the latest measurements as texts; a value that is not measured is a dash."""
    fps, nominal, late_ms = health["fps"], health["fps_nominal"], health["late_ms"]
    shown_fps = "–" if fps is None else f"{fps:.0f}"
    shown: dict[str, Any] = {
        "now_ns": health["now_ns"],
        "fps": words("{fps} fps", fps=shown_fps if nominal is None else f"{shown_fps} / {nominal:.0f}"),
        "dropped": words.counted("{n} frame lost", "{n} frames lost", health["dropped"]),
        "late": words("{ms} ms behind", ms="–" if late_ms is None else f"{late_ms:.0f}"),
        "warnings": [
            *(phrase(words, phrases.WARNINGS, name) for name in health["warnings"]),
            *map(words.complaint, health.get("problems", ())),
        ],
    }
    if "hall" in health:
        shown["hall"] = _hall_view(health["hall"], words)
    return shown


def _hall_view(link: HallLink, words: Words) -> dict[str, Any]:
    text = phrase(words, phrases.HALL_LINK, link["state"])
    waits = words.counted("{n} entry waits", "{n} entries wait", link["unsent"])
    return {
        "state": link["state"],
        "text": f"{link['mat']}: {text}" + (f" · {waits}" if link["unsent"] else ""),
        "title": words.complaint(link["problem"] or ""),
    }
