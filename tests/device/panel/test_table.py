"""What a page is told of a match."""

import json
from random import Random

import msgspec
import pytest

from device.match import KEYS, Abandon, Call, Dispute, Kind, MatchDoor, Pause, Rollback
from device.panel import Tables
from device.panel.asking import ask_next
from device.panel.table import Course, _describe_board, describe_table
from device.texts import Texts
from device.voices import COOKIE, Voices
from engines import matchfile
from engines.board import Board, BoardShape, Cell
from engines.contract import Label, Lay, Piece, Report, Zone
from engines.words import Words
from tests.device.games import enter
from tests.device.panel.shown import MATCHES, before, playing, texts
from tests.engines import grid_toy
from tests.engines.newcomers import installed


def shown_steps(name):
    return matchfile.read((MATCHES / f"{name}.match").read_text("utf-8")).steps


def words_of(replay):
    return Words(texts(replay.header.game), replay.game, replay.names)


def page_of(replay, **more):
    return describe_table(replay, words_of(replay), Course().of(replay), **more)


@pytest.fixture
def torres(tmp_path):
    with playing(tmp_path, "torres_three", 44) as library:
        yield library


def cells(page):
    (board,) = page["boards"]
    return {cell["name"]: cell for cell in board["cells"]}


def test_turn_and_what_was_made_last(torres):
    page = page_of(torres.referee.replay)
    assert (page["turn"]["who"], page["turn"]["seat"], page["turn"]["over"]) == ("Lapo", 2, False)
    assert page["players"][2] == {"name": "Lapo", "short": "L"}
    assert page["last"]["said"].startswith("Lapo: ")
    assert (page["head"], page["entries"]) == (44, [*range(1, 45)])
    MatchDoor(torres).rule(Rollback(40), source=KEYS)
    enter(torres.referee, shown_steps("torres_three")[39:40])
    assert page_of(torres.referee.replay)["entries"] == [*range(1, 40), 46], "the numbers of the record"


def test_hands_of_somebody_else_are_told_by_name(tmp_path):
    """Those of the step with which a turn passes, in every game alike."""
    with playing(tmp_path, "marrakesh_three", 0) as library:
        told = []
        for step in shown_steps("marrakesh_three")[:60]:
            enter(library.referee, [step])
            page = page_of(library.referee.replay)
            passed = page["turn"]["seat"] not in (None, step.seat)
            if passed and step.seat is not None and (hands := page["last"]["hands"]):
                told.append((hands[0], page["players"][step.seat]["name"]))
            assert not any(one.endswith(":") for one in page["last"]["hands"])
    assert told
    ours = [(one, name) for one, name in told if one != "Keshis behind screens."]  # which all do
    assert all(one.startswith(tuple(f"{name}{sign}" for sign in ": ")) for one, name in ours), ours


def test_the_end_tells_who_won_and_who_counts_otherwise(tmp_path):
    with playing(tmp_path, "torres_two") as library:
        replay = library.referee.replay
        turn = page_of(replay)["turn"]
        assert (turn["who"], turn["question"]) == ("The end", "William wins")
        assert turn["about"] == [words_of(replay).prompt(replay.match.pending)]
        MatchDoor(library).rule(Dispute(0, (300, 296)), source=KEYS)
        assert page_of(replay)["turn"]["about"][0] == "Disputed: Adso counts 300 : 296."


def test_before_the_first_entry_stands_what_expansions_lay_out(tmp_path):
    def about(steps):
        with playing(tmp_path / str(steps), "marrakesh_everything", steps) as library:
            return page_of(library.referee.replay)["turn"]["about"]

    first, second = about(0), about(1)
    assert "Discs: purple side." in first
    assert len(first) == len(second) + 5


@pytest.mark.parametrize(
    ("ruling", "halted", "who"),
    [
        (Pause(), "the match is stopped: paused", "Lapo"),
        (Call(), "the match is stopped: a judge is called", "Lapo"),
        (Abandon(), "", "Abandoned"),
    ],
)
def test_a_match_that_stands_still(torres, ruling, halted, who):
    MatchDoor(torres).rule(ruling, source=KEYS)
    turn = page_of(torres.referee.replay)["turn"]
    assert (turn["halted"], turn["who"], turn["over"]) == (halted, who, who == "Abandoned")


