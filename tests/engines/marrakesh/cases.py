"""Every check of Marrakesh: an answer that it refuses, with its figures, and one let pass.

A position is as :func:`.lines.turn` takes it: what is asked, what goes on where that is no turn of
assistants, and fields.
"""

from tests.engines.cases import rows
from tests.engines.marrakesh.lines import turn, worded

CLAIM = {"doing": "claim", "going": "claim", "round": 4}
GATE = {"board_a": "2b", "resources_a": "1n", "known": "workshop.1:0,-3/workshop.2:2,1"}
OASIS = {"board_a": "2n", "known": "price.left1:1,0,1/price.left2:0,0,1"}
OTHERWISE = {"known": "scroll.33:pay_otherwise", "scrolls_a": "33"}
SENT = {"chosen_a": "1t1k1r", "behind_a": "1g1w1y1b1n1p1l1u1o"}
RED = turn("red_area", "choose_a", assistants_a="tk", **SENT)
DEMANDS = "/".join(f"demand.{n}:1,0,{n // 2}" for n in range(1, 13))
GOODS = "/".join(f"good.slipper{n}:0,0,1,1,0,0,0" for n in range(1, 6)) + "/good.lamp2:2,0,0,1,0,0,0"

ROWS = """
# Set-up
stock.bag MK-1.5: stock stock_b stock_b=------
    g is refused (colour=g seat=0); w passes
turn_up.left MK-1.2: turn_up turn_up_b known={DEMANDS}
    1w is refused (demand=1w); 1w1n passes
# Choosing, the throw
choose.behind MK-3.1: choose choose_a round=2
    l is refused (colour=l); t passes
choose.behind MK-3.1: choose choose_a round=2
    after g: g is refused (colour=g variant=choose.chosen); after g: t passes
red_area.free MK-3.3: red_area choose_a assistants_a=tk chosen_a=1t1k1r behind_a=1g1w1y1b1n1p1l1u1o
    t is refused (area=t n=1); g passes
tray.conservation MK-4.2: tray throw round=2 inside=1l
    1l3n is refused (colour=n tray=3 inside=0 thrown=2 n=2 nearest=2n1l); 1l2n passes
# Claiming, deploying
claim.lying MK-5.1: claim claim round=4 tray=1l
    2l is refused (colour=l n=1); 1l passes
claim.room MK-5.2: claim claim round=4 tray=2t board_a=7t
    2t is refused (colour=t n=1); 1t passes
claim.vendors MK-5.4: claim claim round=4 tray=2r board_a=7r
    2r is refused (n=1); 1r passes
claim.colour MK-5.1: claim claim round=4 tray=1t1g
    tg is refused (colours=t,g); with known=scroll.61:free_claim scrolls_a=61: tg passes
claim.two MK-12.4: claim claim round=4 known=scroll.61:free_claim scrolls_a=61 tray=2t1g
    1t is refused (scroll=61); tg passes
vendor.free MK-5.4: vendor board_a=1r
    t is refused (area=t); g passes
spot.free MK-10.1: spot board_a=1p
    water is refused (reward=water); mosque passes
caravan.free MK-14.1: caravan board_a=3n
    left is refused (path=left n=3); right passes
caravan.start MK-14.2: caravan board_a=2n caravans_a=2.0.0
    start is refused (path=start n=2); left passes
caravan.free MK-14.1: caravan board_a=2n caravans_a=2.0.0 rules=1
    start is refused (path=start n=2); left passes
caravan.town MK-17.5: caravan desert_towns=yes board_a=1n
    start is refused (path=start n=0 variant=caravan.void); left passes
town.taken MK-1.2: town:left4 desert_towns=yes towns=b.left4.07 board_a=4n caravans_a=0.4.0 board_b=4n
        caravans_b=0.4.0
    07 is refused (number='07' seat=1); 08 passes
# Bonuses
keshi.offered MK-12.4: keshi:pnb::scrolls
    t is refused (colour=t); p passes
keshi.won MK-15.2: keshi:pnb::river_tile
    t is refused (colour=t); p passes
keshi.exchanged MK-14.5: keshi:pnb
    t is refused (colour=t); p passes
keshi.room MK-5.7: keshi board_a=8t
    t is refused (colour=t); g passes
keshi.room MK-5.7: settle board_a=8t
    t is refused (colour=t); g passes
# Assistants
use.assistant MK-6.1: action assistants_a=ts
    g.keshi is refused (area=g); t.keshi passes
use.room MK-6.4: action assistants_a=t board_a=8t
    t.keshi is refused (area=t); t.act passes
nothing.t MK-7.1: action assistants_a=t board_a=2n
    t.act is refused (area=t remedy=use.nothing); with board_a=1t: t.act passes
nothing.g MK-8.1: action assistants_a=g
    g.act is refused (area=g remedy=use.nothing); with board_a=1g: g.act passes
nothing.k MK-11.1: action assistants_a=k
    k.act is refused (area=k remedy=use.nothing); with board_a=1k: k.act passes
nothing.w MK-11.1: action assistants_a=w
    w.act is refused (area=w remedy=use.nothing); with board_a=1w: w.act passes
nothing.y MK-6.5: action assistants_a=y
    y.act is refused (area=y remedy=use.nothing); with board_a=1y resources_a=1d: y.act passes
nothing.b MK-6.5: action assistants_a=b
    b.act is refused (area=b remedy=use.nothing); with board_a=2b resources_a=1n
        known=workshop.1:0,-3/workshop.2:2,1: b.act passes
nothing.n MK-6.5: action assistants_a=n
    n.act is refused (area=n remedy=use.nothing); with board_a=2n
        known=price.left1:1,0,1/price.left2:0,0,1 caravans_a=0.2.0 resources_a=1n: n.act passes
nothing.s MK-6.5: action assistants_a=s
    s.sell_l is refused (area=s remedy=use.nothing); with board_a=1l: s.sell_l passes
nothing.n MK-6.5: action assistants_a=n desert_towns=yes board_a=4n1l1u caravans_a=0.4.0 towns=a.left4.07
        claimed_a=left1,left2,left3 oases_a=01,02,03
    n.act is refused (area=n variant=nothing.n_price remedy=use.nothing); in action assistants_a=n
        desert_towns=yes board_a=4n1l1u1o caravans_a=0.4.0 towns=a.left4.07 claimed_a=left1,left2,left3
        oases_a=01,02,03: n.act passes
use.leave MK-6.4: action assistants_a=t
    t.leave is refused (area=t); in action assistants_a=b board_a=8b gates_a=ttggkkww: b.leave passes
sector.offered MK-12.5: sector:s board_a=1t1l
    t.act is refused (area=t); s.sell_l passes
nothing.t MK-7.1: sector board_a=1g
    t.act is refused (area=t remedy=sector.nothing); g.act passes
# River and stairs
sail.short MK-7.1: sail::2 fisherman_a=3
    4 is refused (to='4' least='5' n=2); 5 passes
sail.water MK-7.1: sail::2 fisherman_a=3
    7 is refused (to='7' needed=2 water=1); 6 passes
rapid.crossed MK-15.1: rapid rapids_a fisherman_a=6
    goods is refused (reward=goods space=6 rapid=9); any passes
river_tile.season MK-1.3: river_tile river_tile round=4 fisherman_a=3
    03 is refused (tile='03' season=1); 01 passes
climb.scroll MK-11.1: climb:mosque:2 known=scroll.27:climb_water/scroll.26:climb_date scrolls_a=27
    date is refused (resource=date); water passes
climb.price MK-12.4: climb:mosque:2 known=scroll.27:climb_water/scroll.26:climb_date scrolls_a=26
        resources_a=1w
    date is refused (resource=date); go passes
link.line MK-11.2: link:23:1:connections known=link.23:dinar2,vp3
    vp2 is refused (reward=vp2 mosque=2 palace=3); vp3 passes
stair_tile.once MK-17.1: effect:link_23::connections/stair_tile::3 staircase_tiles=yes
        stair_tiles=-,07a,-,-,-,-,-,-,-,-,-,- known=line_spaces.23:s3
    07b is refused (tile='07' n=2); 08b passes
# Orchard and square
harvest.scroll MK-8.1: harvest board_a=2g known=scroll.23:harvest_water scrolls_a=23
    1d1n is refused (resource=dinar); 1d1w passes
spectators.own MK-10.1: spectators::1:square board_a=1p disc_a=0
    mosque is refused (reward=mosque); water passes
spectators.left MK-12.4: spectators:threes:6:scrolls disc_a=0
    water is refused (reward=water); river passes
# Souk
good.done MK-9.1: good board_a=1l rules=1
    none is refused; in good board_a=1l: none passes
good.new MK-12.3: good board_a=3l goods_a=slipper1,slipper2,slipper3,slipper4,slipper5 known={GOODS}
    lamp.2l1v is refused (n=5); in good board_a=3l goods_a=slipper1,slipper2,slipper3,slipper4
        known={GOODS}: lamp.2l1v passes
good.taken MK-9.3: good board_a=1l goods_b=lamp2 known=good.lamp2:1,0,0,2,0,0,0
    lamp.1l2v is refused (good=lamp.1l2v); lamp.new passes
good.price MK-9.3: good board_a=1l known=good.lamp2:1,1,0,2,0,0,0
    lamp.1l1u2v is refused (good=lamp.1l1u2v colours=1u n=2); lamp.new passes
sell_more.keshi MK-9.2: sell_more board_a=1l known=scroll.46:many_exchanges scrolls_a=46
    u is refused (colour=u); l passes
# Imam and sultan
spared.price MK-17.2.3: spared:lu imam_and_sultan=yes known=imam_step:4 imam=a mosque_a=4 board_a=1l1u
    o is refused (colour=o); u passes
print.imam MK-17.2: effect:step_mosque:3/print:imam_step imam_and_sultan=yes
    16 is refused (steps=15 step=16); 15 passes
print.sultan MK-17.2: effect:step_palace:3/print:sultan_step imam_and_sultan=yes
    16 is refused (steps=15 step=16); 15 passes
print.purple_disc MK-17.4: effect:disc_turned/print:purple_disc spectators=purple
    4,4,3,1,2,1,1,3 is refused (none=0 four=2); 0,4,3,1,2,1,1,3 passes
office.gone MK-17.3: office:u more_offices=yes offices=2 season=2
    2 is refused (n='2'); 5 passes
# Madrasa
scroll.taken MK-12.4: scroll resources_a=3d3n board_a=1y scrolls_b=5
    5 is refused (scroll=5 seat=1); 6 passes
scroll.taken MK-12.4: learn::3 scrolls_b=22
    22 is refused (scroll=22 seat=1); 23 passes
scroll.turned MK-12.2: scroll:gray resources_a=3d board_a=3y
    22 is refused (colour=gray); 1 passes
scroll.turn MK-12.2: scroll resources_a=3d3n board_a=1y refreshed_a=yes
    turn_gray is refused; in scroll resources_a=3d3n board_a=1y: turn_gray passes
scroll.gone MK-12.2: scroll resources_a=3d3n board_a=7y scrolls_b=61,62,63,64,65,66,67,68,69,70,71,72
    turn_orange is refused (colour=orange); in scroll resources_a=3d3n board_a=7y: turn_orange passes
scroll.done MK-12.1: scroll resources_a=3d3n board_a=1y rules=1
    done is refused; in scroll:+:3 board_a=5y scrolls_a=22 resources_a=3d: done passes
scroll.new MK-12.3: scroll:+:3 board_a=8y scrolls_a=1,2,3 resources_a=3d
    4 is refused (colour=gray n=3); with began=1.0: 4 passes
scroll.scholars MK-12.1: scroll:+:3 board_a=5y scrolls_a=22 resources_a=3d
    23 is refused (colour=yellow needed=3 n=2 all=5); 1 passes
scroll.dates MK-12.1: scroll board_a=5y resources_a=1d
    43 is refused (colour=pink needed=2 n=1); 22 passes
scroll.dinar MK-12.2: scroll board_a=1y resources_a=1d
    turn_gray is refused (colour=gray); in scroll resources_a=3d3n board_a=1y: turn_gray passes
learn.needs MK-14.6: learn::3
    43 is refused (needed=3 n=5); 22 passes
learn.dates MK-12.4: learn::7 resources_a=1w
    61 is refused (needed=1); none passes
# Medina
workshop.done MK-13.1: workshop::2 rules=1 board_a=2b resources_a=1n known=workshop.1:0,-3/workshop.2:2,1
    done is refused; in workshop::2 board_a=2b resources_a=1n known=workshop.1:0,-3/workshop.2:2,1: done
        passes
workshop.stock MK-13.1: workshop::2 bought=8.0.0.0 gates_b=tgkwybnp board_b=8b board_a=2b resources_a=1n
        known=workshop.1:0,-3/workshop.2:2,1
    1 is refused (workshop='1' n=8); 3 passes
workshop.guards MK-13.1: workshop:tt board_a=2b resources_a=1n known=workshop.1:0,-3/workshop.2:2,1
    1 is refused (n=2); in workshop::2 board_a=2b resources_a=1n known=workshop.1:0,-3/workshop.2:2,1: 1
        passes
workshop.price MK-13.1: workshop::2 board_a=2b resources_a=1n known=workshop.1:0,-3/workshop.2:2,1
    2 is refused (workshop='2' dinars=2); 3 passes
gate.left MK-1.2: workshop::2 board_b=2b gates_b=uu------ board_a=2b resources_a=1n
        known=workshop.1:0,-3/workshop.2:2,1
    after 1: u is refused (colour=u all=2); after 1: l passes
gate_place.free MK-13.1: workshop::1 board_a=2b resources_a=1n known=workshop.1:0,-3/workshop.2:2,1
        gates_a=-t------
    after 1 g: 2 is refused (place='2' colour=t); after 1 g: 1 passes
gate_keshi.won MK-13.3: gate_keshi:tg
    k is refused (colour=k); g passes
gate_keshi.claimed MK-5.8: gate_keshi:tn::claimed round=4
    k is refused (colour=k); n passes
# Sahara
oasis.done MK-14.3: oasis board_a=2n known=price.left1:1,0,1/price.left2:0,0,1 rules=1
    done is refused; in oasis board_a=2n known=price.left1:1,0,1/price.left2:0,0,1: done passes
oasis.discovered MK-14.3: oasis board_a=2n known=price.left1:1,0,1/price.left2:0,0,1
    left3 is refused (oasis=left3); left1 passes
oasis.discovered MK-14.3: oasis board_a=2n known=price.left1:1,0,1/price.left2:0,0,1 oases_a=05
    left1 is refused (oasis=left1 variant=oasis.claimed); left2 passes
oasis.price MK-14.3: oasis board_a=2n known=price.left1:1,0,1/price.left2:0,0,1 resources_a=1n
    left1 is refused (oasis=left1 rewards=1w,1n); left2 passes
oasis.price MK-14.3: oasis::1 resources_a=0 scrolls_a=45 board_a=2n known=scroll.45:cheap_oases
    left1 is refused (oasis=left1 variant=oasis.any); done passes
oasis.discovered MK-14.3: oasis desert_towns=yes board_a=4n1l1u1o caravans_a=0.4.0 towns=a.left4.07
    right4 is refused (oasis=right4 variant=oasis.no_town); left4 passes
oasis.discovered MK-14.3: oasis desert_towns=yes board_a=8n1l1u1o caravans_a=0.4.4
        towns=a.left4.07,b.left4.01,b.right4.02 board_b=8n caravans_b=0.4.4
    right4 is refused (oasis=right4 variant=oasis.none_left); left4 passes
oasis.town MK-17.5.1: oasis desert_towns=yes board_a=4n1l1u caravans_a=0.4.0 towns=a.left4.07
        resources_a=3w
    left4 is refused; left1 passes
oasis.free MK-17.5.1: oasis:free:1 desert_towns=yes board_a=4n1l1u1o caravans_a=0.4.0 towns=a.left4.07
    left4 is refused; left1 passes
oasis_number.none MK-14.3: oasis_number board_a=1n claimed_a=left1
    none is refused; in oasis_number:spare: none passes
oasis_number.told MK-14.1: oasis_number::1 board_a=2n caravans_a=0.2.0 claimed_a=left1
        found_a=27.0.0.0.0.0
    12 is refused (number='27'); 27 passes
oasis_number.claimed MK-1.2: oasis_number::2 board_a=2n caravans_a=0.2.0 claimed_a=left2
        found_a=27.0.0.0.0.0
    27 is refused (number='27' seat=0 variant=oasis_number.lies); 12 passes
oasis_number.claimed MK-1.2: oasis_number board_a=1n claimed_a=left1 board_b=1n oases_b=05
    05 is refused (number='05' seat=1); 06 passes
give_back.caravan MK-14.5: give_back board_a=1n1t
    n is refused; t passes
give_back.gate MK-14.5: give_back board_a=1b1t gates_a=t-------
    b is refused (n=1); t passes
give_back.deployed MK-14.5: give_back board_a=1t
    g is refused (colour=g); t passes
back_from.there MK-14.5: back_from:r board_a=2r
    k is refused (colour=r place=k); t passes
# Paying
instead.dinar MK-12.4: instead::1 known=scroll.33:pay_otherwise scrolls_a=33 resources_a=1w1d rules=1
    dinar is refused (n=1); date passes
instead.held MK-12.4: instead::1 known=scroll.33:pay_otherwise scrolls_a=33 resources_a=1w
    date is refused (resource=date); water passes
instead.kept MK-12.2: instead:1:1 known=scroll.33:pay_otherwise scrolls_a=33 resources_a=1w1d
    date is refused (dates=1 needed=1); water passes
part.there MK-15.3: part provision_a round=4 resources_a=1w
    date is refused (resource=date); water passes
# Scrolls
score_oasis.claimed MK-16.2: score_oasis:::scrolls board_a=1n oases_a=05
    06 is refused (oasis='06'); 05 passes
returned.there MK-16.2: returned:21::scrolls resources_a=1w2d known=resource_oasis.21:date
    3 is refused (n=2 resource=date); 2 passes
sell.there MK-12.4: sell:::scrolls
    2w is refused (n=2 there=1 resource=water); 1w1n passes
"""


