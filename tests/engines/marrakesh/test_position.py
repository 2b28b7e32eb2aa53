"""States as one line: what is read, and what is wrong with one."""

from itertools import islice
from random import Random

import pytest

from engines import search
from engines.errors import BadPosition
from engines.marrakesh import position
from engines.marrakesh.book import EXPANSIONS
from engines.marrakesh.facts import SQUARE, Printing, read_facts, read_printing
from engines.marrakesh.state import Side, State
from tests.engines.marrakesh.lines import ALL, GAME, KNOWN, at, fields, play, setup, tokens, turn
from tests.engines.walks import seed, soak, walk


def wrong(text):
    """Return where something is wrong with a position, and what."""
    return [(problem.where, problem.check, problem.clause) for problem in GAME.position.status(text)]


def test_every_field_of_a_state_is_written():
    assert set(position.SIDE) == set(Side.__struct_fields__)
    others = {"variant", "copy", "beside", "level", "sides", "seat", "frames", "termination"}
    written = {"start", "holder", "season", "round", "adjusted", "waived", "rules"}
    assert set(position.TABLE) == set(State.__struct_fields__) - others - written


def test_a_line_without_a_copy_goes_by_the_one_at_hand():
    """Without any at hand nothing but the sample's boards is known."""
    copy = setup().facts
    assert GAME.position.read(turn(), copy).copy == read_printing(read_facts(copy))
    assert GAME.position.read(turn()).copy == Printing()
    assert at(turn(known=KNOWN)).copy == read_printing(read_facts(copy))
    assert at(turn(jetty="6,4")).copy.jetty == (6, 4)


def test_places_of_the_square_are_told_by_name():
    """Whatever their order is on the copy."""
    other = "square=vp2,water,mosque,river,dinar,palace,date,goods"
    state = at(f"{turn(board_a='2p', square_a='water,vp2')} {other}")
    assert {SQUARE[n] for n in range(8) if state.sides[0].square >> n & 1} == {"water", "vp2"}
    assert fields(state)["square.a"] == "water,vp2"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("blocks=1/2", "no field 'blocks'"),
        ("behind.a=t2", "behind.a: 't2' is not 0 to 255 of t g k w y b n p r l u o like 2t1g, or 0"),
        ("resources.a=1t", "resources.a: '1t' is not 0 to 255 of w d n like 2w1n, or 0"),
        ("assistants.a=rs", "assistants.a: 'rs' is not areas like tss"),
        ("vendors.a=r", "vendors.a: 'r' is not one of t, g, k, w, y, b, n, p"),
        ("vendors.a=tt", "vendors.a: 'tt' names one twice"),
        ("fresh.a=l", "fresh.a: 'l' is not one of"),
        ("square.a=tea", "square.a: 'tea' is not one of water, mosque"),
        ("disc.a=x", "disc.a: 'x' is no number from 0 to 99"),
        ("caravans.a=2.1", "caravans.a: '2.1' is no row of numbers"),
        ("claimed.a=left4", "claimed.a: 'left4' is not one of left1"),
        ("stock.a=t", "stock.a: 't' is no row of colours like t-g---"),
        ("refreshed.a=maybe", "refreshed.a: 'maybe' is not one of no, yes"),
        ("gains.a=river:3", "gains.a: river:3 is not a part for each season"),
        ("gains.a=river/-/-", "gains.a: 'river' is no gain"),
        ("gains.a=rover:3/-/-", "gains.a: 'rover' is not one of orchard, square"),
        ("inside=25", "inside: '25' is not 0 to 255"),
        ("fallen=2t", "fallen: '2t' is no throw like 3:2t1g/1t"),
        ("out=e", "out: 'e' is not one of a, b, c, d"),
        ("lines=1d", "lines: '1d' is not what each good gives"),
        ("ahead=e", "ahead: 'e' is not one of -, a, b, c, d"),
        ("level=table", "level: 'table' is not one of full"),
        ("doing=pay", "doing: 'pay' is not a question"),
        ("doing=action:a:b:c:d:e:f", "is not a question"),
        ("doing=claim:t", "doing: 'claim:t' is not a question"),
        ("doing=sail:t:2", "doing: 'sail:t:2' is not a question"),
        ("doing=spot::2", "doing: 'spot::2' is not a question"),
        ("doing=sail::2:river", "doing: 'sail::2:river' is not a question"),
        ("doing=effect:deploy_z", "doing: 'deploy_z' is not what any tile or step of a round does"),
        ("doing=effect:dance", "doing: 'dance' is not what any tile or step of a round does"),
        ("known=price", "position: marrakesh has no fact 'price'"),
        ("known=price.left1:1", "position: price.left1: Expected `array` of length >= 3"),
        ("rapids=3", "position: rapids rapid_bonus: rapid_bonus"),
    ],
)  # fmt: skip
def test_what_cannot_be_read(text, said):
    with pytest.raises(BadPosition) as caught:
        GAME.position.status(text)
    assert said in str(caught.value)
    assert str(caught.value).startswith("position: ")


