"""The demo without a panel: as fast as possible, with each ruling and the truth printed."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable
from contextlib import closing

from desk.commands.demo.report import Compared, Report, opening_of
from desk.errors import DeskError
from desk.karuta.engine.engine import Engine
from desk.karuta.engine.mat import Mat
from desk.karuta.house.settings import load_house_settings
from desk.karuta.readers.simulated_reader import kimariji_completed
from desk.karuta.simulated_hall.official import SimulatedOfficial
from desk.karuta.simulated_hall.source import SimulatorWish
from desk.karuta.simulated_hall.table import happenings
from desk.log.event_log import EventLog
from desk.tables.simulated.scripted_table import ahead
from vision.frames.frame import Frame
from vision.match.watcher import MatchWatcher

_FRAMES_AHEAD = 32


def play_headless(arguments: argparse.Namespace) -> Report:
    """Play the match of the arguments and return its report; DeskError if log or field cannot be used."""
    match = SimulatorWish.of(arguments).match()
    begin_s = time.perf_counter()
    report, frames, now_ns = Report(), 0, 0
    opening, log_path = opening_of(arguments)
    items = ahead(happenings(match), _FRAMES_AHEAD)
    with EventLog.create(log_path) as log, closing(items):
        # the simulation's own clock is the match clock, so that the same seed writes the same log
        policies = load_house_settings().policies
        engine = Engine.begin(log, opening, policies=policies, clock=lambda: now_ns)
        eye, mat, official = MatchWatcher(), Mat(engine), SimulatedOfficial(engine)
        for item in items:
            if isinstance(item, Frame):
                now_ns = item.t_ns
                frames += 1
                mat.tell(eye.feed(item))
            else:
                report.read.append(item)
                official.learn(item)
                mat.tell(eye.poem_started(item.start))
                if not mat.open_match(item.start.t_ns):
                    raise DeskError(
                        "the field could not be read before the first poem: {why}", why=eye.problem
                    )
                official.attend()
                official.before_poem()
                mat.hear(item.start, kimariji_completed(item.start, engine.state.unread | {item.start.poem}))
            official.attend()
            _print(report.follow(engine.state))
            if mat.is_over:
                break
        mat.tell(eye.close())
        official.attend()
        official.before_poem()
        _print(report.follow(engine.state))
        seconds = time.perf_counter() - begin_s
        report.true_winner = match.winner
        report.corrected = tuple(official.corrected)
        report.fields_accepted = official.fields_accepted
        sys.stdout.write(
            f"{report.summary()}\n{frames} pictures in {seconds:.1f} s ({frames / seconds:.0f} per second)\n"
            f"match log: {log.path}\n"
        )
    return report


def _print(rulings: Iterable[Compared]) -> None:
    for compared in rulings:
        sys.stdout.write(compared.line() + "\n")
        sys.stdout.flush()
