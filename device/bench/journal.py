"""A group appended to a journal, beside one plain write and sync of as many bytes to the same disk."""

from __future__ import annotations

import os
import statistics
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import msgspec

from device.match import Draft, Journal, Kind, SystemClock, journal_line

BAR = 1.2
GROUPS = 400


class Appending(msgspec.Struct, frozen=True):
    """Medians in µs over ``groups`` of one step each, taken in turn with as many plain writes and syncs.

    ``bytes`` is the size of such a group, ``folder`` where the files stood: it is that disk's figure.
    """

    folder: str
    groups: int
    bytes: int
    append_us: float
    plain_us: float
    ratio: float
    bar: float
    within_bar: bool


def measure(groups: int = GROUPS, *, folder: Path) -> Appending:
    """Append ``groups`` groups to a journal in ``folder``, which is removed at the end."""
    draft = Draft(kind=Kind.STEP, payload="M d3-e5", seat=0, state_digest="1:0123456789abcdef")
    with TemporaryDirectory(dir=folder, prefix=".bench-") as name:
        plain = os.open(Path(name, "plain"), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        with Journal.create(Path(name, "m.podesta"), {"game": "any"}, SystemClock().stamp) as journal:
            size = len(b"".join(map(journal_line, journal.append([draft]))))
            data = os.urandom(size)

            def write() -> None:
                os.write(plain, data)
                os.fdatasync(plain)

            works = {"append": lambda: journal.append([draft]), "plain": write}
            times: dict[str, list[int]] = {name: [] for name in works}
            for _ in range(groups):
                # In a new order each time: a disk that was just synced answers otherwise.
                for work in Random(len(times["plain"])).sample(sorted(works), len(works)):
                    began = time.perf_counter_ns()
                    works[work]()
                    times[work].append(time.perf_counter_ns() - began)
        os.close(plain)
    append, bare = (statistics.median(times[name]) / 1000 for name in ("append", "plain"))
    return Appending(
        folder=str(folder.absolute()),
        groups=groups,
        bytes=size,
        append_us=round(append, 1),
        plain_us=round(bare, 1),
        ratio=round(append / bare, 3),
        bar=BAR,
        within_bar=append <= BAR * bare,
    )
