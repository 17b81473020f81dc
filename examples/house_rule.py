"""A club's own rules of karuta, and the rulings of a match that they would have changed.

    uv run python examples/house_rule.py MATCH.sqlite

Rules are data. This club gives a card that was taken with the wrong hand to the opponent, lets nobody settle
faults against one another, and sends to the officials whatever is less sure than 0.95.
"""

import sys
from dataclasses import replace
from pathlib import Path

from desk.errors import DeskError
from desk.karuta.house.second_judgement import Difference, rejudge, steps_again
from desk.log.event_log import EventLog
from referee.karuta.house_rules import PRESETS
from referee.karuta.ruleset import BothFault, WrongHand

OUR_RULES = replace(
    PRESETS["kyogi"],
    name="our club",
    wrong_hand=WrongHand.OPPONENT_TAKES,
    both_fault=BothFault.CANCEL_ALL,
    min_confidence=0.95,
)


def changed(match: Path) -> list[Difference]:
    """Return the rulings of a stored match that would be others under our rules."""
    with EventLog.read(match) as log:
        engine, _ = steps_again(log)
    return rejudge(engine, OUR_RULES)


def main() -> int:
    """Print what our rules would have changed."""
    if len(sys.argv) != 2:
        sys.exit("usage: house_rule.py MATCH.sqlite")
    try:
        differences = changed(Path(sys.argv[1]))
    except DeskError as error:
        sys.exit(str(error))
    for difference in differences:
        print(difference.line())
    print(f"{len(differences)} rulings would differ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
