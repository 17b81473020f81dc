"""`shinpan hall board`: the line that started a tournament goes on with it after a crash."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("nats")

from desk.hall.operation.plan import HallPlan, tickets, write
from desk.tournament.desk import TournamentDesk
from referee.tournament.draw import next_round
from referee.tournament.events import TournamentOpened
from tests.desk.hall.halls import free_port

LIST = "class,name,club,number\nA,Hana,X,1\nA,Ken,Y,2\nA,Mei,Z,3\n"


@contextmanager
def board(folder: Path, *arguments: str, has_hall: bool = True) -> Iterator[list[str]]:
    """Start a board, without a hall or with one that does not answer; give its lines, and kill it."""
    plan = HallPlan(folder / "hall", ("127.0.0.1",), 1, tls=False, client_port=free_port())
    if has_hall and not plan.folder.exists():
        write(plan)
    hall = ("--hall", str(tickets(plan.folder) / "board.toml")) if has_hall else ()
    command = [sys.executable, "-m", "desk", "hall", "board", *hall, "--port", str(free_port())]
    process = subprocess.Popen(
        [*command, "--folder", str(folder / "bd"), *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    lines = []
    try:
        for line in process.stdout:
            lines.append(line)
            if "http" in line:
                break
        yield lines
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def tournament(folder: Path) -> TournamentDesk:
    return TournamentDesk.at(folder / "bd" / "tournament.sqlite", TournamentOpened("other", "x"))


def test_the_same_line_goes_on_after_a_crash(tmp_path: Path) -> None:
    listed = tmp_path / "list.csv"
    listed.write_text(LIST, "utf-8")
    line = ("--name", "Spring", "--entrants", str(listed), "--system", "swiss", "--rounds", "2")
    with board(tmp_path, *line) as said:
        assert said[0] == "3 entered\n"
    desk = tournament(tmp_path)
    desk.tell(next_round(desk.state, "A"))
    before = desk.state
    desk.close()
    with board(tmp_path, *line) as said:
        assert said[0].startswith("0 entered; the tournament in ")
        assert "http" in said[-1]
    # a class that is drawn takes nobody in, and the board serves all the same
    listed.write_text(LIST + "A,Zoe,X,\n", "utf-8")
    with board(tmp_path, *line) as said:
        assert "goes on without " in said[0]
        assert "class A is drawn already; cancel the draw before Zoe enters" in said[0]
        assert "http" in said[-1]
    desk = tournament(tmp_path)
    assert desk.state == before
    desk.close()
