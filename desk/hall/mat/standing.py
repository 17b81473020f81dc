"""The state of a mat, from its match."""

from __future__ import annotations

from desk.hall.mat.cue_reader import CueReader
from desk.hall.messages import LastRuling, MatHealth, MatState
from desk.karuta.engine.engine import Engine
from desk.log.clocks import wall_clock
from desk.panel.match.port import Health, Pair, PoemRuled, SideName, Snapshot
from referee.karuta.flow.state import Phase
from referee.sides import BySide, Side

_STANDING = ("ruled", "confirmed", "overruled")
_NOT_BEGUN = ("set_up", "over")


def standing(
    mat: str, engine: Engine, snapshot: Snapshot, reader: CueReader | None, health: MatHealth
) -> MatState:
    """Return the state of a mat with a match.

    `reader`: follows the hall's reader; None if this match has its own reader.
    """
    state = engine.state
    poems, pause, names = snapshot["poems"], snapshot["pause"], snapshot["match"]["names"]
    is_asked = state.asked or state.phase is Phase.JOKA
    return MatState(
        mat=mat,
        wall=wall_clock(),
        match=engine.opened.id,
        seq=snapshot["seq"],
        names=BySide(names["near"], names["far"]),
        phase=snapshot["phase"],
        pause=None if pause is None else pause["reason"],
        poems=sum(poem["state"] in _STANDING for poem in poems),
        counts=_both(snapshot["counts"]),
        faults=_both(snapshot["faults"]),
        last=_ruling(poems[-1]) if poems else None,
        winner=_side(snapshot["winner"]),
        session="" if reader is None else reader.session,
        heard=0 if reader is None else reader.heard,
        follows=reader is not None and snapshot["phase"] not in _NOT_BEGUN,
        ready=reader is not None and reader.wants and reader.is_timed and is_asked,
        hands=tuple(side for side in Side if side in state.holding),
        health=health,
    )


def health_of(
    health: Health | None, unsent: int, clock_unc_ns: int | None, reader: CueReader | None
) -> MatHealth:
    """Return the health of a mat; `health` is that of its match, None without one."""
    delay = None if reader is None else reader.delay
    return MatHealth(
        fps=None if health is None else health["fps"],
        late_ms=None if health is None else health["late_ms"],
        dropped=0 if health is None else health["dropped"],
        warnings=() if health is None else tuple(health["warnings"]),
        unsent=unsent,
        clock_unc_ns=clock_unc_ns,
        delay_ns=0 if delay is None else delay.ns,
        delay_unc_ns=0 if delay is None else delay.unc_ns,
    )


def _ruling(poem: PoemRuled) -> LastRuling:
    return LastRuling(
        entry=poem["seq"],
        poem=poem["poem"],
        status=poem["status"],
        standing=poem["state"],
        taken_by=_side(poem["taken_by"]),
        faults=_both(poem["faults"]),
        lead_ns=poem["lead_ns"],
        lead_unc_ns=poem["lead_unc_ns"],
        appealed_by=_side(poem["appealed_by"]),
        has_replay=poem["evidence"],
    )


def _side(name: SideName | None) -> Side | None:
    return None if name is None else Side(name)


def _both(values: Pair) -> BySide[int]:
    return BySide(values["near"], values["far"])
