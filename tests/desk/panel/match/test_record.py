"""The record of a match adds up the standing rulings, and its CSV is safe in spreadsheets."""

import asyncio
import csv
import io
from pathlib import Path

import httpx
import pytest

from desk.panel.app import create_app
from desk.panel.match import record_routes
from desk.panel.match.record import as_csv, fastest, most_doubtful, poem_rows, side_sums
from tests.desk.panel.panel_port import MS, ScriptedPort
from tests.desk.panel.visitor import browser_of


async def played() -> ScriptedPort:
    """Play three poems: near takes at home after a race, far takes from near and near faults, a dead card."""
    port = ScriptedPort()
    home, away, wrong = port.card_of("near", 0), port.card_of("near", 1), port.card_of("far", 0)
    dead = port.dead_card()
    for poem, touches in (
        (home, [(home, "near", 900), (home, "far", 940)]),
        (away, [(away, "far", 700), (wrong, "far", 760)]),
        (dead, [(wrong, "near", 800)]),
    ):
        await port.read(poem)
        ruled = await port.rule(poem, [port.touch(card, side, ms) for card, side, ms in touches])  # type: ignore[arg-type]
        ruled["t_kimariji_ns"] = ruled["t_poem_ns"] + 500 * MS
    return port


@pytest.fixture
def port() -> ScriptedPort:
    return asyncio.run(played())


def visit(port: ScriptedPort, path: str) -> httpx.Response:
    return browser_of(create_app(port)).get(path)


def test_takes_faults_and_reactions_are_added_up_for_each_side(port: ScriptedPort) -> None:
    rows = poem_rows(port.state())
    near, far = side_sums(rows, "near"), side_sums(rows, "far")
    assert (near["own_takes"], near["opponent_takes"], near["faults"]) == (1, 0, 1)
    assert (far["own_takes"], far["opponent_takes"], far["faults"]) == (0, 1, 1)
    assert (near["fastest_reaction_ms"], far["fastest_reaction_ms"]) == (400.0, 200.0)
    assert (near["timed"], far["timed"]) == (1, 1)
    page = " ".join(visit(port, "/record?lang=en").text.split())
    assert "200.0 ms · 1 take" in page, "a median says of how many takes it is"
    assert far["sent"] == sum(ruled["sends"]["far"] for ruled in port.snapshot["poems"])


def test_a_take_before_the_kimariji_is_the_fastest_and_is_shown_as_such(port: ScriptedPort) -> None:
    second = port.snapshot["poems"][1]
    second["t_kimariji_ns"] = second["t_poem_ns"] + 800 * MS
    rows = poem_rows(port.state())
    assert rows[1]["reaction_ms"] == -100.0
    quick = fastest(rows)
    assert quick is not None
    assert (quick["order"], side_sums(rows, "far")["fastest_reaction_ms"]) == (2, -100.0)
    page = " ".join(visit(port, "/record?lang=en").text.split())
    assert "Fastest take: poem 2" in page
    assert "100 ms before the kimariji" in page
    assert "−100.0 ms" in page


def test_what_was_taken_back_does_not_count(port: ScriptedPort) -> None:
    port.snapshot["poems"][1]["state"] = "reverted"
    rows = poem_rows(port.state())
    assert side_sums(rows, "far")["opponent_takes"] == 0
    assert side_sums(rows, "far")["median_reaction_ms"] is None
    assert len(rows) == 3


def test_csv_has_one_line_per_poem_and_no_formulas(port: ScriptedPort) -> None:
    port.snapshot["poems"][0]["note"] = '=HYPERLINK("http://evil.example")'
    lines = list(csv.DictReader(io.StringIO(as_csv(port.state())[1:])))
    assert [line["order"] for line in lines] == ["1", "2", "3"]
    assert lines[0]["note"].startswith("'=")
    assert lines[0]["reaction_ms"] == "400.0"
    assert lines[2]["target_side"] == ""


@pytest.mark.parametrize(("lang", "text"), [("en", "Taken from the opponent"), ("ja", "敵陣の取り")])
def test_the_record_page_lists_every_poem(port: ScriptedPort, lang: str, text: str) -> None:
    page = visit(port, f"/record?lang={lang}")
    assert page.status_code == 200
    assert text in page.text
    assert page.text.count('<th scope="row">') == 7 + 3
    assert page.text.count('class="contact ') == 2


def test_the_record_names_the_simulated_official(port: ScriptedPort) -> None:
    assert "simulated official" not in visit(port, "/record?lang=en").text
    port.snapshot["poems"][0]["simulated"] = True
    cells = visit(port, "/record?lang=en").text.count(" by the simulated official</td>")
    assert (cells, [row["simulated"] for row in poem_rows(port.state())]) == (1, [True, False, False])


def test_a_note_is_text_on_the_record_page(port: ScriptedPort) -> None:
    port.snapshot["poems"][0]["note"] = "<img src=x onerror=alert(1)>"
    assert "<img src=x" not in visit(port, "/record").text


def test_the_most_doubtful_poems_come_first_and_what_a_person_saw_comes_last(port: ScriptedPort) -> None:
    first, second, third = port.snapshot["poems"]
    first["lead_ns"], first["lead_unc_ns"] = 40 * MS, 2 * MS  # clear
    second["doubts"] = ["order_not_proven"]
    assert [ruled["order"] for ruled in most_doubtful(port.snapshot["poems"])] == [2, 1, 3]
    first["lead_ns"] = 3 * MS
    second["state"] = "confirmed"
    assert [ruled["order"] for ruled in most_doubtful(port.snapshot["poems"], 2)] == [1, 3]
    third["state"] = "void"
    assert [ruled["order"] for ruled in most_doubtful(port.snapshot["poems"])] == [1, 2]
    page = visit(port, "/record").text
    assert f'href="/#poem-{first["seq"]}"' in page


def saved(port: ScriptedPort) -> str:
    """Return the record as one file."""
    return visit(port, "/record.html?lang=en").text


def test_a_record_file_is_bounded_and_says_how(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    port = asyncio.run(played())
    ruled = port.snapshot["poems"][0]
    numbers = range(1, 91)
    port.snapshot["poems"] = [{**ruled, "seq": seq, "order": seq, "evidence": True} for seq in numbers]
    port.bundle = tmp_path / "one.zip"
    port.bundle.write_bytes(b"PK" + bytes(1 << 10))
    assert saved(port).count("<video") == 90
    monkeypatch.setattr(record_routes, "_MOST_BYTES", 60 << 10)
    text = saved(port)
    assert text.count("<video") == 59
    assert text.count("This replay is left out, as the file would be too large") == 31
    port.bundle.write_bytes(b"no bundle")
    assert saved(port).count("This replay was deleted or is damaged.") == 90
