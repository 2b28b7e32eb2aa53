"""Steps as text: canonical form, what reads back, and that every answer has a name."""

import pytest

from device.texts import Texts
from engines.contract import Choice, Label
from engines.errors import Malformed
from engines.marrakesh import GAME, facts, notation, tiles
from engines.marrakesh.keshis import AREAS, GOODS, LETTERS, SOUK
from engines.marrakesh.state import OASES, RESOURCES
from engines.notation import read
from tests.engines.marrakesh.lines import turn

STEPS = [
    ("stock t y", ("stock", "t"), ("stock", "y")),
    ("turn_up 1w2n", ("turn_up", "1w2n")),
    ("choose t g k", ("choose", "t"), ("choose", "g"), ("choose", "k")),
    ("choose t k r p", ("choose", "t"), ("choose", "k"), ("choose", "r"), ("red_area", "p")),
    ("red p", ("red_area", "p")),
    ("tray 2t1g", ("tray", "2t1g")),
    ("claim 2t", ("claim", "2t")),
    ("claim tg", ("claim", "tg")),
    ("vendor t", ("vendor", "t")),
    ("spot water", ("spot", "water")),
    ("caravan left", ("caravan", "left")),
    ("t.act", ("action", "t.act")),
    ("s.sell_l", ("action", "s.sell_l")),
    ("harvest 2d1w", ("harvest", "2d1w")),
    ("sector t.act", ("sector", "t.act")),
    ("sector s.buy", ("sector", "s.buy")),
    ("sail jetty+2", ("sail", "jetty+2")),
    ("rapid any", ("rapid", "any")),
    ("stair mosque", ("stair", "mosque")),
    ("climb go", ("climb", "go")),
    ("link deploy_t", ("link", "deploy_t")),
    ("disc 31131113", ("disc", "31131113")),
    ("spectators vp2", ("spectators", "vp2")),
    ("take water", ("resource", "water")),
    ("keshi y", ("keshi", "y")),
    ("goods u", ("goods", "u")),
    ("line 2d1v", ("line", "2d1v")),
    ("good slipper.1o2v1w", ("good", "slipper.1o2v1w")),
    ("sell_more none", ("sell_more", "none")),
    ("scroll 23", ("scroll", "23")),
    ("scroll turn_gray", ("scroll", "turn_gray")),
    ("learn 23", ("learn", "23")),
    ("gate 2 p 5", ("workshop", "2"), ("gate", "p"), ("gate_place", "5")),
    ("gate done", ("workshop", "done")),
    ("oasis left1", ("oasis", "left1")),
    ("tile 12", ("oasis_number", "12")),
    ("give_back y", ("give_back", "y")),
    ("give_back r t", ("give_back", "r"), ("back_from", "t")),
    ("settle p", ("settle", "p")),
    ("deploy p", ("gate_keshi", "p")),
    ("gate p 5", ("gate", "p"), ("gate_place", "5")),
    ("pay date", ("part", "date")),
    ("instead date", ("instead", "date")),
    ("river 03", ("river_tile", "03")),
    ("bonus first", ("river_choice", "first")),
    ("lenient yes", ("lenient", "yes")),
    ("print 1,-3", ("print", "1,-3")),
    ("score 12", ("score_oasis", "12")),
    ("return 4", ("returned", "4")),
    ("sell 2w1d", ("sell", "2w1d")),
]


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step[0])
def test_a_step_is_written_so_and_reads_back(step):
    text, *made = step
    choices = [Choice(*one) for one in made]
    assert notation.text(choices) == text
    assert notation.tokens(text) == [choice.token for choice in choices]


def read_choice(behind, text):
    position = turn("choose", "choose_a", round=3, behind_a="".join(f"1{letter}" for letter in behind))
    choices, _ = read(GAME, GAME.position.read(position), text)
    return notation.text(choices)


@pytest.mark.parametrize(
    ("behind", "text", "written"),
    [
        ("tgkluo", "choose o k t", "choose t k o"),
        ("tgkluo", "choose l", "choose l u o"),
        ("tgwybr", "choose g b t", "choose g b r t"),  # red, which is left out, and where its assistant goes
        ("tgrluo", "choose r t g s", "choose t g r s"),
    ],
)
def test_keshis_are_told_in_any_order_and_the_last_of_the_list_need_not_be(behind, text, written):
    assert read_choice(behind, text) == written
    assert read_choice(behind, written) == written


@pytest.mark.parametrize("text", ["choose t g", "choose g", "choose t g l s"])
def test_no_other_keshi_goes_without_saying(text):
    with pytest.raises(Malformed):
        read_choice("tgkluo", text)


def test_no_step_is_no_text():
    assert notation.text(()) == ""
    with pytest.raises(Malformed):
        notation.tokens(" ")


