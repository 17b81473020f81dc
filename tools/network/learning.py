"""What the training scripts share: layers, and a learner that plans its rate over what it is given."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray

Params = dict[str, Any]
Loss = Callable[..., jax.Array]

WARM_UP: Final = 0.04
LAST_RATE: Final = 0.01
"""The rate rises over this share of the plan, then falls along a cosine to this share of its highest."""


def layer(
    rng: np.random.Generator, out: int, into: int, size: tuple[int, int], gain: float = 1.0
) -> dict[str, NDArray[np.float32]]:
    """Draw a convolution's first weights, as He and others (2015) do, times `gain`; biases are zero."""
    spread = gain * np.sqrt(2 / (into * size[0] * size[1]))
    kernel = spread * rng.standard_normal((out, into, *size))
    return {"kernel": np.asarray(kernel, np.float32), "bias": np.zeros(out, np.float32)}


def conv(x: jax.Array, layer: Params, stride: int = 1, *, padded: bool = True) -> jax.Array:
    """Convolve pictures (N, height, width, channels); `padded`: an odd kernel keeps their size."""
    high, wide = layer["kernel"].shape[2:]
    pads = [(high // 2, high // 2), (wide // 2, wide // 2)] if padded else [(0, 0), (0, 0)]
    # laid out with channels last: the CPU's convolutions are several times faster that way
    kernel = jnp.transpose(layer["kernel"], (2, 3, 1, 0))
    y = jax.lax.conv_general_dilated(
        x, kernel, (stride, stride), pads, dimension_numbers=("NHWC", "HWIO", "NHWC")
    )
    return jnp.asarray(y + layer["bias"])


@dataclass(frozen=True, slots=True)
class Plan:
    """How to learn."""

    minutes: float  # for how long, where no steps are given
    rate: float  # the highest learning rate
    weight_decay: float  # per step and unit of rate
    memory: float  # share of the running average that stays at every step
    steps: int | None = None  # how many to make, however long that takes: the same on any machine


class Learner:
    """Descends a loss by AdamW for so many steps, or for a time: a busy machine then makes fewer, not worse.

    `average`: running average of the parameters, better than the last ones. `steps`: how many were made.

    Parameters
    ----------
    loss : of the parameters and a batch's arrays.
    params : the first ones.
    plan : how to learn.
    """

    def __init__(self, loss: Loss, params: Params, plan: Plan) -> None:
        self._began_s, self._plan = time.monotonic(), plan
        self._params = self.average = jax.tree.map(jnp.asarray, params)
        rule = optax.chain(
            optax.clip_by_global_norm(1.0),
            optax.scale_by_adam(),
            optax.add_decayed_weights(plan.weight_decay),
        )
        self._state: Any = rule.init(self._params)
        self.steps = 0

        @jax.jit
        def stepped(
            params: Params, average: Params, state: Any, rate: float, keep: float, *batch: Any
        ) -> tuple[Params, Params, Any, jax.Array]:
            value, slope = jax.value_and_grad(loss)(params, *batch)
            change, state = rule.update(slope, state, params)
            params = jax.tree.map(lambda old, step: old - rate * step, params, change)
            average = jax.tree.map(lambda old, new: keep * old + (1 - keep) * new, average, params)
            return params, average, state, value

        self._stepped = stepped

    @property
    def spent(self) -> float:
        """Share of the plan that is over, from 0."""
        if self._plan.steps is not None:
            return self.steps / self._plan.steps
        return (time.monotonic() - self._began_s) / (60 * self._plan.minutes)

    def step(self, *batch: Any) -> float:
        """Learn from a batch, and return its loss before that."""
        done = min(self.spent, 1.0)
        fall = max(0.0, done - WARM_UP) / (1 - WARM_UP)
        cosine = LAST_RATE + (1 - LAST_RATE) * (1 + np.cos(np.pi * fall)) / 2
        # a young average forgets faster, or it would remember the untrained weights
        keep = min(self._plan.memory, 1 - 10 / (10 + self.steps))
        self._params, self.average, self._state, value = self._stepped(
            self._params,
            self.average,
            self._state,
            # a number of NumPy's has another type for the compiler, which would do its work twice
            float(self._plan.rate * min(done / WARM_UP, cosine)),
            keep,
            *batch,
        )
        self.steps += 1
        return float(value)
