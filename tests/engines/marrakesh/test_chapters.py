"""What no random match does: version 1 of the rules, what was let stand, discs, what expansions keep."""

import pytest
from msgspec.structs import replace

from engines import bags
from engines.contract import Choice
from engines.errors import BadPosition, Impossible
from engines.marrakesh import GAME, medina, pieces, sahara, souk, square
from engines.marrakesh.book import BOOK, find_pieces, keep_pieces
from engines.marrakesh.facts import OASES, SQUARE
from engines.marrakesh.frames import OasisNumber, Workshop
from engines.marrakesh.overlays import Offices, Staircase
from engines.marrakesh.paying import pay
from engines.marrakesh.pieces import SPACES, keshis
from tests.engines.marrakesh.lines import turn
from tests.engines.marrakesh.sitting import (
    COPY,
    after,
    agreed,
    asked,
    before,
    named,
    overruled,
    play,
    playing,
    refused,
    resources,
    seated,
    tokens,
    told,
    under_1,
    unknown,
)

# Version 1


def test_under_version_1_dinars_pay_for_dinars_first():
    state = pay(under_1(seated(resources="3w3d3n", scrolls=(33,))), (1, 0, 2))
    assert (asked(state), resources(state)) == ("", "2w3d1n")


def test_a_workshop_that_goes_by_itself_begins_no_step():
    state = medina.act(under_1(seated(board="2b")))
    assert (asked(state), BOOK.pending(state).open) == ("gate", False)
    assert BOOK.pending(play(state, "n")).open


def test_scroll_16_a_line_crossed_gives_a_river_step_lengthened_by_water():
    links = {f"{mosque}{palace}": ("date",) for mosque in range(1, 6) for palace in range(1, 6)}
    seat = seated(mosque=2, scrolls=(16,), copy=told(link=links), resources="1w")
    state = after(seat, "mosque")
    assert (asked(state), tokens(state)) == ("first", ["link", "river"])
    last = play(state, "link")
    assert (asked(last), resources(last)) == ("sail", "1w1d1n")
    earlier = after(under_1(seat), "mosque")
    assert (asked(earlier), tokens(earlier)) == ("sail", ["1", "2"])
    state = play(state, "river 2")
    assert (state.own.fisherman, resources(state)) == (2, "1d1n")


# Overruled


def test_a_gate_needs_a_guard_whatever_is_overruled():
    state = BOOK.settled(medina.act(seated(board="2b", gates="t-------", resources="5n")))
    state = state.answered(Workshop("t"))
    assert asked(overruled(state, "1")) == "gate"
    with pytest.raises(Impossible):
        overruled(state.with_own(gates="tt------"), "1")


def test_whatever_is_overruled_an_oasis_is_claimed_once():
    rich = {"copy": told(price={"left3": (0, 0, 1), "right3": (1, 1, 0)}), "resources": "9w9d9n"}
    claimed = seated(caravans=(0, 3, 3), claimed=1 << OASES.index("left2"), **rich)
    with pytest.raises(Impossible):
        overruled(BOOK.settled(sahara.act(claimed)), "left2")
    state = BOOK.settled(sahara.act(seated(caravans=(0, 3, 0), **rich)))
    state = overruled(under_1(state), "done")
    assert (asked(state), state.sides[0].claimed) == ("resource", 0)


@pytest.mark.parametrize("season", [1, 2, 3])
@pytest.mark.parametrize("face", pieces.RIVER)
def test_a_face_that_people_let_stand_in_another_season_gives_what_it_shows(face, season):
    others = (before(fisherman=2), before(fisherman=0)) if season == 3 else (before(fisherman=0),)
    state = replace(seated(*others, fisherman=5, board="2g3p2r", gates="t-------"), season=season)
    state = after(state, "won", why="river_tile", source=face)
    assert not state.frames or asked(state) in BOOK.questions


# Oases, orchard


def test_what_scroll_68_had_told_of_an_oasis_is_its_number_when_it_is_claimed():
    fields = {"resources": "9w9d9n", "board": "1n", "scrolls": (68,), "copy": told(oasis={"27": "oases"})}
    state = play(after(seated(caravans=(0, 0, 0), **fields), "deploy_n"), "left 27")
    assert state.sides[0].found == (27, 0, 0, 0, 0, 0)
    elsewhere = play(after(state, "deploy_n"), "right")
    figures = {"number": "27", "seat": 0, "variant": "oasis_number.lies"}
    assert refused(elsewhere, "27") == ("oasis_number.claimed", "MK-1.2", figures)
    assert agreed(elsewhere)
    asks = replace(state, frames=(OasisNumber(place=1),))
    assert tokens(asks) == ["27"]
    assert refused(asks, "12") == ("oasis_number.told", "MK-14.1", {"number": "27"})
    assert agreed(asks)
    claimed = play(BOOK.settled(sahara.act(state)), "left1")
    assert (asked(claimed), claimed.sides[0].oases, claimed.sides[0].found) == ("", (27,), (0,) * 6)


