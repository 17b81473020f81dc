"""`tools/check_changed.py` finds what a change concerns."""

import check_changed
import pytest


def test_a_module_has_its_own_tests_those_of_its_importers_and_its_pages(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert check_changed.main(["desk/shelf/film_process.py", "referee/karuta/order.py"]) == 0
    said = capsys.readouterr().out
    beside, _, rest = said.partition("tests that import it")
    near, _, rest = rest.partition("tests that reach it through other modules")
    assert "tests/desk/shelf/test_film_process.py" in beside
    assert "tests/desk/shelf/test_uploads.py" not in said, "another module's tests"
    assert "tests/e2e/test_film_page.py" in near
    assert "browser ones in" in near
    assert "tests/golden/karuta_situations.txt" in rest
    assert "docs/architecture.md" in rest


def test_a_module_of_the_panel_concerns_its_phrases_in_both_languages() -> None:
    told = check_changed.texts_of(["desk/koikoi/page/view.py"])
    assert told["phrases, both languages"] == [
        "desk/koikoi/page/texts.toml",
        "desk/panel/locale/ja/LC_MESSAGES/panel.po",
    ]
    assert told["golden files (--regold)"] == []


def test_whatever_imports_a_module_in_any_way_is_reached() -> None:
    reached = check_changed.reached(["referee/sides.py"])
    assert "referee/karuta/judge.py" in reached
    assert "tests/referee/karuta/test_judge.py" in reached
