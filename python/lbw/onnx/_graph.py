# SPDX-License-Identifier: MIT
"""Nodes and constants of an ONNX graph under construction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from onnx import NodeProto, TensorProto, helper, numpy_helper

__all__ = ["ELEMENT_TYPES", "Graph", "element_type"]

ELEMENT_TYPES: dict[str, int] = {
    "double": TensorProto.DOUBLE,
    "single": TensorProto.FLOAT,
}
_DTYPES: dict[int, Any] = {TensorProto.DOUBLE: np.float64, TensorProto.FLOAT: np.float32}


def element_type(dtype: Any) -> int:
    """Return the ONNX type of the elements of a NumPy array."""
    return int(helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))


class Graph:
    """A graph to which nodes and constants are added; tensors are known by their names.

    Attributes
    ----------
    precision : {"double", "single"}
        The precision of the features that go in and out.
    nodes : list of NodeProto
        The nodes, in an order in which they can be computed.
    initializers : list of TensorProto
        The constants.
    """

    def __init__(
        self, precision: str = "double", unique: Callable[[str], str] | None = None
    ) -> None:
        self.precision = precision
        self.nodes: list[NodeProto] = []
        self.initializers: list[TensorProto] = []
        self._constants: dict[tuple[Any, ...], str] = {}
        self._count = 0
        self._unique = unique or self._numbered

    def _numbered(self, name: str) -> str:
        self._count += 1
        return f"lbw_{name}_{self._count}"

    @property
    def type(self) -> int:
        """The ONNX type of the features."""
        return ELEMENT_TYPES[self.precision]

    @property
    def dtype(self) -> Any:
        """The NumPy type of the features."""
        return _DTYPES[self.type]

    def op(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Add a node of one output, and return the name of that output."""
        return self.ops(kind, inputs, 1, domain=domain, **attributes)[0]

    def ops(
        self,
        kind: str,
        inputs: Sequence[str],
        n_outputs: int,
        *,
        domain: str = "",
        **attributes: Any,
    ) -> list[str]:
        """Add a node of several outputs, and return their names."""
        outputs = [self._unique(kind) for _ in range(n_outputs)]
        node = helper.make_node(kind, list(inputs), outputs, domain=domain, **attributes)
        node.name = outputs[0]
        self.nodes.append(node)
        return outputs

    def name(self, name: str) -> str:
        """Return a name that no other tensor has."""
        return self._unique(name)

    def rename(self, name: str, new: str) -> None:
        """Give the output of a node another name."""
        for node in self.nodes:
            for names in (node.input, node.output):
                names[:] = [new if own == name else own for own in names]

    def constant(self, value: Any, dtype: Any = None) -> str:
        """Add a constant, and return its name; equal constants share one."""
        array = np.asarray(value, dtype=dtype)
        key = (str(array.dtype), array.shape, array.tobytes())
        if key not in self._constants:
            name = self._unique("constant")
            texts = array.astype(object) if array.dtype.kind == "U" else np.ascontiguousarray(array)
            tensor = numpy_helper.from_array(texts.reshape(array.shape), name)
            self.initializers.append(tensor)
            self._constants[key] = name
        return self._constants[key]

    def number(self, value: Any, like: Any = None) -> str:
        """Add a constant of the precision of the features, or of the type `like`."""
        return self.constant(value, self.dtype if like is None else like)

    def integers(self, *values: int) -> str:
        """Add a list of integers, such as axes or a shape."""
        return self.constant(np.array(values, dtype=np.int64))

    def cast(self, name: str, to: int) -> str:
        """Add a conversion to another type of elements."""
        return self.op("Cast", name, to=to)

    def repeat(self, column: str, times: int, dtype: Any) -> str:
        """Add a matrix of equal columns (n, times) for a column (n, 1).

        onnxruntime broadcasts a column ten times as slowly as it computes this product.
        """
        return self.op("MatMul", column, self.constant(np.ones((1, times)), dtype))

    def body(self) -> Graph:
        """Return a graph for the body of a loop, whose constants are those of this graph."""
        inner = Graph(self.precision, self._unique)
        inner._constants, inner.initializers = self._constants, self.initializers
        return inner

    def in_double(self) -> Graph:
        """Return this graph in double precision: what is added to it is added to this one."""
        exact = self.body()
        exact.precision, exact.nodes = "double", self.nodes
        return exact
