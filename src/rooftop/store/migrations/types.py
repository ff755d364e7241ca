"""Types of columns. On PostgreSQL whole numbers have 64 bits as on SQLite, and JSON is kept as the text that it was.

PostgreSQL's own types for JSON have neither infinities nor every text that Python's have.
"""

import sqlalchemy as sa

WHOLE = sa.Integer().with_variant(sa.BigInteger(), "postgresql")
JSON = sa.JSON(none_as_null=True).with_variant(sa.Text(), "postgresql")
