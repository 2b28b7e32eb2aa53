"""What ``podesta plugin check`` says of games that break a promise: the template's, damaged."""

import re
from itertools import count
from random import Random

import pytest
from msgspec.structs import replace

import engines
from device.cli import main
from device.commands import Exit
from device.commands.checks import check_plug_ins
from device.sensors.kit import make
from engines import conformance
from engines.conformance import TriedGame, conforming, setups
from engines.contract import Label, Option, Setup
from engines.errors import BadPosition
from engines.match import Point
from engines.texts import TextError
from tests.engines import grid_toy, tower_toy, toy
from tests.engines.newcomers import installed, on_the_path, put

NUMBERS = count()


@pytest.fixture
def damaged(tmp_path):
    """Installs the template's game with a text replaced in one of its files; gives its id."""

    def made(file, old, new):
        name = f"nines_{next(NUMBERS)}"
        make(name, tmp_path / "new", game=True)
        path = tmp_path / "new" / f"podesta_{name}" / file
        text = path.read_text("utf-8")
        assert old in text
        new = new.replace("contract.", "__import__('engines').contract.")
        path.write_text(text.replace(old, new), "utf-8")
        put(tmp_path / "new", shelf)
        return name

    shelf = tmp_path / "shelf"
    shelf.mkdir()
    with on_the_path(shelf):
        yield made


CODE, TEXTS, RULES = "__init__.py", "texts.en.toml", "rules.toml"
TALLY = """
    def tallies(self, state, /):
        from engines.contract import Tally
        return (Tally("dropped", "R-2.1", (0,)),)

    def ranking"""
TIE = '"R-3.2", contract.Tie("die", "R-3.9", tuple(enumerate([0] * len(state.piles)))))'
VERBS = '"drop"), verbs=(contract.Verb("put", (*PILES,)),))'
LIST = "full 2: the list offers a, the check put.high refuses it: R-2.1"
DAMAGES = {
    "twice": (CODE, '"drop"])', '"drop", "drop"])', "lists", "drop drop, the checks let pass"),
    "no end": (TEXTS, "termination.played", "termination.over", "texts", "no text termination.played"),
    "no verb": (CODE, '"drop"))', VERBS, "texts", "no text verb.put"),
    "no piece": (CODE, "Cell(height)", 'Cell(height, "X")', "texts", "no text piece.X"),
    "end's clause": (CODE, '"played": "R-1.2"', '"played": "R-1.9"', "clauses", "has no clause R-1.9"),
    "tie's clause": (CODE, '"R-3.2")', TIE, "clauses", "has no clause R-3.9"),
    "no question": (TEXTS, "action =", "actoin =", "texts", "no text question.action"),
    "no answer": (TEXTS, 'drop = "no pile"', "", "texts", "no text action.drop, for the answer drop"),
    "no reason": (TEXTS, "put.high", "put.low", "texts", "no text refused.put.high"),
    "no figure": (
        TEXTS,
        "{height} and",
        "{hight} and",
        "texts",
        "refused.put.high needs a value for hight",
    ),
    "no category": (TEXTS, "nines =", "tens =", "texts", "no text category.nines"),
    "no clause": (RULES, "R-2.1", "R-2.2", "clauses", "has no clause R-2.1; the nearest is"),
    "list": (CODE, "if height + state.die <= FULL)", "if height <= FULL)", "plays", LIST),
    "check": (
        CODE,
        "die}) if height + state.die >",
        "die}) if height >",
        "lists",
        "the checks let pass a b c",
    ),
    "position": (CODE, 'fields.read("die", forms.number(0, 6).read)', "0", "positions", "reads as"),
    "places": (CODE, "totals(self.bookings(state), len(state.piles))", "[0, 0]", "scores", "ranks"),
    "problem": (CODE, "if most > FULL", "if most > 3", "positions", "has the problem pile.high"),
    "line": (CODE, "return line(", 'return "\\n" + line(', "positions", "reads as"),
    "other seat": (CODE, "Booking(seat, n *", "Booking(seat + 4, n *", "scores", "for seat"),
    "no points": (
        CODE,
        "Booking(seat, n * FULL",
        "Booking(seat, n * 0",
        "scores",
        "books 0 points as nines for seat",
    ),
    "tally": (CODE, "    def ranking", TALLY, "scores", "tally dropped has 1 figures for 2 seats"),
    "no name": (
        CODE,
        'CATEGORIES = ("nines",)',
        'CATEGORIES = ("nines", "tens")',
        "telling",
        "category.tens",
    ),
    "no category's": (
        CODE,
        'CATEGORIES = ("nines",)',
        "CATEGORIES = ()",
        "scores",
        "add 'nines' to CATEGORIES",
    ),
    "an end without a clause": (
        CODE,
        '"played": "R-1.2"',
        "",
        "clauses",
        "termination 'played' has no clause in",
    ),
    "letters": (
        CODE,
        "all(map(str.isdecimal, row))",
        "True",
        "damaged positions",
        "ValueError: invalid literal",
    ),
    "two seats' usual": (
        CODE,
        '"by_hand": "-"',
        '"by_hand": "0,0"',
        "damaged positions",
        "a position without by_hand=- is not read",
    ),
    "a usual value that is none": (
        CODE,
        '"turn": "0", "die": "0"',
        '"turn": "0", "die": "x"',
        "damaged positions",
        "a position without die=0 is not read: position: die: 'x' is not a number",
    ),
    "endless": (CODE, "turn=state.turn + 1, die=0", "turn=1, die=0", "plays", "does not end within"),
    "raises": (CODE, "return replace(state, die=int(token))", "return 1 // 0", "plays", "ZeroDivisionError"),
}


