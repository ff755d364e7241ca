"""Files that are there whole or not at all."""

from __future__ import annotations

from pathlib import Path


def is_written_through(path: Path) -> bool:
    """Whether a path is no regular file and must stay what it is: a device, a pipe, a link such as /dev/stdout."""
    if path.is_symlink():
        return not path.is_file() or path.absolute().is_relative_to("/dev") or path.absolute().is_relative_to("/proc")
    return path.exists() and not path.is_file()


def write_whole(path: Path, text: str) -> None:
    """Write a file and its folder, replacing what was there only once the new one is complete. Raises OSError.

    A symbolic link stays one, and its target is replaced. What is no regular file is written to as it is.
    """
    if is_written_through(path):
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
        return
    target = path.resolve() if path.is_symlink() else path
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{target.name}.partial")
    try:
        partial.write_text(text, encoding="utf-8", errors="surrogateescape")
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
