"""An archive on several machines: every recording is judged once, even if workers die."""

import asyncio
import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")

from desk.archive import workers
from desk.archive.recordings import HouseRules, key_of, program_digest
from desk.commands.cli import main
from desk.errors import DeskError
from desk.hall import archive as archive_module
from desk.hall import store
from desk.hall.archive import Judge, Order, Outcome, Queue, unpacked
from desk.hall.operation.plan import tickets
from tests.desk.archive.scripted_judge import judge
from tests.desk.archive.test_recordings import recording
from tests.desk.hall.halls import SmallHall, needs_server, run, small_hall

pytestmark = needs_server


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallHall]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "ACK_S", 1.0)
        patch.setattr(archive_module, "_LIFE_S", 0.2)
        with small_hall(tmp_path_factory.mktemp("hall")) as hall:
            yield hall


def orders(archive: Path, names: list[str]) -> list[Order]:
    found = []
    for name in names:
        folder = recording(archive / name, name.encode())
        found.append(Order(name, key_of(folder, HouseRules()), program_digest()))
    return found


def test_who_dies_loses_nothing_and_nothing_is_judged_twice(
    hall: SmallHall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "judge_task", judge)
    names = ["a", "b", "c", "dies"]
    listed = orders(tmp_path / "archive", names)
    told: list[str] = []

    async def test() -> None:
        async with hall.link("worker-1") as link, hall.link("worker-2") as other:
            queue = Queue(link)
            assert await queue.add(listed) == 4
            taken = await queue.take(5.0)
            assert taken is not None  # and its worker is killed: it never answers
            judge = Judge(
                Queue(other),
                tmp_path / "archive",
                tmp_path,
                lambda outcome, _: told.append(outcome.order.name),
            )
            await judge.run(1, until_empty=True)
            assert sorted(told) == names
            assert await queue.waiting() == 0
            found = {order.name: await queue.outcome(order.key) for order in listed}
            problems = {name: each[0].problem for name, each in found.items() if each is not None}
            assert [name for name, problem in problems.items() if problem] == ["dies"]
            a = found["a"]
            assert a is not None
            assert json.loads(a[0].result)["archive"]["recording"] == "a"
            # a second fill asks for what failed, and for nothing else
            assert await queue.add(listed) == 1
            taken = await queue.take(5.0)
            assert taken is not None
            assert taken[0].name == "dies"
            await taken[1].ack()

    run(test, 40.0)
    results = tmp_path / "results"
    words = ["hall", "work", "collect", "--hall", str(tickets(hall.plan.folder) / "worker-1.toml")]
    assert main([*words, "--results", str(results)]) == 1
    summary = json.loads((results / "summary.json").read_text())
    assert (summary["judged"], summary["failed"], summary["totals"]) == (3, 1, {"poems": 6, "review": 3})


def test_a_damaged_result_is_told_and_hides_no_other(
    hall: SmallHall, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    later = Order("later", "3" * 64, "program")

    async def test() -> None:
        async with hall.link("worker-1") as link:
            await link.keep("hall.result.damaged", b"no result")
            assert await Queue(link).keep(Outcome(later, problem="too dark"))

    run(test)
    words = ["hall", "work", "collect", "--hall", str(tickets(hall.plan.folder) / "worker-1.toml")]
    assert main([*words, "--results", str(tmp_path)]) == 1
    assert "hall.result.damaged: a result of the hall cannot be read" in capsys.readouterr().err
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert "later" in [row["recording"] for row in summary["results"]]


async def test_another_version_judges_nothing_and_no_other_files(hall: SmallHall, tmp_path: Path) -> None:
    (mine,) = orders(tmp_path / "archive", ["mine"])
    (tmp_path / "archive" / "mine" / "video.mkv").write_bytes(b"changed")
    outcomes: list[Outcome] = []

    async with hall.link("worker-1") as link:
        queue = Queue(link)
        judge = Judge(queue, tmp_path / "archive", tmp_path, lambda outcome, _: outcomes.append(outcome))
        await queue.add([mine, Order("../outside", "1" * 64, program_digest())])
        await judge.run(1, until_empty=True)
        await queue.add([Order("x", "2" * 64, "another program")])
        with pytest.raises(DeskError, match="another version of shinpan"):
            await judge.run(1, until_empty=True)
        taken = await queue.take(5.0)
        assert taken is not None, "it is still there for who can judge it"
        await taken[1].ack()

    assert "sees other files" in outcomes[0].problem
    assert "lies outside" in outcomes[1].problem


async def test_a_recording_that_costs_workers_their_lives_is_left_to_a_person(
    hall: SmallHall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (mine,) = orders(tmp_path / "archive", ["deadly"])
    outcomes: list[Outcome] = []

    async with hall.link("worker-1") as link:
        queue = Queue(link)
        await queue.add([mine])
        for _ in range(3):
            taken = await queue.take(5.0)
            assert taken is not None
            await taken[1].nak()
            await asyncio.sleep(0.05)
        judge = Judge(queue, tmp_path / "archive", tmp_path, lambda outcome, _: outcomes.append(outcome))
        await judge.run(1, until_empty=True)

    assert "3 workers ended" in outcomes[0].problem


def test_what_is_missing_is_told(hall: SmallHall, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ticket = str(tickets(hall.plan.folder) / "worker-1.toml")
    assert main(["hall", "work", "run", "--hall", ticket]) == 2
    assert "hall work run needs --archive FOLDER" in capsys.readouterr().err
    folder = recording(tmp_path / "clip", b"clip")
    assert main(["hall", "work", "add", "--hall", "no ticket", "--archive", str(folder)]) == 2
    assert "is one recording: name the folder that it lies in" in capsys.readouterr().err


KEY = "0" * 64


def packed(name: object, key: object) -> bytes:
    order = {"name": name, "key": key, "program": "program", "rules": None, "deck": None}
    return gzip.compress(json.dumps({"order": order, "result": "", "problem": "too dark"}).encode(), mtime=0)


@pytest.mark.parametrize(("name", "key"), [("a", "../outside"), ("a", f"{KEY}\n"), ("a", 5), (5, KEY)])
def test_an_odd_outcome_is_refused(name: object, key: object) -> None:
    whole = packed(name, key)
    for data in (whole, whole[:10] + bytes(len(whole) - 10)):
        with pytest.raises(DeskError, match="cannot be read"):
            unpacked(data)


def test_an_outcome_that_unpacks_to_more_than_memory_is_refused() -> None:
    bomb = gzip.compress(b'{"result": "' + bytes(65 << 20) + b'"}')
    assert len(bomb) < 1 << 20
    with pytest.raises(DeskError, match="at most 64 MiB"):
        unpacked(bomb)
