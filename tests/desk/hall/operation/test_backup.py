"""A backup of a hall that runs, and what comes back of it."""

import asyncio
from pathlib import Path

import pytest

pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")

from desk.errors import DeskError
from desk.hall.link import Link
from desk.hall.messages import EXPECTED_HEADER
from desk.hall.operation.backup import back_up, restore
from desk.hall.streams import hall_streams
from desk.hall.subjects import events_of
from tests.desk.hall.halls import needs_server, run, small_hall

pytestmark = needs_server
SUBJECT = events_of("mat-01", "m")


async def lose_everything(link: Link) -> None:
    for config in hall_streams():
        await link.stream().delete_stream(str(config.name))


def test_a_hall_comes_back_with_its_numbers_and_goes_on(tmp_path: Path) -> None:
    with small_hall(tmp_path / "hall") as hall:

        async def test() -> None:
            async with hall.link("operator") as link:
                stream = link.stream()
                for number in range(5):
                    await stream.publish(SUBJECT, b"x" * 100_000 + bytes([number]))
                kept = {each.name: each.messages for each in await back_up(link, tmp_path / "backup")}
                assert kept["EVENTS"] == 5
                assert set(kept) == {str(config.name) for config in hall_streams()}

                with pytest.raises(DeskError, match="already, and a backup goes into an empty hall"):
                    await restore(link, tmp_path / "backup")
                await lose_everything(link)
                assert {each.name: each.messages for each in await restore(link, tmp_path / "backup")} == kept
                last = await stream.get_last_msg("EVENTS", SUBJECT, direct=True)
                assert (last.seq, (last.data or b"")[-1]) == (5, 4)
                answer = await stream.publish(SUBJECT, b"next", headers={EXPECTED_HEADER: "5"})
                assert answer.seq == 6

                await lose_everything(link)
                with (tmp_path / "backup" / "EVENTS.snapshot").open("ab") as file:
                    file.truncate(10)
                with pytest.raises(DeskError, match="not whole"):
                    await restore(link, tmp_path / "backup")
                for damaged in ('{"size": 10}', "[]"):
                    (tmp_path / "backup" / "EVENTS.json").write_text(damaged)
                    with pytest.raises(DeskError, match="describes no stream"):
                        await restore(link, tmp_path / "backup")
                with pytest.raises(DeskError):
                    await restore(link, tmp_path / "nowhere")

        run(test)


def test_a_backup_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    link = Link.__new__(Link)
    with pytest.raises(DeskError, match="cannot be written"):
        asyncio.run(back_up(link, tmp_path / "file" / "backup"))
