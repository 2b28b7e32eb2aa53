"""A match and the copy on this box: what it is opened with, and where the two are not alike.

A match goes by its own facts wherever it is continued or replayed. That the copy here says otherwise is shown
and keeps nobody from playing.
"""

from __future__ import annotations

from collections.abc import Iterator

from device.facts.file import CopyFile
from engines.contract import Setup
from engines.errors import BadSetup
from engines.facts import Use, missing
from engines.match_facts import drift, kept, of_match


def settled(setup: Setup, file: CopyFile) -> Setup:
    """The set-up of a match that is opened without anybody being asked, with what is known of the copy.

    Raises BadSetup where a fact is unknown that may not be.
    """
    facts = file.load().facts
    for fact in missing(facts, setup, (Use.PLAY,)):
        if not fact.may_wait:
            why = f"{fact.name} must be known first: {file.words.about(fact)}"
            raise BadSetup(f"{why} Enter it at the box, or with podesta facts {file.schema.game} edit")
    return kept(facts, setup)


def unlike(setup: Setup, file: CopyFile) -> Iterator[str]:
    """In a line each: what of a match's facts nobody can read here, and where the copy here differs."""
    facts, problems = of_match(file.schema, setup)
    yield from (file.words.told(problem) for problem in problems)
    if setup.facts:
        here = file.load().facts
        t = file.words.texts
        for one in drift(facts, here):
            yield file.words.difference(one, t("facts.match"), t("facts.here"))
