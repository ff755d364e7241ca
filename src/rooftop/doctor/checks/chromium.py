"""A browser without a screen, in which the report is tested."""

from rooftop.doctor.check import Check, Found, missing, ok
from rooftop.doctor.remedy import Remedy
from rooftop.doctor.surroundings import Surroundings


def _chromium(here: Surroundings) -> Found:
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        if path := here.which(name):
            return ok(path)
    return missing("no chromium or google-chrome")


chromium = Check(
    name="Chromium",
    group="report",
    costs="the tests that look at the report in a browser are skipped; the report itself needs none to be written",
    look=_chromium,
    remedy=Remedy(debian=("chromium",)),
)
