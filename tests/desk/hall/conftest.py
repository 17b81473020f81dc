"""A hall for the tests of one file."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # the files skip themselves where the extra is missing
    from tests.desk.hall.halls import SmallHall


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator["SmallHall"]:
    from tests.desk.hall.halls import small_hall

    with small_hall(tmp_path_factory.mktemp("hall")) as hall:
        yield hall
