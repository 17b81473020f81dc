"""Trains the phoneme network and writes `recitation/weights/phonemes.npz`.

    uv run --extra voices --group train python tools/train_listener.py --voices FOLDER --minutes 60

FOLDER holds HTS voices (`*.htsvoice`): the repository's weights learnt from `hts-voice-nitech-jp-atr503-m001`
(a man; Debian, section contrib) and from the four moods of `tohoku-f01` (a woman) besides the bundled voice.
They learnt for 34 minutes on two cores (3,350 steps). The network never hears a person;
`benchmarks.recitation.listening` measures it on one.
"""

from __future__ import annotations

import argparse
import pickle
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
from network.learning import Learner, Params, Plan
from numpy.typing import NDArray
from reading.lessons import Bank, bank, lesson, run_weights

from recitation.listening.bands import BANDS
from recitation.listening.phoneme_net import PHONEMES, STEPS, WEIGHTS, WIDTH

CHANNELS: Final = 160
BATCH: Final = 24
FRAMES: Final = 400
AHEAD: Final = 6
Batch = tuple[NDArray[np.float32], NDArray[np.int32], NDArray[np.float32]]
_bank: list[Bank] = []
_typical: list[NDArray[np.float32]] = []


def first_params(dice: np.random.Generator) -> Params:
    """Draw the untrained weights, as He and others (2015) do."""
    sizes = [(WIDTH, BANDS, CHANNELS)] + [(WIDTH, CHANNELS, CHANNELS)] * (len(STEPS) - 1)
    sizes.append((1, CHANNELS, len(PHONEMES)))
    return {
        f"layer_{index}": {
            "kernel": np.asarray(dice.standard_normal(size) * np.sqrt(2 / (size[0] * size[1])), np.float32),
            "bias": np.zeros(size[2], np.float32),
        }
        for index, size in enumerate(sizes)
    }


def scores(params: Params, x: jax.Array) -> jax.Array:
    """Return the scores of all phonemes, (batch, frames, classes)."""
    for index, step in enumerate((*STEPS, 1)):
        layer = params[f"layer_{index}"]
        reach = step * (layer["kernel"].shape[0] // 2)
        x = jax.lax.conv_general_dilated(
            x, layer["kernel"], (1,), [(reach, reach)], rhs_dilation=(step,),
            dimension_numbers=("NWC", "WIO", "NWC"),
        )  # fmt: skip
        x = x + layer["bias"]
        if index < len(STEPS):
            x = jax.nn.relu(x)
    return x


def loss(params: Params, x: jax.Array, classes: jax.Array, weights: jax.Array) -> jax.Array:
    """Return the mean cross entropy; frames late in a long sound count less."""
    told = jax.nn.log_softmax(scores(params, x))
    own = jnp.take_along_axis(told, classes[..., None], axis=-1)[..., 0]
    return -(own * weights).sum() / weights.sum()


def _start(path: str) -> None:
    held = pickle.loads(Path(path).read_bytes())
    _bank.append(held["bank"])
    _typical.append(held["typical"])


def make_batch(seed: int) -> Batch:
    """Return bands, classes and weights of one batch."""
    dice = np.random.default_rng([7, seed])
    x = np.zeros((BATCH, FRAMES, BANDS), np.float32)
    classes = np.zeros((BATCH, FRAMES), np.int32)
    weights = np.zeros((BATCH, FRAMES), np.float32)
    for row in range(BATCH):
        voices = _bank[0]
        own = lesson(voices[int(dice.integers(len(voices)))], dice, _typical[0])
        first = 0 if dice.random() < 0.5 else int(dice.integers(0, max(len(own.bands) - FRAMES, 0) + 1))
        count = min(FRAMES, len(own.bands) - first)
        x[row, :count] = own.bands[first : first + count]
        classes[row, :count] = own.classes[first : first + count]
        weights[row, :count] = run_weights(own.classes)[first : first + count]
    return x, classes, weights


def typical_spectrum(voices: Bank) -> NDArray[np.float32]:
    """Return the mean spectrum over many readers."""
    dice = np.random.default_rng(1)
    zero = np.zeros(BANDS, np.float32)
    found = []
    for _ in range(300):
        own = lesson(voices[int(dice.integers(len(voices)))], dice, zero)
        found.append(own.shape)
    return np.asarray(np.mean(found, axis=0), np.float32)


def main() -> None:
    """Train and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--voices", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--cache", type=Path, help="file that keeps what the voices said, minutes of work")
    options = parser.parse_args()
    kept: Path = options.cache or Path(tempfile.mkdtemp()) / "bank.pkl"
    if not kept.exists():
        said = bank([None, *sorted(options.voices.rglob("*.htsvoice"))])
        kept.write_bytes(pickle.dumps({"bank": said, "typical": typical_spectrum(said)}))
    _start(str(kept))
    learner = Learner(
        loss, first_params(np.random.default_rng(3)), Plan(options.minutes, options.rate, 1e-3, 0.999)
    )
    total, told_s = np.zeros(len(PHONEMES)), time.monotonic()
    with ProcessPoolExecutor(1, get_context("spawn"), initializer=_start, initargs=(str(kept),)) as pool:
        waiting = [pool.submit(make_batch, seed) for seed in range(AHEAD)]
        seed, losses = AHEAD, []
        while learner.spent < 1:
            batch = waiting.pop(0).result()
            waiting.append(pool.submit(make_batch, seed))
            seed += 1
            np.add.at(total, batch[1].ravel(), batch[2].ravel())
            losses.append(learner.step(*batch))
            if time.monotonic() - told_s > 30:
                told_s = time.monotonic()
                print(
                    f"{learner.steps} steps, {learner.spent:.0%}, loss {np.mean(losses[-100:]):.4f}",
                    flush=True,
                )
                write(learner.average, total, options.out)
        for one in waiting:
            one.cancel()
    write(learner.average, total, options.out)


def write(params: Params, total: NDArray[np.float64], path: Path) -> None:
    """Write what the product reads."""
    path.parent.mkdir(exist_ok=True)
    layers = [params[f"layer_{index}"] for index in range(len(STEPS) + 1)]
    held: dict[str, Any] = {
        f"{name}_{index}": np.asarray(own[name], np.float16)
        for index, own in enumerate(layers)
        for name in ("kernel", "bias")
    }
    held["prior"], held["typical"] = np.asarray(total / total.sum(), np.float32), _typical[0]
    np.savez_compressed(path, **held)


if __name__ == "__main__":
    main()
