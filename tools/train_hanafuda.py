"""Trains the reader of foreign hanafuda and writes `vision/weights/hanafuda.onnx`.

    python tools/train_hanafuda.py --decks FOLDER ... --steps 6000 [--pool FILE] [--unseen NAME ...]

The net looks at the crop of one card that lies upright and says which of the 36 kinds of cards it is, or
none: no card, part of one, or one upside down. It learns from a few decks printed anew at random
(`hanafuda.pool`); decks named with `--unseen` are left out and used to examine it.
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
from hanafuda.lessons import photographed
from hanafuda.pool import CORNERS, SIZE, LessonPool
from hanafuda.printer import at_size
from network.learning import Learner, Params, Plan, conv, layer
from network.onnx_writer import OnnxWriter
from numpy.typing import NDArray

from calibration.decks.deck import Picture
from calibration.decks.enrolment import enrol_folder
from referee.cards.hanafuda import HANAFUDA, Category
from vision.hanafuda.kinds import CELL_PX, CHANNELS, KIND_OF, NONE, WAYS, strokes
from vision.simulator.art.hanafuda import drawn_deck

FINE: Final = 48
COARSE: Final = 64  # features at every cell of a crop's strokes, and at every second one
BLOCKS: Final = 2
NECK: Final = 24
BAG: Final = 64  # features that count wherever they are: a leaf is a leaf in any corner
MAP: Final = (SIZE[1] // CELL_PX // 2, SIZE[0] // CELL_PX // 2)
WEIGHT: Final = np.array([4.0] * WAYS + [1.0] * (CHANNELS - WAYS), np.float32)
"""Edges are shares of one and inks spread by one: so both weigh about as much."""
BATCH: Final = 64
SMOOTHING: Final = 0.05
DROPPED: Final = 0.25
MIRRORED: Final = 0.3
STREWN: Final = 0.5
NUDGED: Final = 0.3
"""Shares of lessons whose motif is drawn the other way round, whose plant grows elsewhere (chaff of plants
that are strewn over the card), or that are moved by up to two cells: no two makers agree about these."""
MIXED_INKS: Final = 0.3
GRAY: Final = 0.15  # how much inks run into one another, and how often nothing but their lightness is left
CARD: Final = (slice(3, SIZE[1] // CELL_PX - 3), slice(3, SIZE[0] // CELL_PX - 3))
"""Cells of a card's drawing, without the border and what lies around."""
SOFT_CELLS: Final = 1.5
REACH_CELLS: Final = 4
RIDGE: Final = 0.2
SECOND: Final = 1.0
"""The discriminant looks at strokes blurred by so much; its covariance is damped by so much of its mean; and
its scores spread by so much of the net's own. Both together were right on decks left out that one was not."""
BUILT_IN: Final = "drawn"
WEIGHTS: Final = Path(__file__).parents[1] / "vision" / "weights" / "hanafuda.onnx"

Deck = Mapping[str, Picture]

_FACES: Final = {kind: HANAFUDA[card] for card, kind in KIND_OF.items()}
MONTH_OF: Final = np.array([_FACES[kind].month - 1 for kind in range(NONE)] + [12])
CATEGORY_OF: Final = np.array([list(Category).index(_FACES[kind].category) for kind in range(NONE)] + [4])
"""A kind is a plant and what is shown with it: each adds its own score, and all of a month share one."""
STREWABLE: Final = np.array(
    [
        face.category is Category.KASU and face.month in (2, 3, 4, 5, 6, 7, 9, 10)
        for face in (_FACES[kind] for kind in range(NONE))
    ]
    + [False]
)
"""Chaff without a horizon or a trunk: flowers and leaves, of which there may be more or fewer anywhere."""
OTHER_WAY: Final = np.array([(WAYS - way) % WAYS for way in range(WAYS)] + list(range(WAYS, CHANNELS)))
"""Channels of a mirrored drawing."""