def _position(words: str) -> str:
    return worded(words.format(DEMANDS=DEMANDS, GOODS=GOODS))


CASES = rows(ROWS, _position)
KNOWLEDGE = {"tray.conservation"}
"""What the tower holds was seen: all that was thrown and all that came out."""
STANDS = [
    # Two assistants in one area, one who leaves a free place
    (RED, "", "t", "", {"assistants.a": "ttk", "waived": "MK-3.2,MK-3.3"}),
    (turn(assistants_a="t"), "", "t.leave", "", {"assistants.a": None, "waived": "MK-6.4"}),
    # One of two claimed goes back where one place is free; two colours at once
    (
        turn(**CLAIM, tray="2t", board_a="7t"),
        "",
        "2t",
        "",
        {"board.a": "8t", "tray": None, "waived": "MK-5.2"},
    ),
    (turn(**CLAIM, tray="1t1g"), "", "tg", "", {"board.a": "1t1g", "waived": "MK-5.1"}),
    # Fewer steps than were won
    (turn("sail::2", fisherman_a=3), "", "4", "", {"fisherman.a": "4", "waived": "MK-7.1"}),
    # An oasis that nobody discovered, one for nothing
    (turn("oasis", **OASIS), "", "left3", "", {"resources.a": None, "waived": "MK-14.3"}),
    # Too few scholars, too few dinars
    (
        turn("scroll", board_a="1y", resources_a="1d", known="scroll.31:more_spectators"),
        "",
        "31",
        "",
        {"scrolls.a": "31", "resources.a": "0", "waived": "MK-12.1"},
    ),
    (turn("workshop::2", **GATE), "", "2", "", {"waived": "MK-13.1"}),
    # A good without goods
    (
        turn("good", board_a="1l", known="good.lamp2:1,1,0,2,0,0,0"),
        "",
        "lamp.1l1u2v",
        "",
        {"waived": "MK-9.3"},
    ),
]  # fmt: skip
"""What stands though it is refused: position, tokens before, token, tokens after, and fields then."""
NEVER = [
    (turn("choose", "choose_a"), "g", "g"),
    (turn(**CLAIM, tray="1t"), "", "1g"),  # none lies there
    (turn(assistants_a="t"), "", "g.act"),  # no assistant there
    (turn("vendor", board_a="1r"), "", "t"),  # two on one place
    (turn("spot", board_a="1p"), "", "water"),
    (turn("caravan", board_a="3n"), "", "left"),
    (turn("sail::2"), "", "9"),  # water that nobody has
    (turn("learn::3", scrolls_b="22"), "", "22"),  # what another has
    (turn("stock", "stock_b", stock_b="------"), "", "g"),
    (turn("part", "provision_a", round=4, resources_a="1w"), "", "date"),
]  # fmt: skip
"""What the pieces themselves forbid: position, tokens before, token."""
