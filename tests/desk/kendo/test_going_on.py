"""A bout that was interrupted goes on in its own log, from pictures alone."""

from dataclasses import replace
from pathlib import Path

from desk.kendo.card_game import KENDO
from desk.kendo.desk import KendoDesk
from desk.kendo.events import CourtUnseen
from desk.kendo.lines import scribe_of
from desk.kendo.simulation import plan_bout
from desk.log.event_log import EventLog
from desk.tables.live_game import LiveGame, desk_again, new_desk
from desk.tables.simulated.scripted_table import ScriptedTable
from desk.tables.simulated.simulated_film import frames_of
from desk.tables.source_kind import Source
from desk.tables.table_opening import OpenedTable
from referee.kendo.house_rules import preset
from tests.desk.tables.watched import watch_to_the_end
from vision.frames.frame import Frame
from vision.plane.printed_table import KENDO_TABLE
from vision.simulator.art.kendo.deck import drawn_kendo_deck
from vision.simulator.cardtable.kendo.table import film_kendo

FPS = 10.0


def watched(folder: Path, frames: list[Frame]) -> KendoDesk:
    """Watch pictures as those of a camera, in the log of the folder, and leave as a killed desk would."""
    folder.mkdir(exist_ok=True)
    path = folder / "kendo_1.sqlite"
    opened = OpenedTable(
        lambda: ScriptedTable(lambda: frames, Source.CAMERA, "0", FPS, 1000.0),
        "camera",
        drawn_kendo_deck(),
        KENDO_TABLE.zones,
    )
    with EventLog.open(path) if path.exists() else EventLog.create(path) as log:
        desk = desk_again(KENDO, log, opened) if log.last_seq else new_desk(KENDO, log, opened, preset())
        assert isinstance(desk, KendoDesk)
        watch_to_the_end(LiveGame(KENDO, desk, opened.open_table(), opened))
    return desk


def plays(desk: KendoDesk) -> list[tuple[object, ...]]:
    """Return what a bout's events say without their instants."""
    told = scribe_of(desk.game.scribe)["events"]
    return [tuple(value for key, value in event.items() if key != "t_ms") for event in told]


def went_on(folder: Path, frames: list[Frame], t_ms: float) -> KendoDesk:
    """Interrupt a bout soon after an instant; a while later the court still lies as it was left.

    The camera of the second part begins its clock anew.
    """
    cut = round(t_ms / 1e3 * FPS) + 3
    watched(folder, frames[:cut])
    rest = [frames[cut - 3]] * round(2 * FPS) + frames[cut:]
    return watched(folder, [replace(each, t_ns=round(n / FPS * 1e9)) for n, each in enumerate(rest)])


def test_a_bout_goes_on_from_its_pictures(tmp_path: Path) -> None:
    planned = plan_bout(preset(), 7, longest=4)
    film = film_kendo(drawn_kendo_deck(), planned.moves, seed=7, fps=FPS, pace=0.5).film
    frames = list(frames_of(film))
    whole = watched(tmp_path / "whole", frames)
    assert len(plays(whole)) == len(planned.events)
    answered = next(look for look in whole.game.looks[3:] if all(look.laid))
    desk = went_on(tmp_path / "answered", frames, answered.t_ms)
    assert (plays(desk), desk.game.scribe.flags) == (plays(whole), [])
    assert not desk.game.scribe.is_uncertain
    assert [type(event) for _, event in desk.history].count(CourtUnseen) == 1

    bare = next(look for look in whole.game.looks[2:] if look.is_bare)
    desk = went_on(tmp_path / "bare", frames, bare.t_ms)
    told = [flag.id for flag in desk.game.scribe.flags]
    assert (plays(desk), told) == (plays(whole), ["unsure"]), "a whole exchange may have been played unseen"
