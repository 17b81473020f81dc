"""Texts for the ids of the board."""

from __future__ import annotations

from collections.abc import Mapping

from desk.panel.words import N_

READING: Mapping[str, str] = {
    "waits": N_("The reader waits"),
    "reads": N_("The reader reads"),
    "held": N_("The reading is held"),
    "over": N_("The reading is over"),
}
LINKS: Mapping[str, str] = {
    "seeks": N_("No server of the hall answers: trying again"),
    "refused": N_("The hall's server does not let this board in"),
}
SYSTEMS: Mapping[str, str] = {"elimination": N_("Elimination"), "swiss": N_("Swiss")}
STATES: Mapping[str, str] = {
    "idle": N_("Free"),
    "silent": N_("Nothing is heard"),
    "appeal": N_("Appeal"),
    "looks": N_("A person looks"),
    "paused": N_("Paused"),
    "hand": N_("Hand raised"),
    "ready": N_("Ready"),
    "busy": N_("Not ready"),
    "alone": N_("Plays by itself"),
    "over": N_("Over"),
    "opening": N_("Setting up"),
}
"""Texts on the tile of a mat, the most urgent first."""
