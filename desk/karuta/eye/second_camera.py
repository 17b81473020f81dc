"""The second camera of a live match: a thread receives its pictures and queues them for the eye."""

import threading
from collections import deque
from contextlib import closing
from typing import Any

import numpy as np

from calibration.clocks.latency import Offset
from desk.errors import DeskError
from desk.karuta.eye.prior_knowledge import readout_of
from desk.machine.camera_records import latency_unc_ns, record_of
from desk.phone.camera import is_phone, open_camera
from desk.phone.wish import PhoneWish
from referee.complaint import sentence_of
from referee.facts import Gap
from referee.sentence import Sentence
from vision.frames.frame import Frame
from vision.frames.shutter import Readout
from vision.sources.source import Source, SourceError
from vision.sources.source_address import name_of
from vision.witnesses.second_camera import SecondWitness

_MOST_WAITING = 120  # longest queue of pictures (half a second at 240 fps); a slow eye loses the oldest ones
_UNMEASURED_NS = 45e6
"""95 % half width of the difference of two cameras' latencies, each of which is up to a tenth of a second."""


class SecondEye:
    """Receives the pictures of a second live camera, whose clock is this machine's.

    `unc_ns`: 95 % half width of the difference between its stamps and the first camera's. `witness`: watches
    the pictures, in the eye's own thread. `dropped`: number of pictures lost because the eye was too slow.
    `problem`: why no pictures come, None if they come.
    """

    def __init__(
        self, source: Source, unc_ns: float = _UNMEASURED_NS, readout: Readout | None = None
    ) -> None:
        self.witness = SecondWitness(Offset(0.0, unc_ns, unc_ns / 1.96, 1), readout)
        self.dropped = 0
        self.problem: str | None = None
        self._source = source
        self._waiting: deque[Frame] = deque()
        self._thread = threading.Thread(target=self._take, name="second eye", daemon=True)
        self._thread.start()

    def show_until(self, t_ns: int) -> None:
        """Show the witness all pictures up to an instant on the first camera's clock."""
        until_ns = t_ns + self.witness.offset.mean_ns
        while self._waiting and self._waiting[0].t_ns <= until_ns:
            self.witness.feed(self._waiting.popleft())

    def told(self) -> dict[str, Any]:
        offset = self.witness.offset
        return {
            "poems": self.witness.poems,
            "problem": self.problem or self.witness.problem,
            "offset_ms": round(offset.mean_ns / 1e6, 3),
            "offset_unc_ms": round(offset.unc_ns / 1e6, 3),
            "dropped": self.dropped,
        }

    def close(self) -> None:
        self._source.close()
        self._thread.join()

    def _take(self) -> None:
        try:
            with closing(iter(self._source)) as items:  # type: ignore[type-var]
                for item in items:
                    if isinstance(item, Gap):  # reported at once; the witness notices the hole by itself
                        self.problem = Sentence(
                            "no pictures come from the second camera ({why})", why=item.reason
                        )
                        continue
                    self.problem = None
                    self._waiting.append(item)
                    if len(self._waiting) > _MOST_WAITING:
                        self._waiting.popleft()
                        self.dropped += 1
        except SourceError as error:
            self.problem = sentence_of(error)
        else:
            self.problem = Sentence("no more pictures come from the second camera")


def open_second_eye(where: str, first: str, phone: PhoneWish | None = None) -> SecondEye:
    """Open a second camera beside a first one, by their names on the command line.

    Raises DeskError if it cannot be opened, or is no live camera.
    """
    name = name_of(where)
    if is_phone(where) and is_phone(first):
        raise DeskError("one phone is a camera at a time: name another camera, or a stream's address")
    with DeskError.wrapping("", SourceError):
        source = open_camera(where, phone=phone)
    if not source.is_live:
        source.close()
        raise DeskError(
            "{where} is not a live camera: name a second video in recording.toml (`second`) and "
            "use shinpan judge",
            where=where,
        )
    measured = latency_unc_ns(name), latency_unc_ns(name_of(first))
    unc_ns = float(np.hypot(*measured)) if all(measured) else _UNMEASURED_NS
    return SecondEye(source, unc_ns, readout_of(record_of(name)))
