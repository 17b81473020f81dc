"""A film as a disputed case: a ZIP archive that anybody can judge again, or make a test of."""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from calibration.files.storage import leave_room, writing
from desk.card_games import CARD_GAMES
from desk.films.film import open_film
from desk.films.folder import write_down
from desk.films.game import deck_of_table, head_of, seats_of, sections_of
from desk.films.judgement import FilmHints
from desk.karuta.evidence.poem_json import judged_facts
from desk.karuta.eye.recorded_match import rules_named
from desk.shelf.verdicts import FilmPoem, Verdicts
from referee.karuta.ruleset import RuleSet

_README = """A film that was judged by shinpan, handed in because somebody disagrees.

Judge it again:  shinpan judge {name}
rulings.json holds what was ruled, recording.toml and reading.jsonl what was filmed and read,
evidence the pictures around the contacts of each poem. {remark}
"""


@dataclass(frozen=True, slots=True)
class Case:
    """The content of a case."""

    name: str  # the folder inside the archive
    # film, verdicts, told, rules: the film's file, its verdicts, a person's answers, and the rules
    film: Path
    verdicts: Verdicts
    told: FilmHints
    rules: str | None
    evidence: Path
    remark: str  # a line for people, such as the name of the film


def write_archive(path: Path, case: Case) -> None:
    """Write a case into a ZIP file, whole or not at all; DeskError, OSError if it cannot be written."""
    name, verdicts, told, rules = case.name, case.verdicts, case.told, case.rules
    film = open_film(case.film, told.filmed_fps)
    game = verdicts.game
    assert game, "it was judged"
    with TemporaryDirectory(prefix="shinpan-case-") as lent:
        folder = Path(lent)
        if game == "karuta":
            write_down(folder, film, "karuta", readings=[poem.reading.line() for poem in verdicts.poems])
        else:
            table = CARD_GAMES[game]
            deck = deck_of_table(film, table, told.deck)
            seats = seats_of(film, table, told.seats)
            head, sections = head_of(table, seats, rules), sections_of(table, deck, seats)
            write_down(folder, film, game, head=head, sections=sections)
        leave_room(path.parent)
        with writing(path) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr(f"{name}/README.txt", _README.format(name=name, remark=case.remark))
            ruled = json.dumps(_rulings(verdicts, rules), ensure_ascii=False, indent=1)
            archive.writestr(f"{name}/rulings.json", ruled)
            for each in sorted(folder.iterdir()):
                archive.write(each, f"{name}/{each.name}")
            for poem in verdicts.poems:
                if poem.evidence is not None and (case.evidence / poem.evidence).is_file():
                    archive.write(case.evidence / poem.evidence, f"{name}/evidence/{poem.evidence}")
            archive.write(film.path, f"{name}/{film.path.name}")


def _rulings(verdicts: Verdicts, rules: str | None) -> dict[str, Any]:
    if verdicts.game != "karuta":
        return dict(verdicts.judged)
    ruleset = rules_named(rules)
    return {"rules": ruleset.name, "poems": [_poem(poem, ruleset) for poem in verdicts.poems]}


def _poem(poem: FilmPoem, rules: RuleSet) -> dict[str, Any]:
    judged = judged_facts(poem.start, poem.look.layout, poem.look.facts, rules)
    doubt = {"reading_doubt": poem.reading.doubt} if poem.reading.doubt else {}
    return {**judged, **doubt, "evidence": poem.evidence}
