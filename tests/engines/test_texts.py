"""Every game: what it asks, refuses, names and ends with has a text that finds its figures, and every clause
that it cites is written.

Looked at on random matches at every table and in the positions of its cases.
"""

import ast
import re
import tomllib
from functools import cache
from itertools import pairwise

import pytest

import engines
from engines.contract import SEATS, Over
from engines.rules import load
from tests.engines import cases
from tests.engines.asked import Asked
from tests.engines.tables import TABLES

NAMES = {f"seat_{seat}" for seat in SEATS}
"""What every text may say besides its figures: the players' names."""
_CHECK = re.compile(r"[a-z_]+\.[a-z_]+")
_CLAUSE = re.compile(r"[A-Z]+-\d+(\.\d+)*")
TIE = {"name", "figure", "others"}


@cache
def texts(game_id):
    """A game's texts by table, what has a form for one and for others in one text."""

    def joined(table):
        forms = (
            table.keys() >= {"one", "other"} and f"{{{table.get('by', 'n')}}} {table['one']} {table['other']}"
        )
        return forms or {name: joined(one) if isinstance(one, dict) else one for name, one in table.items()}

    return joined(tomllib.loads((engines.folder(game_id) / "texts.en.toml").read_text("utf-8")))


def blanks(text):
    """Return what a text asks for."""
    return set(re.findall(r"\{(\w+)\}", text)) - NAMES


def finds(text, figures):
    """Return True if figures fill all that a text asks for."""
    return blanks(text) <= {name for name, _ in figures}


@cache
def states(game_id, apart=3):
    """States of a game: of random matches at every table, so many steps apart, and those of its cases."""
    asked = Asked(engines.game(game_id))
    tables = [table for table in TABLES.values() if table.game is asked.game]
    walked = [step.after for table in tables for step in table.steps(1)[::-apart][::-1]]
    examples = cases.of(game_id).values()
    told = [asked.at(*where) for one in examples for where in ((one.position, one.path), one.passing[:2])]
    return walked + told


@cache
def pendings(game_id):
    """Return what those states ask, each question once with what it may be answered with and its figures."""
    game = engines.game(game_id)
    found = map(game.rules.pending, states(game_id))
    return list({(one.figures, getattr(one, "question", one)): one for one in found}.values())


@cache
def labels(game_id):
    """Return what may be answered in those states, and what it is called."""
    game = engines.game(game_id)
    listed = {choice for state in states(game_id) for choice in game.rules.legal(state)}
    return {choice: game.notation.label(choice) for choice in listed}


@cache
def scored(game_id):
    """Return what the scores of those states are made of: (places, tallies, bookings) of each."""
    scoring, each = engines.game(game_id).scoring, dict.fromkeys(states(game_id))
    return [(scoring.ranking(one), scoring.tallies(one), scoring.bookings(one)) for one in each]


@cache
def literals(game_id):
    """The syntax of a game's modules."""
    sources = sorted(engines.folder(game_id).rglob("*.py"))
    return [node for path in sources for node in ast.walk(ast.parse(path.read_text("utf-8")))]


def _told(node):
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def problems(game_id):
    """Yield what a position is told to be wrong in, as the source has it: check, clause and the figures'
    names, None where they are written elsewhere.
    """
    for node in literals(game_id):
        listed = node.args if isinstance(node, ast.Call) else getattr(node, "elts", ())
        for check, clause in pairwise(listed[1:]):  # behind the field
            if _CHECK.fullmatch(_told(check)) and _CLAUSE.fullmatch(_told(clause)):
                elsewhere = isinstance(listed[-1], ast.Name)
                yield _told(check), _told(clause), None if elsewhere else set(_figures(node))


def _figures(node):
    for part in ast.walk(node):
        if isinstance(part, ast.keyword):
            yield part.arg
        elif isinstance(part, ast.Dict):
            yield from map(_told, part.keys)
        elif isinstance(part, ast.Tuple) and len(part.elts) == 2:
            yield _told(part.elts[0])


