"""Opening a store: made, migrated, and left alone where it is up to date."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from alembic.script import ScriptDirectory
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rooftop.store.database import alembic_config, newest_revision, opened_database
from rooftop.store.protocol import Store
from rooftop.store.rows import Row, insert, select, update
from rooftop.store.schema import ArmRow, CampaignRow, CaseRow, FileRow, RoofRow, SampleRow, SessionRow

OPEN = """
import sys
from pathlib import Path
from rooftop.store.database import open_database
open_database(Path(sys.argv[1])).close()
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
    with opened_database(file) as connection:
        connection.execute("ALTER TABLE arm DROP COLUMN figures")
        connection.execute("DROP TABLE file")
        connection.execute("DROP TABLE digest")
        connection.execute("ALTER TABLE campaign DROP COLUMN copying")
        connection.execute("UPDATE alembic_version SET version_num = '0003'")
    with opened_database(file) as connection:
        assert "figures" in columns(connection, "arm")
        assert columns(connection, "file")


@pytest.mark.parametrize("kind", [CampaignRow, SessionRow, CaseRow, ArmRow, SampleRow, FileRow, RoofRow])
def test_rows_are_those_of_the_migrations(tmp_path: Path, kind: type[Row]) -> None:
    with opened_database(tmp_path / "store.sqlite") as connection:
        assert columns(connection, kind.table) == set(get_type_hints(kind)) - {"table"}


def columns(connection: Store, table: str) -> set[str]:
    return {name for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", [table])}


# --- rows -------------------------------------------------------------------------------------------------------------

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
NUMBERS = st.floats(allow_nan=False) | st.integers(-(2**63), 2**63 - 1)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS, lambda inner: st.lists(inner, max_size=3), max_leaves=6
)


@given(st.dictionaries(TEXTS, JSON, max_size=4), TEXTS, st.floats(allow_nan=False), st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_row_is_read_as_it_was_written(
    memory: Store, parameters: dict[str, Any], name: str, nominal: float, finished: bool
) -> None:
    row = CaseRow("campaign", 1, "experiment", "size", name, parameters, nominal, finished=finished)
    with suppress(_Undone), memory.transaction():
        row.id = insert(memory, row)
        assert select(memory, CaseRow, "WHERE id = ?", row.id) == [row]
        row.parameters, row.stopped, row.finished = {}, name, not finished
        update(memory, row, "stopped", "finished")
        assert select(memory, CaseRow, "WHERE id = ?", row.id) == [replace(row, parameters=parameters)]
        update(memory, row)
        assert select(memory, CaseRow, "WHERE id = ?", row.id) == [row]
        raise _Undone
    assert select(memory, CaseRow, "") == []


class _Undone(Exception):
    """Rolls a transaction back."""


@pytest.fixture(scope="module", name="memory")
def memory_fixture(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store with one campaign."""
    with opened_database(tmp_path_factory.mktemp("rows") / "store.sqlite") as connection:
        insert(connection, CampaignRow("campaign", "2026-01-01T00:00:00Z", "0", {}, {}, {}))
        yield connection
