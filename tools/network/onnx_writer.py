"""Writes a chain of convolutions as an ONNX file, byte by byte: the format is small, its library is not.

Only what a plain convolutional net needs: Conv, Relu, Add, pooling over everything, cutting and joining. The
numbers in the code are the field numbers of the public `onnx.proto3` schema.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

_FLOAT: Final = 1
_INT64: Final = 7
_ATTRIBUTE_INT: Final = 2
_ATTRIBUTE_INTS: Final = 7
_IR_VERSION: Final = 8
_OPSET: Final = 13


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def _number(tag: int, value: int) -> bytes:
    return _varint(tag << 3) + _varint(value)


def _bytes(tag: int, value: bytes | str) -> bytes:
    raw = value.encode() if isinstance(value, str) else value
    return _varint(tag << 3 | 2) + _varint(len(raw)) + raw


def _value_info(name: str, shape: Sequence[int | str]) -> bytes:
    dims = b"".join(
        _bytes(1, _bytes(2, size) if isinstance(size, str) else _number(1, size)) for size in shape
    )
    return _bytes(1, name) + _bytes(2, _bytes(1, _number(1, _FLOAT) + _bytes(2, dims)))


@dataclass(slots=True)
class OnnxWriter:
    """Collects nodes; every method returns the name of the value it makes."""

    nodes: list[bytes] = field(default_factory=list)
    weights: list[bytes] = field(default_factory=list)

    def _node(
        self, operator: str, inputs: Sequence[str], attributes: Mapping[str, Sequence[int] | int]
    ) -> str:
        output = f"{operator.lower()}_{len(self.nodes)}"
        parts = [_bytes(1, name) for name in inputs] + [
            _bytes(2, output),
            _bytes(3, output),
            _bytes(4, operator),
        ]
        for name, values in attributes.items():
            if isinstance(values, int):
                parts.append(_bytes(5, _bytes(1, name) + _number(3, values) + _number(20, _ATTRIBUTE_INT)))
                continue
            ints = b"".join(_number(8, value) for value in values)
            parts.append(_bytes(5, _bytes(1, name) + ints + _number(20, _ATTRIBUTE_INTS)))
        self.nodes.append(b"".join(parts))
        return output

    def _weight(self, values: NDArray[np.float32]) -> str:
        name = f"weight_{len(self.weights)}"
        dims = b"".join(_number(1, size) for size in values.shape)
        raw = _bytes(9, np.ascontiguousarray(values, "<f4").tobytes())
        self.weights.append(dims + _number(2, _FLOAT) + _bytes(8, name) + raw)
        return name

    def _numbers(self, values: Sequence[int]) -> str:
        """Add whole numbers that a node takes as an input."""
        name = f"weight_{len(self.weights)}"
        raw = _bytes(9, np.array(values, "<i8").tobytes())
        self.weights.append(_number(1, len(values)) + _number(2, _INT64) + _bytes(8, name) + raw)
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

        Parameters
        ----------
        kernel : shape (out, in, height, width), odd sizes.
        bias : shape (out,).
        """
        _, _, height, width = kernel.shape
        pads = (height // 2, width // 2) * 2 if padded else (0, 0, 0, 0)
        attributes = {"kernel_shape": (height, width), "pads": pads, "strides": (stride, stride)}
        return self._node("Conv", [source, self._weight(kernel), self._weight(bias)], attributes)

    def relu(self, source: str) -> str:
        """Add a rectifier."""
        return self._node("Relu", [source], {})

    def add(self, first: str, second: str) -> str:
        """Add the sum of two values of one shape."""
        return self._node("Add", [first, second], {})

    def without_edge(self, source: str, height: int, width: int) -> str:
        """Cut one row or column off each side of maps of this size."""
        ends = [self._numbers(values) for values in ((1, 1), (height - 1, width - 1), (2, 3))]
        return self._node("Slice", [source, *ends], {})

    def pooled(self, source: str) -> str:
        """Add the mean of every channel over the whole map, and after these the highest of every channel."""
        both = [self._node(f"Global{which}Pool", [source], {}) for which in ("Average", "Max")]
        return self.joined(*both)

    def joined(self, *sources: str) -> str:
        """Lay the channels of values one after the other."""
        return self._node("Concat", sources, {"axis": 1})

    def model(
        self,
        inputs: tuple[str, Sequence[int | str]],
        outputs: tuple[str, Sequence[int | str]],
        provenance: Mapping[str, str],
    ) -> bytes:
        """Return the file's bytes; `inputs`, `outputs`: a name and a shape, a text being a free size."""
        graph = b"".join(_bytes(1, node) for node in self.nodes) + _bytes(2, "torifuda")
        graph += b"".join(_bytes(5, weight) for weight in self.weights)
        graph += _bytes(11, _value_info(*inputs)) + _bytes(12, _value_info(*outputs))
        notes = b"".join(_bytes(14, _bytes(1, key) + _bytes(2, text)) for key, text in provenance.items())
        opset = _bytes(8, _bytes(1, "") + _number(2, _OPSET))
        return _number(1, _IR_VERSION) + _bytes(7, graph) + opset + notes