@pytest.mark.parametrize("game_id", engines.GAMES)
class TestOfAGame:
    def test_every_question_has_a_text_that_finds_its_figures(self, game_id):
        questions = texts(game_id)["question"]
        for name in engines.game(game_id).rules.questions:  # itself, or every variant of it
            assert any(f"{key}_".startswith(f"{name}_") for key in questions), name
        for asked in pendings(game_id):
            if not isinstance(asked, Over):
                variant = dict(asked.figures).get("variant")
                name = asked.question if variant is None else f"{asked.question}_{variant}"
                assert finds(questions[name], asked.figures), name

    def test_every_verb_is_named_and_each_answer_is_of_one(self, game_id):
        for asked in pendings(game_id):
            domain = getattr(asked, "domain", None)
            for verb in getattr(domain, "verbs", ()):
                assert finds(texts(game_id)["verb"][verb.name], asked.figures), verb.name
            grouped = [token for verb in getattr(domain, "verbs", ()) for token in verb.tokens]
            assert not grouped or sorted(grouped) == sorted(domain.tokens)

    def test_what_gives_something_up_asks_in_words(self, game_id):
        game = engines.game(game_id)
        asked = set()
        for state in states(game_id):
            for choice in game.rules.legal(state):
                if label := game.rules.gives_up(state, choice):
                    table, _, key = label.key.partition(".")
                    assert finds(texts(game_id)[table][key], label.figures), label.key
                    asked.add(label.key)
        assert asked

    def test_every_answer_has_a_name_or_speaks_for_itself(self, game_id):
        """A token with a figure in it may stand as it is: ``5-7``, ``c3``."""
        for choice, label in labels(game_id).items():
            table, _, key = label.key.partition(".")
            named = texts(game_id).get(table, {})
            itself = re.search(r"\d", choice.token) and key == choice.token
            assert key in named or itself, label.key
            assert finds(named.get(key, ""), label.figures), label.key

    def test_every_refusal_has_a_text_that_finds_its_figures(self, game_id):
        refused = texts(game_id)["refused"]
        assert set(refused) >= {check.name for check in engines.game(game_id).rules.checks}
        for case in cases.of(game_id).values():
            figures = dict(cases.refused(game_id, case).figures)
            assert finds(refused[figures.get("variant", case.check)], figures.items()), case.check

    def test_every_problem_has_a_text_that_finds_its_figures(self, game_id):
        named = texts(game_id)["position"]
        found = [(check, figures) for check, _, figures in problems(game_id)]
        assert {check for check, _ in found} == set(named)
        for check, figures in found:
            assert figures is None or blanks(named[check]) <= figures, check

    def test_every_category_option_and_end_is_named(self, game_id):
        game, named = engines.game(game_id), texts(game_id)
        assert named["title"]
        assert set(named["category"]) == set(game.scoring.CATEGORIES)
        grouped = [each for together in game.scoring.GROUPS.values() for each in together]
        assert set(named.get("group", ())) == set(game.scoring.GROUPS)
        assert len(set(grouped)) == len(grouped)
        assert set(grouped) <= set(game.scoring.CATEGORIES)
        assert set(named.get("option", ())) == {option.name for option in game.options}
        values = {value for option in game.options for value in option.values}
        assert set(named.get("option_value", ())) == values
        ends = {asked.termination for asked in pendings(game_id) if isinstance(asked, Over)}
        assert ends
        assert set(named["termination"]) == ends

    def test_every_tie_and_tally_is_named(self, game_id):
        named = texts(game_id)
        for places, tallies, bookings in scored(game_id):
            for tie in (tie for place in places for tie in place.ties):
                level = len({figure for _, figure in tie.figures}) == 1
                assert blanks(named["tie"][f"{tie.name}_level" if level else tie.name]) <= TIE
            for tally in tallies:
                assert named["tally"][tally.name]
            for booking in bookings:
                assert booking.category in named["category"]
                assert not booking.part or blanks(named["part"]) == {"n"}

    def test_every_clause_in_the_source_is_written(self, game_id):
        clauses = {clause.id for clause in load(game_id)}
        assert set(filter(_CLAUSE.fullmatch, map(_told, literals(game_id)))) <= clauses

    def test_every_clause_that_is_cited_is_written(self, game_id):
        game = engines.game(game_id)
        cited = {check.clause for check in game.rules.checks} | {one.clause for one in game.options}
        cited |= {clause for _, clause, _ in problems(game_id)}
        cited |= {asked.clause for asked in pendings(game_id) if isinstance(asked, Over)}
        for places, tallies, bookings in scored(game_id):
            told = [*bookings, *tallies, *places]
            told += [tie for place in places for tie in place.ties]
            cited |= {one.clause for one in told}
        assert cited <= {clause.id for clause in load(game_id)}
