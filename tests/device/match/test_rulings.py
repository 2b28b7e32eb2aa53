"""Rulings as lines: what is written reads back, what reads back is written the same, the rest is refused."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.match import rulings
from device.match.rulings import (
    Abandon,
    Adjust,
    Agree,
    Amend,
    Answered,
    By,
    Call,
    Dispute,
    Give,
    Insert,
    Judged,
    Over,
    Override,
    Pause,
    Resume,
    Rollback,
    Ruling,
    Strike,
    Undo,
    parse_ruling,
)

GOOD: dict[str, Ruling] = {
    "undo 17": Undo(17),
    "rollback 40": Rollback(40),
    "amend 40 B 8x3": Amend(40, "B 8x3"),
    "amend 1 *": Amend(1, "*"),
    "strike 40": Strike(40),
    "insert 40 b P d d": Insert(40, 1, "P d d"),
    "insert 40 * 7 塔": Insert(40, None, "7 塔"),
    "override SG-3.2 late rule": Override(("SG-3.2",), "late rule"),
    "override SG-3.2,T-10.11.1 x": Override(("SG-3.2", "T-10.11.1"), "x"),
    "adjust a -5 slow play": Adjust(0, -5, "slow play"),
    "give a +2 worker a card says so": Give(0, 2, "worker", "a card says so"),
    "pause": Pause(),
    "resume": Resume(),
    "call SG-5.2 unclear": Call("SG-5.2 unclear"),
    "answered you may not": Answered("you may not"),
    "judged void wrong set-up": Judged("void", "wrong set-up"),
    "by ab": By("ab"),
    "by judge Bea Rossi": By("judge Bea Rossi"),
    "agree a": Agree(0),
    "dispute a 60:66": Dispute(0, (60, 66)),
    "dispute d -5:0:9999:12": Dispute(3, (-5, 0, 9999, 12)),
    "abandon too late, 遅い": Abandon("too late, 遅い"),
    "over double_pass": Over("double_pass"),
}


class TestEveryWord:
    @pytest.mark.parametrize("line", GOOD)
    def test_reads_and_writes(self, line):
        assert parse_ruling(line) == GOOD[line]
        assert str(GOOD[line]) == line

    def test_the_table_in_the_description_names_every_word(self):
        for word in rulings.KINDS:
            assert f"``{word}" in (rulings.__doc__ or "")

    @pytest.mark.parametrize(
        ("line", "says"),
        [
            ("undo x", "'x' is not its group"),
            ("undo 007", "'007' is not its group"),
            ("undo ١", "'١' is not its group"),
            ("rollback 1 2", "'1 2' is not its record"),
            ("amend 4", "'' is not its text"),
            ("insert 4 e x", "'e' is not its seat"),
            ("insert 4 b", "'' is not its text"),
            ("override late", "'late' is not its clauses"),
            ("adjust a 5", "'5' is not its points"),
            ("adjust a +٥", "'+٥' is not its points"),
            ("pause now", "'pause' stands alone"),
            ("by ba", "'ba' is not its who"),
            ("by", "'' is not its who"),
            ("dispute a 60:", "'60:' is not its points"),
            ("over a b", "'a b' is not its termination"),
            ("agree ab", "'ab' is not its seat"),
        ],
    )
    def test_says_what_is_wanted(self, line, says):
        with pytest.raises(ValueError) as caught:  # noqa: PT011 – the whole message follows
            parse_ruling(line)
        assert str(caught.value) == f"ruling {line!r}: {says}"

    @pytest.mark.parametrize("word", ["castle", "Undo", "undo17", "pausé"])
    def test_an_unknown_word_is_named_with_the_known_ones(self, word):
        with pytest.raises(ValueError, match=f"^unknown ruling '{word}'; known are undo, rollback, amend"):
            parse_ruling(f"{word} 1")


def in_order(letters: set[str]) -> str:
    return "".join(sorted(letters))


seats = st.integers(0, 3)
numbers = st.integers(1, 10**9)
texts = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=9)
phrases = st.lists(texts, min_size=1, max_size=4).map(" ".join)
reasons = st.just("") | phrases
clauses = st.from_regex(r"[A-Z]{1,3}-[0-9]{1,2}(\.[0-9]{1,2}){0,2}", fullmatch=True)
points = st.integers(-9999, 9999)
who = st.sets(st.sampled_from("abcd"), min_size=1).map(in_order)
some = {
    Undo: st.builds(Undo, numbers),
    Rollback: st.builds(Rollback, numbers),
    Amend: st.builds(Amend, numbers, phrases),
    Strike: st.builds(Strike, numbers),
    Insert: st.builds(Insert, numbers, st.none() | seats, phrases),
    Override: st.builds(Override, st.lists(clauses, min_size=1, max_size=3).map(tuple), reasons),
    Adjust: st.builds(Adjust, seats, points.filter(bool), reasons),
    Give: st.builds(Give, seats, points.filter(bool), st.from_regex("[a-z_]+", fullmatch=True), reasons),
    Pause: st.just(Pause()),
    Resume: st.just(Resume()),
    Call: st.builds(Call, reasons),
    Answered: st.builds(Answered, reasons),
    Judged: st.builds(Judged, st.sampled_from(["stands", "void", "scores", "-5:60"]), reasons),
    By: st.builds(By, st.sampled_from(["judge", "judge Bea Rossi"]) | who),
    Agree: st.builds(Agree, seats),
    Dispute: st.builds(Dispute, seats, st.lists(points, min_size=1, max_size=4).map(tuple)),
    Abandon: st.builds(Abandon, reasons),
    Over: st.builds(Over, texts),
}  # fmt: skip


class TestRoundTrips:
    @given(st.one_of(*some.values()))
    def test_a_ruling_reads_back(self, ruling):
        assert parse_ruling(str(ruling)) == ruling

    @given(st.one_of(st.sampled_from([*GOOD]), st.text(max_size=12)), st.data())
    def test_a_line_is_refused_or_written_again_as_it_was(self, line, data):
        """Also near what is right: one character put in, taken out or replaced."""
        at, size = data.draw(st.integers(0, len(line))), data.draw(st.integers(0, 1))
        line = line[:at] + data.draw(st.text(" \t\n0123456789+-.,:abdejx²٣é", max_size=1)) + line[at + size :]
        try:
            ruling = parse_ruling(line)
        except ValueError:
            return
        assert str(ruling) == line

    def test_every_kind_is_among_them(self):
        assert set(some) == set(get_args(Ruling))
