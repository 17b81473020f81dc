"""Trains the torifuda reader and writes `vision/weights/torifuda.npz`.

    python tools/train_identity.py --fonts FOLDER_OF_UNPACKED_NPM_FONTS --minutes 40

A net that was written before learns what is new in the same time on a busy machine. The weights of the
repository learnt kana printed across from those that `git show eeea00b:vision/weights/torifuda.npz` returns:

    python tools/train_identity.py --fonts FOLDER --start OLD --rate 1e-3 --minutes 54 --batch 48 --seed 44

The net looks at a whole card. At every place of a coarse map it says which kana stands there and how much
that place belongs to each of the face's slots; what a slot shows is the average of the kana scores weighted
by those shares, so a deck may put its text where it likes. It learns from printed random texts in the
typefaces of `torifuda.typefaces.TRAINING`, never from pictures of real decks.
"""

from __future__ import annotations

import argparse
import hashlib
import pickle
import time
from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any, Final

import cv2
import jax
import jax.numpy as jnp
import numpy as np
import optax
from network.learning import Learner, Params, Plan, conv, layer
from numpy.typing import NDArray
from torifuda.printer import OVERPRINTED, lesson
from torifuda.typefaces import DEBIAN_FONTS, HELD_OUT, TRAINING, Typeface, font_files, glyph_cells

from referee.cards.poems import POEMS
from vision.cards.poses import CROP_HEIGHT_PX, CROP_WIDTH_PX, normalised
from vision.torifuda.face_reader import CLASSES, COLUMN_SLOTS, SLOTS

