"""What campaigns in jobs of a cluster need."""

from rooftop.doctor.check import Check, Remedy, package

psij = Check(
    "psij-python",
    "measuring",
    "campaigns run on this machine only: --on is refused",
    package("psij-python"),
    Remedy(pypi=("psij-python",)),
)

statsmodels = Check(
    "statsmodels",
    "measuring",
    "there is no verdict over several jobs: --allocations and rooftop pool are refused",
    package("statsmodels"),
    Remedy(pypi=("statsmodels",)),
)
