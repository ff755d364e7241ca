"""What samples in Parquet's format need."""

from rooftop.doctor.check import Check, Remedy, package

pyarrow = Check(
    "pyarrow",
    "report",
    "rooftop export writes CSV and Google Benchmark's JSON, but no Parquet",
    package("pyarrow"),
    Remedy(pypi=("pyarrow",)),
)