SEASON_TWO = {"season": 2, "tiles": "01"}
SEASON_THREE = {"season": 3, "tiles": "01,04"}


@pytest.mark.parametrize(
    ("problem", "where", "clause", "text", "fine"),
    [
        ("over", "over", "MK-2.1", turn() + " over=finished", turn()),
        ("stack", "doing", "MK-2.1", turn().replace("effect:rapids_b/", ""), turn()),
        ("stack", "doing", "MK-2.1", turn().replace("turn=a", "turn=b"), turn(going="use_b")),
        ("stack", "doing", "MK-2.1", turn("choose", "choose_a").replace("/choose", "/effect:choose_a/choose"),
         turn("choose", "choose_a")),
        ("stack", "doing", "MK-2.1", turn("stock", "stock_a", season=2),
         turn("stock", "stock_a")),
        ("stack", "doing", "MK-2.1", turn("river_tile", "river_tile", round=4).replace("round=4", "round=3"),
         turn("river_tile", "river_tile", round=4)),
        ("start", "start", "MK-2.2", turn(round=2).replace("holder=b", "holder=a"), turn(round=2)),
        ("gains", "gains.a", "MK-2.1", turn(gains_a="-/river:1/-"), turn(gains_a="river:1/-/-")),
        ("behind", "behind.a", "MK-3.1", turn(behind_a="1t"), turn()),
        ("behind", "behind.b", "MK-3.1", turn("choose", "choose_a", behind_b="0"),
         turn("choose", "choose_a")),
        ("chosen", "chosen.a", "MK-3.1", turn(chosen_a="1o"), turn()),
        ("chosen", "chosen.b", "MK-3.1", turn("choose", "choose_a", chosen_b="1o"),
         turn("choose", "choose_b", chosen_a="1o1u1l")),
        ("alike", "behind.a", "MK-3.1", turn(behind_a="2t1k1w1y1b1n1p1r"), turn()),
        ("assistants", "assistants.b", "MK-3.2", turn(assistants_b="ss"), turn(assistants_b="tgs")),
        ("assistants", "assistants.a", "MK-3.2", turn(going="use_b", assistants_a="s"), turn(going="use_b")),
        ("area", "assistants.b", "MK-3.2", turn(assistants_b="tts"), turn(assistants_b="tgs")),
        ("sent", "assistants.a", "MK-3.2", turn("tray", "throw", assistants_a="tss"),
         turn("tray", "throw", chosen_a="1t1l1u", behind_a="1g1k1w1y1b1n1p1r1o", assistants_a="tss")),
        ("tray", "tray", "MK-4.3", turn(tray="1l"), turn("claim", "claim", tray="1l")),
        ("out", "out", "MK-5.3", turn(out="a"), turn("claim", "claim", tray="1l", out="b")),
        ("out", "out", "MK-5.3", turn("claim", "claim", tray="1l", out="c"),
         turn("claim", "claim", tray="1l", out="b")),
        ("inside", "inside", "MK-4.2", turn(inside="3l"), turn(inside="2l")),
        ("inside", "inside", "MK-4.2", turn("claim", "claim", tray="1l", inside="2l"),
         turn("claim", "claim", tray="1l", inside="1l")),
        ("inside", "inside", "MK-4.2", turn(inside="1t"), turn(inside="1t", fallen="1:2t4g/1t")),
        ("places", "board.a", "MK-5.2", turn(board_a="9t"), turn(board_a="8t9l")),
        ("vendors", "vendors.a", "MK-5.4", turn(board_a="2r", vendors_a="t"), turn(board_a="2r")),
        ("vendors", "vendors.a", "MK-5.4", turn(vendors_a="t"), turn(board_a="1r", vendors_a="p")),
        ("fresh", "fresh.a", "MK-6.2", turn(board_a="1r", fresh_a="g"), turn(board_a="1r", fresh_a="t")),
        ("fresh", "fresh.a", "MK-6.2", turn(fresh_a="s"), turn(fresh_a="s", stall_a="yes", scrolls_a="57")),
        ("square", "square.a", "MK-10.1", turn(board_a="2p", square_a="date"), turn(board_a="2p")),
        ("caravans", "caravans.a", "MK-14.1", turn(board_a="2n", caravans_a="0.1.0"), turn(board_a="2n")),
        ("path", "caravans.a", "MK-14.1", turn(board_a="4n", caravans_a="0.4.0"), turn(board_a="8n")),
        ("guards", "gates.a", "MK-13.1", turn(board_a="1b", gates_a="tg------"),
         turn(board_a="2b", gates_a="tg------")),
        ("gates", "gates", "MK-1.2", turn(board_a="2b", board_b="1b", gates_a="uu------", gates_b="u-------"),
         turn(board_a="2b", board_b="1b", gates_a="tt------", gates_b="t-------")),
        ("claimed", "claimed.a", "MK-14.3", turn(board_a="1n", oases_a="05", claimed_a="left2"),
         turn(board_a="1n", oases_a="05")),
        ("oases", "oases.a", "MK-14.4", turn(board_a="2n", oases_a="05", claimed_a="left1,left2"),
         turn(board_a="2n", oases_a="05,06")),
        ("oases", "oases.a", "MK-14.4", turn(oases_a="05", claimed_a="-", **SEASON_TWO),
         turn(oases_a="05", claimed_a="-", season=2, tiles="02")),
        ("stock", "stock.a", "MK-14.4", turn(stock_a="tgk---"), turn(stock_a="t-g-r-")),
        ("stock", "stock.a", "MK-14.4", turn(stock_a="t-n-k-"), turn(stock_a="t-p-k-")),
        ("stock", "stock.a", "MK-14.4", turn(stock_a="t-g---"), turn(stock_a="t-g-k-")),
        ("stock", "stock.a", "MK-14.4", turn(board_a="1n", oases_a="05", stock_a="t-g-k-"),
         turn(board_a="1n", oases_a="05", stock_a="--g-k-")),
        ("stock_twice", "stock", "MK-1.5", turn(stock_a="t-g-w-"), turn(stock_a="t-g-r-")),
        ("twice", "scrolls", "MK-1.2", turn(scrolls_a="13", scrolls_b="13"),
         turn(scrolls_a="13", scrolls_b="14")),
        ("twice", "goods", "MK-1.2", turn(goods_a="slipper1,slipper1"),
         turn(goods_a="slipper1,slipper2")),
        ("twice", "oases", "MK-1.2", turn(board_a="1n", board_b="1n", oases_a="05", oases_b="05"),
         turn(board_a="1n", board_b="1n", oases_a="05", oases_b="06")),
        ("twice", "demands", "MK-1.2", turn(demands_a="2"), turn(demands_a="1")),
        ("river", "fisherman.a", "MK-7.1", turn(fisherman_a=16), turn(fisherman_a=15, spot_a=1)),
        ("spot", "spot.a", "MK-7.3", turn(fisherman_a=9, spot_a=1),
         turn(fisherman_a=9, spot_a=1, river_shared_space="yes")),
        ("spot", "spot.a", "MK-7.3", turn(spot_a=1, river_shared_space="yes"), turn()),
        ("stair", "mosque.a", "MK-11.3", turn(mosque_a=16), turn(mosque_a=15)),
        ("stair", "palace.a", "MK-11.3", turn(palace_a=16), turn(palace_a=15)),
        ("lines", "lines.a", "MK-11.2", turn(mosque_a=6, lines_a=1), turn(mosque_a=6, palace_a=3, lines_a=3)),
        ("lines", "lines.a", "MK-11.2", turn(mosque_a=6, lines_a=3), turn(mosque_a=6, lines_a=2)),
        ("space", "fisherman", "MK-7.2", turn(fisherman_a=4, fisherman_b=4),
         turn(fisherman_a=4, fisherman_b=4, spot_b=1, river_shared_space="yes")),
        ("jetty", "spot", "MK-7.3", turn(fisherman_a=15, spot_a=1, fisherman_b=15, spot_b=1),
         turn(fisherman_a=15, spot_a=2, fisherman_b=15, spot_b=1)),
        ("jetty", "spot", "MK-7.3", turn(fisherman_a=15, spot_a=2), turn(fisherman_a=15, spot_a=1)),
        ("jetty", "spot", "MK-7.3", turn(fisherman_a=15, spot_a=1, fisherman_b=15),
         turn(fisherman_a=15, spot_a=1, fisherman_b=15, jetty="7")),
        ("demands", "demands.a", "MK-15.3", turn(demands_a="1,3"), turn(demands_a="1,3", demands_b="2,4",
                                                                        **SEASON_TWO)),
        ("demands", "demands.a", "MK-15.3", turn("turn_up", "turn_up_b", round=4, demands_a="1"),
         turn("turn_up", "turn_up_b", round=4)),
        ("demands", "demands.a", "MK-15.3", turn("turn_up", "turn_up_a", demands_a="1"),
         turn("turn_up", "turn_up_b")),
        ("river_tiles", "tiles", "MK-1.3", turn(tiles="04"), turn(tiles="01")),
        ("river_tiles", "tiles", "MK-1.3", turn(season=3, tiles="01,02"),
         turn(**SEASON_THREE)),
        ("river_tiles", "tiles", "MK-1.3", turn(season=3, tiles="04,01"), turn(season=3)),
        ("ahead", "ahead", "MK-15.2", turn(ahead="a", season=2, tiles="10"),
         turn(ahead="a", season=2, tiles="09")),
        ("ahead", "ahead", "MK-15.2", turn(ahead="c", season=2, tiles="09"),
         turn(ahead="b", season=2, tiles="09")),
        ("frames", "doing", "MK-2.1", turn("effect:water"), turn("resource::2")),
        ("frames", "doing", "MK-2.1", turn("resource"), turn("resource::1")),
        ("frames", "doing", "MK-2.1", turn("claim", "claim"), turn("claim", "claim", tray="1l")),
        ("frames", "doing", "MK-2.1", turn("claim", "claim", tray="1l", out="a"),
         turn("claim", "claim", tray="1l", out="b")),
        ("stuck", "doing", "MK-2.1", turn("vendor", board_a="8r"), turn("vendor", board_a="7r")),
("stack", "doing", "MK-2.1", turn("effect:use_b/resource::1"), turn("effect:act_g/resource::1")),
        ("frames", "doing", "MK-2.1", turn("oasis/resource::1", board_a="2n"),
         turn("oasis/effect:again/resource::1", board_a="2n")),
        ("frames", "doing", "MK-2.1", turn("effect:again/resource::1"), turn("effect:water/resource::1")),
        ("frames", "doing", "MK-2.1", turn("resource::1/vendor"),
         turn("spectators::3:square/vendor", disc_a=0)),
        ("frames", "doing", "MK-2.1", turn("effect:vp3/resource::1"), turn("effect:vp3::river/resource::1")),
        ("frames", "doing", "MK-2.1", turn("effect:claim_c/vendor", "claim"),
         turn("effect:claim_b/vendor", "claim")),
        ("frames", "doing", "MK-2.1", turn("effect:won:::02/resource::1", "river_tile", round=4, tiles="01"),
         turn("effect:won:::01/resource::1", "river_tile", round=4, tiles="01")),
        ("frames", "doing", "MK-2.1",
         turn("effect:second::vp9:05/resource::1", "river_tile", round=4, season=3, tiles="05"),
         turn("effect:second::taken_per_greens:05/resource::1", "river_tile", round=4, season=3, tiles="05")),
        ("frames", "doing", "MK-2.1", turn("choose:gt", "choose_a", round=2),
         turn("choose:tg", "choose_a", round=2)),
        ("stuck", "doing", "MK-2.1", turn("keshi:t", board_a="8t"), turn("keshi:t", board_a="7t")),
    ],
)  # fmt: skip
def test_what_may_not_stand(problem, where, clause, text, fine):
    """Each position lacks what the one beside it has; of that nothing is wrong."""
    found = wrong(text)
    assert (where, f"position.{problem}", clause) in found
    with pytest.raises(BadPosition, match=found[0][1]) as caught:
        GAME.position.read(text)
    assert list(caught.value.problems) == GAME.position.status(text)
    assert wrong(fine) == []
    state = GAME.position.read(fine)
    assert GAME.position.read(GAME.position.write(state)) == state


