"""The recorded matches as a test's parameters: of each game those that differ, and for `make soak` all."""

from functools import cache
from pathlib import Path

import pytest

from engines import matchfile

MATCHES = sorted((Path(__file__).parent / "matches").glob("*.match"))
NIGHTLY = {
    *("torres_two", "torres_two_again", "torres_three", "torres_four_later_edition"),
    *("castles_of_tuscany_two", "castles_of_tuscany_three", "castles_of_tuscany_three_at_once"),
    *("castles_of_tuscany_three_rules_1", "marrakesh_three_rules_1"),
    *("marrakesh_two", "marrakesh_three", "marrakesh_four"),
}
"""Long matches that resemble another of their game."""
RECORDED = [
    pytest.param(path, id=path.stem, marks=[pytest.mark.soak] * (path.stem in NIGHTLY)) for path in MATCHES
]


@cache
def load(path):
    """Return a file and its match, played once for all tests of a process; take a branch to change it."""
    file = matchfile.read(path.read_text("utf-8"), path.name)
    return file, matchfile.play(file, path.name)


if __name__ == "__main__":
    for path in MATCHES:
        path.write_text(matchfile.write(load(path)[0]), "utf-8")
