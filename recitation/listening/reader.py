"""How one reader differs from a built-in voice, learnt from what is known to have been read.

The joka opens every match and its text is known: three halves of it are enough. The vocal tract's length is
chosen by trial (Eide and Gish, A parametric approach to vocal tract length normalization, 1996); what is left
between the reader's sounds and the voice's is taken up by one linear map of the cepstra, drawn towards no
change where there is little to learn it from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recitation.listening.features import NO_MEAN, cepstra, evenly, walk
from recitation.listening.matching import alignment, distances
from recitation.sound.clip import Wave

TRACTS = (0.85, 0.92, 1.0, 1.08, 1.17)
"""Lengths of vocal tracts that are tried, as parts of a voice's own."""
_DRAWN_TO_NO_CHANGE = 300.0
"""As if so many more pairs of sounds had shown no difference between reader and voice."""

Sounds = Sequence[Sequence[NDArray[np.float64]]]
"""Cepstra of every phrase in every voice, centred on the voice's mean, each (frames, 12)."""
PriorKnowledge = tuple[Wave, int]
"""A half that was heard, and the index of its phrase among the templates."""


@dataclass(frozen=True, eq=False)
class Reader:
    """One reader beside the built-in voice that is most like the reader's own.

    Attributes
    ----------
    voice : index of that voice among the templates.
    tract : length of the vocal tract beside the voice's own.
    mean : (12,) the reader's usual cepstra.
    map : (12, 12) brings the reader's sounds to the voice's.
    unlike : mean distance to the voice on what was known, before the map; 0 for the voice itself.
    """

    voice: int
    tract: float
    mean: NDArray[np.float64]
    map: NDArray[np.float64]
    unlike: float

    def sounds(self, wave: Wave) -> NDArray[np.float64]:
        """Return the cepstra of a wave as the voice would have said it, its own mean taken off."""
        centred: NDArray[np.float64] = (cepstra(wave, self.tract) - self.mean) @ self.map
        return centred


def learnt(known: Sequence[PriorKnowledge], sounds: Sounds) -> Reader:
    """Learn a reader.

    Parameters
    ----------
    known : halves that were heard and what they were; at least one.
    sounds : the templates.

    Raises
    ------
    ValueError
        Where nothing is known.
    """
    if not known:
        raise ValueError("expected at least one half that is known, such as the joka, got none")
    trials = [(tract, _centred(known, tract)) for tract in TRACTS]
    unlike = np.array([_unlike(known, own.halves, sounds) for _, own in trials])
    tract, voice = np.unravel_index(np.argmin(unlike), unlike.shape)
    linear = _map(known, trials[tract][1].halves, sounds, int(voice))
    return Reader(int(voice), TRACTS[tract], trials[tract][1].mean, linear, float(unlike.min()))


class _Centred(NamedTuple):
    """Halves that were heard, at one length of the vocal tract."""

    mean: NDArray[np.float64]
    halves: list[NDArray[np.float64]]


def _centred(known: Sequence[PriorKnowledge], tract: float) -> _Centred:
    own = [cepstra(wave, tract) for wave, _ in known]
    mean = np.concatenate(own).mean(axis=0)
    return _Centred(mean, [part - mean for part in own])


def _unlike(
    known: Sequence[PriorKnowledge], halves: list[NDArray[np.float64]], sounds: Sounds
) -> NDArray[np.float64]:
    """Return how unlike the halves are to those of each voice, shape (voices,)."""
    told = [np.stack([walk(voice, mean=NO_MEAN) for voice in sounds[phrase]]) for _, phrase in known]
    unlike: NDArray[np.float64] = np.mean(
        [distances(walk(half, mean=NO_MEAN), walks) for half, walks in zip(halves, told, strict=True)],
        axis=0,
    )
    return unlike


def _map(
    known: Sequence[PriorKnowledge], halves: list[NDArray[np.float64]], sounds: Sounds, voice: int
) -> NDArray[np.float64]:
    """Fit the linear map between sounds that belong together (ridge regression towards no change)."""
    mine, theirs = [], []
    for half, (_, phrase) in zip(halves, known, strict=True):
        told = sounds[phrase][voice]
        pairs = alignment(walk(half, mean=NO_MEAN), walk(told, mean=NO_MEAN))
        mine.append(evenly(half)[pairs[:, 0]])
        theirs.append(evenly(told)[pairs[:, 1]])
    own, wanted = np.concatenate(mine), np.concatenate(theirs)
    both, same = own.T @ own, np.eye(own.shape[1])
    drawn = _DRAWN_TO_NO_CHANGE * np.trace(both) / (len(own) * len(both)) * same
    linear: NDArray[np.float64] = same + np.linalg.solve(both + drawn, own.T @ (wanted - own))
    return linear
