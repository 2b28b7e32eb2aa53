"""A kit's findings, as a subcommand prints them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from device.commands import Exit
from engines.texts import plain
from engines.trying import Trial


def report(checks: Iterable[Trial]) -> Exit:
    """Print each check as it is done, then how many there are of each; the exit status."""
    count: Counter[str] = Counter()
    for check in checks:
        count[check.verdict] += 1
        print(plain(f"{check.verdict:<9} {check.name}: {check.seen}"), flush=True)
        if check.remedy:
            print(f"{'':<9} remedy: {check.remedy}", flush=True)
    print(f"{count['ok']} ok, {count['fail']} failed, {count['not tried']} not tried")
    if count["fail"]:
        return Exit.WRONG
    return Exit.UNFINISHED if count["not tried"] else Exit.FINE