@pytest.mark.parametrize(("file", "old", "new", "promise", "said"), DAMAGES.values(), ids=DAMAGES)
def test_a_broken_promise_is_found(damaged, monkeypatch, file, old, new, promise, said):
    monkeypatch.setattr(conformance, "LONGEST", 500)
    monkeypatch.setattr(conformance, "MATCHES", 2)
    monkeypatch.setattr(conformance, "LOOKED_AT", 20)
    wrong = [one for one in conforming(damaged(file, old, new)) if one.verdict == "fail"]
    assert promise in {one.name for one in wrong}
    (first,) = [one for one in wrong if one.name == promise]
    assert said in first.seen
    assert first.remedy


@pytest.mark.parametrize(
    ("damage", "verdict", "listed", "checked"),
    [
        ((TEXTS, "action =", "actoin ="), "warn", "works, but {}", "fail      {}"),
        ((CODE, "import msgspec\n", "import nowhere\n"), "fail", "does not work: {}", "fail      load: {}"),
    ],
)
def test_list_check_and_doctor_say_the_same(damaged, capsys, damage, verdict, listed, checked):
    """Of what is wrong with a game, and of one that cannot be played."""
    name = damaged(*damage)
    (doctor,) = check_plug_ins()
    assert doctor.verdict == verdict
    assert re.search("texts: full 2: no text question.action|No module named 'nowhere'", doctor.detail)
    for command, told in ((["plugin", "list"], listed), (["plugin", "check", name], checked)):
        assert main(command) == Exit.WRONG
        assert told.format(doctor.detail) in capsys.readouterr().out


def test_a_step_that_cannot_be_ended_is_found(monkeypatch):
    """A piece among blocks that are too high; its move is listed all the same."""
    checks = grid_toy.Playing.why_not

    def why_not(self, state, choice, seat=None):
        refusal = checks(self, state, choice, seat)
        return None if refusal and refusal.check == "move.stuck" else refusal

    tried = TriedGame(grid_toy.GAME, Setup())
    stuck = grid_toy.Stones(heights=(0, 3, 0, 0, 3, *[0] * 7))
    assert list(tried.ends(stuck)) == []
    monkeypatch.setattr(grid_toy.Playing, "why_not", why_not)
    grid_toy._legal.cache_clear()
    (wrong,) = tried.ends(stuck)
    assert wrong.startswith("after Ma1 nothing ends the step, in 030")
    grid_toy._legal.cache_clear()


def test_what_is_told_without_words_is_found(monkeypatch):
    with installed(toy) as name:
        table = TriedGame(toy.GAME, setups(toy.GAME)["full 2"])
        match, _ = table.played(Random(3))
        assert list(table.sayable(match)) == []
        monkeypatch.setattr(toy.Says, "news", lambda *_: (Label("news.none"),))
        monkeypatch.setattr(toy, "GAME", replace(toy.GAME, telling=toy.Says()))
        (found,) = [one for one in conforming(name) if one.name == "telling"]
    assert found.seen == "full 2: no text news.none"


def test_a_remedy_and_an_option_without_words_are_found(monkeypatch):
    with installed(toy):
        table = TriedGame(replace(toy.GAME, options=(Option("more", ("no",), "T-1"),)), Setup())
        match, _ = table.played(Random(1))
        with pytest.raises(TextError, match=r"no text option\.more"):
            list(table.sayable(match))
        table = TriedGame(toy.GAME, Setup())
        monkeypatch.setattr(conformance.remedies, "load", lambda _: {"wait": None})
        assert list(table.sayable(match)) == ["no text remedy.wait"]


def test_steps_that_lead_elsewhere_the_second_time_are_found():
    table = TriedGame(grid_toy.GAME, Setup())
    match, states = table.played(Random(1))
    assert list(table.replays(match)) == []
    match.points[-1] = Point(states[0])
    assert list(table.replays(match)) == ["the same steps lead to another state"]


@pytest.mark.soak  # seconds for each; tests/engines/test_conformance.py tries them at more tables
@pytest.mark.parametrize("game_id", engines.GAMES)
def test_the_house_s_games_keep_theirs(game_id):
    assert [one for one in conforming(game_id) if one.verdict == "fail"] == []


@pytest.mark.parametrize(
    ("game", "lacks"),
    [
        (grid_toy, "full 2 hexes: no text cell, for the answer a1"),
        (toy, "full 2: no text odd, for the answer odd"),
        (tower_toy, "full 2: no text keep.r, for the answer r"),
    ],
    ids=["grid", "sealed", "tower"],
)
def test_the_toys_keep_theirs_but_for_names_of_answers(game, lacks):
    """Hexes and cells; choices that nobody sees, numbers, what is too much to list; facts, a tower."""
    with installed(game) as name:
        assert [one.seen for one in conforming(name) if one.verdict == "fail"] == [lacks]


@pytest.mark.parametrize(
    "piles", ["0,0,0", "0,0/0,0,0", "0,,0/0,0,0", "0,x,0/0,0,0", "", "/".join(["0,0,0"] * 5)]
)
def test_a_position_that_is_none_is_refused_by_the_template_s_game(damaged, piles):
    game = engines.game(damaged(RULES, "R-2.1", "R-2.1"))
    with pytest.raises(BadPosition, match="is not a height of each pile for each seat"):
        game.position.read(f"piles={piles}")