def test_keshis_by_name_are_a_bag_and_what_is_no_keshi_is_refused():
    counts = {"turquoise": 3, "orange": 25}
    assert (named(keshis(counts)), bags.total(keshis(counts))) == (counts, 28)
    for wrong, said in (
        ({"blue": 1}, "no keshi's"),
        ({"red": -1}, "-1 red"),
        ({"red": 256}, "256"),
    ):
        with pytest.raises(ValueError, match=said):
            keshis(wrong)


# Expansions


def test_offices_are_written_in_a_position_and_known_after_going_back():
    state = GAME.position.read(turn(more_offices="yes", offices="2,5", season=2))
    assert find_pieces(state, Offices).offices == ("2", "5")
    assert GAME.position.read(GAME.position.write(state)) == state
    more = turn(more_offices="yes", offices="2,5", season=1, waived="MK-17.3")
    assert [one.check for one in GAME.position.status(more)] == ["position.offices"]
    seat = playing(seated(board="2l2u2o"), "more_offices")
    first, other = (BOOK.settled(souk.sell(seat, colour)) for colour in "ul")
    assert BOOK.seen(first) == BOOK.seen(other) != BOOK.seen(replace(first, season=2))


PURPLE = "0,4,3,1,2,1,1,3"
"""A side of the disc, from the section that faces water on."""


@pytest.mark.parametrize("sections", ["1,4,3,1,2,1,1,3", "0,4,3,1,2,1,1,0", "0,4,3,1,2,1,4,3"])
def test_mk_17_4_a_side_without_one_0_and_one_4_is_none(sections):
    seat = seated(square=1 << SQUARE.index("water"), board="1p", disc=-1, copy=unknown())
    state = BOOK.settled(square.act(playing(seat, "spectators")))
    none, four = sections.count("0"), sections.count("4")
    assert refused(state, sections) == ("print.purple_disc", "MK-17.4", {"none": none, "four": four})
    with pytest.raises(Impossible):
        BOOK.overrule(state, Choice("print", sections), "MK-17.4")
    with pytest.raises(BadPosition, match="purple_disc: purple_disc"):
        GAME.position.parse(turn(spectators="purple", known=f"purple_disc:{sections}"))


def test_a_disc_is_neither_known_nor_asked_about_before_its_purple_side():
    lies = {"disc_b": 3, "spectators": "purple"}
    for waived in ("-", "MK-17.4"):
        told_none = turn(**lies, waived=waived, known="-")
        assert [one.check for one in GAME.position.status(told_none)] == ["position.disc"]
    assert GAME.position.status(turn(**lies, known=f"purple_disc:{PURPLE}")) == []
    asks = turn("effect:disc_turned/disc", spectators="purple", known="-")
    assert [one.check for one in GAME.position.status(asks)] == ["position.frames"]


def crossed(words, lie):
    """The state after line 21, which passes these words, was crossed; these stair tiles are told by space."""
    covered = Staircase(tuple(lie.get(space, "") for space in range(1, len(SPACES) + 1)))
    seat = seated(copy=told(COPY, **{"line_spaces.21": tuple(words.split())}), mosque=2)
    return after(keep_pieces(playing(seat, "staircase_tiles"), covered), "mosque")


def test_stair_tiles_are_written_by_space_and_known_after_going_back():
    first, other = crossed("s3 s5", {}), crossed("vp1 s3", {1: "01a"})
    assert BOOK.seen(first) == BOOK.seen(other) != BOOK.seen(play(first, "07b"))
    state = crossed("s3 s5", {2: "07a"})
    assert "stair_tiles=-,07a" + ",-" * 10 in GAME.position.write(state).split()
    assert GAME.position.parse(GAME.position.write(state)) == state


@pytest.mark.parametrize(
    ("fields", "checks"),
    [
        ({"stair_tiles": "07a,07b" + ",-" * 10, "staircase_tiles": "yes"}, ["position.stair_tile"]),
        ({"stair_tiles": "07a,07b" + ",-" * 10, "staircase_tiles": "yes", "waived": "MK-17.1"}, []),
        ({"doing": "effect:link_23::connections/stair_tile::3", "staircase_tiles": "yes"}, []),
        ({"doing": "effect:link_23::connections/stair_tile::3"}, ["position.frames"]),
    ],
)
def test_a_stair_tile_lies_on_one_space_and_is_asked_where_it_is_played(fields, checks):
    found = GAME.position.status(turn(**{"known": "line_spaces.23:s3"} | fields))
    assert [one.check for one in found] == checks
