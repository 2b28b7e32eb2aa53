"""The drawn table of every game, at many steps of every recorded match."""

from itertools import combinations
from types import SimpleNamespace

import msgspec
import pytest

import engines
from engines.conformance import TriedGame
from engines.contract import Drawing, Mark, Panel, Scene, Setup, Shape, telling
from engines.texts import TextError
from tests.engines import grid_toy
from tests.engines.newcomers import installed
from tests.recorded import MATCHES, RECORDED, load

EVERY = 19
MOST_BYTES = 62_000
"""With keys of texts in the marks; in words it takes some 3,000 fewer."""


def played(path):
    file, match = load(path)
    return file, match.game, [point.state for point in match.points]


@pytest.mark.parametrize("path", RECORDED)
def test_a_scene_can_be_drawn_at_every_step(path):
    """No panel lies on another, each mark names a space there is, each answer a question and a token."""
    file, game, states = played(path)
    table = TriedGame(game, file.setup)
    for state in [*states[::EVERY], states[-1]]:
        scene = game.telling.scene(state)
        assert isinstance(scene, Scene)
        assert list(table.drawn(state)) == []
        assert len(msgspec.json.encode(scene)) < MOST_BYTES
        boxes = [(p.x, p.y, p.x + p.width * p.scale, p.y + p.height * p.scale) for p in scene.panels]
        for (left, top, right, bottom), (x, y, x_end, y_end) in combinations(boxes, 2):
            assert right <= x + 1 or x_end <= left + 1 or bottom <= y + 1 or y_end <= top + 1
        boards = {name: sight.board(state) for name, sight in game.in_sight(state).items()}
        for mark in (mark for panel in scene.panels for mark in panel.marks):
            assert not mark.cell or mark.cell in boards[mark.board].names
            assert all(all(answer.split(" ")) for answer in mark.answers)


BROKEN = {
    "panel board reaches 1900 × 20": Panel("board", 1800, 0, 100, 20),
    "no colour puce": Panel("board", 0, 0, 100, 20, (Mark(x=5, y=5, fill="puce"),)),
    "no icon yeti": Panel("board", 0, 0, 100, 20, (Mark(x=5, y=5, icon="yeti"),)),
    "a mark at 500, 5 is outside": Panel("board", 0, 0, 100, 20, (Mark(x=500, y=5),)),
    "two marks have the key a": Panel("board", 0, 0, 100, 20, (Mark(x=5, y=5, key="a"),) * 2),
}


@pytest.mark.parametrize(("wrong", "panel"), BROKEN.items(), ids=BROKEN)
def test_what_cannot_be_drawn_is_named(wrong, panel):
    (found,) = drawn(panel)
    assert wrong in found


def test_the_highest_towers_at_the_back_stay_on_the_board():
    game = engines.game("torres")
    blocks = "88888888/......../1.1.1.1./......../1.1.1.../......../......../........"
    state = game.position.read(
        f"seats=2 blocks={blocks} a=a1 b=h1 king=d1 turn=a round=4 stacks.a=3 stacks.b=3"
    )
    assert list(TriedGame(game, Setup()).drawn(state)) == []


def test_a_scene_without_its_text_is_named():
    with pytest.raises(TextError, match=r"panel\.attic"):
        drawn(Panel("attic", 0, 0, 100, 20))


def drawn(panel):
    """Return what is wrong with a table of this one panel, of a toy game."""
    shown = telling(SimpleNamespace(scene=lambda _: Scene((panel,), (0, 0, 0, 0))))
    table = TriedGame(msgspec.structs.replace(grid_toy.GAME, telling=shown), Setup())
    with installed(grid_toy):
        table.words.texts._texts["panel.board"] = "The board"
        return list(table.drawn(None))


TAPPED = {
    "nobles": ("draw", "m"),
    "castles_of_tuscany_three": ("action", "T"),
    "marrakesh_three": ("claim", ""),
    "torres_four": ("action", "B"),
}


@pytest.mark.parametrize("name", TAPPED)
def test_what_was_done_could_be_tapped(name):
    """Each market card drawn, tile taken, keshi claimed and block placed lay there to be tapped before."""
    path = next(path for path in MATCHES if path.stem == name)
    _, match = load(path)
    game = match.game
    question, begins = TAPPED[name]
    found = 0
    for at in range(len(match.steps)):
        for state, choice in match.walk(at) if hasattr(match.steps[at], "text") else ():
            if choice.question != question or not choice.token.startswith(begins):
                continue
            marks = [mark for panel in game.telling.scene(state).panels for mark in panel.marks]
            board = game.sight.board(state)
            place = board.place(choice.token) if board else None
            cell = board.name(place) if place is not None and name == "torres_four" else None
            assert any(
                (cell and mark.cell == cell) or f"{question} {choice.token}" in mark.answers for mark in marks
            ), (at, choice)
            found += 1
    assert found > 5


def test_a_mark_on_its_way_to_a_page_is_short():
    mark = Mark(shape=Shape.OCTAGON, x=1, y=2, w=30, fill="keshi_t", text="T", key="t:0:1")
    told = msgspec.json.decode(msgspec.json.encode(mark))
    assert told == {"s": "octagon", "x": 1, "y": 2, "w": 30, "f": "keshi_t", "t": "T", "k": "t:0:1"}


def test_colours_are_six_digits_and_the_dark_ones_have_a_light_one():
    for game in engines.GAMES:
        drawing = engines.drawing(game)
        for name, colour in (*drawing.light.items(), *drawing.dark.items()):
            assert len(colour) == 7, name
            assert int(colour[1:], 16) >= 0
        assert drawing.dark.keys() <= drawing.light.keys()


def test_a_game_without_a_drawing_has_an_empty_one(tmp_path, monkeypatch):
    monkeypatch.setattr("engines.folder", lambda _: tmp_path)
    assert engines.drawing.__wrapped__("anything") == Drawing()


def test_a_drawing_with_a_key_that_is_none_is_refused(tmp_path, monkeypatch):
    (tmp_path / "drawing.toml").write_text("[lihgt]\npink = '#ffffff'\n", "utf-8")
    monkeypatch.setattr("engines.folder", lambda _: tmp_path)
    with pytest.raises(msgspec.ValidationError, match="lihgt"):
        engines.drawing.__wrapped__("anything")