def test_stand_ins_are_no_problem():
    """MK-1.1: of a colour more may be in play than there are."""
    state = at(turn(board_a="14l", board_b="14l"))
    assert GAME.position.status(GAME.position.write(state)) == []


def test_an_overruled_clause_lets_stand_what_breaks_it():
    """But never pieces made of nothing."""
    assert wrong(turn(fisherman_a=4, fisherman_b=4, waived="MK-7.2")) == []
    assert "position.places" in {check for _, check, _ in wrong(turn(board_a="9t", waived="MK-5.2"))}


def test_a_claim_waits_for_its_payment():
    own = {"board_a": "3n", "scrolls_a": "45", "resources_a": "1w1d"}
    state = play(at(turn(known=KNOWN, assistants_a="n", **own)), "n.act", "left1")
    text = GAME.position.write(state)
    assert (tokens(state), GAME.position.status(text)) == (["water", "date"], [])
    assert GAME.position.read(text) == state


def test_all_twelve_colours_are_behind_a_screen_at_a_season_s_start():
    state = at(turn("choose", "choose_a"))
    assert fields(state)["behind.a"] == ALL == fields(state)["behind.b"]


def test_what_is_put_together_is_refused_or_played():
    """Fields and questions of one match's positions in another's place: what may stand goes on."""
    rng = Random(seed())
    told = [fields(made.state) for made in walk(GAME, setup(2, 1, known=False), Random(seed()))]
    asked = sorted({word for each in told for word in each["doing"].split("/")})
    stood = 0
    for _ in range(soak(600, 150)):
        mixed, other = dict(rng.choice(told)), rng.choice(told)
        if rng.random() < 0.5:
            *below, _ = mixed["doing"].split("/")
            mixed["doing"] = "/".join([*below, *rng.sample(asked, rng.randint(1, 2))])
        else:
            name = rng.choice(sorted(other))
            mixed[name] = other[name]
        text = " ".join(f"{name}={value}" for name, value in mixed.items())
        if not GAME.position.status(text):
            stood += 1
            for state, _, _ in islice(search.playout(GAME, GAME.position.read(text), rng), 9):
                GAME.scoring.ranking(state)
    assert stood > 9


@pytest.mark.parametrize("each", [each for each in EXPANSIONS if each.keeps], ids=lambda each: each.name)
def test_a_field_of_an_expansion_that_is_not_played_is_no_field(each):
    text = GAME.position.write(GAME.rules.start(setup(2, 0, known=False)))
    for name, form in each.fields.items():
        with pytest.raises(BadPosition, match=f"no field '{name}'"):
            GAME.position.status(f"{text} {name}={form.write(getattr(each.keeps(), name))}")
