"""Locks that keep two measurements from disturbing each other: one per machine, for all users, and one per home.

Both use flock, so the kernel releases them when a process is killed. The machine's lock is an empty file in a folder
that all users can write: it is never written, links are not followed, and its holder is looked up in /proc/locks.
"""

from __future__ import annotations

import errno
import fcntl
import os
import pwd
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from rooftop.errors import Busy, StoreError
from rooftop.settings import Settings

_SHARED = ("/run/lock", "/dev/shm", "/tmp")  # the first that all users can write is used
_FOR_ALL = stat.S_ISVTX | stat.S_IWOTH
_MACHINE_LOCK, _HOME_LOCK = "rooftop.lock", "climb.lock"
_TRIES, _BETWEEN_S = 5, 0.02  # 'list --campaigns' holds a home's lock briefly
_LONGEST_NAME = 100


class HeldHome:
    """A home locked by this process. The lock file contains the name of the running campaign."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self.under_way("")

    def under_way(self, campaign: str) -> None:
        self._file.seek(0)
        self._file.truncate()
        self._file.write(campaign)
        self._file.flush()


@contextmanager
def machine_to_itself(settings: Settings, remark: Callable[[str], None]) -> Iterator[HeldHome]:
    """Hold the locks that every measurement needs: the home's and the machine's.

    remark  called with a line if campaigns of other homes cannot be detected

    Raises Busy, and StoreError if the home cannot be written or locked.
    """
    home = settings.home_folder
    try:
        home.mkdir(parents=True, exist_ok=True)
        file = (home / _HOME_LOCK).open("a+")
    except OSError as error:
        advice = "set ROOFTOP_HOME to a writable folder"
        raise StoreError(f"{home} cannot be written: {error.strerror or error}; {advice}") from error
    with file:
        try:
            _take(file.fileno(), f"in {home}")
        except OSError as error:
            told = f"{home} cannot be locked: {error.strerror or error}; set ROOFTOP_HOME to another folder"
            raise StoreError(told) from error
        with machine_alone(settings.locks, remark):
            yield HeldHome(file)


@contextmanager
def machine_alone(folder: Path | None, remark: Callable[[str], None]) -> Iterator[None]:
    """Hold only the machine's lock, for a measurement that stores nothing. Raises Busy.

    folder  of the lock file; None: the one that all users of this machine share
    remark  called with a line if there is no usable lock
    """
    machine = _take_machine(folder, remark)
    try:
        yield
    finally:
        if machine is not None:
            os.close(machine)


def home_is_held(home: Path) -> bool:
    """Return whether another process measures in a home."""
    return _held_by(home) is not None


def campaign_under_way(home: Path) -> str | None:
    """Return the campaign that another process is running in a home; None if there is none."""
    return _held_by(home) or None


def _held_by(home: Path) -> str | None:
    """Return the campaign of the process that holds a home, empty before it has one; None where none does."""
    try:
        with (home / _HOME_LOCK).open() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return file.read(_LONGEST_NAME).strip()
    except OSError:
        pass
    return None


def shared_folder() -> Path | None:
    """Return the folder for this machine's lock, the same for all users; None if no folder is writable by all."""
    for folder in map(Path, _SHARED):
        try:
            mode = folder.stat().st_mode
        except OSError:
            continue
        if stat.S_ISDIR(mode) and mode & _FOR_ALL == _FOR_ALL:
            return folder
    return None


def _take_machine(folder: Path | None, remark: Callable[[str], None]) -> int | None:
    """Take the machine's lock. Return None, after a remark, if there is no lock that can be opened. Raises Busy."""
    unseen = "campaigns of other homes on this machine cannot be detected"
    try:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        elif (folder := shared_folder()) is None:
            remark(f"{unseen}: none of {', '.join(_SHARED)} is writable by all users; set ROOFTOP_LOCKS")
            return None
        while True:
            file = folder / _MACHINE_LOCK
            lock = _opened(file)
            try:
                _take(lock, "on this machine")
                if _is_same(file, lock):  # the file may have been removed before it was locked
                    return lock
            except BaseException:
                os.close(lock)
                raise
            os.close(lock)
    except OSError as error:
        remark(f"{unseen}: {folder}/{_MACHINE_LOCK} cannot be used: {error.strerror or error}; set ROOFTOP_LOCKS")
        return None


def _opened(file: Path) -> int:
    """Open, or create, a file that all users share and any of them may have put there. It is never written."""
    how = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        # Without O_CREAT, which fs.protected_regular refuses for another user's file.
        lock = os.open(file, how)
    except FileNotFoundError:
        try:
            lock = os.open(file, how | os.O_CREAT | os.O_EXCL, 0o444)
        except FileExistsError:  # another process was quicker
            lock = os.open(file, how)
        else:
            os.fchmod(lock, 0o444)  # regardless of the umask
    if not stat.S_ISREG(os.fstat(lock).st_mode):
        os.close(lock)
        raise OSError(errno.EINVAL, "it is not a regular file")
    return lock


def _is_same(file: Path, lock: int) -> bool:
    try:
        return os.path.samestat(file.lstat(), os.fstat(lock))
    except FileNotFoundError:
        return False


def _take(lock: int, where: str) -> None:
    """Lock an open file. Raises Busy, and OSError if the file system does not support locks."""
    for tries_left in reversed(range(_TRIES)):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if not tries_left:
                told = f"another campaign is running {where} ({_holder(lock)}): wait for it, or stop it"
                raise Busy(told) from error
            time.sleep(_BETWEEN_S)
        else:
            return


def _holder(lock: int) -> str:
    """Return who has locked a file, from /proc/locks. Source: Documentation/filesystems/proc.rst of Linux."""
    state = os.fstat(lock)
    # The device number is not compared: on some file systems stat and /proc/locks disagree about it.
    place = f":{state.st_ino}"
    try:
        lines = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    except OSError:
        lines = []
    for _, kind, _, _, pid, file, *_ in (fields for line in lines if len(fields := line.split()) == 8):
        if kind == "FLOCK" and file.endswith(place) and int(pid) > 0:
            return f"process {pid}{_of_user(int(pid))}"
    return "in a process that is not visible from here"


def _of_user(pid: int) -> str:
    try:
        user = Path(f"/proc/{pid}").stat().st_uid
        return "" if user == os.geteuid() else f" of user {pwd.getpwuid(user).pw_name}"
    except (OSError, KeyError):
        return ""