def first_params(rng: np.random.Generator) -> Params:
    """Draw the untrained weights."""
    return {
        "fine": layer(rng, FINE, CHANNELS, (3, 3)),
        "coarse": layer(rng, COARSE, FINE, (3, 3)),
        "blocks": [
            {"in": layer(rng, NECK, COARSE, (1, 1)), "out": layer(rng, COARSE, NECK, (3, 3), 0.5)}
            for _ in range(BLOCKS)
        ],
        "narrow": layer(rng, NECK, COARSE, (1, 1)),
        "kind": layer(rng, NONE + 1, NECK, MAP, 0.2),
        "month": layer(rng, 13, NECK, MAP, 0.2),
        "category": layer(rng, 5, NECK, MAP, 0.2),
        "bag": layer(rng, BAG, COARSE, (1, 1)),
        "bag_kind": layer(rng, NONE + 1, 2 * BAG, (1, 1), 0.3),
    }


def head(params: Params) -> Params:
    """Return the last layer: the scores of a kind, its month and its category are added."""
    return {
        part: params["kind"][part] + params["month"][part][MONTH_OF] + params["category"][part][CATEGORY_OF]
        for part in ("kernel", "bias")
    }


def scores(params: Params, cells: jax.Array, key: jax.Array | None = None) -> jax.Array:
    """Return the scores of all kinds, shape (N, kinds + 1), of strokes (N, rows, columns, CHANNELS)."""
    x = jax.nn.relu(conv(cells * WEIGHT, params["fine"]))
    x = jax.nn.relu(conv(x, params["coarse"], 2))
    for block in params["blocks"]:
        y = jax.nn.relu(conv(x, block["in"]))
        x = jax.nn.relu(x + conv(y, block["out"]))
    inner = jax.nn.relu(conv(x, params["bag"]))[:, 1:-1, 1:-1]
    bag = jnp.concatenate([inner.mean((1, 2)), inner.max((1, 2))], axis=1)[:, None, None]
    x = jax.nn.relu(conv(x, params["narrow"]))
    if key is not None:  # no place and no feature may be relied on
        x, bag = (_dropped(value, jax.random.fold_in(key, n)) for n, value in enumerate((x, bag)))
    # a kernel as large as the map is a product of matrices, whose slope costs a tenth of a convolution's
    last = head(params)
    told = jnp.einsum("nhwi,oihw->no", x, last["kernel"]) + last["bias"]
    return told + conv(bag, params["bag_kind"])[:, 0, 0, :]


def _dropped(x: jax.Array, key: jax.Array) -> jax.Array:
    kept = jax.random.bernoulli(key, 1 - DROPPED, x.shape)
    return jnp.where(kept, x / (1 - DROPPED), 0)


def soft_layer() -> Params:
    """Return the convolution that blurs strokes, each channel for itself, for every second cell."""
    at = np.arange(-REACH_CELLS, REACH_CELLS + 1)
    line = np.exp(-np.square(at) / (2 * SOFT_CELLS**2))
    kernel = np.zeros((CHANNELS, CHANNELS, len(at), len(at)), np.float32)
    for channel, weight in enumerate(WEIGHT):
        kernel[channel, channel] = weight * np.outer(line, line) / line.sum() ** 2
    return {"kernel": kernel, "bias": np.zeros(CHANNELS, np.float32)}


def discriminant(cells: NDArray[np.float16], kinds: NDArray[np.int64], spread: float) -> Params:
    """Return Fisher's linear discriminant of lessons as a convolution over blurred strokes.

    `spread`: standard deviation that its scores shall have over lessons and kinds.
    """
    soften = jax.jit(lambda some: conv(some, soft_layer(), 2)[:, 1:-1, 1:-1])
    parts = [np.asarray(soften(cells[i : i + 500].astype(np.float32))) for i in range(0, len(cells), 500)]
    map_size = parts[0].shape[1:3]
    soft = np.concatenate(parts).reshape(len(cells), -1)
    means = np.stack([soft[kinds == kind].mean(axis=0) for kind in range(NONE)])
    rest = soft - means[kinds]
    within = rest.T @ rest / len(rest)
    within += RIDGE * np.trace(within) / len(within) * np.eye(len(within), dtype=np.float32)
    weights = np.linalg.solve(within, means.T).T
    bias = -0.5 * np.einsum("ki,ki->k", weights, means)
    gain = spread / float((soft @ weights.T + bias).std())
    kernel = (gain * weights).reshape(NONE, *map_size, CHANNELS).transpose(0, 3, 1, 2)
    return {"kernel": np.asarray(kernel, np.float32), "bias": np.asarray(gain * bias, np.float32)}


