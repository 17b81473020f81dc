"""How well mats' own loudspeakers sound as one: each half against its appointed instant, and as recorded.

Measured twice: up to the sample that is due, without a sound device; and through PortAudio, ALSA and
PulseAudio into the two channels of one sound card that is not there, whose recording tells how far both are
apart. What real cards and loudspeakers add is not in it: `shinpan recite --calibrate` measures that.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.hall.floor import percentile, servers
from benchmarks.hall.sound_card import TwoChannels, apart_ms, two_channels
from benchmarks.phone.poor_network import Network, Proxy
from desk.hall.clock import HallClock, answer_clock
from desk.hall.link import Link
from desk.hall.mat.speaker import Speaker
from desk.hall.messages import PlayCue
from desk.hall.ticket import Ticket
from recitation.playback.loudspeaker import Sounded

_PORT = 24522
_HALVES = 8
_LEAD_S, _EVERY_S = 1.5, 2.0


def play_together(_: int) -> dict[str, Any]:
    """Return how far two mats' loudspeakers are from the appointed instant and from one another.

    One is near, the other's messages take 5 ms and up to 20 ms more by chance. All clocks are one machine's,
    so the truth is known.
    """
    with (
        servers(1, 2, _PORT) as hall,
        Proxy(hall.plan.client_port, Network(delay_ms=5.0, jitter_ms=20.0)) as way,
        tempfile.TemporaryDirectory(prefix="sound-") as folder,
        two_channels(Path(folder)) as card,
    ):
        far = replace(hall.ticket("mat-02"), servers=(f"tls://127.0.0.1:{way.port}",))
        tickets = [hall.ticket("mat-01"), far]
        apart, between = asyncio.run(_play(hall.ticket("reader"), tickets, None))
        figures: dict[str, Any] = {
            "halves": len(between),
            "from the instant, worst, ms": round(percentile(apart, 1.0), 2),
            "from one another, worst, ms": round(percentile(between, 1.0), 2),
        }
        if card is not None:
            card.record()
            asyncio.run(_play(hall.ticket("reader"), tickets, card))
            recorded = [abs(each) for each in apart_ms(card.end())]
            figures["recorded: halves"] = len(recorded)
            figures["recorded: from one another, worst, ms"] = round(percentile(recorded, 1.0), 2)
    return figures


async def _play(
    reader: Ticket, mats: list[Ticket], card: TwoChannels | None
) -> tuple[list[float], list[float]]:
    links = [Link(ticket) for ticket in (reader, *mats)]
    for link in links:
        link.open()
        await link.joined()
    await answer_clock(links[0], "s")
    clocks = [HallClock(link) for link in links[1:]]
    asking = [asyncio.create_task(clock.run()) for clock in clocks]
    speakers = [Speaker(clock, silent=card is None) for clock in clocks]
    for channel, speaker in enumerate(speakers):
        if card is not None:
            card.choose(channel)
        speaker.open("high", "4-3-1-5")
    await asyncio.sleep(8.0)
    apart, between = list[float](), list[float]()
    for poem in range(1, _HALVES + 1):
        t_ns = time.perf_counter_ns() + round(_LEAD_S * 1e9)
        for speaker in speakers:
            speaker.play(PlayCue("s", poem, "kami", "high", "4-3-1-5", t_ns))
        await asyncio.sleep(_EVERY_S)
        heard = [_heard(speaker) for speaker in speakers]
        if None not in heard:
            late = [(each.t_ns - t_ns) / 1e6 for each in heard if each is not None]
            apart += [abs(each) for each in late]
            between.append(abs(late[0] - late[1]))
        for speaker in speakers:
            speaker.stop()
    await asyncio.sleep(_LEAD_S)  # until both are silent, whichever is closed first
    for task in asking:
        task.cancel()
    await asyncio.gather(*asking, return_exceptions=True)
    for speaker in speakers:
        speaker.close()
    for link in links:
        await link.close()
    return apart, between


def _heard(speaker: Speaker) -> Sounded | None:
    loudspeaker = speaker._loudspeaker
    reports = [] if loudspeaker is None else loudspeaker.reports()
    return next((report for report in reports if isinstance(report, Sounded)), None)
