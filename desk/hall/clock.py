"""The hall's clock: mats ask the reader's machine for its time over the existing connection.

As in NTP, question and answer both bound the difference of the clocks (`calibration.clocks.remote_clock`), so
the stated uncertainty holds however asymmetric the delays are; the answers with the tightest bounds count.
"""

import asyncio
import sys
from typing import Final

from nats.aio.msg import Msg
from nats.errors import Error

from calibration.clocks.remote_clock import LaidOnto, RemoteClock
from desk.hall.link import Link
from desk.hall.messages import ClockAsked, ClockTold, MessageError, pack, unpack
from desk.hall.signature import ForeignMessageError
from desk.hall.subjects import CLOCK
from desk.log.clocks import Clock, match_clock

_FIRST_S: Final = 0.1
_ANSWERS: Final = 8  # number of questions in quick succession at first, until the clock is known well
_EVERY_S: Final = 1.0
"""Period of the later questions: two quartz clocks drift apart by up to 0.1 ms meanwhile, and a hundred mats
ask a hundred times a second."""
_ANSWER_S: Final = 1.0


async def answer_clock(link: Link, session: str, clock: Clock = match_clock) -> None:
    """Answer the mats' questions on the reader's machine, whose clock is the hall's."""

    async def answer(asked: Msg) -> None:
        came_ns = clock()
        await link.answer(asked, pack(ClockTold(session, came_ns, clock())))

    await link.listen(CLOCK, answer, is_signed=False)  # everybody may know the time


class HallClock:
    """A mat's estimate of the hall's clock.

    `session`: session of the reader whose clock it is; empty before the first answer.
    """

    def __init__(self, link: Link, clock: Clock = match_clock) -> None:
        self.session, self._remote = "", RemoteClock()
        self._link, self._clock = link, clock

    @property
    def is_known(self) -> bool:
        return self._remote.is_known

    @property
    def unc_ns(self) -> int | None:
        """Uncertainty of the clock now, 95 % half width; None while it is not known."""
        if not self.is_known:
            return None
        # the present instant on the other clock, roughly: exact enough for the drift
        return self.laid_onto(round(self._clock() - self._remote.laid_onto(0).t_ns)).t_unc_ns

    def laid_onto(self, hall_ns: int) -> LaidOnto:
        """Return an instant of the hall's clock on the mat's own clock; ValueError while it is not known."""
        return self._remote.laid_onto(hall_ns)

    async def run(self) -> None:
        while True:
            await self._link.joined()
            try:
                await self._ask()
            except (Error, OSError, TimeoutError):
                pass  # no reader or no link: the estimate stays, and its uncertainty grows
            except ForeignMessageError:
                pass  # the link told it
            except MessageError as error:
                sys.stderr.write(f"shinpan: hall: {error}\n")
            await asyncio.sleep(_FIRST_S if 0 < self._remote.answers < _ANSWERS else _EVERY_S)

    async def _ask(self) -> None:
        question = pack(ClockAsked(self._link.ticket.user))
        sent_ns = self._clock()
        answer = await self._link.ask(CLOCK, question, _ANSWER_S)
        back_ns = self._clock()
        told = unpack(answer.data)
        if not isinstance(told, ClockTold) or told.sent_ns < told.came_ns:
            raise MessageError("the answer about the hall's clock tells no time")
        if told.session != self.session:
            self.session, self._remote = told.session, RemoteClock()
        # the reader's processing time is not part of the round trip
        back_ns -= min(told.sent_ns - told.came_ns, back_ns - sent_ns)
        self._remote.answered(sent_ns, told.came_ns, back_ns)
