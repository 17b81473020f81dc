"""The panels answer what they describe, and their examination finds what is not described."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.desk.panel.examination import Examination
from tests.desk.panel.pages import PAGES


@pytest.mark.parametrize("name", PAGES)
def test_no_server_error_and_no_undescribed_answer(name: str, tmp_path: Path) -> None:
    page = PAGES[name](tmp_path)
    try:
        examination = Examination(page)
        examination.ask_all(1, 5)
    finally:
        page.close()
    assert examination.requests >= 5
    assert not examination.problems
