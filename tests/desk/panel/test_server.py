"""The addresses of the panel, and who may connect."""

import asyncio
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from desk.machine.config import first_free
from desk.panel.server import PanelAddress
from tests.desk.karuta.house.test_panel_port import port_of
from tests.desk.karuta.karuta_script import begin

pytestmark = pytest.mark.live


def status(url: str, **headers: str) -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def served(tmp_path: Path, address: PanelAddress, ask: Callable[[], list[int]]) -> list[int]:
    """Serve a match's panel on a real port and return what `ask` was answered."""
    engine = begin(tmp_path / "match.sqlite")
    port = port_of(engine, tmp_path)

    async def serve() -> list[int]:
        server = address.server(address.app(port))
        serving = asyncio.get_running_loop().create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        answers = await asyncio.to_thread(ask)
        port.close()
        server.should_exit = True
        await serving
        return answers

    return asyncio.run(asyncio.wait_for(serve(), 30))


def test_on_this_machine_alone_everyone_is_the_operator(tmp_path: Path) -> None:
    address = PanelAddress.choose(first_free("127.0.0.1", 22_481), lan=False)
    assert address.host == "127.0.0.1"
    assert address.describe() == f"panel: http://127.0.0.1:{address.port}"
    url = f"http://127.0.0.1:{address.port}"
    answers = served(tmp_path, address, lambda: [status(f"{url}/"), status(f"{url}/", Host="evil.example")])
    assert answers == [200, 400]


def test_a_hall_reads_and_the_token_commands(tmp_path: Path) -> None:
    address = PanelAddress.choose(first_free("127.0.0.1", 22_481), lan=True)
    assert address.host == "0.0.0.0"
    first, *others = address.describe().splitlines()
    assert "/join/" in first
    assert others == [f"viewers: http://{each}:{address.port}" for each in address.addresses]
    urls = [f"http://{each}:{address.port}/" for each in ("127.0.0.1", *address.addresses)]
    assert set(served(tmp_path, address, lambda: [status(url) for url in urls])) == {200}
