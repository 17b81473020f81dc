"""`shinpan hall delay`: measure with a microphone how much later a mat hears the reading."""

from __future__ import annotations

import argparse
import asyncio
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from desk.commands.hall.streams import joined_link
from desk.errors import DeskError
from referee.sentence import Sentence

if TYPE_CHECKING:
    from nats.aio.msg import Msg

    from desk.hall.clock import HallClock
    from desk.hall.mat.delay import DelayMeter
    from recitation.playback.sound_in import Microphone

_BLOCK_S = 0.05
_ENOUGH = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--hall", required=True, metavar="TICKET", help="the mat's ticket")
    parser.add_argument("--microphone", metavar="DEVICE", help="name or number (default: the system's)")
    parser.add_argument(
        "--readings",
        type=int,
        default=_ENOUGH,
        help=Sentence("stop after so many (default: {enough})", enough=_ENOUGH),
    )


def run(arguments: argparse.Namespace) -> int:
    """Listen while the hall's reader reads, and print the delay; return 1 if it could not be measured."""
    from desk.machine.sound_device import device_of
    from recitation.playback.sound_in import Microphone

    if not 5 <= arguments.readings <= 100:
        raise DeskError("--readings: expected 5 to 100, got {got}", got=arguments.readings)
    with Microphone(device_of(arguments.microphone)) as microphone, suppress(KeyboardInterrupt):
        return asyncio.run(_measure(arguments.hall, microphone, arguments.readings))
    return 1


async def _measure(ticket: str, microphone: Microphone, readings: int) -> int:
    from desk.hall.clock import HallClock
    from desk.hall.link import end
    from desk.hall.mat.delay import DelayMeter
    from desk.hall.subjects import READING_CUE

    async with joined_link(ticket) as link:
        clock, meter = HallClock(link), DelayMeter()
        asking = asyncio.get_running_loop().create_task(clock.run())

        async def cued(message: Msg) -> None:
            _cued(message, clock, meter)

        await link.listen(READING_CUE, cued)
        try:
            await _listen(microphone, meter, readings)
        finally:
            await end([asking])
    delay = meter.delay
    if delay is None:
        return 1
    sys.stdout.write(f"use: shinpan serve --hall {ticket} --reading-delay {delay.told()}\n")
    return 0


def _cued(message: Msg, clock: HallClock, meter: DelayMeter) -> None:
    from desk.hall.messages import FirstSoundCue, MessageError, unpack

    with suppress(MessageError):
        cue = unpack(message.data)
        if isinstance(cue, FirstSoundCue) and clock.is_known and clock.session == cue.session:
            laid = clock.laid_onto(cue.hall_ns)
            meter.cued(laid.t_ns, laid.t_unc_ns + cue.unc_ns)


async def _listen(microphone: Microphone, meter: DelayMeter, readings: int) -> None:
    from recitation.listening.listener import Listener
    from recitation.listening.live_listener import Began, LiveListener

    live, shown = LiveListener(Listener()), 0
    while meter.count < readings:
        for block in await asyncio.to_thread(microphone.blocks, _BLOCK_S):
            for noticed in live.hear(block):
                if isinstance(noticed, Began) and microphone.clock.is_known:
                    meter.heard(microphone.clock.instant(noticed.sample)[0])
        if meter.count > shown:
            shown, delay = meter.count, meter.delay
            told = "" if delay is None else f": {delay.ns / 1e6:.0f} ± {delay.unc_ns / 1e6:.0f} ms"
            sys.stdout.write(f"{shown} readings{told}\n")
            sys.stdout.flush()
