"""Server-sent events: every event of the log once and in order, and the view that results.

Three kinds of messages travel: `log` (its id is `<match>.<seq>`, by which a browser that lost the connection
resumes), `view` (the whole page's data, sent when a burst of events is through), and `tick` (the match clock
and the machine's health, about once a second; it also tells a viewer that the line is alive).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

from sse_starlette import ServerSentEvent

from desk.panel.health_view import health_view
from desk.panel.port import EventSeen, Port, Snapshot
from desk.panel.view import Views
from desk.panel.words import Words

TICK_S = 1.0
_NS_PER_S = 1_000_000_000


def resume_point(last_event_id: str | None, match: str, latest_seq: int) -> int:
    """Return the sequence number after which a browser goes on.

    Parameters
    ----------
    last_event_id : what the browser saw last, `<match>.<seq>`, or None for a new page.
    match, latest_seq : the present match and its latest event. An id of another match (the program was
        started anew) or no id at all begins at the present state.
    """
    known_match, _, seq = (last_event_id or "").rpartition(".")
    if known_match == match and seq.isdecimal() and int(seq) <= latest_seq:
        return int(seq)
    return latest_seq


async def messages(
    port: Port, views: Views, words: Words, last_event_id: str | None, tick_s: float = TICK_S
) -> AsyncIterator[ServerSentEvent]:
    """Iterate over what one browser is sent, until the match is closed."""
    snapshot = views.snapshot()
    match, seen_seq = snapshot["match"]["id"], snapshot["seq"]
    events = port.events(resume_point(last_event_id, match, seen_seq))
    shown = views.text(words, seen_seq)
    yield ServerSentEvent(shown, event="view")
    yield _tick(port, words)
    upcoming = asyncio.ensure_future(_next(events))
    try:
        while True:
            wait_s = _until_next_ku_s(port, views.snapshot(seen_seq), tick_s)
            await asyncio.wait({upcoming}, timeout=wait_s)
            event = upcoming.result() if upcoming.done() else None
            ended = upcoming.done() and event is None
            if event is not None:
                yield _log(event, match)
                seen_seq = max(seen_seq, event["seq"])
                upcoming = asyncio.ensure_future(_next(events))
                await asyncio.sleep(0)  # lets an event that is already there go first
                if upcoming.done():
                    continue
            text = views.text(words, seen_seq)
            if text != shown:
                shown = text
                yield ServerSentEvent(shown, event="view")
            if ended:
                return
            if event is None:
                yield _tick(port, words)
    finally:
        upcoming.cancel()


def _until_next_ku_s(port: Port, snapshot: Snapshot, tick_s: float) -> float:
    """Return how long nothing is to be told by itself: until the next tick, or the next ku of the poem."""
    reading = snapshot["reading"]
    if reading is None:
        return tick_s
    now_ns = port.health()["now_ns"]
    ahead_s = [(t_ns - now_ns) / _NS_PER_S for t_ns in reading["t_ku_ns"] if t_ns > now_ns]
    return min([tick_s, *ahead_s])


async def _next(events: AsyncIterator[EventSeen]) -> EventSeen | None:
    return await anext(events, None)


def _log(event: EventSeen, match: str) -> ServerSentEvent:
    # the payload stays here: it may name the poem that is about to be read
    told = {key: event[key] for key in ("seq", "kind", "origin", "wall")}
    return ServerSentEvent(json.dumps(told), event="log", id=f"{match}.{event['seq']}")


def _tick(port: Port, words: Words) -> ServerSentEvent:
    text = json.dumps(health_view(port.health(), words), ensure_ascii=False)
    return ServerSentEvent(text, event="tick")
