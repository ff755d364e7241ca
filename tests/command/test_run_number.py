"""In which of its runs a command failed or was wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rooftop.command.check import Check
from rooftop.command.driver import CommandDriver, Held, Terms
from rooftop.command.line import from_text
from rooftop.command.spec import Spec
from rooftop.driver.executor import DriverFailed


def tiring(runs: Path) -> Spec:
    """Return a command that is fine twice, and then prints nothing and fails."""
    return Spec(from_text(f"echo >> {runs}; [ $(wc -l < {runs}) -lt 3 ] && echo fine || exit 3"))


@pytest.mark.case("commands.H8.run")
def test_a_failure_says_in_which_run(tmp_path: Path) -> None:
    spec, terms = tiring(tmp_path / "runs"), Terms()
    held = Held(spec, terms)
    driver, twin = CommandDriver(spec, terms, held), CommandDriver(spec, terms, held)
    assert driver.case({}, 0, 60.0).outcome == "ok"
    twin.sample(1, 60.0)  # it is the same command: its runs count
    with pytest.raises(DriverFailed) as error:
        driver.sample(1, 60.0)
    assert error.value.message == "in run 3: exited with code 3"
    assert (error.value.stage, error.value.wrong) == ("sample", False)


@pytest.mark.case("commands.H8.run")
def test_a_wrong_answer_says_in_which_run(tmp_path: Path) -> None:
    spec, terms = tiring(tmp_path / "runs"), Terms(Check(any_status=True, pattern=re.compile(b"fine")))
    driver = CommandDriver(spec, terms, Held(spec, terms))
    assert driver.case({}, 0, 60.0).outcome == "ok"
    driver.sample(1, 60.0)
    assert (driver.verify(60.0).reason or "").startswith("in run 3: its output does not match 'fine'")
    with pytest.raises(DriverFailed, match="in run 4: its output does not match 'fine'") as error:
        driver.sample(1, 60.0)
    assert error.value.wrong


@pytest.mark.case("commands.H8.run")
def test_a_failure_of_the_first_run_has_no_number() -> None:
    spec, terms = Spec(from_text("sh -c 'exit 3'")), Terms()
    with pytest.raises(DriverFailed) as error:
        CommandDriver(spec, terms, Held(spec, terms)).case({}, 0, 60.0)
    assert error.value.message == "exited with code 3"
