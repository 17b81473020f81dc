"""Trains the reader of foreign hanafuda and writes `vision/weights/hanafuda.onnx`.

    python tools/train_hanafuda.py --decks FOLDER ... --minutes 12 [--pool FILE] [--unseen NAME ...]

The net looks at the crop of one card that lies upright and says which of the 36 kinds of cards it is, or
none: no card, part of one, or one upside down. It learns from a few decks printed anew at random
(`hanafuda_pool`); decks named with `--unseen` are left out and used to examine it.
"""

from __future__ import annotations

import argparse
import pickle
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import cv2
import jax
import jax.numpy as jnp
import numpy as np
import optax
from hanafuda_lessons import photographed
from hanafuda_pool import CORNERS, SIZE, LessonPool
from hanafuda_printer import at_size
from learning import Learner, Params, Plan, conv, layer
from numpy.typing import NDArray
from onnx_writer import OnnxWriter

from calibration.deck import Picture
from calibration.deck_enrolment import enrol_folder
from referee.cards.hanafuda import HANAFUDA, Category
from vision.hanafuda_kinds import KIND_OF, NONE, normalised
from vision.simulator.hanafuda_art import drawn_deck

CHANNELS: Final = (16, 32, 48)
BLOCKS: Final = 2
NECK: Final = 24
MAP: Final = (SIZE[1] // 8, SIZE[0] // 8)
BATCH: Final = 64
SMOOTHING: Final = 0.05
SHIFT_PX: Final = 2
BUILT_IN: Final = "drawn"
WEIGHTS: Final = Path(__file__).parents[1] / "vision" / "weights" / "hanafuda.onnx"

Deck = Mapping[str, Picture]

_FACES: Final = {kind: HANAFUDA[card] for card, kind in KIND_OF.items()}
MONTH_OF: Final = np.array([_FACES[kind].month - 1 for kind in range(NONE)] + [12])
CATEGORY_OF: Final = np.array([list(Category).index(_FACES[kind].category) for kind in range(NONE)] + [4])
"""A kind is a plant and what is shown with it: each adds its own score, and all of a month share one."""


def first_params(rng: np.random.Generator) -> Params:
    """Draw the untrained weights."""
    fine, middle, coarse = CHANNELS
    return {
        "stem": layer(rng, fine, 3, (5, 5)),
        "down": layer(rng, middle, fine, (3, 3)),
        "deep": layer(rng, coarse, middle, (3, 3)),
        "blocks": [
            {"in": layer(rng, NECK, coarse, (1, 1)), "out": layer(rng, coarse, NECK, (3, 3), 0.5)}
            for _ in range(BLOCKS)
        ],
        "narrow": layer(rng, NECK, coarse, (1, 1)),
        "kind": layer(rng, NONE + 1, NECK, MAP, 0.2),
        "month": layer(rng, 13, NECK, MAP, 0.2),
        "category": layer(rng, 5, NECK, MAP, 0.2),
    }


def head(params: Params) -> Params:
    """Return the last layer: the scores of a kind, its month and its category are added."""
    return {
        part: params["kind"][part] + params["month"][part][MONTH_OF] + params["category"][part][CATEGORY_OF]
        for part in ("kernel", "bias")
    }


def scores(params: Params, crops: jax.Array, key: jax.Array | None = None) -> jax.Array:
    """Return the scores of all kinds, shape (N, kinds + 1), of crops (N, height, width, 3)."""
    x = jax.nn.relu(conv(crops, params["stem"], 2))
    x = jax.nn.relu(conv(x, params["down"], 2))
    x = jax.nn.relu(conv(x, params["deep"], 2))
    for block in params["blocks"]:
        y = jax.nn.relu(conv(x, block["in"]))
        x = jax.nn.relu(x + conv(y, block["out"]))
    x = jax.nn.relu(conv(x, params["narrow"]))
    if key is not None:  # no place and no feature may be relied on
        kept = jax.random.bernoulli(key, 0.75, x.shape)
        x = jnp.where(kept, x / 0.75, 0)
    return conv(x, head(params), padded=False)[:, 0, 0, :]


def write_onnx(params: Params, provenance: dict[str, str], path: Path) -> None:
    """Write the net as it runs in the product: crops in, scores of the kinds out."""
    writer = OnnxWriter()

    def drawn(source: str, layer: Params, stride: int = 1, *, padded: bool = True) -> str:
        kernel, bias = np.asarray(layer["kernel"]), np.asarray(layer["bias"])
        return writer.conv(source, kernel, bias, stride, padded=padded)

    x = "crops"
    for name in ("stem", "down", "deep"):
        x = writer.relu(drawn(x, params[name], 2))
    for block in params["blocks"]:
        y = writer.relu(drawn(x, block["in"]))
        x = writer.relu(writer.add(x, drawn(y, block["out"])))
    x = drawn(writer.relu(drawn(x, params["narrow"])), head(params), padded=False)
    model = writer.model(
        ("crops", ("cards", 3, SIZE[1], SIZE[0])), (x, ("cards", NONE + 1, 1, 1)), provenance
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(model)


def loss(params: Params, crops: jax.Array, kinds: jax.Array, key: jax.Array) -> jax.Array:
    """Return the mean cross entropy of a batch that is shifted, tinted and dirtied anew each time."""
    move, tint, lift, dirt, drop = jax.random.split(key, 5)
    count, height, width, _ = crops.shape
    spread = 2 * SHIFT_PX
    shifts = jax.random.randint(move, (count, 2), 0, spread + 1)
    wide = jnp.pad(crops, ((0, 0), (SHIFT_PX, SHIFT_PX), (SHIFT_PX, SHIFT_PX), (0, 0)), mode="edge")
    crops = jax.vmap(
        lambda crop, shift: jax.lax.dynamic_slice(crop, (shift[0], shift[1], 0), (height, width, 3))
    )(wide, shifts)
    crops *= jnp.exp(0.12 * jax.random.normal(tint, (count, 1, 1, 3)))
    crops += 0.1 * jax.random.normal(lift, (count, 1, 1, 3))
    crops += 0.1 * jax.random.normal(dirt, crops.shape)
    wanted = optax.smooth_labels(jax.nn.one_hot(kinds, NONE + 1), SMOOTHING)
    return jnp.asarray(optax.softmax_cross_entropy(scores(params, crops, drop), wanted).mean())


def exam(deck: Deck, seed: int, times: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Photograph every card of a deck as it is: crops (N, height, width, 3) and kinds (N,)."""
    rng = np.random.default_rng(seed)
    cards = [card for card in deck for _ in range(times)]
    crops = [photographed(at_size(deck[card]), SIZE, CORNERS, 0.012, rng) for card in cards]
    return normalised(crops).transpose(0, 2, 3, 1), np.array([KIND_OF[card] for card in cards])


def main() -> None:
    """Train for the given time and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decks", type=Path, nargs="+", required=True, help="folders of card pictures")
    parser.add_argument("--unseen", nargs="*", default=[], help="names of the folders to examine with only")
    parser.add_argument("--lessons", type=int, default=40000, help="how many to make")
    parser.add_argument("--pool", type=Path, help="file of lessons: read, or written where there is none")
    parser.add_argument("--minutes", type=float, default=12, help="time to learn in")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=2e-3, help="highest learning rate")
    parser.add_argument("--checkpoint", type=Path, help="file to go on from, and to save to")
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
    if options.pool and options.pool.exists():
        pool = LessonPool.loaded(options.pool)
    else:
        pool = LessonPool.made(decks, options.lessons, options.seed)
        if options.pool:
            pool.save(options.pool)
    lessons = pool.without(options.unseen)
    exams = {name: exam(decks[name], 5, 3) for name in options.unseen}
    examine = jax.jit(scores)
    rng = np.random.default_rng(options.seed)
    params = first_params(rng)
    if options.checkpoint and options.checkpoint.exists():
        params = pickle.loads(options.checkpoint.read_bytes())
    learner = Learner(loss, params, Plan(options.minutes, options.rate, 3e-3, 0.997))
    provenance = {
        "made_by": "tools/train_hanafuda.py",
        "decks": "; ".join(name for name in pool.decks if name not in options.unseen),
    }
    key = jax.random.PRNGKey(options.seed)
    recent: list[float] = []
    told_s = time.monotonic()
    while learner.spent < 1:
        chosen = rng.choice(lessons, BATCH)
        crops = normalised(list(pool.crops[chosen])).transpose(0, 2, 3, 1)
        value = learner.step(crops, pool.kinds[chosen], jax.random.fold_in(key, learner.steps))
        recent = [*recent[-199:], value]
        if time.monotonic() - told_s > 60 or learner.spent >= 1:
            told_s = time.monotonic()
            marks = [f"{learner.spent:.0%} of the time, step {learner.steps}, loss {np.mean(recent):.3f}"]
            for name, (shown, right) in exams.items():
                named = np.asarray(examine(learner.average, shown))[:, :NONE].argmax(axis=1)
                marks.append(f"{name} {(named == right).mean():.3f}")
            print(*marks, sep=", ", flush=True)
            write_onnx(learner.average, {**provenance, "steps": str(learner.steps)}, options.out)
            if options.checkpoint:
                options.checkpoint.write_bytes(pickle.dumps(jax.tree.map(np.asarray, learner.average)))


if __name__ == "__main__":
    main()
