"""Forgetting a person in what the servers of a hall keep.

The mats' logs are the truth: there the person is forgotten first (`shinpan log forget --person`). Then the
servers write over the messages with the name and delete them, with all others of the same match: the mats
send what the hall lacks, and what they send then holds no name. Servers that keep copies for one another have
logs of their own, in which every message stands once more: they give up copies and logs, and make new ones.
"""

import asyncio
from collections import defaultdict
from contextlib import aclosing, suppress
from dataclasses import replace
from io import BytesIO
from typing import Final

from nats.errors import Error

from calibration.files import json_text
from desk.errors import DeskError
from desk.hall.link import Link
from desk.hall.store import FORGETTING, Kept, everything
from desk.tables.person import Person, is_in_file

_LATEST: Final = ("STATES", "PAIRINGS")
"""Streams of what was said last, which mats, reader and board say again by themselves."""
_KEPT: Final = ("EVENTS", "READING", "WORK", "RESULTS")
_THERE_WITHIN_S: Final = 10.0
_COPIED_WITHIN_S: Final = 60.0
_LOOKS_EVERY_S: Final = 0.1
_SILENT_S: Final = 3.0
"""So long nothing was heard of a server that is away; servers hear of each other every second."""


async def traces(link: Link, person: Person) -> dict[str, list[int]]:
    """Return the subjects that hold a name, with the numbers of all their messages; raises as `forget`.

    Any server hands out what it has, also one that has not caught up: so they are counted.
    """
    found: dict[str, list[int]] = {}
    for stream in (*_KEPT, *_LATEST):
        numbers, named = defaultdict[str, list[int]](list), set[str]()
        with DeskError.wrapping(
            "the hall does not hand out its stream {stream}: {why}", Error, TimeoutError, stream=stream
        ):
            expected = (await link.stream(5.0).stream_info(stream)).state.messages
            async with aclosing(everything(link, stream, ">")) as messages:
                async for kept in messages:
                    numbers[kept.subject].append(kept.seq)
                    if _holds(kept, person):
                        named.add(kept.subject)
        if (came := sum(map(len, numbers.values()))) < expected:
            raise DeskError(
                "the hall does not hand out its stream {stream}: {came} of {expected} messages came, "
                "a server has not caught up yet; call this once more",
                stream=stream,
                came=came,
                expected=expected,
            )
        found |= {f"{stream} {subject}": numbers[subject] for subject in sorted(named)}
    return found


async def forget(link: Link, person: Person) -> int:
    """Delete all that holds a name, and return the number of messages.

    Raises DeskError if the hall does not answer, refuses, or has the name again afterwards: a mat has sent
    it; also if one of several servers is not there, which would keep the name.
    """
    copies = {stream: await _copies(link, stream) for stream in (*_KEPT, *_LATEST)}
    if max(copies.values()) > 1:
        await asyncio.sleep(_SILENT_S)  # one that has just gone passes for present until now
        for stream in copies:
            await _copies(link, stream)
    found, deleted = await traces(link, person), 0
    with DeskError.wrapping("the hall does not delete it: {why}", Error, TimeoutError):
        await _mark(link, "begun")
        for place, numbers in found.items():
            stream = place.split(" ")[0]
            for seq in numbers if stream in _KEPT else ():
                await link.stream(5.0).delete_msg(stream, seq)  # the server writes over it first
            deleted += len(numbers)
        for stream in _LATEST:  # older ones lie beside the latest until the whole file goes
            await link.stream(5.0).purge_stream(stream)
        for stream, count in copies.items():
            await _copied_anew(link, stream, count)
        await _mark(link, "done")
    left = await traces(link, person)
    if left:
        raise DeskError(
            "{places}: sent again by who said it; forget the person there first (shinpan log "
            "forget --person), and call this once more",
            places=", ".join(sorted(left)),
        )
    return deleted


async def check_finished(link: Link) -> None:
    """Raise DeskError if a server may hold a name that no message of the hall holds any more."""
    for stream in (*_KEPT, *_LATEST):
        await _copies(link, stream, deletes=False)
    found = (await link.stream(5.0).stream_info("EVENTS")).config.metadata or {}
    if found.get(FORGETTING) == "begun":
        raise DeskError(
            "forgetting was interrupted before, so a server may still hold a name: call this with --yes"
        )


async def _mark(link: Link, text: str) -> None:
    config = (await link.stream(5.0).stream_info("EVENTS")).config
    marks = {**(config.metadata or {}), FORGETTING: text}
    await link.stream(5.0).update_stream(replace(config, metadata=marks))


async def _copies(link: Link, stream: str, *, deletes: bool = True) -> int:
    """Return how many servers keep a stream; DeskError if one of them is not there."""
    try:
        return await _until_copied(link, stream, None, _THERE_WITHIN_S)
    except TimeoutError:
        raise DeskError(
            "a server of the hall is not there, and would keep the name: nothing was deleted; "
            "start it, and call this once more"
            if deletes
            else "no message of the other servers holds this name, but one of its servers is not there, "
            "and may hold it: start it, and call this with --yes"
        ) from None


async def _copied_anew(link: Link, stream: str, copies: int) -> None:
    """Have the servers give up all copies of a stream but one, with their logs, and make new ones."""
    if copies == 1:
        return
    config = (await link.stream(5.0).stream_info(stream)).config
    try:
        await link.stream(5.0).update_stream(replace(config, num_replicas=1))
        await _until_copied(link, stream, 1, _COPIED_WITHIN_S)
    finally:  # `shinpan hall streams` does it, too
        await link.stream(5.0).update_stream(replace(config, num_replicas=copies))
    await _until_copied(link, stream, copies, _COPIED_WITHIN_S)


async def _until_copied(link: Link, stream: str, copies: int | None, within_s: float) -> int:
    """Return once so many servers have a stream, or as many as it is to have, and how many those are."""
    async with asyncio.timeout(within_s):
        while True:
            with suppress(Error):  # no server leads it just now
                info = await link.stream(2.0).stream_info(stream)
                others = (info.cluster and info.cluster.replicas) or []
                wanted = copies or info.config.num_replicas or 1
                there = [
                    each
                    for each in others
                    if each.current and not each.offline and (each.active or 0) * 1e-9 < _SILENT_S
                ]
                if len(others) == len(there) == wanted - 1:
                    return wanted
            await asyncio.sleep(_LOOKS_EVERY_S)


def _holds(kept: Kept, person: Person) -> bool:
    if is_in_file(BytesIO(kept.data), person):  # an outcome of the archive is packed
        return True
    try:
        told = json_text.parse(kept.data.decode())
    except ValueError:
        return False
    return bool(person.forgotten(told) != told)
