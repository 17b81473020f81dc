"""Trains the reader of foreign hanafuda and writes `vision/weights/hanafuda.onnx`.

    python tools/train_hanafuda.py --decks FOLDER ... --minutes 30 [--unseen NAME ...] [--out FILE]

The net looks at the crop of one card that lies upright and says which of the 36 kinds of cards it is, or
none: no card, part of one, or one upside down. It learns from a few decks printed anew at random
(`hanafuda_lessons`); decks named with `--unseen` are left out and used to examine it.
"""

from __future__ import annotations

import argparse
import pickle
import queue
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import jax
import jax.numpy as jnp
import numpy as np
import optax
from hanafuda_lessons import no_card, photographed
from hanafuda_printer import at_size, reprinted
from numpy.typing import NDArray
from onnx_writer import OnnxWriter

from calibration.deck import Picture
from calibration.deck_enrolment import enrol_folder
from vision.hanafuda_crop import card_corners_in_crop, crop_size_px
from vision.hanafuda_kinds import KIND_OF, NONE, normalised
from vision.simulator.hanafuda_art import drawn_deck

SIZE: Final = crop_size_px()
CORNERS: Final = card_corners_in_crop().astype(np.float32)
CHANNELS: Final = (16, 32, 48)
BLOCKS: Final = 2
NECK: Final = 24
MAP: Final = (SIZE[1] // 8, SIZE[0] // 8)
BATCH: Final = 64
TWICE: Final = 3
SMOOTHING: Final = 0.05
BUILT_IN: Final = "drawn"
WEIGHTS: Final = Path(__file__).parents[1] / "vision" / "weights" / "hanafuda.onnx"

Params = dict[str, Any]
Batch = tuple[NDArray[np.float32], NDArray[np.int64]]
Deck = Mapping[str, Picture]
State = tuple[Params, Params, Any]
"""Weights, their running average, and what the optimiser remembers."""


def first_params(rng: np.random.Generator) -> Params:
    """Draw the untrained weights."""

    def layer(out: int, into: int, size: tuple[int, int], gain: float = 1.0) -> Params:
        spread = gain * np.sqrt(2 / (into * size[0] * size[1]))
        kernel = spread * rng.standard_normal((out, into, *size))
        return {"kernel": np.asarray(kernel, np.float32), "bias": np.zeros(out, np.float32)}

    fine, middle, coarse = CHANNELS
    return {
        "stem": layer(fine, 3, (5, 5)),
        "down": layer(middle, fine, (3, 3)),
        "deep": layer(coarse, middle, (3, 3)),
        "blocks": [
            {"in": layer(NECK, coarse, (1, 1)), "out": layer(coarse, NECK, (3, 3), 0.5)}
            for _ in range(BLOCKS)
        ],
        "narrow": layer(NECK, coarse, (1, 1)),
        "head": layer(NONE + 1, NECK, MAP, 0.3),
    }


def _conv(x: jax.Array, layer: Params, stride: int = 1, *, padded: bool = True) -> jax.Array:
    high, wide = layer["kernel"].shape[2:]
    pads = [(high // 2, high // 2), (wide // 2, wide // 2)] if padded else [(0, 0), (0, 0)]
    kernel = jnp.transpose(layer["kernel"], (2, 3, 1, 0))
    y = jax.lax.conv_general_dilated(
        x, kernel, (stride, stride), pads, dimension_numbers=("NHWC", "HWIO", "NHWC")
    )
    return jnp.asarray(y + layer["bias"])


def scores(params: Params, crops: jax.Array, key: jax.Array | None = None) -> jax.Array:
    """Return the scores of all kinds, shape (N, kinds + 1), of crops (N, height, width, 3)."""
    x = jax.nn.relu(_conv(crops, params["stem"], 2))
    x = jax.nn.relu(_conv(x, params["down"], 2))
    x = jax.nn.relu(_conv(x, params["deep"], 2))
    for block in params["blocks"]:
        y = jax.nn.relu(_conv(x, block["in"]))
        x = jax.nn.relu(x + _conv(y, block["out"]))
    x = jax.nn.relu(_conv(x, params["narrow"]))
    if key is not None:  # no place and no feature may be relied on
        kept = jax.random.bernoulli(key, 0.75, x.shape)
        x = jnp.where(kept, x / 0.75, 0)
    return _conv(x, params["head"], padded=False)[:, 0, 0, :]


def write_onnx(params: Params, provenance: dict[str, str], path: Path) -> None:
    """Write the net as it runs in the product: crops in, scores of the kinds out."""
    writer = OnnxWriter()

    def conv(source: str, layer: Params, stride: int = 1, *, padded: bool = True) -> str:
        kernel, bias = np.asarray(layer["kernel"]), np.asarray(layer["bias"])
        return writer.conv(source, kernel, bias, stride, padded=padded)

    x = "crops"
    for name in ("stem", "down", "deep"):
        x = writer.relu(conv(x, params[name], 2))
    for block in params["blocks"]:
        y = writer.relu(conv(x, block["in"]))
        x = writer.relu(writer.add(x, conv(y, block["out"])))
    x = conv(writer.relu(conv(x, params["narrow"])), params["head"], padded=False)
    model = writer.model(
        ("crops", ("cards", 3, SIZE[1], SIZE[0])), (x, ("cards", NONE + 1, 1, 1)), provenance
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(model)


def lessons(decks: Sequence[Deck], seed: int, count: int) -> Batch:
    """Make a batch: normalised crops (N, height, width, 3) and kinds (N,)."""
    rng = np.random.default_rng(seed)
    crops, kinds = [], []
    for _ in range(count):
        deck = decks[int(rng.integers(len(decks)))]
        chance = rng.random()
        if chance < 0.12:
            crop, kind = no_card(list(deck.values()), SIZE, CORNERS, rng), NONE
        else:
            card = list(deck)[int(rng.integers(len(deck)))]
            off = float(rng.choice([0.012, 0.03]))
            crop = photographed(reprinted(deck[card], rng), SIZE, CORNERS, off, rng)
            kind = KIND_OF[card]
            if chance > 0.85:
                crop, kind = np.ascontiguousarray(crop[::-1, ::-1]), NONE
        crops.append(crop)
        kinds.append(kind)
    return normalised(crops).transpose(0, 2, 3, 1), np.array(kinds)


def exam(deck: Deck, seed: int, times: int) -> Batch:
    """Photograph every card of a deck as it is."""
    rng = np.random.default_rng(seed)
    shown = [
        (
            photographed(at_size(picture), SIZE, CORNERS, 0.012, rng),
            KIND_OF[card],
        )
        for card, picture in deck.items()
        for _ in range(times)
    ]
    return normalised([crop for crop, _ in shown]).transpose(0, 2, 3, 1), np.array(
        [kind for _, kind in shown]
    )


def endless_lessons(decks: Sequence[Deck], seed: int) -> Iterator[Batch]:
    """Make batches in another thread; each lesson is used `TWICE` times, shuffled with others."""
    fresh: queue.Queue[Batch] = queue.Queue(8)

    def make() -> None:
        number = seed
        while True:
            fresh.put(lessons(decks, number, BATCH))
            number += 1

    threading.Thread(target=make, daemon=True).start()
    rng = np.random.default_rng(seed)
    kept: list[Batch] = []
    while True:
        kept.append(fresh.get())
        kept = kept[-60:]
        crops = np.concatenate([batch[0] for batch in kept])
        kinds = np.concatenate([batch[1] for batch in kept])
        for _ in range(TWICE):
            chosen = rng.choice(len(crops), BATCH, replace=False)
            yield crops[chosen], kinds[chosen]


def main() -> None:
    """Train for the given time and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decks", type=Path, nargs="+", required=True, help="folders of card pictures")
    parser.add_argument("--unseen", nargs="*", default=[], help="names of the folders to examine with only")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=2e-3, help="highest learning rate")
    parser.add_argument("--checkpoint", type=Path, help="file to resume from and to save to")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    decks: dict[str, Deck] = {}
    for folder in options.decks:
        deck = enrol_folder(folder, "hanafuda", folder.name)
        if not deck:
            raise SystemExit(f"{folder}: {deck}")
        decks[folder.name] = deck.pictures
    decks[BUILT_IN] = drawn_deck().pictures
    taught = [deck for name, deck in decks.items() if name not in options.unseen]
    exams = {name: exam(decks[name], 5, 3) for name in options.unseen}

    schedule = optax.warmup_cosine_decay_schedule(
        0.0, options.rate, min(200, options.steps // 10), options.steps, options.rate / 100
    )
    optimiser = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(schedule, weight_decay=3e-3))
    params = jax.tree.map(jnp.asarray, first_params(np.random.default_rng(options.seed)))
    if options.checkpoint and options.checkpoint.exists():
        params = jax.tree.map(jnp.asarray, pickle.loads(options.checkpoint.read_bytes()))
    state = (params, params, optimiser.init(params))

    def loss(params: Params, crops: jax.Array, kinds: jax.Array, key: jax.Array) -> jax.Array:
        wanted = optax.smooth_labels(jax.nn.one_hot(kinds, NONE + 1), SMOOTHING)
        return jnp.asarray(optax.softmax_cross_entropy(scores(params, crops, key), wanted).mean())

    @jax.jit
    def step(state: State, crops: jax.Array, kinds: jax.Array, key: jax.Array) -> tuple[State, jax.Array]:
        params, average, memory = state
        value, slope = jax.value_and_grad(loss)(params, crops, kinds, key)
        change, memory = optimiser.update(slope, memory, params)
        params = optax.apply_updates(params, change)
        average = jax.tree.map(lambda old, new: 0.995 * old + 0.005 * new, average, params)
        return (params, average, memory), value

    examine = jax.jit(scores)
    began = saved = time.monotonic()
    recent: list[float] = []
    keys = jax.random.split(jax.random.PRNGKey(options.seed), options.steps + 1)
    for number, (crops, kinds) in enumerate(endless_lessons(taught, options.seed * 10**6), 1):
        state, value = step(state, crops, kinds, keys[number])
        recent.append(float(value))
        now = time.monotonic()
        over = number >= options.steps or now - began > 60 * options.minutes
        if now - saved > 60 or over:
            saved = now
            marks = []
            for name, (shown, right) in exams.items():
                told = np.asarray(examine(state[1], shown))[:, :NONE].argmax(axis=1)
                marks.append(f"{name} {(told == right).mean():.3f}")
            minutes, recently = (now - began) / 60, np.mean(recent[-200:])
            print(f"{minutes:.1f} min, step {number}, loss {recently:.3f}", *marks, sep=", ", flush=True)
            provenance = {
                "made_by": "tools/train_hanafuda.py",
                "decks": "; ".join(name for name in decks if name not in options.unseen),
                "steps": str(number),
            }
            write_onnx(state[1], provenance, options.out)
            if options.checkpoint:
                options.checkpoint.write_bytes(pickle.dumps(jax.tree.map(np.asarray, state[1])))
        if over:
            break


if __name__ == "__main__":
    main()
