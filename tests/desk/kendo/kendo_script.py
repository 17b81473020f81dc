"""Courts of Kendo cards for tests: the places of cards, without pictures."""

from pathlib import Path

from desk.kendo.desk import KendoDesk
from desk.kendo.events import BoutOpened, CourtLook, LaidCard
from desk.log.event_log import EventLog
from referee.kendo.house_rules import preset

PITCH_MM = 74.0
PAIR_MM = 24.0


class Court:
    """A court on which cards are laid, with a clock that goes on by a second a look."""

    def __init__(self) -> None:
        self.plays: tuple[list[list[str]], list[list[str]]] = ([], [])
        self.marks: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        self.done: tuple[str, ...] = ()
        self.t_ms = 0.0

    def lay(self, seat: int, *faces: str) -> CourtLook:
        """Lay a play."""
        self.plays[seat].append(list(faces))
        return self.look(seat)

    def join(self, seat: int, face: str) -> CourtLook:
        """Lay one more card onto the latest play."""
        self.plays[seat][-1].append(face)
        return self.look(seat)

    def take_back(self, seat: int) -> CourtLook:
        """Take the latest play back into the hand."""
        self.plays[seat].pop()
        return self.look(seat)

    def sweep(self, seat: int) -> CourtLook:
        """Put all cards aside."""
        cards = [face for side in self.plays for play in side for face in play]
        self.done = (cards[-1],) if cards else self.done
        for side in self.plays:
            side.clear()
        return self.look(seat)

    def look(self, *arms: int) -> CourtLook:
        """Return the court as it lies now."""
        self.t_ms += 1000
        first, second = (
            tuple(
                LaidCard(face, place * PITCH_MM + number * PAIR_MM, 400.0 - 150 * seat)
                for place, play in enumerate(side)
                for number, face in enumerate(play)
            )
            for seat, side in enumerate(self.plays)
        )
        return CourtLook(self.t_ms, (first, second), self.marks, self.done, frozenset(arms))


def opened_desk(folder: Path) -> KendoDesk:
    """Open a bout in a folder."""
    log = EventLog.create(folder / "bout.sqlite")
    return KendoDesk(log, BoutOpened("bout", "simulator", preset(), "shinpan-kendo", 63.0))