def test_a_board_with_what_changed_last(tmp_path):
    with playing(tmp_path, "torres_three", 13) as library:
        replay = library.referee.replay
        before, after = (replay.game.sight.board(point.state).cells for point in replay.match.points[-2:])
        shown = list(cells(page_of(replay)).values())
        assert [(cell.get("height", 0), cell.get("piece", "")) for cell in shown] == [
            (cell.height, cell.piece) for cell in after
        ]
        changed = [old != new for old, new in zip(before, after, strict=True)]
        assert [cell.get("changed", False) for cell in shown] == changed
        assert any(changed)
        assert {cell.get("piece", ""): cell["stands"] for cell in shown} == {
            **{"": "", "K": "king"},
            **{"a": "Fina", "b": "Guido", "c": "Lapo"},
        }
        assert page_of(replay)["grounds"] == {}


def test_a_board_with_something_printed_on_its_cells():
    with installed(grid_toy):
        words = Words(Texts.load("en", "grid_toy", strict=True), grid_toy.GAME, ("Fina", "Guido"))
        cells = (Cell(0, "", "g"), Cell(0, "g", "g"), Cell(1, "b", "s"), None)
        told = _describe_board("board", Board(2, 2, cells, BoardShape.HEXES), None, words)["cells"]
    assert told[3] is None
    assert [(cell["ground"], cell["covered"], cell["stands"]) for cell in told[:3]] == [
        *(("g", False, "grass"), ("g", True, "grass, covered"), ("s", False, "sand, Guido")),
    ]


THREE = "castles_of_tuscany_three"


def test_a_board_before_a_seat_is_near_while_that_seat_acts(tmp_path):
    placed, taken = before(THREE, "P "), before(THREE, "T ")
    for steps, after in ((placed, False), (taken + 1, True), (None, False)):
        with playing(tmp_path / str(steps), THREE, steps) as library:
            replay = library.referee.replay
            page, pending = page_of(replay), replay.match.pending
            seat = replay.history[-1].seat
        assert [(board["name"], board["seat"]) for board in page["boards"]] == [
            ("region.a", 0),
            ("region.b", 1),
            ("region.c", 2),
        ]
        near = [board["seat"] for board in page["boards"] if board["near"]]
        if after:
            assert isinstance(pending, Report)
            assert near == [seat], "the table is asked what came up after its step"
        else:
            assert near == list(pending.seats if steps else ())
    assert page["grounds"]["q"] == "quarry, grey"
    assert page["other"] == ["wild hex"]


def zones_of(monkeypatch, replay, before, now):
    """The page's zones where those of the last two states are these."""
    states = {id(replay.match.points[-2].state): before, id(replay.match.points[-1].state): now}
    telling = replay.game.telling
    monkeypatch.setattr(type(telling), "zones", staticmethod(lambda state: states[id(state)]))
    return page_of(replay)["zones"]


def lying(*pieces):
    return tuple(Piece(Label(f"card.{name}"), count) for name, count in pieces)


def test_pieces_that_came_and_went(torres, monkeypatch):
    before = (Zone("hand", 0, lying(("jump", 2), ("leap", 1))), Zone("deck", None, (), Lay.PILE))
    now = (Zone("hand", 0, lying(("jump", 3), ("move", 1))), Zone("deck", None, (), Lay.PILE))
    hand, deck = zones_of(monkeypatch, torres.referee.replay, before, now)
    assert [(one["name"], one["count"], one["grew"]) for one in hand["pieces"]] == [
        ("Jump", 3, 1),
        ("Move block", 1, 1),
        ("Leap", 0, -1),
    ]
    assert (hand["seat"], deck["seat"], deck["lay"], deck["pieces"]) == (0, None, "pile", [])


def test_a_zone_is_compared_with_the_one_it_was(torres, monkeypatch):
    """Towers are sorted: a new one may come before those that stood, and is the only one that changed."""
    replay = torres.referee.replay
    tall, low, new = (Zone("hand", 0, lying((name, 2))) for name in ("jump", "leap", "move"))
    shown = zones_of(monkeypatch, replay, (low, tall), (new, low, tall))
    assert [[one["grew"] for one in zone["pieces"]] for zone in shown] == [[2], [0], [0]]
    shown = zones_of(monkeypatch, replay, (new, low, tall), (low, tall))
    assert [[one["grew"] for one in zone["pieces"]] for zone in shown] == [[0], [0], [-2]]
    two, fewer = (Zone("hand", 0, lying(("jump", 2), ("jump", left))) for left in (2, 1))
    (hand,) = zones_of(monkeypatch, replay, (two,), (fewer,))
    assert [(one["count"], one["grew"]) for one in hand["pieces"]] == [(2, 0), (1, -1)], "piles of the same"


