"""Texts for the ids of the book."""

from __future__ import annotations

from collections.abc import Mapping

from desk.panel.words import N_

FAULTS: Mapping[str, str] = {
    "wrong_territory": N_("A card in the territory without the read one"),
    "dead_card": N_("A card while a dead card was read"),
    "early_touch": N_("A card before the first sound"),
    "wrong_hand": N_("The wrong hand"),
    "shared": N_("Shared with the opponent"),
    "both_hands": N_("Both hands"),
    "misconduct": N_("Misconduct"),
    "official": N_("By an official's word"),
}
TERRITORIES: Mapping[str, str] = {"own": N_("Own territory"), "opponent": N_("Opponent's territory")}
HALVES: Mapping[str, str] = {"left": N_("left"), "right": N_("right")}
LEFT_OUT: Mapping[str, str] = {
    "double": N_("holds the same match or practice as {detail}, which counts once"),
    "future": N_("begins at {detail}, later than now: a clock was wrong. It counts from that day on"),
}
"""Why a log counts nowhere; a damaged one has its own sentence."""
