"""Texts: each is used, and each that is asked for is there and fits."""

import re
from collections import Counter
from pathlib import Path
from string import digits

import pytest

import engines
from device.match import name_origin, tell_differences
from device.match.replay import Header
from device.match.standings import describe_score
from device.match.story import find_moves, lay_out
from device.screen.pixels.fonts import SMALL, load_font
from device.screen.pixels.layout import WIDTH
from device.texts import Texts
from engines import matchfile
from engines.contract import Choice, Multiset, Over, Refusal, Setup, Tie
from engines.fact_kinds import fields_of, item_of, opened
from engines.fact_words import FactWords
from engines.facts import playable, sample, schema
from engines.kit.parts import ranked
from engines.match import Match
from engines.remedies import Attempt, load
from engines.texts import apart
from engines.words import NAMED, Words
from tests.device.conftest import MATCHES, NAMES
from tests.engines.test_telling import NAMES as FOUR
from tests.engines.test_telling import TELLING, cells, differing, pieces, steps
from tests.engines.test_texts import labels, pendings
from tests.engines.torres.table import turn
from tests.engines.walks import seed, walk

KNOWN = (
    *("question", "position", "termination", "source", "tie", "tally", "refused", "option_about"),
    *("said", "hands", "hands_of_all", "news", "about", "zone", "lies", "mark", "verb", "gives_up", "given"),
    *("amount", "fact_part", "remedy", "odometer", "laid", "unit", "seam", "panel", "short", "made_up"),
)
ENGINES = Path(engines.__file__).parent
HOUSE = ENGINES.parent
SOURCES = (*sorted((HOUSE / "device").rglob("*.py")), *sorted(ENGINES.glob("*.py")), *HOUSE.glob("*.py"))
SOURCE = "\n".join(path.read_text("utf-8") for path in SOURCES)
TEMPLATES = "\n".join(path.read_text("utf-8") for path in (HOUSE / "device").rglob("page/*.html"))
QUOTED = frozenset(re.findall(r"(?<=[\"'])[\w.-]+(?=[\"'])", SOURCE + TEMPLATES))
BEGUN = frozenset(re.findall(r"(?<=f\")[\w.-]+(?=\.\{)", SOURCE))


def used(key):
    """Return True if some line names the key, or the part of it before a value: ``f"hold.{…}"``."""
    parts = key.split(".")
    return key in QUOTED or any(".".join(parts[:at]) in BEGUN for at in range(1, len(parts)))


def test_every_text_of_the_box_is_used():
    own = "web."  # which the page itself uses: tests/device/panel/test_wording.py
    assert [key for key in Texts.load() if not used(key) and not key.startswith(own)] == []


def named(game):
    """The keys that a game's rules, checks and facts name."""
    rules, facts = engines.game(game), schema(game)
    keys = {"title", "part", *(f"category.{name}" for name in rules.scoring.CATEGORIES)}
    keys |= {f"group.{name}" for name in rules.scoring.GROUPS}
    for option in rules.options:
        keys |= {f"option.{option.name}", *(f"option_value.{value}" for value in option.values)}
    for check in rules.rules.checks:
        keys.add(f"refused.{check.name}")
    keys |= {f"remedy.{name}" for name in load(game)}
    for fact in facts:
        name = fact.table or fact.name
        keys |= {
            f"fact.{name}",
            f"fact_about.{name}",
            f"fact_table.{fact.table}",
            f"fact_key.{fact.key.rstrip(digits)}",
        }
        keys.add(f"question.print_{fact.table or fact.name}")  # asked for when it first matters
        keys |= {f"fact_field.{name}.{field}" for field in fields_of(fact.kind)}
        _, said = opened(item_of(fact.kind) or fact.kind)
        keys |= {f"{said['called']}.{word}" for word in said.get("words", ())}
    return keys | {f"facts.wrong.{check.name}" for check in facts.checks}


