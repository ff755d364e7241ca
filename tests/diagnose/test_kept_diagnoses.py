"""Diagnoses in the store: those that tried nothing are kept, too, and finished ones are read again without running."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from recorded_diagnosis import ALONE, APP, CROWD, DONE, FAST, SLOW, Recorded, look, options
from still_place import Place, Watching

from rooftop.campaign.bench import Bench
from rooftop.campaign.rebuild import document_again
from rooftop.command.measurement import Measurement
from rooftop.diagnose.page import write
from rooftop.diagnose.run import KIND, Diagnosed, Diagnosing
from rooftop.driver.replay import Recording as Times
from rooftop.driver.replay import ReplayExecutor
from rooftop.errors import Misuse
from rooftop.settings import Settings
from rooftop.store.database import opened_database
from rooftop.store.interrupted import Resume, Said, campaigns, kind_of, subject
from rooftop.store.rows import select
from rooftop.store.schema import CampaignRow

CURES = {"as given": SLOW, "fewer-threads": FAST, "one-blas-thread": SLOW, "sleep": SLOW}
HOW = Measurement(budget_s=600)


def resumed(settings: Settings, resume: Resume | None = None, watching: Watching | None = None) -> Diagnosed:
    executor = ReplayExecutor({name: Times(each) for name, each in CURES.items()})
    return Diagnosing(Bench(settings, Place(), watching or Watching(), executor)).resume(HOW, resume)


def test_a_diagnosis_without_cures_is_kept(settings: Settings) -> None:
    first = look(settings, Recorded(ALONE), {}, options())
    with opened_database(settings.home_folder / "store.sqlite") as connection:
        ((row, samples),) = campaigns(connection)
        (whole,) = select(connection, CampaignRow, "")
        again = document_again(Bench(settings, Place(), Watching()), connection, KIND, whole)
    assert (kind_of(row), samples, subject(row.request)) == ("diagnose", 0, "./app")
    assert row.finished is not None
    assert first.document.campaign == row.id
    assert again == first.document
    assert again.no_cures == "nothing was suspected that can be cured from outside"
    write(again, settings.home_folder / "page.html")


@pytest.mark.parametrize("failed", [False, True])
def test_the_newest_finished_diagnosis_is_read_again(failed: bool, settings: Settings) -> None:
    finished = replace(DONE, status=3) if failed else DONE
    look(settings, Recorded(ALONE), {}, options())
    first = look(settings, Recorded(CROWD, finished), CURES, options())
    watching = Watching()
    again = resumed(settings, None, watching)
    assert (again.document, again.interrupted) == (first.document, False)
    assert (again.document.failure is not None, again.document.cost is None) == (failed, failed)
    assert watching.remarks == [f"diagnosis {first.document.campaign} is finished: it is read again, nothing is run"]
    assert watching.steps == 0


def test_an_id_names_a_finished_diagnosis(settings: Settings) -> None:
    first = look(settings, Recorded(ALONE), {}, options())
    look(settings, Recorded(CROWD), CURES, options())
    assert resumed(settings, Resume(first.document.campaign)).document == first.document
    with pytest.raises(Misuse, match="there is no such campaign"):
        resumed(settings, Resume("19990101"))


def test_an_interrupted_diagnosis_goes_on_first(settings: Settings) -> None:
    begun = look(settings, Recorded(CROWD), CURES, options(), Watching(interrupt_after=20))
    look(settings, Recorded(ALONE), {}, options())
    again = resumed(settings)
    assert (again.document.campaign, again.interrupted) == (begun.document.campaign, False)
    assert [one.name for one in again.document.findings] == ["oversubscription"]
    assert again.document.cost is not None
    assert again.document.cost.base == "as given"


def test_an_option_of_another_value_is_refused(settings: Settings) -> None:
    look(settings, Recorded(ALONE), {}, options())
    assert resumed(settings, Resume(said=(Said("--seed", "seed", 3),))).document.campaign is not None
    with pytest.raises(Misuse, match="was started with --seed 3, but 4 is given now"):
        resumed(settings, Resume(said=(Said("--seed", "seed", 4),)))


def changed(settings: Settings) -> None:
    """Keep the newest diagnosis as a version did whose facts have no processors."""
    with opened_database(settings.home_folder / "store.sqlite") as connection:
        for name, text in connection.execute("SELECT id, request FROM campaign", ()).fetchall():
            request = json.loads(text)
            del request["beside"]["document"]["facts"]["cpus"]
            connection.execute("UPDATE campaign SET request = ? WHERE id = ?", (json.dumps(request), name))


def test_what_another_version_observed_is_misuse(settings: Settings) -> None:
    look(settings, Recorded(ALONE), {}, options())
    changed(settings)
    with pytest.raises(Misuse, match=r"stored it in another format: facts\.cpus: Field required"):
        resumed(settings)


def test_what_another_version_observed_is_not_gone_on_with(settings: Settings) -> None:
    look(settings, Recorded(CROWD), CURES, options(), Watching(interrupt_after=20))
    changed(settings)
    with pytest.raises(Misuse, match=r"stored it in another format \(facts\.cpus: Field required\)"):
        resumed(settings)


def test_nothing_to_resume_is_misuse(settings: Settings) -> None:
    with pytest.raises(Misuse, match="there is no interrupted 'diagnose' to resume, nor one to start"):
        resumed(settings)


def test_what_is_observed_is_not_run_again(settings: Settings) -> None:
    site = Recorded(ALONE)
    look(settings, site, {}, options())
    resumed(settings)
    assert site.asked == [APP.text]
