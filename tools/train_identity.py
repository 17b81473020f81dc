"""Trains the torifuda reader and writes `vision/weights/torifuda.npz`.

    python tools/train_identity.py --fonts FOLDER_OF_UNPACKED_NPM_FONTS --minutes 40

The net looks at a whole card. At every place of a coarse map it says which kana stands there and how much
that place belongs to each of the face's slots; what a slot shows is the average of the kana scores weighted
by those shares, so a deck may put its text where it likes. It learns from printed random texts in the
typefaces of `torifuda_typefaces.TRAINING`, never from pictures of real decks.
"""

from __future__ import annotations

import argparse
import pickle
import queue
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray
from torifuda_printer import lesson
from torifuda_typefaces import DEBIAN_FONTS, HELD_OUT, TRAINING, Typeface, font_files, glyph_cells

from referee.cards.poems import POEMS
from vision.card_crop import CROP_HEIGHT_PX, CROP_WIDTH_PX, normalised
from vision.kana import CLASSES, COLUMN_SLOTS, SLOTS

STEM: Final = 16
TRUNK: Final = 40
NECK: Final = 20
BLOCKS: Final = 3
MAP: Final = (CROP_HEIGHT_PX // 4, CROP_WIDTH_PX // 4)
BATCH: Final = 96
WEIGHTS: Final = Path(__file__).parents[1] / "vision" / "weights" / "torifuda.npz"

Params = dict[str, Any]
Batch = tuple[NDArray[np.float32], NDArray[np.int64]]


def first_params(rng: np.random.Generator) -> Params:
    """Draw the untrained weights; the slots' first guess of their place is the usual print."""

    def kernel(out: int, into: int, size: int, gain: float = 1.0) -> NDArray[np.float32]:
        spread = gain * np.sqrt(2 / (into * size * size))
        return np.asarray(spread * rng.standard_normal((out, into, size, size)), np.float32)

    def layer(out: int, into: int, size: int, gain: float = 1.0) -> Params:
        return {"kernel": kernel(out, into, size, gain), "bias": np.zeros(out, np.float32)}

    places = np.zeros((SLOTS, *MAP), np.float32)
    rows, columns = np.mgrid[: MAP[0], : MAP[1]]
    slot = 0
    for column, count in enumerate(COLUMN_SLOTS):
        for row in range(count):
            x = MAP[1] / 2 - 0.5 + (1 - column) * 14.5 / 52 * MAP[1]
            y = MAP[0] / 2 - 0.5 + (row - 2) * 12.0 / 73 * MAP[0]
            places[slot] = -((columns - x) ** 2 + (rows - y) ** 2) / (2 * 1.3**2)
            slot += 1
    return {
        "stem": layer(STEM, 1, 5),
        "down": layer(TRUNK, STEM, 3),
        "blocks": [{"in": layer(NECK, TRUNK, 1), "out": layer(TRUNK, NECK, 3, 0.5)} for _ in range(BLOCKS)],
        "head": layer(CLASSES + SLOTS, TRUNK, 1, 0.3),
        "places": places,
    }


def _conv(x: jax.Array, layer: Params, stride: int = 1) -> jax.Array:
    half = layer["kernel"].shape[2] // 2
    # Laid out with channels last: the CPU's convolutions are several times faster that way.
    kernel = jnp.transpose(layer["kernel"], (2, 3, 1, 0))
    y = jax.lax.conv_general_dilated(
        x, kernel, (stride, stride), [(half, half), (half, half)], dimension_numbers=("NHWC", "HWIO", "NHWC")
    )
    return jnp.asarray(y + layer["bias"])


def slot_scores(params: Params, crops: jax.Array) -> jax.Array:
    """Return class scores per slot, shape (N, SLOTS, CLASSES), of crops of shape (N, height, width, 1)."""
    x = jax.nn.relu(_conv(crops, params["stem"], 2))
    x = jax.nn.relu(_conv(x, params["down"], 2))
    for block in params["blocks"]:
        y = jax.nn.relu(_conv(x, block["in"]))
        x = jax.nn.relu(x + _conv(y, block["out"]))
    x = _conv(x, params["head"])
    flat = x.reshape(x.shape[0], -1, CLASSES + SLOTS)
    places = params["places"].reshape(SLOTS, -1).T
    shares = jax.nn.softmax(flat[:, :, CLASSES:] + places, axis=1)
    return jnp.einsum("nps,npc->nsc", shares, flat[:, :, :CLASSES])


def folded(kernel: NDArray[np.float32]) -> NDArray[np.float32]:
    """Turn a kernel of stride 2 over one channel into its like of stride 1 over `torifuda_net.squares`.

    Parameters
    ----------
    kernel : shape (out, 1, 5, 5).

    Returns
    -------
    shape (out, 4, 3, 3): the same sums, in a layout that takes a third of the time.
    """
    out = np.zeros((len(kernel), 4, 3, 3), np.float32)
    for down in range(5):
        for right in range(5):
            (row, low), (column, far) = divmod(down - 2, 2), divmod(right - 2, 2)
            out[:, 2 * low + far, row + 1, column + 1] = kernel[:, 0, down, right]
    return out


def write_weights(params: Params, provenance: dict[str, str], path: Path) -> None:
    """Write the net as `vision.torifuda_net` takes it, and what taught it."""
    layers = {"stem": {**params["stem"], "kernel": folded(np.asarray(params["stem"]["kernel"]))}}
    layers |= {"down": params["down"], "head": params["head"]}
    for number, block in enumerate(params["blocks"]):
        layers |= {f"block{number}_in": block["in"], f"block{number}_out": block["out"]}
    arrays: dict[str, Any] = {
        f"{name}_{part}": np.asarray(values, np.float32)
        for name, layer in layers.items()
        for part, values in layer.items()
    }
    arrays["places"] = np.asarray(params["places"], np.float32)
    arrays |= {key: np.bytes_(text) for key, text in provenance.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, **arrays)


def glyphs(typefaces: Sequence[Typeface], folders: Sequence[Path]) -> list[NDArray[np.uint8]]:
    """Draw all glyphs of all files of the typefaces."""
    return [glyph_cells(path) for paths in font_files(typefaces, folders).values() for path in paths]


def lessons(faces: Sequence[NDArray[np.uint8]], seed: int, count: int) -> Batch:
    """Make a batch: normalised crops (N, height, width, 1) and slot classes (N, SLOTS)."""
    rng = np.random.default_rng(seed)
    texts = [poem.torifuda for poem in POEMS.values()]
    made = [lesson(faces, texts, rng) for _ in range(count)]
    crops = normalised(np.stack([crop for crop, _ in made]))
    return crops[:, 0, :, :, None], np.stack([labels for _, labels in made])


def endless_lessons(
    faces: Sequence[NDArray[np.uint8]], seed: int, used_twice: bool = True
) -> Iterator[Batch]:
    """Make batches in another thread; each is used again once, shuffled with older ones."""
    fresh: queue.Queue[Batch] = queue.Queue(8)

    def make() -> None:
        number = seed
        while True:
            fresh.put(lessons(faces, number, BATCH))
            number += 1

    threading.Thread(target=make, daemon=True).start()
    rng = np.random.default_rng(seed)
    kept: list[Batch] = []
    while True:
        batch = fresh.get()
        yield batch
        kept.append(batch)
        if used_twice and len(kept) > 64:
            parts = [kept.pop(int(rng.integers(len(kept)))) for _ in range(1)]
            yield parts[0]


def main() -> None:
    """Train for the given time and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fonts", type=Path, action="append", default=[], help="more folders with fonts")
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=2e-3, help="highest learning rate")
    parser.add_argument("--steps-per-minute", type=float, default=200, help="to plan the learning rate")
    parser.add_argument("--checkpoint", type=Path, help="file to resume from and to save to")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    cv2.setNumThreads(1)

    folders = [DEBIAN_FONTS, *options.fonts]
    steps = int(options.minutes * options.steps_per_minute)
    schedule = optax.warmup_cosine_decay_schedule(
        0.0, options.rate, min(200, steps // 10), steps, options.rate / 100
    )
    optimiser = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(schedule, weight_decay=1e-4))
    params = jax.tree.map(jnp.asarray, first_params(np.random.default_rng(options.seed)))
    if options.checkpoint and options.checkpoint.exists():
        params = jax.tree.map(jnp.asarray, pickle.loads(options.checkpoint.read_bytes()))
    average = params
    memory = optimiser.init(params)

    def loss(params: Params, crops: jax.Array, labels: jax.Array) -> jax.Array:
        scores = slot_scores(params, crops)
        return jnp.asarray(optax.softmax_cross_entropy_with_integer_labels(scores, labels).mean())

    @jax.jit
    def step(params: Params, average: Params, memory: Any, crops: jax.Array, labels: jax.Array) -> Any:
        value, slope = jax.value_and_grad(loss)(params, crops, labels)
        change, memory = optimiser.update(slope, memory, params)
        params = optax.apply_updates(params, change)
        average = jax.tree.map(lambda old, new: 0.998 * old + 0.002 * new, average, params)
        return params, average, memory, value

    examine = jax.jit(slot_scores)
    exam = lessons(glyphs(HELD_OUT, folders), 10**9, 600)

    def right(params: Params) -> tuple[float, float]:
        scores = np.asarray(examine(params, exam[0]))
        return float((scores.argmax(-1) == exam[1]).mean()), float(
            loss(params, jnp.asarray(exam[0]), jnp.asarray(exam[1]))
        )

    def save() -> None:
        provenance = {
            "made_by": "tools/train_identity.py",
            "typefaces": "; ".join(f"{face.family} ({face.package})" for face in TRAINING),
            "steps": str(number),
        }
        write_weights(average, provenance, options.out)
        if options.checkpoint:
            options.checkpoint.write_bytes(pickle.dumps(jax.tree.map(np.asarray, average)))

    began = saved = time.monotonic()
    recent: list[float] = []
    number = 0
    for number, (crops, labels) in enumerate(
        endless_lessons(glyphs(TRAINING, folders), options.seed * 10**6), 1
    ):
        params, average, memory, value = step(params, average, memory, crops, labels)
        if number == 300:
            average = params
        recent.append(float(value))
        now = time.monotonic()
        if now - saved > 60 or number >= steps or now - began > 60 * options.minutes:
            saved = now
            hit, held_loss = right(average)
            print(
                f"{(now - began) / 60:5.1f} min, step {number}, lesson loss {np.mean(recent[-200:]):.3f},"
                f" unseen typefaces: loss {held_loss:.3f}, slots right {hit:.4f}",
                flush=True,
            )
            save()
            if number >= steps or now - began > 60 * options.minutes:
                break


if __name__ == "__main__":
    main()
