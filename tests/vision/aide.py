"""A helper for tests: it does its errands when it is told to."""

from vision.launch.errands import Errand
from vision.launch.flight import finished


class Aide:
    """What `vision.launch.errands.Helper` expects, in this process.

    Attributes
    ----------
    asked : all errands it was asked, but those taken back.
    others : errands that somebody else has asked it.
    begins : whether it begins errands at once, so that none can be taken back.
    """

    def __init__(self, *, begins: bool = True) -> None:
        self.asked: list[Errand] = []
        self.others = 0
        self.begins = begins

    @property
    def load(self) -> int:
        return self.others + sum(not (errand.is_done or errand.is_lost) for errand in self.asked)

    def ask(self, errand: Errand) -> Errand:
        self.asked.append(errand)
        return errand

    def take_back(self, errand: Errand) -> bool:
        if self.begins or errand.is_done:
            return False
        self.asked.remove(errand)
        errand.is_lost = True
        return True

    def go_on(self, wait_s: float = 0.0) -> None:
        pass

    def work(self) -> None:
        for errand in self.asked:
            if not errand.is_done:
                errand.take_in(finished(errand.steps({})))
