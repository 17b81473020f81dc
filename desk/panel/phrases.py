"""Texts for the ids of the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from desk.panel.words import N_, Words

PHASES: Mapping[str, str] = {
    "set_up": N_("Setting up"),
    "memorise": N_("Memorising"),
    "joka": N_("Opening poem"),
    "poem": N_("Reading"),
    "ruling": N_("Ruling"),
    "restore": N_("Restoring the field"),
    "over": N_("Match over"),
}
ROWS: Sequence[str] = (N_("upper row"), N_("middle row"), N_("lower row"))
"""The rows of a territory, the one next to the middle line first."""
PAUSES: Mapping[str, str] = {
    "operator": N_("Paused by the operator"),
    "appeal": N_("{side} appeals: look at the replay"),
    "revert": N_("Paused after taking an event back"),
    "review": N_("A ruling waits for a human"),
    "eye": N_("Paused: the camera does not see the field"),
    "timeout": N_("Timeout"),
}
WARNINGS: Mapping[str, str] = {
    "low_fps": N_("The camera is slower than it promised"),
    "few_pictures": N_("Fewer than 24 pictures a second: close races stay open. Choose a faster mode"),
    "drops": N_("Frames were lost: officials decide what fell into the gaps"),
    "late": N_("The judging lags behind the camera: rulings come late. Close other programs"),
    "blurred": N_(
        "The picture is blurred: touches may stay unproven. Focus by hand, autofocus off, shorter exposure"
    ),
    "dark": N_("The picture is too dark: hands and touches may not be seen. More light"),
    "too_bright": N_("The picture is too bright: cards may not be read. Less light or a shorter exposure"),
    "noisy": N_("The picture is grainy: small touches may not be seen. More light, less gain"),
    "unsteady_light": N_(
        "The light flickers or changes: touches may stay unproven. "
        "Other lamps, or an exposure of 1/100 or 1/120 s"
    ),
    "small_cards": N_(
        "The cards are small in the picture: officials decide every poem. "
        "Come nearer or choose a larger picture"
    ),
    "aslant": N_("The camera looks aslant: hands hide what is behind them. Hang it over the middle"),
    "camera_moved": N_("The camera was moved: officials decide what fell into that moment"),
    "view_blocked": N_("Something hides the field: what happens below it is not seen"),
    "field_not_in_view": N_("Part of the field is out of view: move the camera"),
    "no_signal": N_("No picture arrives from the camera"),
    "no_card_read": N_("No card could be read yet: officials decide every poem"),
    "no_witness": N_("The second camera bears no witness: it must run and see the same cards"),
    "reader_silent": N_("The reader has no sound: check the loudspeaker; the text is shown in time"),
    "reader_unheard": N_("The reader's microphone is gone: plug it in again, or name the poems by hand"),
    "reader_lost": N_("The reader's sound device is gone: plug it in again. The reading waits for it"),
    "not_kept": N_(
        "The disk is full or cannot be written: the match stands still. "
        "Make room, then let the poem be read again"
    ),
    "no_evidence": N_("The disk has no room for the replays: rulings go on without pictures"),
    "hall_lost": N_("The link to the hall is gone: name the poems by hand until it is back"),
    "no_ear": N_("The microphone is gone: plug it in again. Until then no hits are heard"),
}
HALL_LINK: Mapping[str, str] = {
    "joined": N_("in the hall"),
    "seeks": N_("looks for the hall"),
    "refused": N_("the hall refuses this mat"),
    "troubled": N_("the hall takes nothing"),
}
READING_PROBLEMS: Mapping[str, str] = {
    "sound_lost": N_(
        "The sound device is gone: plug it in again. The reading waits for it, or for another one"
    ),
    "no_listener": N_(
        "No device plays the sound, and the reading waits: press a button here, and this device is the "
        "loudspeaker."
    ),
    "no_sound": N_(
        "This computer has no sound device that plays: the text is shown in time, without sound. "
        "Choose another device, or a browser as the loudspeaker."
    ),
    "reader_failed": N_("The reading cannot go on: begin it again."),
}
UNPROVABLE: Mapping[str, str] = {
    "no_card_motion": N_("the card did not move measurably"),
    "view_blocked": N_("the view was blocked"),
    "hands_merged": N_("the hands could not be told apart"),
    "no_hand_seen": N_("no hand was seen at the card"),
    "stranger": N_("a hand that came in from neither player's side was at the card"),
    "second_hand": N_("the card was moving already when this hand came"),
    "hand_over": N_("this hand was over the card when the other one moved it"),
    "pushed_by_card": N_("another card pushed it"),
    "swept_along": N_("other cards took it along"),
    "floor_shock": N_("the card moved a little, perhaps with the floor"),
    "air": N_("the card moved a little, perhaps in the wind of a sweep"),
    "cloth": N_("an arm or sleeve lay over the card, and no fingers"),
    "fingers_rested": N_("fingers came to rest over the card, which lay still"),
    "touch_heard": N_("fingers came to rest over the card, which lay still, and a hit was heard"),
    "tidied": N_("its owner put it elsewhere, slowly"),
    "after_play": N_("the play had been over for long"),
    "witnesses_disagree": N_("the two cameras contradict each other"),
    "light_changed": N_("the light changed"),
    "focus_changed": N_("the lens changed its focus: switch autofocus off"),
    "smeared_pictures": N_(
        "the camera mixes each picture with those before it: switch its noise reduction off"
    ),
    "under_head": N_("it happened under a head"),
    "dropped_frames": N_("frames were lost"),
    "lost_calibration": N_("the field was out of view"),
    "out_of_view": N_("the card may lie where the camera does not see"),
    "size_changed": N_("the pictures changed their size"),
    "no_card_read": N_("no card could be read"),
    "poor_pictures": N_("the pictures are compressed too coarsely"),
    "small_cards": N_("the cards are too small in the picture"),
    "times_unknown": N_("the film plays slower than [camera] fps says: its times are in doubt"),
    "not_filmed": N_("the film began after the poem"),
    "watch_stopped": N_("nobody watched any longer"),
    "film_cut": N_("something was cut out of the film"),
    "poem_unsure": N_("the sound leaves in doubt which poem was read"),
    "poem_assumed": N_("nobody heard the poem: it is taken from the card that left the field"),
    "reading_unplaced": N_("the film does not tell when the poem was read"),
    "looks_disagree": N_("two looks at the film do not agree"),
    "film_ends": N_("the pictures ended too early"),
    "eye_failed": N_("the eye itself failed"),
    "not_kept": N_("there was no room on the disk to keep it"),
}
STATES: Mapping[str, str] = {
    "proposed": N_("Proposed: a human decides"),
    "ruled": N_("Ruled"),
    "confirmed": N_("Confirmed"),
    "overruled": N_("Overruled"),
    "reverted": N_("Taken back"),
    "void": N_("Void: read again"),
}
REFUSALS: Mapping[str, str] = {
    "not_now": N_("This cannot be done in this phase of the match."),
    "no_such_event": N_("That ruling no longer stands. The page shows the latest."),
    "not_revertible": N_("This event cannot be taken back on its own."),
    "read_already": N_("This poem has been read already."),
    "ruling_open": N_("A ruling waits: confirm or overrule it first."),
    "no_appeals_left": N_("No appeals are left."),
    "impossible": N_("This outcome cannot happen with this card."),
    "not_kept": N_(
        "The log could not be written: nothing was done. Make room on the disk, or end the other "
        "program that writes to this match, then try again."
    ),
}
NOT_NOW: Mapping[str, str] = {
    "start": N_("The match has begun already: 'Start' is for the set-up and for the time to memorise."),
    "confirm": N_("Nothing waits to be confirmed: that can be done while a ruling is proposed."),
    "overrule": N_("A ruling can be overruled from its proposal until the next poem begins."),
    "reread": N_(
        "A poem can be read again while it is being read or its ruling waits; later 'Undo' comes first."
    ),
    "declare": N_("This can be declared from the first sound of a poem until its ruling stands."),
    "accept_field": N_("The field can be accepted before the match and between two poems."),
    "appeal": N_("Players can appeal from the ruling until the next poem begins."),
    "stop_match": N_("The match is over already."),
    "name_poem": N_("A poem can be named while a person reads it, once, and not before the match begins."),
    "correct_poem": N_("Another poem can be named after a poem was read, and only another one."),
}
"""When a command that cannot be carried out now can be, by the command; `not_now` is for all others."""
DECLARATIONS: Mapping[str, str] = {
    "wrong_hand": N_("wrong hand"),
    "both_hands": N_("both hands"),
    "grabbed_hand": N_("held the opponent's hand"),
    "false_start": N_("false start"),
    "shared_fault": N_("shared fault in this territory"),
    "rearranging": N_("rearranges own cards"),
    "right_waived": N_("lets the right to send go"),
    "right_hand": N_("plays with the right hand"),
    "left_hand": N_("plays with the left hand"),
}
HANDS: Mapping[str, str] = {"left": N_("left"), "right": N_("right")}
EVENTS: Mapping[str, str] = {
    "playing_hand": N_("playing hand"),
    "wrong_hand": N_("wrong hand"),
    "shared_fault": N_("shared fault"),
    "broke_rule": N_("broken rule of conduct"),
    "play_ended": N_("end of play"),
    "right_waived": N_("waiving of a card to send"),
    "misread": N_("misreading"),
    "memorise_started": N_("start of memorising"),
    "memorise_ended": N_("end of memorising"),
    "confirm": N_("confirmation"),
    "overrule": N_("overruling"),
    "appeal": N_("appeal"),
    "field_accepted": N_("acceptance of the field"),
    "match_stopped": N_("end of the match"),
    "revert": N_("taking back"),
}
STOPS: Mapping[str, str] = {
    "forfeit": N_("forfeit"),
    "time": N_("time is up"),
    "early": N_("finished early"),
    "no_result": N_("no result"),
}
"""Why an official ended a match."""
SOURCES: Mapping[str, str] = {
    "camera": N_("Camera"),
    "video": N_("Recording"),
    "simulator": N_("Simulator"),
}
CERTAINTIES: Sequence[tuple[float, str]] = (
    (0.8, N_("when the ear is 80 % sure")),
    (0.9, N_("when the ear is 90 % sure")),
    (0.97, N_("when the ear is 97 % sure")),
    (2.0, N_("only when an official says so")),
)
"""Lowest confidence at which a poem read by a person is named automatically; above 1 means never."""
POLICIES: Mapping[str, str] = {
    "auto": N_("Stands at once"),
    "propose": N_("Waits for a person"),
    "log": N_("Noted, does not count"),
    "ignore": N_("Left out"),
}


def phrase(words: Words, table: Mapping[str, str], key: str, **values: object) -> str:
    """Return the text for an id; an unknown id is made readable and shown itself."""
    text = table.get(key)
    return key.replace("_", " ") if text is None else words(text, **values)


def mat_number(mat: str) -> str:
    """Return the short name of a hall's mat: `7` for `mat-07`, or the whole name if it has no number."""
    number = mat.rpartition("-")[2].lstrip("0")
    return number if number.isdecimal() else mat


BIN_REFUSALS: Mapping[str, str] = {
    "running": N_(
        "This match is still open: end it first, on the home page ('End it') or at the desk that has it open."
    ),
    "missing": N_("There is no such match any more: load the page anew."),
    "taken": N_("Another file of this name lies there already: move one of them by hand."),
    "failed": N_("The disk did not let the match be moved: see the program's own window for the reason."),
}
"""Why a match is not moved into the bin or out of it."""
