"""Forgetting a person in what the servers of a hall keep.

The mats' logs are the truth: there the person is forgotten first (`shinpan log forget --person`). Then the
servers write over the messages with the name and delete them, with all others of the same match: the mats
send what the hall lacks, and what they send then holds no name.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from contextlib import aclosing
from typing import Final

from nats.errors import Error

from calibration.files import json_text
from desk.errors import DeskError
from desk.hall.link import Link
from desk.hall.store import Kept, everything
from desk.tables.person import Person

_LATEST: Final = ("STATES", "PAIRINGS")
"""Streams of what was said last, which mats, reader and board say again by themselves."""
_KEPT: Final = ("EVENTS", "READING", "WORK", "RESULTS")
_MOST_BYTES: Final = 64 << 20


async def traces(link: Link, person: Person) -> dict[str, list[int]]:
    """Return the subjects that hold a name, with the numbers of all their messages; raises as `forget`."""
    found: dict[str, list[int]] = {}
    for stream in (*_KEPT, *_LATEST):
        numbers, named = defaultdict[str, list[int]](list), set[str]()
        try:
            async with aclosing(everything(link, stream, ">")) as messages:
                async for kept in messages:
                    numbers[kept.subject].append(kept.seq)
                    if _holds(kept, person):
                        named.add(kept.subject)
        except (Error, TimeoutError) as error:
            raise DeskError(
                f"the hall does not hand out its stream {stream}: {str(error) or 'no answer'}"
            ) from error
        found |= {f"{stream} {subject}": numbers[subject] for subject in sorted(named)}
    return found


async def forget(link: Link, person: Person) -> int:
    """Delete all that holds a name, and return the number of messages.

    Parameters
    ----------
    link : the operator's link.
    person : whom to forget.

    Raises
    ------
    DeskError
        If the hall does not answer, refuses, or has the name again afterwards: a mat has sent it.
    """
    found, deleted = await traces(link, person), 0
    try:
        for place, numbers in found.items():
            stream = place.split(" ")[0]
            for seq in numbers if stream in _KEPT else ():
                await link.stream(5.0).delete_msg(stream, seq)  # the server writes over it first
            deleted += len(numbers)
        for stream in _LATEST:  # older ones lie beside the latest until the whole file goes
            await link.stream(5.0).purge_stream(stream)
    except (Error, TimeoutError) as error:
        raise DeskError(f"the hall does not delete it: {str(error) or 'no answer'}") from error
    left = await traces(link, person)
    if left:
        raise DeskError(
            f"{', '.join(sorted(left))}: sent again by who said it; forget the person there first "
            "(shinpan log forget --person), and call this once more"
        )
    return deleted


def _holds(kept: Kept, person: Person) -> bool:
    data = kept.data
    if data.startswith(b"\x1f\x8b"):  # an outcome of the archive
        try:
            data = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16).decompress(data, _MOST_BYTES)
        except zlib.error:
            return False
    if person.is_in(data):
        return True
    try:
        told = json_text.parse(data.decode())
    except ValueError:
        return False
    return bool(person.forgotten(told) != told)
