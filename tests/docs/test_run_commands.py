"""The quick commands that pages show run as they stand, beside a stored match."""

from pathlib import Path

import pytest

from desk.commands.cli import main
from desk.log.jsonl_file import import_jsonl
from tests.docs.shown_commands import PAGES, ROOT, Shown, shown_commands

EXAMPLE = ROOT / "docs" / "reference" / "formats" / "examples" / "match.jsonl"
QUICK = (
    "book",
    "calibrate --list",
    "calibrate --print",
    "decks list",
    "demo --help",
    "kendo mat",
    "kendo rules",
    "koikoi mat",
    "koikoi rules",
    "log check",
    "log export",
    "log import",
    "log show",
    "replay",
    "sets save",
    "voices list",
)
"""What these begin with is run; the others need a camera, a loudspeaker, a film, another machine, or minutes.
(`.ci/package` runs the demo.)"""


def quick_commands(page: Path) -> list[Shown]:
    whole = (shown for shown in shown_commands(page) if shown.is_whole and shown.words[:1] == ("shinpan",))
    return [shown for shown in whole if " ".join(shown.words[1:]).startswith(QUICK)]


@pytest.mark.parametrize(
    "place", [page for page in PAGES if quick_commands(page)], ids=lambda place: str(place.relative_to(ROOT))
)
def test_quick_commands_run(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    kept = tmp_path / "data" / "shinpan" / "matches"
    kept.mkdir(parents=True)
    nobody, both = '"far": null, "near": null', '"far": "Ken", "near": "Hana"'
    played = EXAMPLE.read_text("utf-8").replace(nobody, both, 1)
    (tmp_path / "played.jsonl").write_text(played, "utf-8")
    for path in (tmp_path / "MATCH.sqlite", kept / "MATCH.sqlite"):
        import_jsonl(tmp_path / "played.jsonl", path).close()
    codes = {" ".join(shown.words): main(shown.words[1:]) for shown in quick_commands(place)}
    assert {line: code for line, code in codes.items() if code} == {}
