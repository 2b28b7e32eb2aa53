"""What a scale makes of what it feels: pieces of 1 g here, that vary by 5 %."""

import pytest
from msgspec.structs import replace

from device.sensors.messages import Expected
from device.sensors.scale.weighing import LASTS_MS, SILENT_MS, Weighing
from device.telemetry import HEALTH, GatePassed, Health, Weight
from device.texts import key_of, said
from vision.scale import PieceCalibration

KNOWN = replace(PieceCalibration.exact(1000.0, 0.05), pieces=20)


def recorded(match="", question="", lying=None):
    """The table by the record, with so many pieces on the tray."""
    return Expected(match, 0, "", "", question=question, lying={} if lying is None else {"tray": lying})


ASKED = recorded("m", "tray", 0)


class Scale:
    """A scale that is told of what happens on and around it, every 2 s."""

    def __init__(self, calibration=KNOWN):
        self.weighing = Weighing("tray", calibration)
        self.ms = 0
        self.read = []

    def look(self, table, *words, ms=2000):
        self.ms += ms
        if found := self.weighing.look(table, words, self.ms):
            self.read.append(found)
        return found and [text for _, text in found.candidates]

    def rests(self, table, mg, ms=2000):
        return self.look(table, Weight(round(mg), 4, rests=True), ms=ms)

    @property
    def trouble(self):
        return self.weighing.trouble and self.weighing.trouble.key


@pytest.fixture
def scale():
    return Scale()


# Reading


def test_what_fell_is_read_once_it_rests_and_the_same_is_not_read_again(scale):
    assert scale.rests(ASKED, 3) is None
    assert scale.look(ASKED, Weight(2400, 900, rests=False)) is None
    assert scale.rests(ASKED, 3020) == ["total 3"]
    assert scale.rests(ASKED, 3050) is None
    assert scale.rests(ASKED, 2990) is None
    assert scale.weighing.says == said("scale.counts", number=3, other=3)
    assert scale.rests(recorded("other", "tray", 0), 2990) == ["total 3"]  # each match is read anew


def test_what_lay_there_before_the_question_is_read_when_it_is_asked(scale):
    before = recorded("m", "reveal", 0)
    assert scale.rests(before, 0) is None
    assert scale.rests(before, 5010) is None  # thrown before the last reveal was entered
    assert scale.look(ASKED) == ["total 5"]


def test_nothing_is_read_while_nothing_is_asked_or_nobody_plays(scale):
    for table in (
        recorded(),
        recorded("m", "reveal", 0),
        recorded("m", "reveal", None),
        recorded("m", "", 0),
    ):
        assert scale.rests(table, 5010) is None


def test_a_doubted_count_names_the_others_and_says_so(scale):
    read = scale.rests(ASKED, 12_500)
    assert set(read or ()) >= {"total 12", "total 13"}
    (found,) = scale.read
    assert [key_of(one) for one in found.why] == ["scale.doubt"]
    chances = [chance for chance, _ in found.candidates]
    assert sum(chances) <= 1
    assert chances == sorted(chances, reverse=True)
    assert scale.weighing.says.key == "scale.doubt"


def test_more_through_a_gate_than_lie_there_is_a_doubt_of_this_throw(scale):
    for passed, why in ((2, ()), (4, (said("scale.passed", passed=4, number=3),)), (3, ())):
        scale.look(ASKED, GatePassed(1, passed), GatePassed(2, 2))
        scale.rests(ASKED, 3020)
        assert scale.read[-1].why == why
        scale.rests(recorded("m", "", 0), 0)


# What is learnt


def test_a_scale_that_knows_nothing_learns_in_play_and_says_how_far_it_is():
    scale = Scale(PieceCalibration())
    assert scale.rests(ASKED, 12_000) is None
    assert scale.weighing.says == said("scale.learning", pieces=0, enough=20)
    scale.rests(recorded("m", "", 12), 12_000)
    scale.rests(recorded("m", "", 0), 0)
    scale.rests(ASKED, 9050)
    scale.rests(recorded("m", "", 9), 9050)
    assert scale.weighing.calibration.pieces == 21
    scale.rests(recorded("m", "", 0), 0)
    assert scale.rests(ASKED, 3000) == ["total 3"]


def test_a_count_that_cannot_weigh_that_teaches_nothing_and_is_told(scale):
    scale.rests(ASKED, 9020)
    claim = recorded("m", "", 12)
    scale.rests(claim, 9020)
    assert scale.weighing.calibration == KNOWN
    scale.rests(claim, 9020, ms=LASTS_MS)
    assert scale.weighing.trouble == said("scale.differs", number=9, lying=12)


@pytest.mark.parametrize(
    ("between", "match"),
    [
        (Weight(4000, 900, rests=False), "m"),
        (Health("hand"), "m"),
        (Weight(9020, 4, rests=True), "other"),
    ],
)
def test_what_was_entered_before_the_scale_could_weigh_it_or_of_another_match_teaches_nothing(
    scale, between, match
):
    scale.look(ASKED, between)
    scale.rests(recorded(match, "", 9), 9000)
    assert scale.weighing.calibration == KNOWN


