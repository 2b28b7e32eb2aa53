"""Texts: each is used, and each that is asked for is there and fits."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import engines
from device.match.replay import Header
from device.match.words import Words, breakdown, scores
from device.screen.pixels import marks
from device.screen.pixels.fonts import SMALL, font
from device.screen.pixels.layout import WIDTH
from device.texts import Texts, languages
from engines.contract import Booking, Choice, Decide, Multiset, Over, Picker, Refusal, Setup
from engines.fact_kinds import fields_of
from engines.facts import schema
from tests.device.conftest import NAMES
from tests.device.games import FULL, enter, game_steps
from tests.engines.walks import seed, walk

DEVICE = Path(engines.__file__).parents[1] / "device"
SOURCE = "\n".join(path.read_text("utf-8") for path in sorted(DEVICE.rglob("*.py")))


def used(key):
    """Whether some line names the key, or the part of it before a value: ``f"hold.{…}"``."""
    if re.search(rf"[\"']{re.escape(key)}[\"']", SOURCE):
        return True
    parts = key.split(".")
    return any(f'f"{".".join(parts[:at])}.{{' in SOURCE for at in range(1, len(parts)))


@pytest.mark.parametrize("key", list(Texts.load()))
def test_every_text_of_the_box_is_used(key):
    assert used(key)


def test_an_unused_one_would_be_found():
    assert not used("home.nowhere")
    assert not used("nowhere.home")


def named(game):
    """The keys that a game's rules, checks and facts name."""
    rules, facts = engines.game(game), schema(game)
    keys = {"title", "part", *(f"category.{name}" for name in rules.scoring.CATEGORIES)}
    for option in rules.options:
        keys |= {f"option.{option.name}", *(f"option_value.{value}" for value in option.values)}
    for check in rules.rules.checks:
        keys |= {f"refused.{check.name}", f"remedy.{check.name}"}
    for fact in facts:
        name = fact.table or fact.name
        keys |= {f"fact.{name}", f"fact_about.{name}", f"fact_table.{fact.table}"}
        keys |= {f"fact_field.{name}.{field}" for field in fields_of(fact.kind)}
    return keys | {f"facts.wrong.{check.name}" for check in facts.checks}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", engines.GAMES)
def test_every_text_of_a_game_is_used(game, language):
    """By a check or what else the rules name, or by a question, token or ending in their source."""
    own = set(Texts.load(language, game)) - set(Texts.load(language))
    module = Path(engines.__file__).parent / game
    source = "\n".join(path.read_text("utf-8") for path in module.glob("*.py"))
    for key in own - named(game):
        part, _, name = key.partition(".")
        known = ("question", "position", "termination", "source", "tower")
        assert part in known or f'"{part}"' in source
        asked = re.sub(r"_\d+$", "", name)  # a question's variant goes by a figure
        assert re.search(rf"[\"']{re.escape(asked)}[\"']", source) or f'"{key}"' in source, key


@pytest.mark.parametrize("game", engines.GAMES)
def test_every_question_and_ending_has_its_words(game):
    """On random walks over every level, each question is asked in words that fit the line."""
    from random import Random

    rules = engines.game(game)
    words = Words(Texts.load("en", game, strict=True), rules, ("Adso", "Benedettina", "Guglielmo", "Ida"))
    asked = set()
    setups = [Setup(max(rules.seats), level=level) for level in rules.levels]
    # With everything in it that is no default.
    setups.append(Setup(max(rules.seats), options=tuple((one.name, one.values[-1]) for one in rules.options)))
    for setup in setups:
        for number in range(seed(), seed() + 4):
            for made in walk(rules, setup, Random(number)):
                pending = rules.rules.pending(made.state)
                asked.add(pending.question)
                prompt = words.prompt(pending)
                assert prompt
                if pending.domain.picker is Picker.GRID and not dict(pending.figures).get("seat"):
                    # It shares the top line with the mark; a name may be cut.
                    assert font(SMALL).measure(prompt) <= WIDTH - marks.WIDTH - 4, prompt
                if not isinstance(pending.domain, Multiset):
                    for token in pending.domain.tokens:
                        assert words.choice(Choice(pending.question, token))
            assert words.prompt(rules.rules.pending(made.after))
    assert len(asked) > 8
    assert words.actor(Over("double_pass", "SG-2.2")) == "The end"


@pytest.mark.parametrize("game", engines.GAMES)
def test_every_question_fits_into_the_line(game):
    texts = Texts.load("en", game, strict=True)
    figures = {"n": 4, "rank": 10, "tower": "10x10", "seat": "Guglielmo", "left": 5, "cell": "d4"}
    for key in (key for key in texts if key.startswith("question.")):
        prompt = texts(key, **figures)
        assert font(SMALL).measure(prompt) <= WIDTH - 2, prompt


@pytest.mark.parametrize(
    "key", ["home.prompt", "play.what_now", "play.sure", "undo.prompt", "new.who", "lost.full", "lost.other"]
)
def test_the_prompts_of_the_box_fit_into_the_line(key):
    assert font(SMALL).measure(Texts.load()(key)) <= WIDTH - 2


class TestWords:
    @pytest.fixture
    def words(self, box):
        return Words(box.game_texts["san_gimignano"], engines.game("san_gimignano"), NAMES)

    def test_tokens_that_speak_for_themselves_are_shown_as_they_are(self, words):
        assert words.choice(Choice("build", "5-7")) == "5-7"
        assert words.choice(Choice("height", "x3")) == "x3"

    def test_a_seat_is_its_player(self, words):
        assert words.choice(Choice("target", "b9x3*")) == "William: 9x3*"
        assert words.choice(Choice("final_marker", "a")) == "Adso"
        assert words.choice(Choice("final_marker", "-")) == "nobody"
        assert (words.name(1), words.name(None), words.name(9)) == ("William", "Table", "Table")

    def test_a_piece_is_its_player_s_or_the_king(self, box):
        words = Words(box.game_texts["torres"], engines.game("torres"), NAMES)
        taken = [Refusal("to.free", "TO-3.2", (("cell", "c3"), ("piece", mark))) for mark in ("b", "K")]
        assert [words.refusal(one) for one in taken] == ["c3 is taken: William.", "c3 is taken: king."]

    def test_all_who_are_asked_are_named(self, words, toy):
        question = Decide((0, 1), "guess", Multiset("x", ("a",), 0, 1))
        assert words.actor(question) == "Adso + William"

    def test_a_step_with_its_player(self, words):
        assert words.step(0, "P d d") == "Adso: P d d"
        assert words.step(None, "8 6 10 9") == "Table: 8 6 10 9"
        assert words.step(1, "") == "William: (sealed)"


def test_scores_are_the_sums_of_the_breakdown(table):
    referee = table.open_match(Header("san_gimignano", NAMES, FULL))
    enter(referee, game_steps(seed()))
    rows = breakdown(
        referee.replay.game.scoring.bookings(referee.replay.match.state),
        referee.replay.game.scoring.CATEGORIES,
        2,
    )
    assert [sum(column) for column in zip(*rows, strict=True)] == scores(referee.replay)
    assert any(scores(referee.replay))


def test_a_breakdown_has_a_row_for_every_category():
    bookings = [Booking(0, 5, "y", "C-1"), Booking(1, 2, "x", "C-2"), Booking(0, 3, "y", "C-1")]
    assert breakdown(bookings, ("x", "y", "z"), 2) == [[0, 2], [8, 0], [0, 0]]
