"""What picture, total and ledger come to: contents with their chances, and why people are asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from device.sensors.readers.tray import judge
from device.sensors.readers.tray.reader import SURE
from device.texts import Texts, key_of
from device.texts import said as because
from engines import bags
from engines.marrakesh.pieces import COLOURS, KINDS, keshis
from tests.engines.marrakesh.sitting import named
from vision.scale import NOISE_MG, PieceCalibration, count_pieces, weigh_said
from vision.tray.reading import UNSEEN, SeenPiece, TrayDoubt, TrayReading


def piece(colour="red", sure=0.99, chance=0.999, instead=None):
    """A piece that has its colour so surely and is one so surely; others, or one, share the rest."""
    rest = (1 - sure) / (KINDS - 1)
    colours = [sure if one == colour else rest for one in COLOURS]
    if instead:
        colours = [sure if one == colour else (1 - sure) * (one == instead) for one in COLOURS]
    return SeenPiece(0.0, 0.0, tuple(colours), chance)


def read(*pieces, unseen=UNSEEN, doubts=()):
    return TrayReading(pieces, unseen, doubts)


def judged(reading, there=None, total=None):
    """The best contents by name, and the texts why people are asked."""
    found = judge(reading, total=total) if there is None else judge(reading, keshis(there), total)
    return named(found.best), [key_of(one) for one in found.why]


def weighed(mg):
    """What a scale says of pieces of 500 mg."""
    return count_pieces(mg, NOISE_MG, PieceCalibration.exact(500, 0.05))


SEEN = (piece("red"), piece("red"), piece("white"))
COUNTS = {"white": 1, "red": 2}


# The picture alone


@pytest.mark.parametrize(
    ("doubtful", "why", "counted"),
    [
        (piece("white", chance=0.7), "tray.piece", 1),
        (piece("white", chance=0.3), "tray.piece", 0),
        (piece("white", sure=0.6, instead="beige"), "tray.colour", 1),
    ],
)
def test_a_doubtful_piece_makes_the_reading_doubtful(doubtful, why, counted):
    found, asked = judged(read(piece(), doubtful))
    assert asked == [why]
    assert found == ({"white": 1, "red": 1} if counted else {"red": 1})


def test_what_troubles_the_camera_is_asked_about_however_clear_the_pieces():
    assert judged(read(*SEEN, doubts=(TrayDoubt.LEFT, TrayDoubt.GLARE))) == (
        COUNTS,
        ["tray.left", "tray.glare"],
    )


def test_what_a_light_floor_hides_is_white_and_asked_about():
    reading = read(*SEEN, unseen=0.02)
    hidden = tuple(0.8 if colour == "white" else 0.2 / 11 for colour in COLOURS)
    by_weight = judged(structs.replace(reading, hidden=hidden), total=weighed(2000))
    assert by_weight == ({"white": 2, "red": 2}, ["tray.colour"])


@given(st.lists(st.tuples(st.sampled_from(COLOURS), st.floats(0.2, 1), st.floats(0.06, 1)), max_size=8))
def test_who_is_not_asked_is_sure(parts):
    found = judge(read(*(piece(*part) for part in parts)))
    assert found.fits
    assert bool(found.why) == (found.contents[0].chance < SURE)
    assert sum(one.chance for one in found.contents) <= 1 + 1e-9


# What can lie there


def test_what_cannot_lie_there_is_told_where_the_picture_is_clear():
    found = judge(read(piece("red", sure=0.9999), piece("red", sure=0.9999)), keshis({"red": 1, "gray": 3}))
    assert not found.fits
    assert named(found.best) == {"red": 2}


# Picture and total


@pytest.mark.parametrize("total", [weighed(1480), weigh_said({3: 0.97}), weigh_said({3: 0.6, 2: 0.3})])
def test_camera_and_total_agree(total):
    assert judged(read(*SEEN), total=total) == (COUNTS, [])


@pytest.mark.parametrize("total", [weighed(980), weighed(2030), weigh_said({2: 0.97}), weigh_said({4: 0.97})])
def test_one_piece_more_or_less_than_counted_is_asked_about(total):
    counts, why = judged(read(*SEEN), total=total)
    assert why
    if total.index(max(total)) == 4:
        assert sum(counts.values()) == 4  # nobody saw the fourth, and the scale did


def test_one_more_than_is_seen_is_no_matter_of_faith():
    """Eleven are seen and nothing troubles the camera; the scale thinks a twelfth likelier."""
    reading = read(*(piece(sure=1.0) for _ in range(11)), unseen=UNSEEN)
    assert judged(reading, total=weighed(5500)) == ({"red": 11}, [])
    for mg in (5760, 5880, 6000):
        assert judged(reading, total=weighed(mg))[1]


@pytest.mark.parametrize(("number", "why"), [(3, []), (16, ["tray.left"])])
def test_of_the_more_keshis_the_likelier_one_escaped_the_camera(number, why):
    seen = read(*(piece(sure=1.0, chance=1.0) for _ in range(number)), unseen=0.0)
    assert judged(seen, total=weigh_said({number: 0.9, number + 1: 0.1})) == ({"red": number}, why)


@pytest.mark.parametrize(("number", "counts"), [(2, {"red": 2}), (3, COUNTS)])
def test_the_total_decides_what_may_be_a_piece_or_nothing(number, counts):
    reading = read(*SEEN[:2], piece("white", chance=0.4))
    assert judged(reading, total=weighed(500 * number)) == (counts, [])
    assert judged(reading, total=weigh_said({number: 0.97})) == (counts, [])


@pytest.mark.parametrize("total", [weighed(1240), weighed(90_000), weighed(-500)])
def test_a_weight_that_fits_no_number_is_asked_about(total):
    assert judged(read(*SEEN), total=total)[1]


def test_a_total_that_no_contents_have_leaves_what_the_picture_shows():
    found = judge(
        read(*(piece("red", 1.0, 1.0) for _ in range(3)), unseen=0.0),
        total=tuple(float(count == 7) for count in range(12)),
    )
    assert (named(found.best), found.why[0]) == ({"red": 3}, because("tray.total", total=7, seen=3))


def test_a_fourth_that_nobody_saw_has_the_only_colour_left():
    """Two red and a white came out, of three red and a white; four were counted."""
    there = {"red": 3, "white": 1}
    assert judged(read(*SEEN, unseen=0.02), there, weigh_said({4: 1.0})) == ({"red": 3, "white": 1}, [])


def test_each_doubt_has_words():
    for doubt in ("piece", "colour", "total", *(one.name.lower() for one in TrayDoubt)):
        assert len(Texts.load(strict=True)(f"tray.{doubt}", total=12, seen=11)) <= 84


def test_nothing_told_is_more_than_can_lie_there():
    there = keshis({"red": 1, "gray": 1, "pink": 1})
    found = judge(read(*[piece("red", sure=0.6, instead="gray")] * 2), there)
    assert found.fits
    assert named(found.best) == {"gray": 1, "red": 1}
    assert all(bags.within(one.keshis, there) for one in found.contents)
