"""What not everybody may read reaches nobody else, in no format."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.commands.export import FORMATS, JOURNAL, make_export
from device.commands.files import OpenedMatch
from device.match import find_hidden
from device.match.history import Log
from device.match.journal_text import JournalFile, decode
from device.match.records import Draft, Kind
from device.match.replay import Header
from engines.contract import Setup
from tests.device.commands.recorded import HEADER, NAMES, chained, drafts, ruling

KINDS = [*FORMATS, JOURNAL]
STEPS = drafts()
EVERYWHERE = Path("match.podesta")


def told(seat, held):
    """Return what a seat told of its hand."""
    return Draft(kind=Kind.PRIVATE, payload=held, seat=seat, visibility=f"seat:{'ab'[seat]}")


def exported(groups, kind, view="public", header=HEADER):
    """An export of the log that these groups make."""
    fields = header.write()
    opened = OpenedMatch(EVERYWHERE, JournalFile(fields, tuple(chained(fields, groups)), None))
    return make_export(opened, kind, view).decode()


def says(text, word):
    return re.search(rf"\b{word}\b", text) is not None


def without_hashes(text):
    return re.sub(r"[0-9a-f]{32,}", "#", text)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=5, deadline=None)
@given(
    places=st.lists(st.tuples(st.integers(1, 40), st.integers(0, 1)), min_size=1, max_size=4),
    hands=st.lists(st.text("56789,?x", min_size=1, max_size=12), min_size=8, max_size=8),
)
def test_logs_that_differ_in_secrets_alone_export_alike(kind, places, hands):
    logs = []
    for held in (hands[:4], hands[4:]):
        groups = list(STEPS)
        for (at, seat), text in zip(sorted(places), held, strict=False):
            groups.insert(at, told(seat, text))
        logs.append(without_hashes(exported(groups, kind)))
    assert logs[0] == logs[1]


def test_a_redacted_log_keeps_no_salt_to_guess_by():
    groups = [*STEPS[:3], told(0, "5,5,?3")]
    record = decode(exported(groups, JOURNAL).encode()).records[3]
    assert (record.payload, record.salt, record.kind) == ("", "", Kind.PRIVATE)


class TestSealed:
    """The toy game: both guess unseen, then a handful of beans is reported."""

    @pytest.fixture
    def beans(self, toy):
        return Header(toy, NAMES, Setup())

    @staticmethod
    def guess(seat, text):
        return Draft(kind=Kind.STEP, payload=text, seat=seat, visibility=f"seat:{'ab'[seat]}")

    def round(self, first="odd", second="even", beans="1r"):
        return [self.guess(0, first), self.guess(1, second), Draft(kind=Kind.REPORT, payload=beans)]

    @pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "bgstats"])
    @pytest.mark.parametrize(
        "tail",
        [
            lambda guess: [guess],
            lambda guess: [guess, ruling("adjust a +5 late")],
            lambda guess: [guess, ruling("undo 4")],
            lambda guess: [guess, ruling("undo 4"), ruling("abandon")],
        ],
    )
    def test_one_that_is_not_is_its_own_seats(self, beans, kind, tail):
        def groups(text):
            return [*self.round("odd", "odd"), *tail(self.guess(0, text))]

        def shown(text, view):
            return without_hashes(exported(groups(text), kind, view, beans))

        assert not says(shown("sit", "public"), "sit")
        for view in ("public", "b"):
            assert shown("sit", view) == shown("even", view)
        undone = len(tail(None)) > 1 and "undo" in tail(None)[1].payload
        told = kind in (JOURNAL, "match", "json") or (kind == "csv" and not undone)
        assert says(shown("sit", "a"), "sit") == told

    def test_one_that_was_put_in_later_is_sealed_too(self, beans):
        groups = [
            *self.round("odd", "odd"),
            self.guess(0, "sit"),
            ruling("insert 4 b even"),
            ruling("strike 4"),
        ]
        for kind in ("csv", "match", "json", "sheet", JOURNAL):
            assert not says(exported(groups, kind, header=beans), "even")
            assert not says(exported(groups, kind, header=beans), "sit")

    def test_a_match_file_goes_on_without_it(self, beans):
        groups = [*self.round("odd", "odd"), self.guess(0, "sit"), ruling("adjust b +5 late")]
        lines = exported(groups, "match", header=beans).splitlines()
        body = [line for line in lines[lines.index("") + 1 :] if not line.startswith("# record 5")]
        assert body == ["1 a odd", "2 b odd", "3 * 1r", "# record 4: a sealed choice", "4 ! b +5 late"]


def test_where_the_log_cannot_be_followed_nothing_counts_as_revealed():
    records = chained(
        HEADER.write(), [*STEPS[:2], told(0, "x"), TestSealed.guess(1, "P d d"), ruling("exile")]
    )
    assert find_hidden(Log(records), "public", None) == {3, 4}
    assert find_hidden(Log(records), "a", None) == {4}