@pytest.mark.parametrize("game", engines.GAMES)
def test_every_text_of_a_game_is_used(game):
    """By a check or what else the rules name, or by a question, token or ending in their source."""
    own = set(Texts.load("en", game)) - set(Texts.load("en"))
    own -= {label.key for label in labels(game).values()}
    module = Path(engines.__file__).parent / game
    source = "\n".join(path.read_text("utf-8") for path in module.rglob("*.py"))
    made_up = set(re.findall(r'f"([^"{]*)\{', source))  # how texts' keys that are put together begin
    ends = set(re.findall(r'f"\{\w+\}(_\w+)"', source))  # and how they end
    quoted = set(re.findall(r"""["']([\w.]+)(?=["'])""", source))
    for key in own - named(game):
        part, _, name = key.partition(".")
        if part in {*NAMED, "ground", "piece", "differs", "made"} or f'"{key}"' in SOURCE:
            continue  # what figures are called, a sign on a board, or what the box asks for
        assert part in KNOWN or part in quoted
        asked = re.sub(r"_\d+$|_level$", "", name)  # a question's variant; a tie-break that parts nobody
        made = any(key[:at] in made_up for at in range(len(part) + 1, len(key)))
        made = made or (part == "verb" and f"{name.rpartition('_')[0]}_" in made_up)  # tile_v
        made = made or (part == "refused" and f"{name.rpartition('.')[0]}." in made_up)  # nothing.t
        made = made or (part == "refused" and f"_{name.rpartition('_')[2]}" in ends)  # nobles_few
        variants = (
            f"{kind}.{one}_" for kind in ("question", "said") for one in engines.game(game).rules.questions
        )
        made = made or key.startswith(tuple(variants))
        assert made or asked in quoted or key in quoted, key


@pytest.mark.parametrize("game", engines.GAMES)
def test_every_question_and_ending_has_its_words(game):
    """On random walks over every level, each question is asked in words."""
    from random import Random

    rules = engines.game(game)
    words = Words(Texts.load("en", game, strict=True), rules, ("Adso", "Benedettina", "Guglielmo", "Ida"))
    asked, choices = set(), set()
    setups = [Setup(max(rules.seats), level=level) for level in rules.levels]
    # With everything in it that is no default.
    setups.append(Setup(max(rules.seats), options=tuple((one.name, one.values[-1]) for one in rules.options)))
    for setup in setups:
        for number in range(seed(), seed() + 2):
            for made in walk(rules, playable(schema(game), setup), Random(number)):
                pending = rules.rules.pending(made.state)
                asked.add(pending.question)
                prompt = words.prompt(pending)
                assert prompt
                if not isinstance(pending.domain, Multiset):
                    choices.update(Choice(pending.question, token) for token in pending.domain.tokens)
            assert words.prompt(rules.rules.pending(made.after))
    assert all(map(words.choice, choices))
    assert len(asked) > min(8, len(rules.rules.questions) - 1)
    assert words.actor(Over("double_pass", "SG-2.2")) == "The end"


@pytest.mark.parametrize("game", engines.GAMES)
def test_every_question_fits_into_the_line(game):
    """With the figures it is asked with; where it has no blank, also one that is seldom asked."""
    texts = Texts.load("en", game, strict=True)
    words = Words(texts, engines.game(game), ("Guglielmo",) * 4)
    plain = [texts(key) for key in texts if key.startswith("question.") and not texts.placeholders(key)]
    asked = [words.prompt(one) for one in pendings(game) if not isinstance(one, Over)]
    assert asked
    for prompt in [*plain, *asked]:
        assert load_font(SMALL).measure(prompt) <= WIDTH - 2, prompt


