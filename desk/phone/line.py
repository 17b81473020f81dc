"""The connection of one phone's page: it stamps the pictures and queues them for decoding."""

import threading
from collections import deque
from collections.abc import Callable, Sequence

from calibration.clocks.remote_clock import RemoteClock
from calibration.clocks.timing import rate_since
from desk.panel.house.port import FindingShown
from desk.panel.phone.messages import Hello, Picture, Report, ToldPhone
from vision.sources.network.encoded_stream import Announced, Encoded, EncodedQueue

_RATE_S = 2.0


class Line:
    """The connection of an open phone page; see `desk.panel.phone.messages.PhoneLine`.

    `queue`: pictures that wait to be decoded. `warnings`: ids of problems that the phone reports. `left_out`:
    number of pictures that the phone has left out.
    """

    def __init__(
        self, clock_ns: Callable[[], int], findings: Callable[[], Sequence[FindingShown] | None]
    ) -> None:
        self.queue = EncodedQueue()
        self._ended: str | None = None
        self.warnings: tuple[str, ...] = ()
        self.left_out = 0
        self._clock_ns = clock_ns
        self._findings = findings
        self._clock = RemoteClock()
        self._clock_lock = threading.Lock()
        self._tick_ns = 1_000_000
        self._is_announced = False
        self._arrived_ns: deque[int] = deque(maxlen=256)

    @property
    def ended(self) -> str | None:
        """Why the connection has ended, also if the decoder gave up; None while it is open."""
        return self._ended or (None if self.queue.ended is None else "closed")

    @property
    def wants_whole(self) -> bool:
        """Whether the decoder needs a key frame next."""
        return self._is_announced and self._clock.is_known and self.queue.wants_whole

    @property
    def clock_ms(self) -> float | None:
        """Half width of the offset of the phone's clock, in ms; None before it is measured."""
        with self._clock_lock:
            return self._clock.half_width_ns / 1e6 if self._clock.is_known else None

    @property
    def fps(self) -> float | None:
        """Pictures per second that arrived lately, None if hardly any did."""
        arrived_s = [at_ns / 1e9 for at_ns in tuple(self._arrived_ns)]
        return rate_since(arrived_s, self._clock_ns() / 1e9 - _RATE_S)

    @property
    def dropped(self) -> int:
        return self.left_out + self.queue.dropped

    def announce(self, hello: Hello) -> None:
        self._tick_ns = round(hello.tick_ms * 1e6)
        exposure_s = None if hello.exposure_ms is None else hello.exposure_ms / 1e3
        self.queue.announce(
            Announced(hello.codec, hello.width, hello.height, hello.fps, hello.turned_deg, exposure_s)
        )
        self._is_announced = True

    def take(self, picture: Picture) -> None:
        """Stamp a picture and queue it for decoding.

        The first pictures, which come before the phone's clock is known, are dropped. Raises ValueError if
        the phone has not announced what it sends.
        """
        if not self._is_announced:
            raise ValueError("a picture came before it was said how it is encoded")
        arrived_ns = self._clock_ns()
        self._arrived_ns.append(arrived_ns)
        self.left_out = picture.left_out
        with self._clock_lock:
            if not self._clock.is_known:
                return
            laid = self._clock.laid_onto(round(picture.taken_ms * 1e6))
        unc_ns = laid.t_unc_ns + round(picture.unc_ms * 1e6) + self._tick_ns
        self.queue.put(Encoded(picture.data, picture.is_whole, laid.t_ns, unc_ns, arrived_ns))

    def report(self, report: Report) -> None:
        self.warnings = tuple(dict.fromkeys(report.warnings))

    def answered(self, sent_ns: int, there_ms: float) -> None:
        """Take in that the phone's clock showed `there_ms` between `sent_ns` and now."""
        with self._clock_lock:
            jumps = self._clock.jumps
            self._clock.answered(sent_ns, round(there_ms * 1e6), self._clock_ns(), self._tick_ns)
            if self._clock.jumps != jumps:
                # the phone's clock has jumped, so earlier and later stamps do not fit together
                self.end("clock")

    def told(self) -> ToldPhone:
        fps, clock_ms = self.fps, self.clock_ms
        return {
            "findings": self._findings(),
            "fps": None if fps is None else round(fps),
            "clock_ms": None if clock_ms is None else round(clock_ms, 1),
            "desk_dropped": self.queue.dropped,
        }

    def end(self, why: str) -> None:
        """End the connection; the first reason stays."""
        self._ended = self._ended or why
        self.queue.end(_WHY[why])


_WHY = {
    "lost": "the phone's connection broke off: its page connects again by itself while it is open",
    "replaced": "another phone has taken over",
    "clock": "the phone's clock jumped, as clocks do when a phone sleeps",
    "closed": "the phone was closed",
}
