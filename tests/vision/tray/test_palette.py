"""The looks of the colours: what is likely what, in what light, and enrolling."""

import numpy as np
import pytest
from msgspec import structs

from engines.marrakesh.pieces import COLOURS
from tests.vision.tray.painted import PAINTS
from vision.field import Whites
from vision.tray import palette
from vision.tray.paint import LINEAR, Paint, _measure_mixed, find_lab, find_white
from vision.tray.palette import KeshiPalette, enrol, find_bgr, find_chances, find_features


def painted(colour, gain=(1.0, 1.0, 1.0), shade=1.0):
    value = np.array(PAINTS[colour]) * gain * shade
    dull = value * 0.9
    return Paint(tuple(value * 0.8), tuple(dull), tuple(value))


def named(rows):
    return [COLOURS[int(row.argmax())] for row in rows]


@pytest.mark.parametrize("gain", [(1.08, 1.0, 0.93), (0.9, 1.0, 1.08), (1.35, 1.3, 1.3), (0.62, 0.65, 0.68)])
def test_a_white_that_is_a_little_off_is_made_up_for_by_all_pieces_together(gain):
    assert named(find_chances([painted(colour, gain) for colour in COLOURS])) == list(COLOURS)


def test_the_others_show_how_light_it_is():
    dim = (0.5, 0.5, 0.5)
    alone = find_chances([painted("white", dim)])[0]
    together = find_chances([painted(colour, dim) for colour in COLOURS])[COLOURS.index("white")]
    white = [row[COLOURS.index("white")] for row in (alone, together)]
    assert (white[0], 1 - white[1]) == pytest.approx((0.0343, 8.76e-6), rel=0.01)


def test_gloss_on_the_others_tells_black_under_gloss_from_gray():
    gloss = 0.16

    def glossy(colour):
        one = painted(colour)
        dull, middle = (tuple(value + gloss for value in part) for part in (one.dull, one.middle))
        return structs.replace(one, dull=dull, middle=middle)

    alone = find_chances([glossy("black")])[0]
    together = find_chances([glossy(colour) for colour in COLOURS])[COLOURS.index("black")]
    assert alone[COLOURS.index("gray")] > 0.05
    assert together[COLOURS.index("black")] > 0.99


def test_light_that_is_unsure_leaves_a_colour_unsure():
    gray = painted("gray")
    sure, unsure = (
        find_chances([structs.replace(gray, unsure=error)])[0][COLOURS.index("gray")] for error in (0.0, 0.6)
    )
    assert sure > 0.99
    assert unsure < 0.9


def test_a_piece_that_lies_flat_is_lighter_than_one_on_its_side():
    value = (0.13, 0.13, 0.13)
    side, flat = (Paint(value, value, value, flat=lies) for lies in (False, True))
    black = [find_chances([one])[0][COLOURS.index("black")] for one in (side, flat)]
    assert black[1] > black[0] + 0.2
    light = np.array([1.0, 0.0, 0.0] * 3, bool)
    assert find_features(side)[light] - find_features(flat)[light] == pytest.approx([4.8, 10, 4.9])
    assert find_features(side)[~light] == pytest.approx(find_features(flat)[~light])  # its hue is its paint's


def test_an_enrolled_colour_is_known_from_then_on():
    odd = painted("green", shade=0.25)
    before = find_chances([odd])[0]
    palette = enrol({"green": [odd] * 6})
    after = find_chances([odd], palette)[0]
    assert after[COLOURS.index("green")] > before[COLOURS.index("green")]
    assert COLOURS[int(after.argmax())] == "green"
    assert palette.pieces[COLOURS.index("green")] == 6
    assert [palette.means[kind] == KeshiPalette().means[kind] for kind in range(12)].count(False) == 1


def test_one_enrolled_piece_counts_against_two_shipped():
    odd = painted("green", shade=0.5)
    kind = COLOURS.index("green")
    shipped, there = np.array(KeshiPalette().means[kind]), find_features(odd)
    found = np.array(enrol({"green": [odd]}).means[kind])
    assert found == pytest.approx((2 * shipped + there) / 3)


def test_two_paints_in_one_piece_are_mixed():
    tone = np.zeros((100, 3), np.float32)
    assert _measure_mixed(tone) == 0
    tone[:40, 1] = 0.44
    assert _measure_mixed(tone) == 0
    tone[:40] = -2.25, 0.46, 0
    assert _measure_mixed(tone) == pytest.approx(0.4)
    tone[:40, 0] = -2.35  # what is dark has no colour
    assert _measure_mixed(tone) == 0


def test_a_colour_and_its_look_turn_into_each_other():
    paints = np.array(list(PAINTS.values()))
    assert find_bgr(find_lab(paints)) == pytest.approx(paints, abs=1e-3)


@pytest.mark.parametrize(
    ("table", "size"), [(palette.WITHIN, 13.4883), (palette.BETWEEN, -1.9001), (palette.LIGHT, -36.7083)]
)
def test_spreads_are_covariances_of_the_size_that_was_measured(table, size):
    assert np.array_equal(table, np.transpose(table))
    assert np.linalg.eigvalsh(table).min() > 0
    assert np.linalg.slogdet(table)[1] == pytest.approx(size, abs=1e-3)


def test_a_colour_is_a_little_lighter_and_stronger_the_less_deep_it_is():
    steps = np.diff(np.reshape(palette.MEANS, (12, 3, 3)), axis=1)
    assert (abs(steps[..., 0] - 10) < 8).all()
    assert np.abs(steps[..., 1:]).max() < 10
    assert np.power(palette.MEANS, 3).sum() == pytest.approx(9847347.62, abs=0.01)  # as they were measured


def test_no_such_colour():
    with pytest.raises(ValueError, match="blue"):
        enrol({"blue": [painted("green")]})
    assert enrol({"green": []}) == KeshiPalette()


def sides(white_paper, ink, number=4):
    return Whites(np.zeros((number, 2)), np.tile(white_paper, (number, 1)), np.tile(ink, (number, 1)))


def test_a_clipped_channel_is_told_by_the_ink():
    found = find_white(sides([180.0, 200.0, 255.0], [38.0, 42.0, 60.0]))
    ratio = max(LINEAR[180] / LINEAR[38], LINEAR[200] / LINEAR[42])
    assert found[:2] == pytest.approx([LINEAR[180], LINEAR[200]])
    assert found[2] == pytest.approx(max(1.0, LINEAR[60] * ratio))
    assert found[2] > 1


@pytest.mark.parametrize(("paper", "ink", "light"), [(242, 70, LINEAR[242]), (243, 70, 27 * LINEAR[70])])
def test_paper_that_may_be_clipped_throughout_is_told_by_its_ink(paper, ink, light):
    assert find_white(sides([paper] * 3, [ink] * 3)) == pytest.approx(light)


def test_sides_in_shadow_do_not_count():
    light, shaded = sides([200.0] * 3, [40.0] * 3), sides([100.0] * 3, [20.0] * 3, 2)
    both = Whites(
        *(
            np.concatenate(pair)
            for pair in zip(
                (light.pixels, light.white, light.black),
                (shaded.pixels, shaded.white, shaded.black),
                strict=True,
            )
        )
    )
    assert find_white(both) == pytest.approx(find_white(light))
    assert find_white(Whites(np.empty((0, 2)), np.empty((0, 3)), np.empty((0, 3)))) == pytest.approx(1)