def write_onnx(params: Params, second: Params, provenance: dict[str, str], path: Path) -> None:
    """Write the net as the product runs it: strokes in, scores of the kinds and the discriminant's out."""
    writer = OnnxWriter()

    def drawn(source: str, layer: Params, stride: int = 1, *, padded: bool = True) -> str:
        kernel, bias = np.asarray(layer["kernel"]), np.asarray(layer["bias"])
        return writer.conv(source, kernel, bias, stride, padded=padded)

    weighed = {**params["fine"], "kernel": np.asarray(params["fine"]["kernel"]) * WEIGHT[:, None, None]}
    x = writer.relu(drawn(writer.relu(drawn("cells", weighed)), params["coarse"], 2))
    for block in params["blocks"]:
        y = writer.relu(drawn(x, block["in"]))
        x = writer.relu(writer.add(x, drawn(y, block["out"])))
    bag = writer.pooled(writer.without_edge(writer.relu(drawn(x, params["bag"])), *MAP))
    x = drawn(writer.relu(drawn(x, params["narrow"])), head(params), padded=False)
    x = writer.add(x, drawn(bag, params["bag_kind"]))
    soft = writer.without_edge(drawn("cells", soft_layer(), 2), *MAP)
    x = writer.joined(x, drawn(soft, second, padded=False))
    rows, columns = SIZE[1] // CELL_PX, SIZE[0] // CELL_PX
    model = writer.model(
        ("cells", ("cards", CHANNELS, rows, columns)), (x, ("cards", 2 * NONE + 1, 1, 1)), provenance
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(model)


def loss(params: Params, cells: jax.Array, kinds: jax.Array, key: jax.Array) -> jax.Array:
    """Return the mean cross entropy of a batch that is laid out and inked anew each time."""
    keys = jax.random.split(key, 13)
    count = len(cells)
    cells = cells.astype(jnp.float32)
    mirrored = jax.random.bernoulli(keys[0], MIRRORED, (count, 1, 1, 1))
    cells = jnp.where(mirrored, cells[:, :, ::-1][..., OTHER_WAY], cells)
    strewn = jax.random.bernoulli(keys[1], STREWN, (count,)) & jnp.asarray(STREWABLE)[kinds]
    nudged = jax.random.bernoulli(keys[2], NUDGED, (count,)) & (kinds < NONE)
    drawing = cells[:, CARD[0], CARD[1]]
    far = [jax.random.randint(keys[3 + axis], (count,), 0, drawing.shape[1 + axis]) for axis in (0, 1)]
    near = [jax.random.randint(keys[5 + axis], (count,), -2 + axis, 3 - axis) for axis in (0, 1)]
    moves = [jnp.where(strewn, away, nudged * little) for away, little in zip(far, near, strict=True)]
    drawing = jax.vmap(lambda one, down, right: jnp.roll(one, (down, right), (0, 1)))(drawing, *moves)
    cells = cells.at[:, CARD[0], CARD[1]].set(drawing)
    edges, inks = cells[..., :WAYS], cells[..., WAYS:]
    runs = MIXED_INKS * jnp.abs(jax.random.normal(keys[7], (count, 1, 1)))
    mix = jnp.eye(3) + runs * jax.random.normal(keys[8], (count, 3, 3))
    gray = jax.random.bernoulli(keys[9], GRAY, (count, 1, 1))
    inks = jnp.einsum("nhwc,ncd->nhwd", inks, jnp.where(gray, jnp.ones((3, 3)) / 3, mix))
    inks += 0.1 * jax.random.normal(keys[10], (count, 1, 1, 3)) + 0.1 * jax.random.normal(
        keys[11], inks.shape
    )
    edges += 0.02 * jax.random.normal(keys[12], edges.shape)
    wanted = optax.smooth_labels(jax.nn.one_hot(kinds, NONE + 1), SMOOTHING)
    told = scores(params, jnp.concatenate([edges, inks], axis=3), key)
    return jnp.asarray(optax.softmax_cross_entropy(told, wanted).mean())


def strokes_of(crops: NDArray[np.uint8]) -> NDArray[np.float16]:
    """Return the strokes of many crops, some at a time."""
    parts = [strokes(list(crops[i : i + 200])).astype(np.float16) for i in range(0, len(crops), 200)]
    return np.concatenate(parts)


def exam(deck: Deck, seed: int, times: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Photograph every card of a deck as it is: strokes and kinds (N,)."""
    rng = np.random.default_rng(seed)
    cards = [card for card in deck for _ in range(times)]
    crops = [photographed(at_size(deck[card]), SIZE, CORNERS, 0.012, rng) for card in cards]
    return strokes(crops), np.array([KIND_OF[card] for card in cards])


def main() -> None:
    """Train as long as asked and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decks", type=Path, nargs="+", required=True, help="folders of card pictures")
    parser.add_argument("--unseen", nargs="*", default=[], help="names of the folders to examine with only")
    parser.add_argument("--lessons", type=int, default=40000, help="how many to make")
    parser.add_argument("--pool", type=Path, help="file of lessons: read, or written where there is none")
    parser.add_argument("--minutes", type=float, default=12, help="time to learn in, or:")
    parser.add_argument("--steps", type=int, help="how often to learn, however long that takes")
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
    cells, kinds = strokes_of(pool.crops[lessons]), pool.kinds[lessons]
    cards = np.flatnonzero(kinds < NONE)
    exams = {name: exam(decks[name], 5, 3) for name in options.unseen}
    examine = jax.jit(scores)
    rng = np.random.default_rng(options.seed)
    params, before = first_params(rng), 0
    if options.checkpoint and options.checkpoint.exists():
        params, before = pickle.loads(options.checkpoint.read_bytes())
        rng = np.random.default_rng((options.seed, before))  # or it would be shown the same lessons again
    learner = Learner(loss, params, Plan(options.minutes, options.rate, 3e-3, 0.997, options.steps))
    provenance = {
        "made_by": "tools/train_hanafuda.py",
        "decks": "; ".join(name for name in pool.decks if name not in options.unseen),
    }
    key = jax.random.fold_in(jax.random.PRNGKey(options.seed), before)
    recent: list[float] = []
    told_s = time.monotonic()
    while learner.spent < 1:
        chosen = rng.choice(len(cells), BATCH)
        value = learner.step(cells[chosen], kinds[chosen], jax.random.fold_in(key, learner.steps))
        recent = [*recent[-199:], value]
        if time.monotonic() - told_s > 60 or learner.spent >= 1:
            told_s = time.monotonic()
            marks = [f"{learner.spent:.0%} of the plan, step {learner.steps}, loss {np.mean(recent):.3f}"]
            for name, (shown, right) in exams.items():
                named = np.asarray(examine(learner.average, shown))[:, :NONE].argmax(axis=1)
                marks.append(f"{name} {(named == right).mean():.3f}")
            print(*marks, sep=", ", flush=True)
            if options.checkpoint:
                kept = jax.tree.map(np.asarray, learner.average), before + learner.steps
                options.checkpoint.write_bytes(pickle.dumps(kept))
    told = np.asarray(examine(learner.average, cells[cards[:2000]].astype(np.float32)))[:, :NONE]
    second = discriminant(cells[cards], kinds[cards], SECOND * float(told.std()))
    write_onnx(learner.average, second, {**provenance, "steps": str(before + learner.steps)}, options.out)


if __name__ == "__main__":
    main()
