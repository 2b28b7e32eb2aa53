"""Texts that nobody would say: ``1 workers``, ``a orange gate``, ``all 1``, ``at most 0``."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from device.texts import Texts

NOUNS = (
    *("card", "worker", "noble", "point", "block", "scholar", "date", "dinar", "guard", "step", "gate"),
    *("record", "lamp", "tile", "place", "knight", "castle", "scroll", "keshi", "player", "entrie", "space"),
    *("hexe", "throw", "level", "figure", "time", "storey", "turn", "tower", "area", "oase", "spectator"),
)
MANY = rf"(?<![\w.,:×/–-])1 (?:[a-z]+ )?(?:{'|'.join(NOUNS)})s\b"
WRONG = re.compile(rf"{MANY}|\b[Aa] (?:8|[aeio][a-z])|\b[Aa]ll 1\b|\bat most 0\b")
FINE = re.compile(r"\b(?:Phase|Deal|round|Round|record|seat|space|tile|Season|season|about) 1 |\ba one\b")
"""A number that counts nothing."""


@contextmanager
def proofread() -> Iterator[set[str]]:
    """While it lasts, note every text that is filled in and that nobody would say."""
    found: set[str] = set()
    fill = Texts.__call__

    def read(self: Texts, key: str, /, **values: object) -> str:
        said = fill(self, key, **values)
        if (wrong := WRONG.search(said)) and not FINE.search(said):
            found.add(f"{key}: {said!r} ({wrong[0]!r})")
        return said

    with patch.object(Texts, "__call__", read):
        yield found
