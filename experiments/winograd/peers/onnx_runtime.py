"""ONNX Runtime from PyPI: a model of one Conv node, optimised by the runtime, with its arrays bound beforehand."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from reference import Floats, Problem, check

from rooftop.driver.peer import SkipCaseError, Verdict, drive
from rooftop.machine.processor import processor
from rooftop.machine.system_files import SystemFiles

try:
    import onnx
    import onnxruntime
except ImportError as error:
    MISSING: str | None = f"{error.name} is not installed (pip install onnx onnxruntime)"
else:
    MISSING = None

OPSET = 13
MODEL_FORMAT = 8  # ONNX IR version that every runtime since 1.10 reads


class Convolution:
    """One case, its model built; `run` is what is timed."""

    def __init__(self, problem: Problem, threads: int) -> None:
        """Build the model and bind its arrays. On blocked terms only the convolution itself is in the timed model."""
        self.problem = problem
        self.threads = threads
        self.finish_step: Callable[[Any], Floats] = lambda bound: bound.numpy()
        model = self._model()
        inputs = {"x": problem.image}
        if problem.filter_terms == "timed":
            inputs["w"] = problem.filter
        if problem.layout == "blocked" and problem.filter_terms == "prepared":
            model, inputs = self._convolution_alone(model)
        self.session = self._session(model)
        shape = self.session.get_outputs()[0].shape
        self.output = onnxruntime.OrtValue.ortvalue_from_numpy(np.full(shape, np.nan, np.float32))
        self.binding = self.session.io_binding()
        self.inputs = {name: onnxruntime.OrtValue.ortvalue_from_numpy(value) for name, value in inputs.items()}
        for name, value in self.inputs.items():
            self.binding.bind_ortvalue_input(name, value)
        self.binding.bind_ortvalue_output(self.session.get_outputs()[0].name, self.output)

    def run(self) -> None:
        """Run the model once, from bound input to bound output."""
        self.session.run_with_iobinding(self.binding)

    def poison(self) -> None:
        """Overwrite the output, so that one left untouched is caught."""
        self.output.update_inplace(np.full(self.output.shape(), np.nan, np.float32))

    def result(self) -> Floats:
        """Return the output as [n, k, out_h, out_w]."""
        return self.finish_step(self.output)

    def verdict(self) -> Verdict:
        """Hold the output against the reference."""
        error, tolerance, wrong = check(self.problem, self.result())
        return Verdict(error, tolerance, wrong)

    def work(self) -> dict[str, Any]:
        """Return what one run does, as far as it can be known from outside: a direct convolution."""
        arrays = 4.0 * (self.problem.image.size + self.problem.filter.size + float(np.prod(self.problem.output_shape)))
        return {
            "fma_flops": self.problem.direct_flops,
            "add_flops": 0.0,
            "memory_bytes": arrays,
            "working_set_bytes": arrays,
            "algorithm": "direct",
        }

    def _model(self) -> Any:
        """Make the model; a filter prepared beforehand is a constant that the runtime may lay out as it likes."""
        problem, helper = self.problem, onnx.helper
        real = onnx.TensorProto.FLOAT
        inputs = [helper.make_tensor_value_info("x", real, problem.image.shape)]
        constants = []
        if problem.filter_terms == "timed":
            inputs.append(helper.make_tensor_value_info("w", real, problem.filter.shape))
        else:
            constants.append(onnx.numpy_helper.from_array(problem.filter, "w"))
        node = helper.make_node("Conv", ["x", "w"], ["y"], kernel_shape=[3, 3], pads=[problem.padding] * 4)
        output = helper.make_tensor_value_info("y", real, problem.output_shape)
        graph = helper.make_graph([node], "convolution", inputs, [output], constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
        model.ir_version = MODEL_FORMAT
        return model

    def _session(self, model: Any, save: str | None = None) -> Any:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Its threads may spin while it runs, but not while other programs are timed.
        options.add_session_config_entry("session.force_spinning_stop", "1")
        if save is not None:
            options.optimized_model_filepath = save
        return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])

    def _convolution_alone(self, model: Any) -> tuple[Any, dict[str, Floats]]:
        """Cut the runtime's own reorderings from the optimised model and do them here, untimed."""
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "optimised.onnx")
            self._session(model, save=path)
            optimised = onnx.load(path)
        nodes = list(optimised.graph.node)
        if [node.op_type for node in nodes].count("Conv") != 1 or nodes[-1].op_type != "ReorderOutput":
            return model, {"x": self.problem.image}
        before, (conv, after) = nodes[:-2], nodes[-2:]
        image = self.problem.image
        n = image.shape[0]
        block = next(t.dims[0] for t in optimised.graph.initializer if t.name == conv.input[1])
        if before:
            head = self._part(optimised, before, "x", image.shape, conv.input[0], None)
            image = self._session(head).run(None, {"x": image})[0]
        _, _, out_h, out_w = self.problem.output_shape
        body = self._part(optimised, [conv], conv.input[0], image.shape, conv.output[0], (n, block, out_h, out_w))
        tail = self._part(optimised, [after], after.input[0], (n, block, out_h, out_w), "y", self.problem.output_shape)
        tail_session = self._session(tail)
        self.finish_step = lambda bound: tail_session.run(None, {after.input[0]: bound.numpy()})[0]
        return body, {conv.input[0]: image}

    def _part(
        self, model: Any, nodes: list[Any], source: str, source_shape: Any, target: str, target_shape: Any
    ) -> Any:
        real, helper = onnx.TensorProto.FLOAT, onnx.helper
        used = {name for node in nodes for name in node.input}
        graph = helper.make_graph(
            nodes,
            "part",
            [helper.make_tensor_value_info(source, real, source_shape)],
            [helper.make_tensor_value_info(target, real, target_shape)],
            [tensor for tensor in model.graph.initializer if tensor.name in used],
        )
        part = helper.make_model(graph, opset_imports=list(model.opset_import))
        part.ir_version = MODEL_FORMAT
        return part


def make(parameters: dict[str, Any], seed: int, threads: int) -> Convolution:
    """Set up a case. Raises SkipCaseError."""
    problem = Problem.from_parameters(parameters, seed)
    if problem.layout == "blocked" and problem.filter_terms == "timed":
        raise SkipCaseError("its blocked layout needs a filter that stays the same")
    if problem.instructions == "avx2" and "avx512" in processor(SystemFiles()).isas:
        raise SkipCaseError("it cannot be held to AVX2, and uses AVX-512 here")
    return Convolution(problem, threads)


if __name__ == "__main__":
    raise SystemExit(drive("winograd", __file__, sys.argv[1:], make, MISSING))
