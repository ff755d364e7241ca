"""Base of the JSON documents. It is apart from ``rooftop.documents``, whose many models take time to import."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Document(BaseModel):
    """Base of all documents: unknown fields are an error, so that a typing slip cannot pass as data."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True, defer_build=True)
