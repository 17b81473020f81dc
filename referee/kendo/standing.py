"""What stands against the player whose move it is."""

from dataclasses import dataclass

from referee.cards.kendo import Technique
from referee.sentence import Sentence


class Situation:
    """The base of all situations."""

    __slots__ = ()

    def told(self) -> Sentence:
        """Return what stands, for people."""
        raise NotImplementedError  # pragma: no cover (every situation has its text)

    def __str__(self) -> str:
        return self.told()


@dataclass(frozen=True, slots=True)
class Nothing(Situation):
    """Nothing stands: the player opens a round."""

    def told(self) -> Sentence:
        return Sentence("nothing stands")


@dataclass(frozen=True, slots=True)
class Attack(Situation):
    """An attack."""

    technique: Technique
    red: bool = False  # whether it comes from a red card; otherwise from a brown one

    def told(self) -> Sentence:
        technique = str(self.technique)
        if self.red:
            return Sentence("red attack {technique}", technique=technique)
        return Sentence("brown attack {technique}", technique=technique)


@dataclass(frozen=True, slots=True)
class Seme(Situation):
    """SEME demands MEN UCHI, KOTE UCHI, DO UCHI or TSUKI without a companion."""

    reopens: int  # seat that opens if SEME is neutralised and nothing lies under it
    under: Attack | None = None  # attack of the red card played with it
    before: Attack | None = None  # attack that this red card answered

    def told(self) -> Sentence:
        if self.under is None:
            return Sentence("SEME")
        return Sentence("SEME over {standing}", standing=self.under.told())


@dataclass(frozen=True, slots=True)
class SemeAnswered(Situation):
    """SEME was answered with a brown card: a fitting red card now scores."""

    technique: Technique

    def told(self) -> Sentence:
        return Sentence("SEME answered with {technique}", technique=str(self.technique))


@dataclass(frozen=True, slots=True)
class Fudoshin(Situation):
    """FUDOSHIN with a red card is about to take cards; only FUDOSHIN stops it."""

    under: Attack  # attack of the red card played with it
    before: Attack  # attack that this red card answered

    def told(self) -> Sentence:
        return Sentence("FUDOSHIN over {standing}", standing=self.under.told())


@dataclass(frozen=True, slots=True)
class Oshidashi(Situation):
    """OSHIDASHI demands KAIHI SURU."""

    def told(self) -> Sentence:
        return Sentence("OSHIDASHI")


@dataclass(frozen=True, slots=True)
class MakiWaza(Situation):
    """MAKI WAZA demands TSUYOI KAMAE."""

    def told(self) -> Sentence:
        return Sentence("MAKI WAZA")


@dataclass(frozen=True, slots=True)
class Jodan(Situation):
    """JODAN NO KAMAE must be neutralised; then its brown attack stands."""

    technique: Technique

    def told(self) -> Sentence:
        return Sentence("JODAN NO KAMAE with {technique}", technique=str(self.technique))


Standing = Nothing | Attack | Seme | SemeAnswered | Fudoshin | Oshidashi | MakiWaza | Jodan
