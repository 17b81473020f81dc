"""Server-sent events: every event of the log once and in order, and the view that results.

There are three kinds of messages: `log` (a burst of events; its id is `<match>.<seq>` of the last one, from
which a browser resumes after a lost connection), `view` (the data of the whole page, after each burst) and
`tick` (the match clock and the machine's health, about once a second; it also shows that the connection is
alive).
"""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

from sse_starlette import ServerSentEvent

from desk.panel import phrases
from desk.panel.match.port import EventSeen, HallLink, Health, Port, Snapshot
from desk.panel.match.view import Views
from desk.panel.phrases import phrase
from desk.panel.words import Words


def health_view(health: Health, words: Words) -> dict[str, Any]:
    """Return the latest measurements as texts; a value that is not measured is a dash."""
    fps, nominal, late_ms = health["fps"], health["fps_nominal"], health["late_ms"]
    shown_fps = "–" if fps is None else f"{fps:.0f}"
    shown: dict[str, Any] = {
        "now_ns": health["now_ns"],
        "fps": words("{fps} fps", fps=shown_fps if nominal is None else f"{shown_fps} / {nominal:.0f}"),
        "dropped": words.counted("{n} frame lost", "{n} frames lost", health["dropped"]),
        "late": words("{ms} ms behind", ms="–" if late_ms is None else f"{late_ms:.0f}"),
        "warnings": [
            *(phrase(words, phrases.WARNINGS, name) for name in health["warnings"]),
            *map(words.complaint, health.get("problems", ())),
        ],
    }
    if "hall" in health:
        shown["hall"] = _hall_view(health["hall"], words)
    return shown


def _hall_view(link: HallLink, words: Words) -> dict[str, Any]:
    text = phrase(words, phrases.HALL_LINK, link["state"])
    waits = words.counted("{n} entry waits", "{n} entries wait", link["unsent"])
    return {
        "state": link["state"],
        "text": f"{link['mat']}: {text}" + (f" · {waits}" if link["unsent"] else ""),
        "title": words.complaint(link["problem"] or ""),
    }


TICK_S = 1.0
_MOST = 256  # most events in one message: a page that was disconnected for long gets several
_NS_PER_S = 1_000_000_000


def resume_point(last_event_id: str | None, match: str, latest_seq: int) -> int:
    """Return the sequence number after which a browser resumes.

    Parameters
    ----------
    last_event_id : id of the last event the browser received, `<match>.<seq>`, or None for a new page.
    match, latest_seq : the present match and its latest event. With an id of another match (the program was
        restarted) or without an id, the browser starts at the present state.
    """
    known_match, _, seq = (last_event_id or "").rpartition(".")
    # a browser sends back its own id, but others may send thousands of digits
    if known_match == match and len(seq) < 20 and seq.isdecimal() and int(seq) <= latest_seq:
        return int(seq)
    return latest_seq


async def messages(
    port: Port, views: Views, words: Words, last_event_id: str | None, tick_s: float = TICK_S
) -> AsyncIterator[ServerSentEvent]:
    """Iterate over the messages for one browser until the match is closed."""
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
            burst: list[EventSeen] = []
            while upcoming.done() and (event := upcoming.result()) is not None and len(burst) < _MOST:
                burst.append(event)
                upcoming = asyncio.ensure_future(_next(events))
                await asyncio.sleep(0)  # lets an event that is already there join the burst
            if burst:
                yield _log(burst, match)
                seen_seq = max(seen_seq, burst[-1]["seq"])
            text = views.text(words, seen_seq)
            if text != shown:
                shown = text
                yield ServerSentEvent(shown, event="view")
            if upcoming.done() and upcoming.result() is None:
                return
            if not burst:
                yield _tick(port, words)
    finally:
        upcoming.cancel()


def _until_next_ku_s(port: Port, snapshot: Snapshot, tick_s: float) -> float:
    """Return the time until the next message without an event: the next tick, or the next ku of the poem."""
    reading = snapshot["reading"]
    if reading is None:
        return tick_s
    now_ns = port.health()["now_ns"]
    ahead_s = [(t_ns - now_ns) / _NS_PER_S for t_ns in reading["t_ku_ns"] if t_ns > now_ns]
    return min([tick_s, *ahead_s])


async def _next(events: AsyncIterator[EventSeen]) -> EventSeen | None:
    return await anext(events, None)


def _log(burst: Sequence[EventSeen], match: str) -> ServerSentEvent:
    # the payload is left out: it may name the poem that is about to be read
    told = [
        {"seq": event["seq"], "kind": event["kind"], "origin": event["origin"], "wall": event["wall"]}
        for event in burst
    ]
    return ServerSentEvent(json.dumps(told), event="log", id=f"{match}.{burst[-1]['seq']}")


def _tick(port: Port, words: Words) -> ServerSentEvent:
    text = json.dumps(health_view(port.health(), words), ensure_ascii=False)
    return ServerSentEvent(text, event="tick")
