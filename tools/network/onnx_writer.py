"""Builds the ONNX graph of a plain convolutional net: Conv, Relu, Add, pooling, cutting and joining."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

_IR_VERSION: Final = 8
_OPSET: Final = 13


class OnnxWriter:
    """Collects nodes; every method returns the name of the value it makes."""

    def __init__(self) -> None:
        self._nodes: list[Any] = []
        self._weights: list[Any] = []

    def _node(self, operator: str, inputs: Sequence[str], **attributes: object) -> str:
        output = f"{operator.lower()}_{len(self._nodes)}"
        self._nodes.append(helper.make_node(operator, inputs, [output], name=output, **attributes))
        return output

    def _weight(self, values: NDArray[Any]) -> str:
        name = f"weight_{len(self._weights)}"
        self._weights.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def conv(
        self,
        source: str,
        kernel: NDArray[np.float32],
        bias: NDArray[np.float32],
        stride: int = 1,
        *,
        padded: bool = True,
    ) -> str:
        """Add a convolution that keeps (or, with a stride, divides) the picture's size.

        `kernel`: shape (out, in, height, width), odd sizes. `bias`: shape (out,).
        """
        _, _, height, width = kernel.shape
        pads = (height // 2, width // 2) * 2 if padded else (0, 0, 0, 0)
        weights = [self._weight(part.astype(np.float32)) for part in (kernel, bias)]
        return self._node(
            "Conv", [source, *weights], kernel_shape=(height, width), pads=pads, strides=(stride, stride)
        )

    def relu(self, source: str) -> str:
        """Add a rectifier."""
        return self._node("Relu", [source])

    def add(self, first: str, second: str) -> str:
        """Add the sum of two values of one shape."""
        return self._node("Add", [first, second])

    def without_edge(self, source: str, height: int, width: int) -> str:
        """Cut one row or column off each side of maps of this size."""
        starts_ends_axes = [np.array(pair, np.int64) for pair in ((1, 1), (height - 1, width - 1), (2, 3))]
        return self._node("Slice", [source, *map(self._weight, starts_ends_axes)])

    def pooled(self, source: str) -> str:
        """Add the mean of every channel over the whole map, and after these the highest of every channel."""
        return self.joined(*(self._node(f"Global{which}Pool", [source]) for which in ("Average", "Max")))

    def joined(self, *sources: str) -> str:
        """Lay the channels of values one after the other."""
        return self._node("Concat", sources, axis=1)

    def model(
        self,
        inputs: tuple[str, Sequence[int | str]],
        outputs: tuple[str, Sequence[int | str]],
        provenance: Mapping[str, str],
    ) -> bytes:
        """Return the file's bytes; `inputs`, `outputs`: a name and a shape, a text being a free size."""
        ends = [
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)]
            for name, shape in (inputs, outputs)
        ]
        graph = helper.make_graph(self._nodes, "torifuda", *ends, self._weights)
        model = helper.make_model(
            graph, ir_version=_IR_VERSION, opset_imports=[helper.make_opsetid("", _OPSET)]
        )
        helper.set_model_props(model, dict(provenance))
        return bytes(model.SerializeToString())
