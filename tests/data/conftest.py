"""What several tests of tables begin with."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest


@pytest.fixture
def memory() -> Iterator[Callable[[dict[str, bytes]], str]]:
    """Lays files into the memory of fsspec; returns the address of their folder."""
    import fsspec

    storage = fsspec.filesystem("memory")

    def laid(files: dict[str, bytes]) -> str:
        for name, raw in files.items():
            storage.pipe_file(f"/survey/{name}", raw)
        return "memory://survey"

    try:
        yield laid
    finally:
        storage.rm("/survey", recursive=True)
