"""Halls for the tests, whose coroutines run on a loop of their own."""

import asyncio
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # the files skip themselves where the extra is missing
    from tests.desk.hall.halls import SmallHall

LIMIT_S = 240.0  # only what hangs takes it


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    given = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    asyncio.run(asyncio.wait_for(pyfuncitem.obj(**given), LIMIT_S))
    return True


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator["SmallHall"]:
    from tests.desk.hall.halls import small_hall

    with small_hall(tmp_path_factory.mktemp("hall")) as hall:
        yield hall


@pytest.fixture
def own_hall(tmp_path: Path) -> Iterator["SmallHall"]:
    """Return a hall for a test that breaks it."""
    from tests.desk.hall.halls import small_hall

    with small_hall(tmp_path / "hall") as hall:
        yield hall
