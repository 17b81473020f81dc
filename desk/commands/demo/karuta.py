"""`shinpan demo` of karuta: a simulated match with the panel, or as fast as possible without."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Iterable
from contextlib import closing, suppress

from desk.commands.demo.report import Compared, Report, opening_of
from desk.errors import DeskError
from desk.karuta.engine.engine import Engine
from desk.karuta.engine.events import MatchOpened
from desk.karuta.engine.mat import Mat
from desk.karuta.engine.policy import Policies
from desk.karuta.eye.watcher import Watch
from desk.karuta.house.live_match import PATIENCE_S, LiveMatch
from desk.karuta.house.settings import load_house_settings
from desk.karuta.readers.simulated_reader import kimariji_completed
from desk.karuta.simulated_hall.official import SimulatedOfficial
from desk.karuta.simulated_hall.source import SimulatorWish
from desk.karuta.simulated_hall.table import happenings
from desk.log.event_log import EventLog
from desk.panel.server import PanelAddress
from desk.tables.simulated.scripted_table import ScriptedTable, ahead
from vision.frames.frame import Frame
from vision.match.watcher import MatchWatcher
from vision.simulator.hall.match import SimulatedMatch


def play_with_panel(arguments: argparse.Namespace, match: SimulatedMatch, table: ScriptedTable) -> Report:
    """Play a match at its table, with the panel, until it is over and the user leaves with Ctrl-C."""
    settings = load_house_settings()
    wanted = settings.port if arguments.port is None else arguments.port
    address = PanelAddress.choose(wanted, lan=arguments.lan)
    opening, log_path = opening_of(arguments)
    with EventLog.create(log_path) as log:
        demonstration = Demonstration(match, table, log, opening, settings.policies)
        told = f"match log: {log.path}\nCtrl-C ends the demonstration"
        with suppress(KeyboardInterrupt):
            asyncio.run(_serve(demonstration, address, told))
        sys.stdout.write(demonstration.report.summary() + "\n")
    return demonstration.report


async def _serve(demonstration: Demonstration, address: PanelAddress, told: str) -> None:
    demonstration.begin(asyncio.get_running_loop())
    try:
        await address.serve(address.app(demonstration.live.port), told)
    finally:
        await demonstration.end()


class Demonstration:
    """A simulated match with an official who decides if nobody else does.

    `live`: the match. `report`: whole after `end`.
    """

    def __init__(
        self,
        match: SimulatedMatch,
        table: ScriptedTable,
        log: EventLog,
        opening: MatchOpened,
        policies: Policies,
    ) -> None:
        self._engine = Engine.begin(log, opening, policies=policies, clock=table.clock)
        self._match = match
        self.report = Report(SimulatedOfficial(self._engine))
        self._watch = Watch(table)
        self.live = LiveMatch(
            self._engine,
            self._watch,
            log.path.with_suffix(".evidence"),
            attendant=self.report.official,
            patience_s=PATIENCE_S / table.speed,
            opens_itself=True,
        )

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        self.live.begin(loop)
        self._engine.news.listen(self._follow)
        self._watch.begin()

    async def end(self) -> None:
        """Stop playing, complete the report, and raise the error that stopped the table, if any."""
        await self.live.end()
        if self.live.mat.is_over:
            self.report.true_winner = self._match.winner
        if self.live.failure is not None:
            raise self.live.failure

    def _follow(self) -> None:
        _print(self.report.follow(self._engine.state))
        if self.live.mat.is_over and self.report.winner is not None:
            sys.stdout.write(f"the match is over: {self.report.winner} wins\n")
            sys.stdout.flush()


_FRAMES_AHEAD = 32


def play_headless(arguments: argparse.Namespace) -> Report:
    """Play the match of the arguments and return its report; DeskError if log or field cannot be used."""
    match = SimulatorWish.of(arguments).match()
    begin_s = time.perf_counter()
    frames, now_ns = 0, 0
    opening, log_path = opening_of(arguments)
    items = ahead(happenings(match), _FRAMES_AHEAD)
    with EventLog.create(log_path) as log, closing(items):
        # the simulation's own clock is the match clock, so that the same seed writes the same log
        policies = load_house_settings().policies
        engine = Engine.begin(log, opening, policies=policies, clock=lambda: now_ns)
        eye, mat, official = MatchWatcher(), Mat(engine), SimulatedOfficial(engine)
        report = Report(official)
        for item in items:
            if isinstance(item, Frame):
                now_ns = item.t_ns
                frames += 1
                mat.tell(eye.feed(item))
            else:
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
        sys.stdout.write(
            f"{report.summary()}\n{frames} pictures in {seconds:.1f} s ({frames / seconds:.0f} per second)\n"
            f"match log: {log.path}\n"
        )
    return report


def _print(rulings: Iterable[Compared]) -> None:
    for compared in rulings:
        sys.stdout.write(compared.line() + "\n")
        sys.stdout.flush()
