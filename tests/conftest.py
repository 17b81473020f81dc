"""What every test may ask for: the data beside the checkout, and golden files."""

import gc
import os
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from desk.log.database import is_open

SHARED = Path(__file__).resolve().parents[2] / "shared"
GOLDEN = Path(__file__).parent / "golden"

# How long an example takes says more about the machine's other work than about the code.
settings.register_profile("shinpan", deadline=None)
settings.load_profile("shinpan")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--regold", action="store_true", help="rewrite tests/golden; review the difference as a rule change"
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Take what is imported for lasting: Python would look through all of it again and again for garbage."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse a test that runs by the clock where its file does not say so: `.ci/run` finds it by the text."""
    marks = ("live", "browser")
    unsaid = {
        item.path.name
        for item in items
        if any(item.get_closest_marker(mark) for mark in marks)
        and not any(f"mark.{mark}" in item.path.read_text("utf-8") for mark in marks)
    }
    if unsaid:
        raise pytest.UsageError(
            f"write pytest.mark.live or pytest.mark.browser in {', '.join(sorted(unsaid))}"
        )


OPENED_TWICE: list[str] = []


def _note_what_is_opened_twice(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and isinstance(arguments[0], str | bytes) and is_open(Path(os.fsdecode(arguments[0]))):
        OPENED_TWICE.append(os.fsdecode(arguments[0]))


sys.addaudithook(_note_what_is_opened_twice)


@pytest.fixture(autouse=True)
def no_database_is_opened_by_other_means() -> Iterator[None]:
    """Fail where a file is opened of which SQLite has a connection: closing it would drop SQLite's locks."""
    OPENED_TWICE.clear()
    yield
    assert not OPENED_TWICE, f"read these by desk.log.database, or close the log first: {OPENED_TWICE}"


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("shared") and not SHARED.is_dir():
        pytest.skip(f"needs the test data in {SHARED}, which is absent")


@pytest.fixture
def shared() -> Path:
    """The folder of test data beside the checkout; skips the test where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"needs the test data in {SHARED}, which is absent")
    return SHARED


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with the golden file of that name, or rewrite the file under `--regold`."""

    def check(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--regold"):
            path.write_text(text, "utf-8")
        assert text == path.read_text("utf-8"), f"{name} differs; review, then run pytest --regold"

    return check
