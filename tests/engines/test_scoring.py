"""Places by points and tie-breaks, what stands beside the score, and what each step gained."""

from hypothesis import given
from hypothesis import strategies as st

from engines.contract import Booking, Setup, Tie
from engines.kit.parts import ranked
from engines.match import gains
from engines.words import score_line
from tests.engines.san_gimignano.table import GAME as SAN_GIMIGNANO
from tests.engines.san_gimignano.table import at as sg
from tests.engines.torres.table import GAME as TORRES


def told(places):
    """Each place: its number, its seats, and the tie-breaks asked of it with their figures."""
    return [(one.number, one.seats, [(tie.name, tie.figures) for tie in one.ties]) for one in places]


@given(st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=1, max_size=4))
def test_places_are_those_of_sorted_figures(seats):
    """By a second way: a seat's place is one more than the seats that are ahead of it."""
    points, empty, green = zip(*seats, strict=True)
    ties = (
        Tie("empty", "T-1", tuple(enumerate(empty))),
        Tie("green", "T-1", tuple(enumerate(green)), least=True),
    )
    worth = [(p, e, -g) for p, e, g in seats]
    places = {seat: place for place in ranked(points, "T-1", *ties) for seat in place.seats}
    assert len(places) == len(seats)
    for seat, place in places.items():
        assert place.number == 1 + sum(other > worth[seat] for other in worth)
        assert [worth[other] for other in place.seats] == [worth[seat]] * len(place.seats)
        assert place.points == points[seat]
        level = {other for other in range(len(seats)) if points[other] == points[seat]}
        for tie in place.ties:
            assert {other for other, _ in tie.figures} == level
            own = dict(tie.figures)[seat]
            level = {other for other, figure in tie.figures if figure == own}


def test_sg_7_2_tied_the_markers_holder_is_first():
    tied = SAN_GIMIGNANO.scoring.ranking(sg("market=5 a=10x3,6x3 b=6x3 marker=b"))
    marker = [("marker", ((1, 1), (0, 0)))]
    assert told(tied) == [(1, (1,), marker), (2, (0,), marker)]
    assert {one.points for one in tied} == {16}
    assert {(one.clause, *(tie.clause for tie in one.ties)) for one in tied} == {("SG-7.2", "SG-7.2")}


def test_sg_7_2_tied_with_nobody_holding_the_marker_it_is_shared():
    (shared,) = SAN_GIMIGNANO.scoring.ranking(sg("market=5"))
    assert (shared.number, shared.seats, shared.points) == (1, (0, 1), 0)
    assert [tie.figures for tie in shared.ties] == [((0, 0), (1, 0))]


def test_sg_10_1_over_several_deals_the_marker_parts_nobody():
    """The markers of SG-7.2 are those of single deals."""
    state = sg("deals=2 market=5 a=10x3,6x3 b=6x3 marker=b")
    assert told(SAN_GIMIGNANO.scoring.ranking(state)) == [(1, (0, 1), [])]
    assert SAN_GIMIGNANO.scoring.ranking(state)[0].clause == "SG-10.1"


def test_to_5_5_level_ones_share_a_place():
    state = TORRES.rules.start(Setup(3))
    shared = TORRES.scoring.ranking(state)
    assert [(one.number, one.seats, one.clause) for one in shared] == [(1, (0, 1, 2), "TO-5.5")]
    ahead = TORRES.rules.adjust(state, 1, 5)
    assert told(TORRES.scoring.ranking(ahead)) == [(1, (1,), []), (2, (0, 2), [])]


def test_the_same_points_made_up_otherwise_are_no_gain_and_told():
    """A colourful 2 × 6 that becomes a 3 × 4: still 12."""
    then, now = Booking(0, 12, "colourful", "SG-8.4", "2 × 6"), Booking(0, 12, "colourful", "SG-8.4", "3 × 4")
    (same,) = gains([then], [now])
    assert (same.points, same.was, same.figures) == (0, "2 × 6", "3 × 4")
    assert gains([then], [then]) == ()


def test_several_bookings_of_a_kind_are_one_gain():
    castles = [
        Booking(0, 8, "castles", "TO-5.2", "4 × 2", part=1),
        Booking(0, 3, "castles", "TO-5.2", "3 × 1", 1),
    ]
    (one,) = gains([], castles)
    assert (one.before, one.after, one.figures, one.part) == (0, 11, "4 × 2, 3 × 1", 1)


def test_a_name_that_ends_in_a_figure_is_parted_from_its_points():
    assert score_line(("P1", "P2"), (6, 0)) == "P1:6 P2:0"
    assert score_line(("Mara", "Tom"), (16, 0)) == "M16 T0"
