"""Names and docstrings, as a traceback, a profiler or a reader shows them."""

import ast
import doctest
import re
from collections.abc import Iterator
from importlib import import_module
from itertools import takewhile

import pytest

from tests.rooms import FLOORS, ROOT

NAMELESS = re.compile(r"\s*(async\s+)?def\s+_\s*\(")
HEAD = re.compile(r"\s*(async\s+)?def\s")
HEAD_ENDS = re.compile(r":( \.\.\.)?\s*(#.*)?$")
SAID = re.compile(r'\s*r?"""(?P<first>[^\s"]+)(\s+(?P<second>\S+))?')
PROPERTY = re.compile(r"\s*@(\w+\.)*(property|cached_property|setter)\b")
"""A function with this decorator is read like a field, and its docstring is a noun."""
VERBS = frozenset(
    re.findall(
        r"\w+",
        """
        Accept Act Add Allow Answer Append Apply Ask Be Begin Bind Blank Block Break Bring Build Bump Buy
        Calibrate Call Carry Change Check Choose Claim Clear Clip Close Collect Come Compare Compute Connect
        Continue Convert Copy Correct Count Create Cross Cut
        Damage Decode Decrypt Delete Describe Detect Discover
        Dismiss Display Do Draw Drive Drop Encode Encrypt End Ensure Enter Escape Expect Explain Extend Fall
        Fetch Fill Filter Find Fit Fix Fold Follow Forget Format Give Go Group Guess Hand Handle Have Hear
        Hide Hint Hold Ignore Import Improve Insert Install Interpret Join Judge Keep Kill Label Lay Lead
        Learn Leave Let Lift Limit List Listen Load Lock Log Look Lose Lower Make Map Mark Mask Match
        Measure Mend Merge Move Name Narrow Note Notify Obey Offer Open Order Pack Paint Pair Park Parse
        Part Pass Pause Pay Pick Place Play Plug Poll Pop Power Prefer Prepare Press Print Prove Publish
        Pull Push Put Queue Quote Raise Rank Rate Reach Read Record Reduce Refresh Refuse Register Reject
        Release Remember Remove Rename Replace Replay Request Require Reset Resolve Rest Restore Resume
        Retry Return Reveal Revoke Rewrite Rotate Round Run Sample Save Say Scale Scan Score Seal Search
        Seat See Select Sell Send Serve Set Shake Shift Shorten Show Skip Sleep Sort Spare Speak Spell Split
        Stand Start Stay Step Stop Store Strike Strip Subscribe Suggest Sum Swap Switch Take Teach Tell Test
        Thin Throw Time Touch Track Translate Trim Try Turn Type Undo Unlock Unplug Update Use Validate Vary
        Verify Wait Wake Walk Warn Watch Weigh Widen Wind Withdraw Work Wrap Write Yield Zero
        """,
    )
)
"""The docstring of a function begins with one of these; add a missing verb here."""
OF = {"Ask", "Tell"}
"""Verbs that go with "of"; any other word before it is a noun: "Name of the player"."""
TURNED = re.compile(r"(What|Whether|Where|How|Those|The same)\b")
"""A docstring that begins so describes a thing by a question; it should use a noun."""
OPENED = re.compile(r"[\"']\s*" + TURNED.pattern)


def nameless(text: str) -> list[int]:
    """Return the lines of functions called ``_``."""
    return [at for at, line in enumerate(text.splitlines(), 1) if NAMELESS.match(line)]


def verbless(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and first word of each function's docstring that does not begin with a verb."""
    lines = [*text.splitlines(), ""]
    for at in (at for at, line in enumerate(lines) if HEAD.match(line)):
        if any(map(PROPERTY.match, takewhile(lambda line: line.lstrip()[:1] == "@", reversed(lines[:at])))):
            continue
        ends = (n for n in range(at, len(lines) - 1) if HEAD_ENDS.search(lines[n]))
        body = next(ends, at) + 1
        said = SAID.match(lines[body])
        if said and not is_verb(said["first"].rstrip(",;:."), said["second"]):
            yield body + 1, said["first"]


def is_verb(first: str, second: str | None) -> bool:
    """Return True if ``first`` is a verb in front of ``second``."""
    return first in VERBS and (second != "of" or first in OF)


def turned(text: str) -> list[int]:
    """Return the lines of docstrings of classes and modules that begin with a question word."""
    if not OPENED.search(text):
        return []  # most files need no parsing
    found = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef | ast.Module))
    return [node.body[0].lineno for node in found if TURNED.match(ast.get_docstring(node) or "")]


def files(*more: str) -> dict[str, str]:
    folders = (*FLOORS, "hardware", *more)
    every = [file for folder in folders for file in (ROOT / folder).rglob("*.py")]
    return {str(file.relative_to(ROOT)): file.read_text("utf-8") for file in (*every, *ROOT.glob("*.py"))}


def test_every_function_has_a_name():
    every = files("tests")
    assert len(every) > 500
    assert [f"{file}:{line}" for file, text in every.items() for line in nameless(text)] == []


def test_docstrings_of_functions_begin_with_a_verb():
    every = files(".ci").items()
    assert [f"{file}:{line} {word}" for file, text in every for line, word in verbless(text)] == []


def test_docstrings_name_what_they_are_of():
    assert [f"{file}:{line}" for file, text in files().items() for line in turned(text)] == []


def test_the_examples_in_docstrings_hold():
    shown = [file for file, text in files().items() if re.search(r"^ *>>> ", text, re.M)]
    assert len(shown) > 20
    results = {file: doctest.testmod(import_module(file[:-3].replace("/", "."))) for file in shown}
    assert [file for file, result in results.items() if result.failed or not result.attempted] == []


def test_a_function_without_a_name_is_found():
    assert nameless("class A:\n    @b\n    async def _(self): ...\n\ndef c(_): ...") == [3]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Return what lies there.", []),
        ("Open, ready to be read.", []),
        ("Tell of a new season.", []),
        ("Whether it is.", [(5, "Whether")]),
        ("The seat.", [(5, "The")]),
        ("``a`` limited to 0 to ``b``.", [(5, "``a``")]),
        ("Returns the seat.", [(5, "Returns")]),
        ("Name of the player.", [(5, "Name")]),
    ],
)
def test_a_docstring_without_a_verb_is_found(said, found):
    head = "@b\nasync def a(\n    c: int,\n) -> int:  # noqa: C901"
    assert list(verbless(f'{head}\n    """{said}"""')) == found


@pytest.mark.parametrize(
    "decorator", ["property", "cached_property", "functools.cached_property", "a.setter"]
)
def test_a_property_is_named_by_a_noun(decorator):
    assert (
        list(verbless(f'class A:\n    @b\n    @{decorator}\n    def a(self):\n        """The seat."""')) == []
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('class A:\n    """The same for b."""', [2]),
        ('"""Whatever may come."""', []),
        ('def a():\n    """Where it lies."""', []),
    ],
)
def test_a_docstring_turned_round_is_found(text, found):
    assert turned(text) == found