# Claiming


def claimed(scale, lying=5):
    scale.rests(ASKED, lying * 1000)
    scale.rests(recorded("m", "", lying), lying * 1000)
    return recorded("m", "", lying)


def test_a_forgotten_claim_is_told_when_it_lasts(scale):
    claim = claimed(scale)
    scale.rests(claim, 3010)
    assert scale.trouble is None  # hands are faster than keys
    scale.look(claim, ms=LASTS_MS)
    assert scale.weighing.trouble == said("scale.differs", number=3, lying=5)
    scale.look(recorded("m", "", 3), ms=10)
    assert scale.trouble is None


def test_what_is_left_when_all_was_claimed_is_told_and_no_zero(scale):
    claimed(scale)
    over = recorded("m", "", 0)
    scale.rests(over, 1010)
    scale.rests(over, 1010, ms=LASTS_MS)
    assert scale.weighing.trouble == said("scale.left", number=1, lying=0)
    scale.rests(over, 0)
    assert scale.trouble is None


def test_a_difference_that_comes_and_goes_is_not_told(scale):
    claim = claimed(scale)
    for mg in (3010, 5000, 3010, 5000):
        scale.rests(claim, mg, ms=LASTS_MS - 10)
        assert scale.trouble is None


def test_the_zero_follows_an_empty_tray(scale):
    for mg in range(100, 601, 100):  # warmer and warmer
        scale.rests(recorded("m", "", 0), mg)
    scale.rests(ASKED, 600)
    assert scale.rests(ASKED, 3620) == ["total 3"]


# Zero


def test_the_zero_stays_while_the_record_has_pieces_there(scale):
    claim = claimed(scale, 1)
    for mg in (200, 400, 600):
        scale.rests(claim, mg)
    assert scale.rests(recorded("m", "", 0), 0) is None
    assert scale.rests(ASKED, 3000) == ["total 3"]


# Faults


@pytest.mark.parametrize("word", [word for word in HEALTH if word not in ("ok", "rebooted", "gate-blocked")])
def test_nothing_is_read_while_something_hinders_the_scale(scale, word):
    figures = (("noise", 412.0), ("gate", 1.0), ("unique", 1.0))
    assert scale.look(ASKED, Health(word, figures), Weight(3020, 4, rests=True)) is None
    assert scale.weighing.trouble.key == f"scale.{word}"
    assert "{" not in str(scale.weighing.trouble)
    assert scale.look(ASKED, Health("ok")) == ["total 3"]
    assert scale.weighing.trouble is None


def test_a_blocked_gate_is_told_and_the_weight_counts(scale):
    blocked = Health("gate-blocked", (("gate", 2.0),))
    assert scale.look(ASKED, blocked, Weight(3020, 4, rests=True)) == ["total 3"]
    assert str(scale.weighing.trouble).startswith("Gate 2 ")


def test_a_scale_that_says_nothing_is_told(scale):
    scale.look(ASKED)
    assert scale.weighing.says == said("scale.waiting")
    scale.look(ASKED, ms=SILENT_MS)
    assert scale.trouble == "scale.silent"
    scale.rests(ASKED, 0)
    assert scale.trouble is None
    scale.look(ASKED, ms=SILENT_MS)
    assert scale.weighing.trouble == said("scale.silent")
    assert scale.rests(ASKED, 3020) == ["total 3"]  # nothing was lost
    assert scale.trouble is None


def test_a_restart_in_the_middle_of_a_throw_counts_by_hand_until_the_tray_is_empty(scale):
    scale.look(ASKED, Weight(2400, 900, rests=False))
    scale.look(ASKED, Health("rebooted"))
    assert scale.rests(ASKED, 15) is None  # five lie there
    assert scale.weighing.trouble == said("scale.rebooted")
    scale.rests(recorded("m", "", 5), 15)
    assert scale.weighing.calibration == KNOWN
    assert scale.trouble == "scale.rebooted"
    empty = recorded("m", "", 0)
    scale.rests(empty, 15)  # entered before the last were taken off
    scale.rests(empty, -4985)
    assert scale.trouble == "scale.rebooted"
    scale.rests(empty, -4990, ms=LASTS_MS)
    assert scale.trouble is None
    assert scale.rests(ASKED, -1985) == ["total 3"]


def test_a_restart_that_kept_its_zero_loses_nothing(scale):
    scale.look(ASKED, Weight(2400, 900, rests=False))
    scale.look(ASKED, Health("rebooted", (("zero", 1.0),)))
    assert scale.rests(ASKED, 5015) == ["total 5"]


def test_no_zero_is_taken_of_a_tray_that_may_hold_a_throw(scale):
    scale.look(ASKED, Health("rebooted"))
    for _ in range(5):
        scale.rests(ASKED, 5015)
    assert scale.trouble == "scale.rebooted"
    assert scale.read == []


@pytest.mark.parametrize("mg", [400_000, -5000, 500])
def test_what_is_no_weight_of_pieces_is_told_and_not_read(scale, mg):
    assert scale.rests(ASKED, mg) is None
    assert scale.weighing.trouble == said("scale.strange")
