"""Keeps two measurements from disturbing each other: on one machine, whoever runs them, and in one home.

Both locks are the kernel's (flock), so that whoever is killed holds nothing. The machine's is an empty file in a folder
that all users may write in: nobody writes to it or follows a link there, and who holds it is read from the kernel.
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

_SHARED = ("/run/lock", "/dev/shm", "/tmp")  # the first that all users may write in
_FOR_ALL = stat.S_ISVTX | stat.S_IWOTH
_MACHINE_LOCK, _HOME_LOCK = "rooftop.lock", "climb.lock"
_TRIES, _BETWEEN_S = 5, 0.02  # 'list --campaigns' holds a home's lock for a moment
_LONGEST_NAME = 100


class HeldHome:
    """A home that this process holds. Its lock's file names the campaign that is under way."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self.under_way("")

    def under_way(self, campaign: str) -> None:
        """Name the campaign."""
        self._file.seek(0)
        self._file.truncate()
        self._file.write(campaign)
        self._file.flush()


@contextmanager
def machine_to_itself(settings: Settings, remark: Callable[[str], None]) -> Iterator[HeldHome]:
    """Hold the locks that every measurement takes: the home's, and the machine's.

    remark  is told where other homes' campaigns cannot be seen

    Raises Busy, and StoreError where nothing can be kept in the home.
    """
    home = settings.home_folder
    try:
        home.mkdir(parents=True, exist_ok=True)
        file = (home / _HOME_LOCK).open("a+")
    except OSError as error:
        advice = "set ROOFTOP_HOME to a folder that can be written"
        raise StoreError(f"nothing can be kept in {home}: {error.strerror or error}; {advice}") from error
    with file:
        try:
            _take(file.fileno(), f"in {home}")
        except OSError as error:
            told = f"{home} cannot be locked: {error.strerror or error}; set ROOFTOP_HOME to another"
            raise StoreError(told) from error
        with machine_alone(settings.locks, remark):
            yield HeldHome(file)


@contextmanager
def machine_alone(folder: Path | None, remark: Callable[[str], None]) -> Iterator[None]:
    """Hold the machine's lock alone, for a measurement that keeps nothing in a home. Raises Busy.

    folder  of the lock; None: the one that all users of this machine share
    remark  is told where the machine has no lock
    """
    machine = _take_machine(folder, remark)
    try:
        yield
    finally:
        if machine is not None:
            os.close(machine)


def campaign_under_way(home: Path) -> str | None:
    """Return the campaign that another process runs in a home; None where there is none."""
    try:
        with (home / _HOME_LOCK).open() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return file.read(_LONGEST_NAME).strip() or None
    except OSError:
        pass
    return None


def shared_folder() -> Path | None:
    """Return the folder for locks of this machine: all users find the same one. None where there is none."""
    for folder in map(Path, _SHARED):
        try:
            mode = folder.stat().st_mode
        except OSError:
            continue
        if stat.S_ISDIR(mode) and mode & _FOR_ALL == _FOR_ALL:
            return folder
    return None


def _take_machine(folder: Path | None, remark: Callable[[str], None]) -> int | None:
    """Take the machine's lock; None where it has none that can be opened, which is remarked. Raises Busy."""
    unseen = "campaigns of other homes on this machine are not seen"
    try:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        elif (folder := shared_folder()) is None:
            remark(f"{unseen}: in none of {', '.join(_SHARED)} may all users write; set ROOFTOP_LOCKS")
            return None
        while True:
            file = folder / _MACHINE_LOCK
            lock = _opened(file)
            try:
                _take(lock, "on this machine")
                if _is_same(file, lock):  # it may have been removed before it was taken
                    return lock
            except BaseException:
                os.close(lock)
                raise
            os.close(lock)
    except OSError as error:
        remark(f"{unseen}: {folder}/{_MACHINE_LOCK} cannot be used: {error.strerror or error}; set ROOFTOP_LOCKS")
        return None


def _opened(file: Path) -> int:
    """Open a file that all users share, and that any of them may have put there, without writing to it."""
    how = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        # Not with O_CREAT: fs.protected_regular refuses that for another user's file.
        lock = os.open(file, how)
    except FileNotFoundError:
        try:
            lock = os.open(file, how | os.O_CREAT | os.O_EXCL, 0o444)
        except FileExistsError:  # another process was quicker
            lock = os.open(file, how)
        else:
            os.fchmod(lock, 0o444)  # whatever the umask is
    if not stat.S_ISREG(os.fstat(lock).st_mode):
        os.close(lock)
        raise OSError(errno.EINVAL, "it is no regular file")
    return lock


def _is_same(file: Path, lock: int) -> bool:
    try:
        return os.path.samestat(file.lstat(), os.fstat(lock))
    except FileNotFoundError:
        return False


def _take(lock: int, where: str) -> None:
    """Lock an open file. Raises Busy, and OSError where the file system has no locks."""
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
    """Return who has locked a file, as the kernel says: Documentation/filesystems/proc.rst, /proc/locks."""
    state = os.fstat(lock)
    # The number of the device is left out: on some file systems a file's is another than its locks'.
    place = f":{state.st_ino}"
    try:
        lines = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    except OSError:
        lines = []
    for _, kind, _, _, pid, file, *_ in (fields for line in lines if len(fields := line.split()) == 8):
        if kind == "FLOCK" and file.endswith(place) and int(pid) > 0:
            return f"process {pid}{_of_user(int(pid))}"
    return "of a process that is not seen from here"


def _of_user(pid: int) -> str:
    try:
        user = Path(f"/proc/{pid}").stat().st_uid
        return "" if user == os.geteuid() else f" of user {pwd.getpwuid(user).pw_name}"
    except (OSError, KeyError):
        return ""