def test_points_are_worked_out_once(torres, monkeypatch):
    replay = torres.referee.replay
    course = Course()
    course.of(replay)
    scoring = replay.game.scoring
    asked = []
    count = lambda state, bookings=scoring.bookings: asked.append(state) or bookings(state)  # noqa: E731
    monkeypatch.setattr(type(scoring), "bookings", staticmethod(count))
    assert len(course.of(replay)) == 45
    assert asked == []
    MatchDoor(torres).rule(Rollback(40), source=KEYS)
    assert course.of(replay) == Course().of(replay)
    assert len(course.of(replay)) == len(replay.match.points) < 45


def test_a_reading_that_stands_open_marks_where_it_differs(torres):
    replay = torres.referee.replay
    sight = replay.game.sight
    seen = sight.of(replay.match.state)
    seen = msgspec.structs.replace(seen, heights=bytes([7, *seen.heights[1:]]))
    assert page_of(replay, asked=True)["drift"] == []
    torres.referee.note(f"board 0.80 {seen} | 0.20 other", channel="camera:board", kind=Kind.READING)
    (drift,) = page_of(replay, asked=True)["drift"]
    assert (drift["board"], drift["cells"]) == ("board", ["a1"])
    assert drift["says"] == ["a1: ▲7 seen, nothing entered"]
    assert page_of(replay)["drift"] == [], "nobody asks about it any more"


def test_a_reading_of_a_region_is_marked_on_the_region_of_its_seat(tmp_path):
    with playing(tmp_path, "castles_of_tuscany_three", 60) as library:
        replay = library.referee.replay
        sight = replay.game.in_sight(replay.match.state)["region.b"]
        believed = sight.of(replay.match.state)
        names = replay.match.state.region(1).names
        empty = next(name for name in names if name not in believed.tiles | believed.wild)
        text = f"region.b 0.80 {believed},{empty}"
        library.referee.note(text, channel="camera:region.b", kind=Kind.READING)
        (drift,) = page_of(replay, asked=True)["drift"]
        assert (drift["board"], drift["cells"]) == ("region.b", [empty])
        assert drift["says"][0].startswith(f"{empty}: ")


def test_telling_is_anew_after_every_record_and_only_then(torres, tmp_path):
    replay, telling = torres.referee.replay, Tables(Voices(tmp_path))
    first = telling({}, replay)
    assert telling({}, replay) is first
    for _ in range(256):
        torres.referee.note("a remark", channel="keys")
    assert json.loads(last := telling({}, replay))["head"] == 300
    assert telling({}, replay) is last
    assert json.loads(telling({COOKIE: "ja"}, replay))["turn"] != json.loads(last)["turn"]
    assert telling({}, None) == "null"
    assert json.loads(telling({}, replay))["head"] == 300


def test_what_fails_fails_once(torres, tmp_path, monkeypatch):
    replay, telling = torres.referee.replay, Tables(Voices(tmp_path))
    monkeypatch.setattr("device.panel.table.describe_table", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        telling({}, replay)
    assert telling({}, replay) == "null"


def test_a_step_that_shows_a_card_ends_what_can_be_undone(tmp_path):
    with playing(tmp_path, "castles_of_tuscany_three", 61) as library:
        replay = library.referee.replay
        drawn = ask_next(replay, words_of(replay), ["D"])
        assert (drawn.whole, drawn.ends) == (True, True)
        assert replay.match.pending.seats == (drawn.seat,)
        match = replay.match.branch(len(replay.match.steps))
        match.play("D")
        assert match.pending.seats == (drawn.seat,), "the same player goes on"


@pytest.mark.parametrize("steps", range(3, 48, 9))
@pytest.mark.parametrize("seat", [0, 1])
def test_what_a_seat_told_of_its_hand_reaches_nobody_s_page(tmp_path, steps, seat):
    """All that a page is told can be worked out without it: by whoever sits at another seat, too."""
    with playing(tmp_path, "nobles", steps) as library:
        referee = library.referee

        def seen():
            replay = referee.replay
            page = json.loads(msgspec.json.encode(page_of(replay) | {"head": 0}))
            return page, msgspec.to_builtins(ask_next(replay, words_of(replay)))

        before, worlds = seen(), referee.replay.game.worlds
        for seed in range(3):
            state = referee.replay.match.state
            world = worlds.sample(state, Random(f"{steps} {seed}"))
            referee.tell(seat, worlds.held(world, state, seat), channel="line:hand")
            assert seen() == before
