"""A hall on a tournament day to look at: a real message server, a board, and eight mats that play by dice."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from random import Random
from tempfile import TemporaryDirectory
from threading import Thread

import uvicorn

from benchmarks.hall.floor import Servers, servers
from benchmarks.hall.tournament import Mat, Tally
from desk.hall.board.floor import Floor
from desk.hall.board.schedule import Schedule
from desk.hall.link import end
from desk.hall.page.app import create_hall_app
from desk.panel.sockets import page_server
from desk.tournament.desk import TournamentDesk
from referee.tournament.division import System
from referee.tournament.events import TournamentOpened

MATS = 8
NAMES = (
    *("Hana", "Jun", "Mio", "Ken", "Yui", "Ren", "Aoi", "Sora"),
    *("Rin", "Kai", "Emi", "Taro", "Nao", "Shun", "Mei", "Gen"),
)
CLUBS = ("North", "South", "River", "Harbour")


@contextmanager
def hall_day(port: int) -> Iterator[str]:
    """Run a hall whose mats play whatever the board puts onto them; yields the board's address.

    `port`: of the board; the message server's is ten higher.
    """
    begun: Queue[uvicorn.Server] = Queue()
    # a thread of its own: a caller that drives a browser has a loop in this one
    day = Thread(target=_run, args=(port, begun))
    day.start()
    server = begun.get(timeout=60)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        day.join()


def _run(port: int, begun: Queue[uvicorn.Server]) -> None:
    with servers(1, MATS, port + 10) as hall, TemporaryDirectory() as folder:
        asyncio.run(_play(hall, Path(folder), port, begun))


async def _play(hall: Servers, folder: Path, port: int, begun: Queue[uvicorn.Server]) -> None:
    mats = [
        Mat(hall.ticket(f"mat-{n:02d}"), folder / f"mat-{n:02d}", Tally(), Random(n), pause_s=0.3 + n / 10)
        for n in range(1, MATS + 1)
    ]
    floor = Floor(hall.ticket("board"), folder / "board")
    desk = TournamentDesk.at(folder / "tournament.sqlite", TournamentOpened("Spring", "12 May"))
    schedule = Schedule(desk, floor)
    floor.open()
    tasks = [asyncio.ensure_future(schedule.run())]
    for mat in mats:
        tasks += await mat.open()
    rows = [f"A,{name},{CLUBS[n % len(CLUBS)]}" for n, name in enumerate(NAMES)]
    schedule.enter("\n".join(["class,name,club", *rows]).encode(), "list.csv", System.ELIMINATION, None)
    app = create_hall_app(floor, schedule)
    server = page_server(app, port=port, log_level="error")
    begun.put(server)
    await server.serve()
    await end(tasks)
    for mat in mats:
        await mat.link.close()
    await floor.close()
    desk.close()
