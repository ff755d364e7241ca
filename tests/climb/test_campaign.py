"""A campaign from the request to the document, with real driver processes that time nothing."""

from __future__ import annotations

import json

import pytest
from conftest_types import Write
from still_machine import StillMachine

from rooftop.campaign.bench import Bench
from rooftop.campaign.kind import kind_named
from rooftop.campaign.rebuild import document_again
from rooftop.climb.request import Request
from rooftop.climb.run import Climbing
from rooftop.climb.watch import Unwatched
from rooftop.documents import ClimbDocument, Roof, RungResult
from rooftop.driver.process import ProcessExecutor
from rooftop.errors import Misuse, NotBuilt
from rooftop.measure.case_state import CaseState
from rooftop.measure.rules import Rules
from rooftop.measure.targets import read_targets
from rooftop.results.document import results_page
from rooftop.settings import Settings
from rooftop.store.database import opened_database
from rooftop.store.interrupted import Resume, Said
from rooftop.store.rows import select
from rooftop.store.schema import CampaignRow


def climb(settings: Settings, request: Request, machine: StillMachine | None = None) -> ClimbDocument:
    """Climb without watching."""
    return Climbing(settings, ProcessExecutor(), machine or StillMachine(), Unwatched()).climb(request).document


def rungs(document: ClimbDocument, case: int = 0) -> dict[str, RungResult]:
    """Return the results of one case by name."""
    return {rung.name: rung for rung in document.experiments[0].cases[case].rungs}


def test_a_whole_campaign(write_experiment: Write, settings: Settings) -> None:
    write_experiment(
        rungs={
            "10-naive": "run_ns=2e8, noise=0.02",
            "20-wrong": "outcome='wrong', reason='off by one'",
            "30-crash": "misbehave={'case': 'crash'}",
            "40-foreign": "supported=False",
            "50-solver": "run_ns=2e6, noise=0.02",
        },
        peers={"library": "run_ns=4e6, noise=0.02"},
    )
    machine = StillMachine()
    document = climb(settings, Request(budget_s=60, seed=3), machine)
    result = rungs(document)
    assert {name: rung.outcome for name, rung in result.items()} == {
        "10-naive": "ok",
        "20-wrong": "wrong",
        "30-crash": "failed",
        "40-foreign": "skipped",
        "50-solver": "ok",
        "library": "ok",
    }
    solver = result["50-solver"]
    assert solver.idea == "The idea of 50-solver"
    assert solver.vs_below is not None
    assert (solver.vs_below.against, solver.vs_below.verdict) == ("10-naive", "faster")
    assert solver.vs_below.ratio == pytest.approx(100, rel=0.1)
    assert solver.vs_best_peer is not None
    assert solver.vs_best_peer.ratio == pytest.approx(2, rel=0.1)
    assert solver.rate == pytest.approx(1e6 / 2e-3 / 1e9, rel=0.1)
    assert solver.limit_by == "compute"
    assert solver.limit == pytest.approx(110.0)  # the roof seen in the campaign is above the cached one
    assert result["30-crash"].stage == "case"
    assert result["20-wrong"].median_s is None
    assert machine.refreshed >= 2
    totals = {total["name"]: total for total in document.experiments[0].totals}
    assert totals["50-solver"]["complete"]
    assert totals["50-solver"]["rate"] == pytest.approx(solver.rate, rel=0.1)
    file = settings.campaigns_folder / f"{document.campaign}.json"
    assert ClimbDocument.model_validate(json.loads(file.read_text(encoding="utf-8"))) == document


def test_only_chosen_rungs_are_measured(write_experiment: Write, settings: Settings) -> None:
    write_experiment(rungs={"10-a": "", "20-b.avx2": ""}, peers={"library": ""})
    document = climb(settings, Request(only=("20-b", "lib*"), size="S"))
    assert list(rungs(document)) == ["20-b.avx2", "library"]
    with pytest.raises(Misuse, match="--only 77 matches no rung"):
        climb(settings, Request(only=("77",)))


