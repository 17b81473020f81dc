"""Learning the reader: the length of the vocal tract and the usual spectrum, from recorded verses.

The words need not be known: among the lengths tried, the reader's own makes the verses fit best.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from recitation.listening.bands import Usual
from recitation.listening.hearing import hear_verse
from recitation.listening.phoneme_net import phoneme_net
from recitation.sound.clip import Wave

TRACTS = (0.82, 0.91, 1.0, 1.1, 1.2, 1.3)
"""Lengths that are tried, relative to the usual one, from a child's to a tall man's."""


def learn_reader(verses: Sequence[Wave]) -> Usual:
    """Learn a reader.

    Raises ValueError if there are no recordings.

    `verses`: the recordings, each (samples,) at 48 kHz; at least one.
    """
    if not verses:
        raise ValueError("expected at least one verse to learn a reader from, got none")
    trials = [
        [hear_verse(wave, Usual(phoneme_net().typical.shape, tract)) for wave in verses] for tract in TRACTS
    ]
    # talk, or two verses without a pause between them, fits at no length and is left out
    fitting = [at for at in range(len(verses)) if any(trial[at].is_verse for trial in trials)]
    told = fitting or list(range(len(verses)))
    scores = [sum(trial[at].score for at in told) for trial in trials]
    best = int(np.argmax(scores))
    shapes = [trials[best][at].shape for at in told]
    return Usual(np.asarray(np.mean(shapes, axis=0), np.float32), TRACTS[best])