class TestWords:
    @pytest.fixture
    def words(self, box):
        return Words(box.game_texts["san_gimignano"], engines.game("san_gimignano"), NAMES)

    def test_a_seat_is_its_player(self, words):
        assert words.choice(Choice("target", "b9x3*")) == "William: 9 × 3, completed"
        assert words.choice(Choice("final_marker", "a")) == "Adso"
        assert words.choice(Choice("final_marker", "-")) == "nobody"
        assert (words.name(1), words.name(None), words.name(9)) == ("William", "Table", "Table")

    def test_a_piece_is_its_player_s_or_the_king(self, box):
        words = Words(box.game_texts["torres"], engines.game("torres"), NAMES)
        taken = [Refusal("to.free", "TO-3.2", (("cell", "c3"), ("piece", mark))) for mark in ("b", "K")]
        assert [words.refusal(one) for one in taken] == ["c3 is taken: William.", "c3 is taken: king."]

    def test_what_the_copy_calls_things_is_called_so(self):
        game = engines.game("castles_of_tuscany")
        told = (("fact.farms", 'confirmed ["vines", "olives"]'),)
        texts = Texts.load("en", game.id, strict=True)
        called = [Words(texts, game, NAMES, facts).choice(Choice("refill", "fab")) for facts in (told, ())]
        assert called == ["farm (vines, olives)", "farm (A, B)"]

    def test_names_of_a_made_up_copy_are_translated_and_an_owner_s_are_not(self):
        texts, game = Texts.load("ja", "castles_of_tuscany"), engines.game("castles_of_tuscany")
        facts = (("fact.farms", 'confirmed ["vines", "my vines"]'),)
        called = [Words(texts, game, NAMES, facts).choice(Choice("farm", letter)) for letter in "ab"]
        assert called == [texts("made_up.vines"), "my vines"]
        assert called[0] != "vines"
        copy = sample(schema(game.id))
        listed = FactWords(copy.schema, texts).known(copy.schema.fact("farms"), copy.known["farms"])
        assert listed.split()[0] == called[0]

    @pytest.mark.parametrize(
        ("language", "fact", "value", "said"),
        [
            ("en", "town.07", "river1", "Town 07: 1 VP a river step"),
            ("en", "price.left1", "0,1,2", "Oasis left path 1: Water 0, Dates 1, Dinars 2"),
            ("en", "good_oasis.14", "slipper3", "Oasis 14: slipper, VP 3"),
            ("ja", "price.left1", "0,1,2", "オアシス左の道1: 水0、デーツ1、ディナール2"),
            (
                "ja",
                "good.dagger2",
                "2,1,1,2,1,0,0",
                "高級品: ダガー2: 黄2、紫1、橙1、勝利点2、水1、デーツ0、ディナール0",
            ),
        ],
    )
    def test_what_is_printed_is_said_in_words(self, language, fact, value, said):
        game = engines.game("marrakesh")
        words = Words(Texts.load(language, game.id, strict=True), game, NAMES)
        assert words("said.print", (("fact", fact), ("value", value))) == said

    @pytest.mark.parametrize(
        ("names", "least", "told"),
        [
            (("Mara", "Tom"), 1, ("M", "T")),
            (("Mara", "Mats", "Tom"), 1, ("Mar", "Mat", "T")),
            (("Ann", "anna", "Bo"), 1, ("Ann", "anna", "B")),
            (("Ida", "Tom"), 3, ("Ida", "Tom")),
            (("Player A", "Player B"), 1, ("A", "B")),
            (("Mara", "Player B", "player C"), 4, ("Mara", "B", "C")),
            (("プレイヤーA", "プレイヤーB", "まり"), 1, ("A", "B", "ま")),
            (("Adso", "プレイヤーB"), 1, ("A", "B")),
            (("Bice", "プレイヤーB"), 1, ("Bi", "B")),
            (("B", "プレイヤーB"), 1, ("B", "プ")),
            (("太郎2", "太郎"), 1, ("2", "太")),
            (("Player", "Player B"), 1, ("P", "B")),
            (("Ann B", "Ann C", "B"), 1, ("Ann B", "Ann C", "B")),
        ],
    )
    def test_names_are_as_short_as_tells_them_apart(self, names, least, told):
        assert apart(names, least) == told


class TestPlaces:
    @pytest.fixture
    def told(self):
        words = Words(Texts.load("en", "san_gimignano", strict=True), engines.game("san_gimignano"), NAMES)

        def say(position):
            game = words.game
            return words.ranking(game.scoring.ranking(game.position.read(position)))

        return say

    def test_of_more_each_has_a_line(self):
        game, names = engines.game("torres"), ("Ida", "Leo", "Pia")
        words = Words(Texts.load("en", game.id, strict=True), game, names)
        assert words.ranking(ranked((12, 9, 12), "TO-5.5")) == [
            "1. Ida and Pia 12",
            "3. Leo 9",
            "tied at 12; shared (TO-5.5)",
        ]

    def test_what_parted_level_ones_is_said_once(self, told):
        assert told("market=5 a=10x3,6x3 b=6x3 marker=b") == [
            "1. William 16",
            "2. Adso 16",
            "tied at 16; William holds the marker (SG-7.2)",
        ]

    def test_of_three_level_ones_each_step_is_told(self):
        """As CT-7.4 has it: more empty spaces, then lower green."""
        texts = {"empty": "{name} has {figure} empty spaces ({others})"}
        texts |= {"green_level": "all have {figure} green", "green": "{name} has {figure} green ({others})"}
        box = Texts.load("en", strict=True)
        box._texts |= Texts({"tie": texts})._texts
        words = Words(box, engines.game("torres"), ("Ida", "Leo", "Pia"))
        empty = Tie("empty", "CT-7.4", ((0, 2), (1, 3), (2, 2)))
        green = Tie("green", "CT-7.4", ((0, 35), (1, 40), (2, 31)), least=True)
        assert words.ranking(ranked((57, 57, 57), "CT-7.4", empty, green)) == [
            "1. Leo 57",
            "2. Pia 57",
            "3. Ida 57",
            "tied at 57; Leo has 3 empty spaces (Ida 2, Pia 2) (CT-7.4); Pia has 31 green (Ida 35) (CT-7.4)",
        ]


