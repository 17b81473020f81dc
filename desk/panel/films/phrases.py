"""Texts for the ids of the film page."""

from __future__ import annotations

from collections.abc import Mapping

from desk.panel.words import N_

STATES: Mapping[str, str] = {
    "new": N_("Not judged"),
    "waiting": N_("Waits for another film"),
    "working": N_("Being judged"),
    "asking": N_("A question is open"),
    "failed": N_("Could not be judged"),
    "judged": N_("Judged"),
}
STAGES: Mapping[str, str] = {
    "starting": N_("Starting"),
    "overview": N_("Leafing through the film"),
    "listening": N_("Listening for the readings"),
    "looking": N_("Looking for the plays"),
    "judging": N_("Judging"),
    "cutting": N_("Cutting the replays"),
}
GAMES: Mapping[str, str] = {
    "karuta": N_("Karuta"),
    "koikoi": N_("Koi-Koi"),
    "kendo": N_("Kendo cards"),
}
QUESTIONS: Mapping[str, str] = {
    "game": N_("Which game does the film show?"),
    "deck": N_("Which deck is played with?"),
    "players": N_("How many play?"),
    "poems": N_("Which poems are read in it, in order?"),
    "rate": N_("How many pictures a second were filmed?"),
}
DOUBTS: Mapping[str, str] = {
    "poem_unsure": N_("The sound leaves the poem in doubt."),
    "poem_assumed": N_("Nobody heard the poem; the card that left is assumed."),
    "reading_unplaced": N_("The film does not tell when it was read: mark the first sound."),
    "looks_disagree": N_("Two looks at the film do not agree."),
}
ABOUT_POEM = ("poem_unsure", "poem_assumed")
"""Doubts that are settled by naming the poem."""
REFUSALS: Mapping[str, str] = {
    "empty": N_("This file is empty. Choose a film."),
    "too_large": N_("This film has {size}; at most {most} can be taken. Cut it, or film with fewer pixels."),
    "no_room": N_(
        "This film has {size}; the desk's disk has room for {free}. Delete films, or make room there."
    ),
    "disk_full": N_("The desk's disk is full. Make room, then choose the same file again: it goes on."),
    "not_kept": N_("The disk is full or cannot be written: nothing was done. Make room, then try again."),
    "too_many_uploads": N_("{n} films are on their way already. Finish or delete some."),
    "no_such_upload": N_("This upload is gone: it was deleted, or too old. Choose the file again."),
    "goes_on_elsewhere": N_("This film is being uploaded in another window."),
    "other_offset": N_("The upload goes on at byte {offset}."),
    "too_much": N_("More arrives than the {size} that were announced. Choose the file again."),
    "no_such_film": N_("There is no such film: it was deleted."),
    "no_such_poem": N_("The film has no poem {n} any more. The page shows the latest."),
    "busy": N_("The film is being judged. Wait until that is done."),
    "no_match": N_("Only a judged karuta film can be kept as a match."),
    "kept_already": N_("This film is a match of the list already."),
    "not_judged": N_("The film was not judged yet."),
    "cards_unclear": N_("Write the poems that can be read as numbers and ranges, such as 1, 2, 30-45."),
    "no_such_seat": N_("The dealer is one of the {n} players."),
    "other_rules": N_("These house rules belong to another game."),
    "poems_unclear": N_("Write the numbers of the poems in order, such as 17, 46, 3."),
}
