"""Opening a store: made, migrated, and left alone where it is up to date."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from alembic.script import ScriptDirectory
from sqlalchemy import inspect

from rooftop.store.database import alembic_config, newest_revision, open_database

OPEN = """
import sys
from pathlib import Path
from rooftop.store.database import open_database
open_database(Path(sys.argv[1])).dispose()
print("alembic" in sys.modules)
"""


def test_newest_revision_is_that_of_the_migrations() -> None:
    assert newest_revision() == ScriptDirectory.from_config(alembic_config()).get_current_head()


def test_only_a_store_that_is_not_up_to_date_is_migrated(tmp_path: Path) -> None:
    for migrated in ("True", "False"):
        words = [sys.executable, "-c", OPEN, str(tmp_path / "store.sqlite")]
        assert subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip() == migrated


def test_a_store_of_an_earlier_revision_is_migrated(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    engine = open_database(file)
    with engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE arm DROP COLUMN figures")
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0003'")
    engine.dispose()
    engine = open_database(file)
    assert "figures" in {column["name"] for column in inspect(engine).get_columns("arm")}
    engine.dispose()
