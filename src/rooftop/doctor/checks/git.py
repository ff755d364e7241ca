"""git, by which revisions are had that are held against each other."""

from rooftop.doctor.check import Check, Found, missing, ok
from rooftop.doctor.remedy import Remedy
from rooftop.doctor.surroundings import Surroundings


def _git(here: Surroundings) -> Found:
    line = here.first_line("git", "--version")
    return ok(line) if line else missing("no git found")


git = Check(
    name="git",
    group="build",
    costs="rooftop gate cannot build revisions; it compares commands only",
    look=_git,
    remedy=Remedy(debian=("git",)),
)
