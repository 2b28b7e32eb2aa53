"""Skips known by number and reason: a lost tool must not pass as a row of green dots.

``PODESTA_SKIPS`` names a file with a line for each reason: the most tests that may skip for it, then the
reason, a regular expression. Without the file any test may skip, as on a newcomer's machine.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path


def allowed(text: str) -> dict[str, int]:
    """Return the most skips by reason; raises ValueError for a line that is not ``3 reason``."""
    found = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        count, _, reason = line.partition(" ")
        if not count.isdecimal() or not reason.strip():
            raise ValueError(f"line {number}: {line!r} is not a number and a reason")
        found[reason.strip()] = int(count)
    return found


def unexpected(reasons: Iterable[str], known: Mapping[str, int]) -> list[str]:
    """Return a line for each reason with more skips than ``known`` allows."""
    counts = Counter(reasons)
    most = {
        reason: next((n for known_as, n in known.items() if re.search(known_as, reason)), 0)
        for reason in counts
    }
    return [
        f"{count} skipped, {most[reason]} allowed: {reason}"
        for reason, count in counts.items()
        if count > most[reason]
    ]


def told(path: Path, reasons: Iterable[str]) -> list[str]:
    """Return the lines of :func:`unexpected` for the list in a file, and the faults of the list itself."""
    try:
        return unexpected(reasons, allowed(path.read_text("utf-8")))
    except (OSError, ValueError) as error:
        return [f"{path}: {error}"]