TARGETS = """
[opponents]
"best direct peer" = ["direct"]

[[target]]
id = "ladder"
asked = "A hundred times the first rung."
size = "quick"
where = { n = 1 }
measure = "ratio"
against = ["10-*", "best peer", "best direct peer"]
at_least = 100
"""


def test_what_targets_compare_is_paired(write_experiment: Write, settings: Settings) -> None:
    """A solver is paired with the rung below and the best peer anyway, and with the first rung where a target is."""
    folder = write_experiment(
        rungs={"10-naive": "run_ns=4e8", "20-better": "run_ns=9e6", "99-solver": "run_ns=2e6"},
        peers={
            "direct": "run_ns=8e6, algorithm='direct'",
            "direct_slower": "run_ns=2e7, algorithm='direct'",
            "best": "run_ns=3e6, algorithm='fft'",
        },
    )
    (folder / "targets.toml").write_text(TARGETS, encoding="utf-8")
    document = climb(settings, Request(budget_s=600, seed=1))
    asked = {one.against: one for one in rungs(document, 1)["99-solver"].vs_asked}
    assert asked.keys() == {"10-naive", "direct"}
    assert asked["10-naive"].ratio == pytest.approx(200, rel=0.1)
    assert asked["direct"].ratio == pytest.approx(4, rel=0.1)
    assert all(one.pairs >= 6 and one.verdict == "faster" for one in asked.values())
    assert not rungs(document, 1)["20-better"].vs_asked
    assert not rungs(document)["99-solver"].vs_asked  # a case that no target is about
    targets = read_targets(folder / "targets.toml")
    page = results_page("fake", targets, [document], Rules(), outside=False)
    assert page is not None
    assert [judged.reached.by for judged in page.targets[0].rows[0].judged] == ["paired"] * 3


def test_bad_targets_end_a_climb_before_anything_is_measured(write_experiment: Write, settings: Settings) -> None:
    folder = write_experiment(rungs={"10-a": ""})
    (folder / "targets.toml").write_text("[[target]]\nid = 3\n", encoding="utf-8")
    with pytest.raises(Misuse, match=r"targets.toml: target"):
        climb(settings, Request())
    assert not settings.campaigns_folder.exists()


@pytest.mark.parametrize(("pairs", "expected"), [(None, 6), (2, 6), (15, 15)])
def test_more_pairs_are_taken_where_they_are_asked_for(
    write_experiment: Write, settings: Settings, pairs: int | None, expected: int
) -> None:
    """So large an effect is known well enough after six."""
    write_experiment(rungs={"10-slow": "run_ns=2e8", "20-fast": "run_ns=2e6"}, peers={})
    found = rungs(climb(settings, Request(size="S", budget_s=600, seed=1, pairs=pairs)))["20-fast"].vs_below
    assert found is not None
    assert found.pairs == expected


def test_a_rung_on_several_numbers_of_workers_is_held_against_itself(
    write_experiment: Write, settings: Settings
) -> None:
    write_experiment(
        rungs={"10-serial": "run_ns=8e6", "20-threads": "run_ns=4e6, parallel=True", "30-foreign": "supported=False"},
        peers={"library": "run_ns=2e6, parallel=True"},
    )
    document = climb(settings, Request(size="workers", budget_s=200, seed=3))
    result = rungs(document)
    assert list(result)[:3] == ["10-serial, 1 thread", "10-serial, 2 threads", "10-serial, 4 threads"]
    assert [rung.threads for rung in result.values()] == [1, 2, 4] * 4
    assert {rung.outcome for name, rung in result.items() if "foreign" in name} == {"skipped"}
    expected = {
        "10-serial, 4 threads": ("10-serial, 1 thread", 1.0, 1 / 16),
        "20-threads, 1 thread": ("10-serial, 1 thread", 2.0, 0.5),
        "20-threads, 2 threads": ("20-threads, 1 thread", 2.0, 0.5),
        "20-threads, 4 threads": ("20-threads, 1 thread", 4.0, 0.5),
    }
    for name, (against, ratio, over_peer) in expected.items():
        found, peer = result[name].vs_below, result[name].vs_best_peer
        assert found is not None and peer is not None
        assert found.against == against
        assert found.ratio == pytest.approx(ratio, rel=0.05)
        assert peer.against == f"library, {name.partition(', ')[2]}"
        assert peer.ratio == pytest.approx(over_peer, rel=0.05)


