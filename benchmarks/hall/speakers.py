"""How well mats' own loudspeakers sound as one: each half against its appointed instant."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import Any

from benchmarks.hall.floor import percentile, servers
from benchmarks.poor_network import Network, Proxy
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

    One is near, the other's messages take 5 ms and up to 20 ms more by chance. Sound devices are left out:
    the stream's clock tells when a sample is due. All clocks are one machine's, so the truth is known.
    """
    with (
        servers(1, 2, _PORT) as hall,
        Proxy(hall.plan.client_port, Network(delay_ms=5.0, jitter_ms=20.0)) as way,
    ):
        far = replace(hall.ticket("mat-02"), servers=(f"tls://127.0.0.1:{way.port}",))
        apart, between = asyncio.run(_play(hall.ticket("reader"), [hall.ticket("mat-01"), far]))
    return {
        "halves": len(between),
        "from the instant, worst, ms": round(percentile(apart, 1.0), 2),
        "from one another, worst, ms": round(percentile(between, 1.0), 2),
    }


async def _play(reader: Ticket, mats: list[Ticket]) -> tuple[list[float], list[float]]:
    links = [Link(ticket) for ticket in (reader, *mats)]
    for link in links:
        link.open()
        await link.joined()
    await answer_clock(links[0], "s")
    clocks = [HallClock(link) for link in links[1:]]
    asking = [asyncio.create_task(clock.run()) for clock in clocks]
    speakers = [Speaker(clock, silent=True) for clock in clocks]
    for speaker in speakers:
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
