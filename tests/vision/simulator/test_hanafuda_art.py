"""The house's own deck: complete, and no two of its cards can be mistaken for each other."""

import csv
from pathlib import Path

from calibration.decks.enrolment import enrol_folder
from vision.simulator.art.hanafuda import drawn_deck
from vision.simulator.cardtable.recording import write_deck_folder


def test_the_drawn_deck_passes_its_own_enrolment(tmp_path: Path) -> None:
    # the enrolment refuses blur, wrong shapes and cards of different classes that look alike
    write_deck_folder(drawn_deck(), tmp_path)
    with (tmp_path / "index.csv").open(encoding="utf-8") as stream:
        assert len(list(csv.DictReader(stream))) == 48
    assert enrol_folder(tmp_path, "hanafuda", "again")
