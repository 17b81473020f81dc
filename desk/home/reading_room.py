"""The reciter of the house: setting up a reading, reading it in a process of its own, and its page."""

import asyncio
import secrets
import sys
import threading
from dataclasses import replace
from typing import Any, Final

from desk.errors import DeskError
from desk.home.rooms import Room
from desk.karuta.house.agreement import RHYTHMS
from desk.machine.sound_device import default_loudspeaker, latencies_path, read_latencies
from desk.panel.home.wish import ReadingAgreed
from desk.panel.reciter.routes import ReciteRoutes
from desk.reciter.card_sets import keep_order, last_reading_path, read_sets, sets_path
from desk.reciter.reading_plan import Wish, planned_steps
from desk.reciter.session import ReciteSession
from desk.reciter.voice_folders import voice_folders
from recitation.playback.player import Player, ReadingSettings
from recitation.reading.order import Order
from recitation.reading.plan import Spacing
from recitation.reading.practice import MODES
from recitation.reading.rhythm import parse_rhythm
from recitation.voices.catalogue import find_voice, voice_names
from referee.complaint import of_file, sentence_of

_RHYTHMS: Final = (*RHYTHMS, "as-recorded")
_SEEDS: Final = 1_000_000
_POLL_S: Final = 0.05
_LEAD_S, _WAIT_S = 0.1, 3.0  # silence before the first sound and between steps, as in `shinpan recite`


class ReadingRoom(Room):
    """The reciter; see `desk.panel.home.port.ReadingPort`."""

    def choices(self) -> dict[str, Any]:
        try:
            sets = sorted(read_sets(sets_path()))
        except DeskError:
            sets = []  # a damaged file of sets is reported when a set is asked for
        return {
            "voices": list(voice_names(voice_folders())),
            "rhythms": list(_RHYTHMS),
            "orders": list(Order),
            "modes": list(MODES),
            "device": default_loudspeaker(),
            "sets": sets,
        }

    async def start(self, agreed: ReadingAgreed) -> str | None:
        try:
            reading = await asyncio.to_thread(_reading, agreed)
        except (DeskError, ValueError) as error:
            return sentence_of(error)
        except OSError as error:
            return of_file(error)
        await self.end()
        follower = await asyncio.to_thread(_Follower, reading)
        self._run(ReciteRoutes(follower.session, self._pages, self._roles).router, follower.end)
        return None


class _Follower:
    """A player, with the thread that passes on its reports."""

    def __init__(self, reading: ReadingSettings) -> None:
        self._player = Player(reading)
        self.session = ReciteSession(self._player, reading.steps, reading.streamed)
        try:
            keep_order(last_reading_path(), self.session.order())
        except OSError as error:
            sys.stderr.write(f"shinpan serve: the order is not kept: {of_file(error)}\n")
        self._leaving = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="reports of the reciter", daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._leaving.set()
        self._thread.join()
        self._player.close()

    def _follow(self) -> None:
        while not self._leaving.is_set():
            for report in self._player.reports(_POLL_S):
                self.session.take(report)


def _reading(agreed: ReadingAgreed) -> ReadingSettings:
    seed, cards = secrets.randbelow(_SEEDS), agreed.cards.strip()
    joka = "122" if agreed.joka else ""
    planned = Wish(seed, agreed.order, agreed.mode, cards or None, agreed.poems, joka)
    reading = ReadingSettings(
        steps=planned_steps(planned),
        voice=agreed.voice,
        rhythm=parse_rhythm(agreed.rhythm),
        folders=voice_folders(),
        spacing=Spacing(lead_s=_LEAD_S, wait_s=_WAIT_S),
        by_hand=agreed.by_hand,
        memorise_s=60 * agreed.memorise_min,
        latencies=read_latencies(latencies_path()),
    )
    find_voice(reading.voice, reading.rhythm, reading.folders)  # so that a wrong name fails before the start
    in_browser = agreed.sound == "browser"
    return replace(reading, streamed=in_browser, starts_by_hand=in_browser, silent=agreed.sound == "none")
