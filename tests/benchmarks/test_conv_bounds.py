"""Bounds of the convolution: counts that the library confirms, and no recorded time below its bound."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.conv_bounds import stages as counted
from benchmarks.conv_bounds.bounds import Machine, bound, stage_cycles
from benchmarks.conv_bounds.conv_bounds import asked_rows, best, bounded, few_channels_rows, parts, record, remains_rows
from benchmarks.conv_bounds.cores import core_of
from benchmarks.conv_bounds.measured import RECORDED, Measured, measured, recorded
from benchmarks.conv_bounds.remains import remains
from benchmarks.conv_bounds.stages import BLOCK, Layer, Stage, least_bytes, positions, stages
from benchmarks.memory import Memory
from rooftop.documents import CaseResult, ClimbDocument, ExperimentResult, Roof, RungResult
from rooftop.documents import Machine as OfCampaign
from rooftop.solvers.conv import ConvPlan
from rooftop.solvers.conv.plan import Algorithm

SKYLAKE = core_of(6, 85, 16)
assert SKYLAKE is not None
XEON = Machine.at_peak(SKYLAKE, 2, 306e9, Memory(27e9, 37e6))
LAYERS = st.builds(
    Layer, *[st.integers(1, 300), st.integers(1, 60), st.integers(1, 60), st.integers(1, 300)], st.just(1)
)


@pytest.mark.parametrize("side", [7, 14, 20, 28, 33])
@pytest.mark.parametrize("algorithm", ["F(2)", "F(4)", "F(6)"])
def test_arithmetic_is_what_the_library_counts(algorithm: Algorithm, side: int) -> None:
    # The library counts columns that neighbouring tiles share for each of them, and those of the padding.
    m = int(algorithm[2])
    layer = Layer(40, side, side, 70, 2)
    plan = ConvPlan(layer.n, layer.c, layer.h, layer.w, layer.k, padding=1, layout="blocked", algorithm=algorithm)
    found = stages(layer, algorithm, BLOCK)
    shared = (sum(size + 2 for size in counted.sides(side, m)) - side) * 2 * 3  # blocks of two images of 40 channels
    down = [sum(counted._INPUT[m, size][i] for size in counted.sides(side, m)) for i in (0, 1)]
    sums = positions(layer, m) * 5 * (-(-layer.c // 64) - 1)
    assert 2 * BLOCK * (sum(stage.multiply_adds for stage in found) + shared * down[0]) == plan.multiply_add_flops
    assert BLOCK * (sum(stage.additions for stage in found) - sums + shared * down[1]) == plan.transform_flops


@given(LAYERS, st.sampled_from(["direct", "F(2)", "F(4)", "F(6)"]), st.sampled_from([8, 16]))
def test_stages_take_no_less_than_their_arithmetic(layer: Layer, algorithm: str, lanes: int) -> None:
    core = core_of(6, 143, lanes)
    assert core is not None
    found = bound(layer, algorithm, Machine(core, 2, 2e9, Memory(1e11, 0)))
    assert 0 < found.arithmetic <= found.stages * (1 + 1e-12)
    assert found.seconds >= found.memory > 0
    assert least_bytes(layer, algorithm) < least_bytes(layer, algorithm, allocated=True)


@pytest.mark.parametrize(
    ("stage", "cycles", "by"),
    [
        (Stage("s", multiply_adds=10, additions=2, stores=6), 6.0, "arithmetic"),
        (Stage("s", multiply_adds=10, stores=7), 7.0, "stores"),
        (Stage("s", loads=30, stores=10), 15.0, "loads"),
        (Stage("s", multiply_adds=24, loads=26, stores=26), 26.0, "stores"),
        (Stage("s", multiply_adds=4, l2_lines=5), 5.0, "L2"),
    ],
)
def test_the_scarcest_part_of_a_core_sets_the_time(stage: Stage, cycles: float, by: str) -> None:
    assert SKYLAKE is not None
    assert stage_cycles(stage, SKYLAKE) == (cycles, by)


def test_a_clock_explains_the_peak_and_additions_have_units_of_their_own_on_amd() -> None:
    assert pytest.approx(306e9 / 2 / 64) == XEON.clock_hz
    zen3 = core_of(25, 1, 8)
    assert zen3 is not None
    assert stage_cycles(Stage("s", multiply_adds=10, additions=10), zen3) == (5.0, "arithmetic")
    assert core_of(25, 1, 16) is None
    assert core_of(6, 1, 8) is None


def test_bytes_are_those_of_image_filter_and_output() -> None:
    layer = Layer(3, 224, 224, 64, 16)
    image, output = 16 * 3 * 224 * 224, 16 * 64 * 224 * 224
    assert least_bytes(layer, "direct") == 4 * (image + output + 9 * 3 * 64)
    assert least_bytes(layer, "F(4)", allocated=True) == 4 * (image + 2 * output + 36 * 3 * 64)
    small = bound(Layer(3, 32, 32, 64, 1), "F(4)", XEON)
    assert small.memory == 0  # it stays in the L3 cache
    large = bound(layer, "F(4)", XEON)
    assert large.by == "memory"
    assert large.memory == pytest.approx((least_bytes(layer, "F(4)") - 37e6) / 27e9)  # the rest may stay in L3


def test_no_recorded_time_is_below_its_bound() -> None:
    found = recorded()
    assert len(found) >= 3
    for of in found:
        for size in of.sizes:
            rows = list(bounded(of, size))
            assert len(rows) == len(size.layers) >= 20
            assert all(least <= its.seconds * (1 + 1e-12) and its.seconds < best(time) for time, its, least in rows)


def test_three_layers_by_hand() -> None:
    # A Skylake core: two arithmetic instructions of 16 floats a cycle, one store.
    wide = bound(Layer(64, 112, 112, 128, 1), "F(4)", XEON)
    products = 28 * 28 * 36 * 64 * (128 // 16) / 2
    inputs = (112 * 28 + 28 * 6 * 28) * 12 * (64 // 16) / 2
    outputs = (28 * 6 * 28 + 112 * 28) * 10 * (128 // 16) / 2
    assert wide.stages * 2 * XEON.clock_hz == pytest.approx(products + inputs + outputs)
    # Four tiles a side, the last of which has one output and counts as two: 16 positions of each row and column.
    small = bound(Layer(512, 7, 7, 512, 1), "F(2)", XEON)
    products = 16 * 16 * (512 + 7) * (512 // 16) / 2
    stored = (16 * 7 + 16 * 16) * (512 // 16)  # transformed columns, and V
    fetched = 16 * 16 * (512 // 16)  # M, a line a cycle
    assert small.stages * 2 * XEON.clock_hz == pytest.approx(products + stored + fetched)
    direct = bound(Layer(3, 224, 224, 64, 1), "direct", XEON)
    assert direct.stages * 2 * XEON.clock_hz == pytest.approx(670 * 670 * 3 * (64 // 16) / 2)


def test_what_remains_is_found_again() -> None:
    layers = []
    for c, side in ((64, 112), (128, 56), (256, 28), (512, 14), (64, 28)):
        layer = Layer(c, side, side, c, 1)
        its = bound(layer, "F(4)", XEON)
        product = next(stage for stage in stages(layer, "F(4)", 16) if stage.name == "product")
        lines = positions(layer, 4) * 2 * c / BLOCK
        rate = XEON.cores * XEON.clock_hz
        layers.append((layer, "F(4)", its.seconds + 0.3 * product_seconds(product) + 10 * lines / rate, its.seconds))
    found = remains(layers, XEON)
    assert found is not None
    assert found.products == pytest.approx(0.3)
    assert found.line_cycles == pytest.approx(10)
    assert found.off < 1e-9
    assert remains(layers[:3], XEON) is None


def product_seconds(product: Stage) -> float:
    return (product.multiply_adds + product.additions) / 2 / (XEON.cores * XEON.clock_hz)


def document(size: str = "network", processor: str = "AMD EPYC, family 25 model 1 stepping 1") -> ClimbDocument:
    fields: dict[str, Any] = {"outcome": "ok", "algorithm": "direct", "median_s": 2.0, "samples_s": [2.0, 1.5, 3.0]}
    rungs = [RungResult(name="99-solver", kind="rung", **fields)]
    sizes = {"c": 64, "h": 56, "w": 56, "k": 64, "n": 1}
    experiment = ExperimentResult(
        name="winograd",
        title="t",
        size=size,
        threads=2,
        rate_unit="GFLOP/s",
        cases=[CaseResult(case="one", parameters=sizes, nominal=1.0, rungs=rungs)],
    )
    roofs = [
        Roof(metric="fma", value=2e11, unit="flop/s", threads=2, isa="avx2", precision="fp32"),
        Roof(metric="read", value=4e10, unit="byte/s", threads=2, level="memory"),
    ]
    machine = OfCampaign(
        id="m",
        processor=processor,
        architecture="x86_64",
        cores=2,
        threads_per_core=1,
        numa_nodes=1,
        memory_bytes=1,
        caches=[{"level": "L3", "bytes": 500, "shared_by": 1, "count": 2}],
        isas=["avx2"],
        roofs=roofs,
    )
    return ClimbDocument(
        rooftop="0", campaign="c", started="2026-11-30T00:00:00Z", machine=machine, experiments=[experiment]
    )


def test_a_campaign_is_recorded_in_place_of_the_same_sizes(tmp_path: Path) -> None:
    found = measured(document())
    (time,) = found.sizes[0].layers
    assert (time.layer, time.fastest, found.sizes[0].lanes, found.l3_bytes) == (Layer(64, 56, 56, 64, 1), 1.5, 8, 1000)
    assert record(found, tmp_path).name == "zen_3.json"
    record(measured(document("network_avx2")), tmp_path)
    file = record(measured(document()), tmp_path)
    kept = type(found).model_validate_json(file.read_text())
    assert [size.size for size in kept.sizes] == ["network", "network_avx2"]
    file = record(measured(document(processor="AMD EPYC, family 25 model 0 stepping 0")), tmp_path)
    other = type(found).model_validate_json(file.read_text())
    assert [size.size for size in other.sizes] == ["network"]  # one of another processor is none of this one


def test_what_was_recorded_is_replaced_where_it_lies(tmp_path: Path) -> None:
    files = sorted(RECORDED.glob("*.json"))
    assert [record(Measured.model_validate_json(file.read_text()), tmp_path).name for file in files] == [
        file.name for file in files
    ]


def test_other_sizes_and_unknown_cores_are_refused(tmp_path: Path) -> None:
    without = document()
    without.machine.roofs = []
    with pytest.raises(ValueError, match=r"^campaign c has no peak of multiply-adds or no memory bandwidth$"):
        measured(without)
    with pytest.raises(ValueError, match="has size 'M': expected one of network, network_avx2"):
        measured(document("M"))
    with pytest.raises(SystemExit, match="rates of AMD EPYC, family 99 model 1 are not known"):
        record(measured(document(processor="AMD EPYC, family 99 model 1")), tmp_path)


def test_the_page_tells_bounds_bytes_and_what_remains() -> None:
    found = [measured(document())]
    rows = asked_rows(found)
    assert [(row.reached, row.met) for row in rows if "faster than" in row.what] == [("none of 1", True)]
    found[0].sizes[0].layers[0].fastest = 1e-9
    assert [(row.reached, row.met) for row in asked_rows(found) if "faster than" in row.what] == [("one", False)]
    assert few_channels_rows(found) == []
    assert remains_rows(found) == []
    page = "\n".join(parts(recorded()))
    assert "16.9 ms" in page
    assert "215.2 MB, 7.94 ms" in page