STEM: Final = 16
TRUNK: Final = 40
NECK: Final = 20
BLOCKS: Final = 3
MAP: Final = (CROP_HEIGHT_PX // 4, CROP_WIDTH_PX // 4)
AHEAD: Final = 8
KEPT: Final = 64
WEIGHTS: Final = Path(__file__).parents[1] / "vision" / "weights" / "torifuda.npz"

Batch = tuple[NDArray[np.float32], NDArray[np.int64]]


def first_params(rng: np.random.Generator) -> Params:
    """Draw the untrained weights; the slots' first guess of their place is the usual print."""
    places = np.zeros((SLOTS, *MAP), np.float32)
    rows, columns = np.mgrid[: MAP[0], : MAP[1]]
    slot = 0
    for column, rows_in in enumerate(COLUMN_SLOTS):
        for row in range(rows_in):
            x = MAP[1] / 2 - 0.5 + (1 - column) * 14.5 / 52 * MAP[1]
            y = MAP[0] / 2 - 0.5 + (row - 2) * 12.0 / 73 * MAP[0]
            places[slot] = -((columns - x) ** 2 + (rows - y) ** 2) / (2 * 1.3**2)
            slot += 1
    return {
        "stem": layer(rng, STEM, 1, (5, 5)),
        "down": layer(rng, TRUNK, STEM, (3, 3)),
        "blocks": [
            {"in": layer(rng, NECK, TRUNK, (1, 1)), "out": layer(rng, TRUNK, NECK, (3, 3), 0.5)}
            for _ in range(BLOCKS)
        ],
        "head": layer(rng, CLASSES + SLOTS, TRUNK, (1, 1), 0.3),
        "places": places,
    }


def slot_scores(params: Params, crops: jax.Array) -> jax.Array:
    """Return class scores per slot, shape (N, SLOTS, CLASSES), of crops of shape (N, height, width, 1)."""
    x = jax.nn.relu(conv(crops, params["stem"], 2))
    x = jax.nn.relu(conv(x, params["down"], 2))
    for block in params["blocks"]:
        y = jax.nn.relu(conv(x, block["in"]))
        x = jax.nn.relu(x + conv(y, block["out"]))
    x = conv(x, params["head"])
    flat = x.reshape(x.shape[0], -1, CLASSES + SLOTS)
    places = params["places"].reshape(SLOTS, -1).T
    shares = jax.nn.softmax(flat[:, :, CLASSES:] + places, axis=1)
    return jnp.einsum("nps,npc->nsc", shares, flat[:, :, :CLASSES])


def folded(kernel: NDArray[np.float32]) -> NDArray[np.float32]:
    """Turn a kernel of stride 2 over one channel into its like of stride 1 over `network.squares`.

    `kernel`: shape (out, 1, 5, 5).

    Returns: shape (out, 4, 3, 3): the same sums, in a layout that takes a third of the time.
    """
    out = np.zeros((len(kernel), 4, 3, 3), np.float32)
    for down in range(5):
        for right in range(5):
            (row, low), (column, far) = divmod(down - 2, 2), divmod(right - 2, 2)
            out[:, 2 * low + far, row + 1, column + 1] = kernel[:, 0, down, right]
    return out


def unfolded(kernel: NDArray[np.float32]) -> NDArray[np.float32]:
    """Turn a kernel that was `folded`, shape (out, 4, 3, 3), back into one of shape (out, 1, 5, 5)."""
    out = np.zeros((len(kernel), 1, 5, 5), np.float32)
    for down in range(5):
        for right in range(5):
            (row, low), (column, far) = divmod(down - 2, 2), divmod(right - 2, 2)
            out[:, 0, down, right] = kernel[:, 2 * low + far, row + 1, column + 1]
    return out


def read_weights(path: Path) -> Params:
    """Return the net that `write_weights` wrote, ready to learn more."""
    with np.load(path) as file:
        weights = dict(file)
    layers = {
        name.removesuffix("_kernel"): {
            part: weights[f"{name.removesuffix('_kernel')}_{part}"] for part in ("kernel", "bias")
        }
        for name in weights
        if name.endswith("_kernel")
    }
    layers["stem"]["kernel"] = unfolded(layers["stem"]["kernel"])
    return {
        **{name: layers[name] for name in ("stem", "down", "head")},
        "blocks": [
            {part: layers[f"block{number}_{part}"] for part in ("in", "out")} for number in range(BLOCKS)
        ],
        "places": weights["places"],
    }


def write_weights(params: Params, provenance: dict[str, str], path: Path) -> None:
    """Write the net as `vision.torifuda.face_reader` takes it, and what taught it."""
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


def lessons(
    faces: Sequence[NDArray[np.uint8]], seed: int, count: int, overprinted: float = OVERPRINTED
) -> Batch:
    """Make a batch: normalised crops (N, height, width, 1) and slot classes (N, SLOTS)."""
    rng = np.random.default_rng(seed)
    texts = [poem.torifuda for poem in POEMS.values()]
    made = [lesson(faces, texts, rng, overprinted) for _ in range(count)]
    crops = normalised(np.stack([crop for crop, _ in made]))
    return crops[:, 0, :, :, None], np.stack([labels for _, labels in made])


def endless_lessons(faces: Sequence[NDArray[np.uint8]], seed: int, size: int) -> Generator[Batch]:
    """Make batches in another thread, until it is closed; each is used again once, among younger ones."""
    rng = np.random.default_rng(seed)
    kept: list[Batch] = []
    with ThreadPoolExecutor(1) as maker:
        try:
            coming = deque(maker.submit(lessons, faces, seed + ahead, size) for ahead in range(AHEAD))
            for number in count(seed + AHEAD):
                coming.append(maker.submit(lessons, faces, number, size))
                kept.append(coming.popleft().result())
                yield kept[-1]
                if len(kept) > KEPT:
                    yield kept.pop(int(rng.integers(len(kept))))
        finally:
            maker.shutdown(cancel_futures=True)


def loss(params: Params, crops: jax.Array, labels: jax.Array) -> jax.Array:
    """Return the mean cross entropy of a batch's slots."""
    scores = slot_scores(params, crops)
    return jnp.asarray(optax.softmax_cross_entropy_with_integer_labels(scores, labels).mean())


def _course(options: argparse.Namespace) -> list[str]:
    """Return the options that tell how the weights came to be; a file is told by what it holds."""
    course = [f"--{name} {getattr(options, name):g}" for name in ("minutes", "seed", "rate", "batch")]
    if options.start:
        course.append(f"--start (sha256 {hashlib.sha256(options.start.read_bytes()).hexdigest()})")
    return course


def main() -> None:
    """Train for the given time and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fonts", type=Path, action="append", default=[], help="more folders with fonts")
    parser.add_argument("--minutes", type=float, default=40, help="time to learn in")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=2e-3, help="highest learning rate")
    parser.add_argument("--batch", type=int, default=96, help="lessons of a step")
    parser.add_argument("--start", type=Path, help="weights to learn on from, as an earlier run wrote them")
    parser.add_argument("--checkpoint", type=Path, help="file to go on from, and to save to")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    cv2.setNumThreads(1)

    folders = [DEBIAN_FONTS, *options.fonts]
    params = first_params(np.random.default_rng(options.seed))
    if options.checkpoint and options.checkpoint.exists():
        params = pickle.loads(options.checkpoint.read_bytes())
    elif options.start:
        params = read_weights(options.start)
    provenance = {
        "made_by": " ".join(["tools/train_identity.py", *_course(options)]),
        "typefaces": "; ".join(f"{face.family} ({face.package})" for face in TRAINING),
    }
    examine = jax.jit(lambda params, crops, labels: (slot_scores(params, crops), loss(params, crops, labels)))
    unseen = glyphs(HELD_OUT, folders)
    exams = {
        name: lessons(unseen, 10**9, 600, share) for name, share in (("plain", 0.0), ("overprinted", 1.0))
    }
    faces = glyphs(TRAINING, folders)
    # what comes before this is not counted as time to learn in
    learner = Learner(loss, params, Plan(options.minutes, options.rate, 1e-4, 0.998))
    recent: list[float] = []
    told_s = time.monotonic()
    with closing(endless_lessons(faces, options.seed * 10**6, options.batch)) as taught:
        while learner.spent < 1:
            recent = [*recent[-199:], learner.step(*next(taught))]
            if time.monotonic() - told_s < 60 and learner.spent < 1:
                continue
            told_s = time.monotonic()
            marks = []
            for name, (shown, right) in exams.items():
                scores, held_loss = examine(learner.average, shown, right)
                hit = float((np.asarray(scores).argmax(-1) == right).mean())
                marks.append(f"{name} loss {float(held_loss):.3f}, slots right {hit:.4f}")
            print(
                f"{learner.spent:.0%} of the time, step {learner.steps}, lesson loss {np.mean(recent):.3f},"
                f" unseen typefaces: {'; '.join(marks)}",
                flush=True,
            )
            write_weights(learner.average, {**provenance, "steps": str(learner.steps)}, options.out)
            if options.checkpoint:
                options.checkpoint.write_bytes(pickle.dumps(jax.tree.map(np.asarray, learner.average)))


if __name__ == "__main__":
    main()
