"""The opening of a demonstration's log."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from desk.karuta.engine.events import MatchOpened
from desk.karuta.simulated_hall.source import SimulatorWish
from desk.log.clocks import name_stamp, wall_clock
from desk.machine.config import data_folder
from desk.tables.source_kind import Source
from referee.karuta.flow.state import Settings
from referee.karuta.ruleset import KYOGI


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