def test_a_case_held_to_an_instruction_set_has_the_limit_of_that(write_experiment: Write, settings: Settings) -> None:
    write_experiment(rungs={"10-naive": "run_ns=8e6"})
    machine = StillMachine(
        more=[Roof(metric="fma", value=1e10, unit="flop/s", threads=2, isa="sse2", precision="fp32")]
    )
    document = climb(settings, Request(size="held", budget_s=60, seed=3), machine)
    free, held = (rungs(document, case)["10-naive"] for case in (0, 1))
    assert [case.isa for case in document.experiments[0].cases] == [None, "sse2"]
    assert free.limit is not None and held.limit is not None
    assert free.limit == pytest.approx(11 * held.limit)


def test_what_cannot_be_climbed_is_misuse(write_experiment: Write, settings: Settings) -> None:
    folder = write_experiment(rungs={"10-a": ""})
    with pytest.raises(Misuse, match="no experiment 'nought'"):
        climb(settings, Request(names=("nought",)))
    with pytest.raises(Misuse, match="size 'XL' is not one of quick, S, workers, held"):
        climb(settings, Request(names=("fake",), size="XL"))
    with pytest.raises(Misuse, match=r"no experiment in .* has the size 'XL'"):
        climb(settings, Request(size="XL"))
    rung = folder / "rungs" / "10-a.py"
    rung.rename(rung.with_suffix(".cpp"))
    with pytest.raises(NotBuilt, match="no rung or peer of fake is built"):
        climb(settings, Request())


class _Interrupting(Unwatched):
    """Interrupts when the first case is finished."""

    def case_finished(self, case: CaseState) -> None:
        raise KeyboardInterrupt


def _resumed(settings: Settings, request: Request, said: tuple[Said, ...] = ()) -> ClimbDocument:
    climbing = Climbing(settings, ProcessExecutor(), StillMachine(), Unwatched())
    return climbing.climb(request, resume=Resume(None, said)).document


def test_an_interrupted_climb_goes_on_as_it_was_begun(write_experiment: Write, settings: Settings) -> None:
    """Only the budget may be another; the document is written when it has come to its end."""
    write_experiment(rungs={"10-a": "run_ns=2e6"})
    begun = Climbing(settings, ProcessExecutor(), StillMachine(), _Interrupting()).climb(Request(budget_s=60, seed=4))
    assert begun.interrupted
    assert not settings.campaigns_folder.exists()
    with pytest.raises(Misuse, match="was started with --size 'quick', but 'S' is given now: leave it out"):
        _resumed(settings, Request(size="S"), (Said("--size", "size", "S"),))
    document = _resumed(settings, Request(budget_s=50.0))
    assert document.campaign == begun.document.campaign
    assert (settings.campaigns_folder / f"{document.campaign}.json").is_file()


def test_the_document_is_made_again_from_the_store(write_experiment: Write, settings: Settings) -> None:
    """Of a climb that came to its end: the same. Its roofs are those that it was measured beside."""
    write_experiment(rungs={"10-a": "run_ns=2e6", "20-b": "run_ns=1e6", "30-wrong": "outcome='wrong', reason='off'"})
    then = climb(settings, Request(budget_s=60, seed=4))
    with opened_database(settings.home_folder / "store.sqlite") as connection:
        (row,) = select(connection, CampaignRow, "")
        bench = Bench(settings, StillMachine("another"), Unwatched())
        assert document_again(bench, connection, kind_named("climb"), row) == then
