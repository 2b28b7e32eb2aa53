"""The market, painted and read: a turn and its refill, a doubt, a wait, or out of step."""

from collections import Counter
from functools import lru_cache
from random import Random

import cv2
import numpy as np
import pytest

import engines
from device.sensors.messages import Expected
from device.sensors.readers import judging, paintings
from device.sensors.readers.san_gimignano import reader as cards
from device.sensors.readers.san_gimignano import teaching as decks
from device.sensors.simulated_table import SimulatedTable
from engines.contract import Several
from engines.san_gimignano.layouts import MarketSight
from engines.search import steps_of
from tests.device.sensors.readers.simulated import LENS, framed, opened, outcome
from vision import painter
from vision.cards.painter import CardsScene, FannedColumn, painted, slots
from vision.painter import Light

GAME = engines.game("san_gimignano")
POSITION = "market=6,8,8,10 hand.a=?5 hand.b=?5 turn=a"
START = GAME.position.write(GAME.rules.start(engines.contract.Setup()))
PLACED = {"elevation_deg": 70.0, "distance_mm": 430.0}


def table(cards, **more):
    columns = {"market": tuple((card,) for card in cards.split())} if cards is not None else {}
    return SimulatedTable(columns=columns, **(PLACED | more))


@pytest.fixture
def read(tmp_path):
    def read(position, cards, picture=None, **more):
        return opened(tmp_path / "table", GAME.id, "market", position, table(cards, **more), picture)

    return read


def told(position, meaning):
    state = GAME.position.read(position)
    ways = meaning.explanations if isinstance(meaning, Several) else (meaning.choices,)
    return ["; ".join(steps_of(GAME, state, way)) for way in ways]


def photo(columns, seed=1, *, sleeve=0.0):
    field = decks.field_of("market", SimulatedTable().area_mm)
    view = painter.PaintedView(LENS, painter.looking(field, 70.0, 10.0, 430.0), field)
    scene = CardsScene(1, seed, Light(seed=1), sleeve)
    picture = painter.noisy(painted(view, columns, scene), seed)
    return framed(picture)


def test_the_match_and_the_table_agree(read):
    finding, reading, _ = read(POSITION, "10 8 6 8")
    assert finding.as_expected
    assert (reading.what, reading.candidates[0][0]) == ("market", "6,8,8,10")


def test_a_purchase_and_its_refill_are_one_look(read):
    position = "market=6,8 hand.a=?5 hand.b=?5 turn=a"
    _, reading, _ = read(position, "9 10 7 5")
    assert told(position, reading.meanings[0])[0] == "P m6 m8; 5 7 9 10"


def test_the_first_four_cards_answer_what_is_asked(read):
    _, reading, _ = read(START, "6 10 8 8")
    assert told(START, reading.meanings[0]) == ["6 8 8 10"]
    assert read(START, "")[0].as_expected


def test_cards_upside_down_and_side_by_side_without_a_gap(read):
    over = [
        FannedColumn((card,), 10 + at * 57.3, 20, over=at > 0) for at, card in enumerate(("8", "10", "8"))
    ]
    finding, reading, _ = read(POSITION, "", photo(over))
    assert isinstance(finding.verdict, judging.Proposed)
    assert told(POSITION, reading.meanings[0]) == ["P m6 d"]


def test_what_is_no_card_or_under_another_is_waited_for(read):
    for columns in ([FannedColumn(("8", "8"), 60, 20)], [FannedColumn(("8",), 60, 40, 90.0)]):
        finding, reading, reader = read(POSITION, "", photo(columns))
        assert (finding.verdict, reading) == (None, None)
        says = list(map(str, reader.troubles))
        assert says == ["Something in the market is not a card, or cards overlap: lay them side by side."]


def test_a_card_face_down_is_a_doubt_with_its_picture(read):
    finding, reading, reader = read(POSITION, "10 8 8 back")
    assert isinstance(finding.verdict, judging.Doubted)
    assert reading.why == reader.troubles
    assert reader.troubles[0].key == "cards.unsure"
    shown = cv2.imdecode(np.frombuffer(reading.crop, np.uint8), cv2.IMREAD_COLOR)
    assert shown.shape[0] / shown.shape[1] == pytest.approx(93 / 63, abs=0.1)


def test_without_a_market_on_the_simulated_table_there_is_no_field(read):
    finding, _, reader = read(POSITION, None)
    assert (finding.verdict, reader.found) == (None, False)


# How well cards are read


@lru_cache
def deck_of(artwork, seed, sleeve):
    field = decks.field_of("area1", paintings.SLOTTED_MM)
    view = painter.PaintedView(LENS, painter.looking(field, 80.0, 0.0, 420.0), field)
    scene = CardsScene(artwork, seed, Light(seed=seed), sleeve)
    picture = slots(view, decks.SLOTS, scene)
    laid = decks.find_laid_out(picture, view.lens, paintings.SLOTTED_MM, paintings.CARD_MM)
    return decks.deck_of(laid.heaps, paintings.CARD_MM)


@pytest.mark.pictures
@pytest.mark.timeout(900)
def test_of_painted_markets_none_is_silently_wrong(capsys):
    """Decks, lamps, sleeves and places drawn at random; a third of the cards touch, two fifths lie upside
    down.
    """
    told, laid = Counter(), 0
    field = decks.field_of("market", (300.0, 225.0))
    for seed in range(100, 116):
        rng = Random(seed)
        sleeve = rng.choice((0, 0, 0.3, 0.7))
        deck = deck_of(seed, seed, sleeve)
        for look in range(2):
            names = [rng.choice(decks.SLOTS[:6] + decks.SLOTS[7:]) for _ in range(rng.randrange(1, 9))]
            touching = rng.random() < 0.3
            pitch, spread = (57.3, 0.1) if touching else (66.0, 3.0)
            columns = [
                FannedColumn(
                    (name,),
                    8 + at % 4 * pitch + rng.uniform(-spread, spread),
                    10 + at // 4 * 105 + rng.uniform(-spread, spread),
                    rng.uniform(-spread, spread),
                    over=rng.random() < 0.4,
                )
                for at, name in enumerate(names)
            ]
            angles = rng.uniform(62, 82), rng.uniform(-25, 25), rng.uniform(420, 470)
            view = painter.PaintedView(LENS, painter.looking(field, *angles), field)
            light = Light(rng.uniform(-0.1, 0.1), rng.uniform(0.75, 1.15), rng.uniform(0, 0.5), seed)
            picture = painter.noisy(
                painted(view, columns, CardsScene(seed, seed * 9 + look, light, sleeve)), look
            )
            reader = cards.MarketReader(LENS, deck, field, what="market")
            reader.expect(Expected("match", 3, GAME.id, POSITION))
            finding = reader.read(framed(picture), None)
            truth = MarketSight().read(",".join(names))
            told[outcome(finding, truth)] += 1
            laid += len(names)
    with capsys.disabled():
        print(f"\nmarkets painted, seeds 100 to 115: {dict(told)}, {laid} cards")
    assert not told["wrong and sure"]
    assert told["exact"] > 0.6 * sum(told.values())