# What answers are called

ANSWERS = {
    **dict.fromkeys(("stock", "give_back"), LETTERS[:9]),
    **dict.fromkeys(("choose", "tray", "keshi", "settle", "gate", "gate_keshi"), LETTERS),
    **dict.fromkeys(("goods", "sell_more"), GOODS),
    "vendor": AREAS,
    "red_area": AREAS + SOUK,
    **dict.fromkeys(("spot", "spectators"), facts.SQUARE),
    "caravan": ("start", "left", "right"),
    "turn_up": ("0", "1w2n", "1d", "new"),
    "back_from": (*AREAS, *(place for place in facts.SQUARE)),
    "claim": ("1t", "2o", "tg"),
    "action": (
        *(f"{area}.{way}" for area in AREAS for way in ("keshi", "act", "leave")),
        *(f"s.{way}" for way in (*GOODS, *(f"sell_{one}" for one in GOODS), "buy", "leave")),
    ),
    "sector": (*(f"{area}.act" for area in AREAS), *(f"s.sell_{one}" for one in GOODS), "s.buy", "none"),
    "harvest": "dwnv",
    "sail": ("7", "jetty", "jetty+2"),
    "rapid": facts.RAPIDS,
    "stair": ("mosque", "palace"),
    "climb": ("go", "date", "water"),
    "link": facts.LINKS,
    "disc": ("11311313", "31311311"),
    "resource": RESOURCES,
    "line": "wdnvrs",
    "good": ("lamp.new", "lamp.1o2v", "lamp.1l2v", "none"),
    "scroll": (*(str(n) for n in range(1, 73)), *(f"turn_{colour}" for colour in tiles.COLOURS), "done"),
    "learn": (*(str(n) for n in range(22, 73)), "none"),
    "workshop": (*"1234", "done"),
    "gate_place": "12345678",
    "oasis": (*OASES, "done"),
    **dict.fromkeys(("oasis_number", "score_oasis"), tuple(f"{n:02}" for n in range(1, 31))),
    **dict.fromkeys(("instead", "part"), RESOURCES),
    "river_tile": tuple(tiles.RIVER),
    "river_choice": ("first", "second"),
    "lenient": ("yes", "no"),
    "sell": "wdn",
}
TEXTS = Texts.load("en", "marrakesh", strict=True)

NAMED = {"area", "colour", "colours", "reward", "rewards", "tile", "kind"}


def called(question, token):
    """What a person calls an answer; figures that are answers themselves are called, too."""
    label = notation.label(Choice(question, token))
    figures = dict(label.figures)
    for name in NAMED & figures.keys():
        figures[name] = ", ".join(called(name.removesuffix("s"), one) for one in figures[name].split(","))
    return TEXTS(label.key, **figures)


@pytest.mark.parametrize("question", ANSWERS)
def test_every_answer_has_a_name_of_its_own(question):
    names = [called(question, token) for token in ANSWERS[question]]
    assert len(set(names)) == len(names)
    assert all(names)


@pytest.mark.parametrize(
    ("question", "token", "name"),
    [
        ("claim", "2t", "2 turquoise"),
        ("claim", "tg", "1 each: turquoise, green"),
        ("action", "t.keshi", "river: 1 turquoise"),
        ("action", "s.u", "souk: 1 purple"),
        ("action", "s.sell_l", "souk: exchange 1 yellow"),
        ("sector", "k.act", "mosque: climb"),
        ("turn_up", "1w2n", "1 water, 2 dinars"),
        ("turn_up", "new", "one not entered yet"),
        ("scroll", "5", "5: the keshi it shows"),
        ("scroll", "23", "23: date pickers bring dates or water"),
        ("scroll", "29", "29: square: then VP for the 2 VP place"),
        ("oasis_number", "07", "07: 3 VP + 1 a keshi of its colour"),
        ("oasis_number", "30", "30: 7 VP at the jetty"),
        ("river_tile", "14", "14: 1 water, 1 date, 1 dinar"),
        ("sail", "jetty+2", "jetty and 2 more"),
        ("disc", "11311313", "1 1 3 1 1 3 1 3"),
        ("good", "lamp.1l2o3v1d", "oil lamp: 1 yellow, 2 orange for 3 VP, 1 date"),
        ("good", "lamp.0", "oil lamp: nothing for nothing"),
        ("good", "lamp.new", "another oil lamp"),
        ("good", "lamp2", "oil lamp"),
        ("rapid", "any", "1 resource of choice"),
    ],
)
def test_codes_become_words(question, token, name):
    assert called(question, token) == name


def test_a_number_without_words_stands_for_itself():
    assert notation.label(Choice("print", "1,-3")) == Label("print.1,-3", (("token", "1,-3"),))
