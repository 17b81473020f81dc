"""A judged poem as JSON, in the shape of the recording format (format 1), and as one line of text."""

from collections.abc import Sequence
from typing import Any

from referee.facts import Contact, Gap, PoemStarted, Testimony, Touch, Unprovable
from referee.karuta.contacts import as_told
from referee.karuta.judge import judge_poem
from referee.karuta.ruleset import RuleSet
from referee.layout import Layout
from vision.poem.events import PoemSeen


def judged_poem(start: PoemStarted, seen: PoemSeen | None, rules: RuleSet) -> dict[str, Any]:
    """Judge a poem by what the eye saw; see `judged_facts`. If it saw nothing, nothing is decided."""
    return judged_facts(start, *layout_and_facts(start, seen), rules)


def layout_and_facts(start: PoemStarted, seen: PoemSeen | None) -> tuple[Layout, tuple[Testimony, ...]]:
    """Return the layout before a poem and the facts about it; a gap if nothing was seen."""
    if seen is None or (len(seen.before.layout) and not seen.before.layout.is_read):
        # there was no layout, or one without a single read card, or the pictures ended
        return Layout(()), (Gap(start.t_ns, start.t_ns, "view_blocked"),)
    return seen.before.layout, seen.facts


def judged_facts(
    start: PoemStarted, layout: Layout, facts: Sequence[Testimony], rules: RuleSet
) -> dict[str, Any]:
    """Judge a poem by its facts; return it with layout, contacts and ruling, as JSON."""
    ruling = judge_poem(start.poem, layout, (*facts, start), rules)
    contacts = as_told([fact for fact in facts if isinstance(fact, Touch | Unprovable)], start.poem)
    return {
        "poem": start.poem,
        "t_ms": start.t_ns / 1e6,
        "layout_before": layout_json(layout),
        "touches": _touches_json([fact for fact in contacts if isinstance(fact, Touch)]),
        "not_provable": [
            {
                "card": fact.card,
                "player": fact.player and fact.player.value,
                "t_ms": round(fact.t_ns / 1e6, 3),
                "reason": fact.reason,
            }
            for fact in contacts
            if isinstance(fact, Unprovable)
        ],
        "ruling": ruling.to_json(),
    }


def layout_json(layout: Layout) -> list[dict[str, Any]]:
    return [
        {
            "card": placed.card,
            "side": placed.side.value,
            "row": placed.row,
            "x_mm": round(placed.x_m * 1000, 2),
            "y_mm": round(placed.y_m * 1000, 2),
        }
        for placed in layout
    ]


def _touches_json(touches: Sequence[Touch]) -> list[dict[str, Any]]:
    """Return one entry for each card and player, in order of time.

    Of a card that was touched or only pushed out, the touch is told, with the time of the push beside it.
    """
    by_hand: dict[Any, list[Touch]] = {}
    for place, touch in enumerate(touches):
        by_hand.setdefault(place if touch.card is None else (touch.card, touch.player), []).append(touch)
    # at equal instants the more precise one comes first
    entries = [_touch_json(*sorted(facts, key=_pushed)) for facts in by_hand.values()]
    return sorted(entries, key=lambda entry: (entry["t_ms"], entry["t_unc_ms"]))


def _pushed(touch: Touch) -> bool:
    return touch.contact is Contact.PUSHED_OUT


def _touch_json(touch: Touch, *others: Touch) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "card": touch.card,
        "player": touch.player and touch.player.value,
        "hand": touch.hand and touch.hand.value,
        "t_ms": round(touch.t_ns / 1e6, 3),
        "t_unc_ms": round(touch.t_unc_ns / 1e6, 3),
        "t_low_ms": round(touch.earliest_ns / 1e6, 3),
        "t_high_ms": round(touch.latest_ns / 1e6, 3),
        "kind": "pushed_out" if _pushed(touch) else "touch",
        "confidence": round(touch.confidence, 4),
    }
    if touch.out_ns is not None:
        low_ns, high_ns = touch.out_ns
        entry["swept_out"] = {"t_low_ms": round(low_ns / 1e6, 3), "t_high_ms": round(high_ns / 1e6, 3)}
    if others:
        entry["or_pushed_out"] = {
            "t_ms": round(others[0].t_ns / 1e6, 3),
            "confidence": round(others[0].confidence, 4),
        }
    return entry


def poem_line(poem: dict[str, Any]) -> str:
    ruling = poem["ruling"]
    sends = [f"{side} sends {count}" for side, count in ruling["sends"].items() if count]
    faults = [
        f"{side} {count} fault{'s' if count > 1 else ''}" for side, count in ruling["faults"].items() if count
    ]
    words = [f"taken by {ruling['taken_by']}" if ruling["taken_by"] else "nobody takes", *faults, *sends]
    named = [*ruling["doubts"], *filter(None, [poem.get("reading_doubt")])]
    doubts = f" ({', '.join(named)})" if named else ""
    return f"poem {poem['poem']:>3}: {ruling['status']}: {', '.join(words)}{doubts}"
