"""The rulebook: every reason and doubt has a source, and a text in both languages."""

import re
from pathlib import Path

from referee.karuta import rulebook
from referee.karuta.ruling import Doubt

KARUTA = Path(rulebook.__file__).parent


def test_every_reason_names_a_known_source_and_both_texts() -> None:
    for reason in rulebook.reasons().values():
        assert reason.source in rulebook.sources()
        assert reason.paragraph
        assert re.search("[ぁ-ゖ一-龠]", reason.ja)
        assert reason.en.endswith(".")


def test_every_doubt_has_a_text() -> None:
    assert set(rulebook.doubts()) == set(Doubt)
    assert all(text.ja and text.en for text in rulebook.doubts().values())


def test_every_reason_is_given_somewhere() -> None:
    code = "".join(path.read_text("utf-8") for path in KARUTA.rglob("*.py"))
    assert [id_ for id_ in rulebook.reasons() if f'"{id_}"' not in code] == []


def test_sources_have_titles() -> None:
    assert set(rulebook.sources()) == {"seed-000", "seed-001", "official", "reading"}
    assert all(source.title_ja and source.title_en for source in rulebook.sources().values())