def test_who_looks_from_elsewhere_is_told_places_ties_and_tracks(table, toy):
    referee = table.open_match(Header(toy, NAMES, Setup(position="2 2r3g b 1,1 odd,odd")))
    words = Words(Texts.load("en", toy, strict=True), referee.replay.game, NAMES)
    before = describe_score(referee.replay, words)
    assert not before["over"]
    assert before["ties"] == ["tied at 1; Adso may still rest (T-5)"]
    referee.step("1r", channel="keys")
    assert describe_score(referee.replay, words) == {
        "over": True,
        "places": [
            {"place": 1, "name": "Adso", "seat": 0, "points": 2},
            {"place": 2, "name": "William", "seat": 1, "points": 2},
        ],
        "ties": ["tied at 2; Adso may still rest (T-5)"],
        "tallies": [
            {
                "name": "Rests left",
                "figures": [{"name": "Adso", "figure": 1}, {"name": "William", "figure": 0}],
            }
        ],
    }


def test_cards_have_their_names_and_checks_may_share_a_remedy():
    match = Match(engines.game("torres"), Setup(position=turn(left=0, deck_a=9)))
    block = Choice("action", "Bd3")
    words = Words(Texts.load("en", "torres"), engines.game("torres"), NAMES)
    played = Refusal("card.played", "TO-3.9", (("card", "ap7"),))
    assert words.refusal(played) == "7 action points was played already."
    spent = Refusal("block.points", "TO-3.4", (("left", 0), ("remedy", "more.ap7")))
    assert (words.refusal(spent), words.remedy(Attempt(match, (), block, spent))) == (
        "No action point is left.",
        "The card 7 action points would do.",
    )
    bare = Refusal("block.points", "TO-3.4", (("left", 0),))
    assert words.remedy(Attempt(match, (), block, bare)) == ""


@pytest.mark.parametrize(
    ("channel", "said"), [("keys", "キー"), ("page:phone-1", "ページ phone-1"), ("abc:x", "abc x")]
)
def test_where_an_entry_came_from_is_said_in_words(channel, said):
    words = Words(Texts.load("ja", "torres", strict=True), engines.game("torres"), NAMES)
    assert name_origin(words, channel) == said


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", [*TELLING][::6])
def test_what_hands_move_makes_one_table_the_other_and_each_spot_is_named(name, language):
    """Over ten steps of a random match, and back; texts are strict."""
    game = TELLING[name].game
    words = Words(Texts.load(language, game.id, strict=True), game, FOUR, TELLING[name].setup.facts)
    made = steps(name)
    for before, after in zip(made[::10], made[10::10], strict=False):
        for one, other in ((before.before, after.before), (after.before, before.before)):
            told = "\n".join(tell_differences(words, one, other))
            differ = {key for key, _, _ in differing(pieces(one, game), pieces(other, game), {})}
            assert all(words(f"zone.{zone}") in told for zone, _ in differ if zone != "stacks")
            boards = cells(one, game), cells(other, game)
            spaces = [key for key, cell in boards[1].items() if boards[0].get(key) != cell]
            assert all(key[-1] in told for key in spaces), (spaces, told)
            was, now = lay_out(words, one), lay_out(words, other)
            for (source, target), moved in find_moves(was, now).items():
                assert source in told
                assert target in told
                was.setdefault(source, Counter()).subtract(moved)
                was.setdefault(target, Counter()).update(moved)
            was.pop("", None)
            assert {spot: +lies for spot, lies in was.items() if +lies} == {
                spot: +lies for spot, lies in now.items() if +lies
            }
    assert not tell_differences(words, made[-1].after, made[-1].after)


def test_a_block_used_this_turn_goes_back_to_its_player():
    file = matchfile.read((MATCHES / "torres_two.match").read_text("utf-8"))
    match = matchfile.play(file)
    words = Words(Texts.load("en", "torres"), match.game, NAMES)
    at = next(at for at, step in enumerate(match.steps) if step.text.startswith("B "))
    cell, name = match.steps[at].text[2:], NAMES[match.steps[at].seat]
    after, before = match.points[at + 1].state, match.points[at].state
    assert tell_differences(words, after, before) == [f"move block from {cell} to {name}, Blocks"]
