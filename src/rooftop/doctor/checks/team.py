"""What a store in a database on a server needs."""

from rooftop.doctor.check import Check, Remedy, package

psycopg = Check(
    "psycopg",
    "measuring",
    "campaigns are kept in files only: --store postgresql://… is refused",
    package("psycopg"),
    Remedy(pypi=("'psycopg[binary]'",)),
)
