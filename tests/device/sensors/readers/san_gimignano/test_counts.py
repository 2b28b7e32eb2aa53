"""Of rank r there are r cards: what that brings where 6 and 9 are alike but for a small index."""

from __future__ import annotations

from functools import cache
from random import Random

import cv2
import numpy as np
import pytest

from device.sensors.readers.san_gimignano import towers
from engines import bags
from engines.san_gimignano.cards import KINDS
from tests.vision.scenes import cards
from tests.vision.scenes.looks import LOOKS, MAT, light
from tests.vision.scenes.view import around
from vision.cards import deck, fan, flat
from vision.field import Field, find
from vision.lens import Lens

DECKS = range(100, 106)
"""None of them was looked at before the test was written."""
TRUTH = (("6",) * 5, ("9",) * 5)
FIELD = Field(*cards.FIELD, cards.FIRST, cards.GAP)
TABLE = (0.29, 0.14, 0.06)


def heaps(lens, data):
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    pose = find(picture, lens, FIELD).pose
    assert pose is not None
    return flat.heaps(flat.flatten(picture, lens, pose, FIELD))


@cache
def columns(number):
    """What a deck's 6s and 9s look like, by its own picture."""
    rng, look = Random(f"six or nine {number}"), LOOKS["keep"]
    style = cards.Style(rng.getrandbits(32), twins=True)
    lamps = light(rng, look, cards.FIELD)
    view = around(rng, cards.FIELD, 12, rng.uniform(8, 24), rng.uniform(-18, 18), rng.uniform(400, 440))
    lens = Lens((1280, 960), view.focal, view.focal, *view.centre, view.dist)
    laid = cards.enrolled(rng), cards.laid(rng, [{"storeys": [*storeys]} for storeys in TRUTH])
    taught, played = (
        heaps(lens, cards.picture(cards.Scene(view, lamps, TABLE, MAT, style, 0.0, some, 1), rng, look))
        for some in laid
    )
    known = deck.taught(taught, cards.SLOTS, cards.CARD)
    return [fan.read(heap, known) for heap in played]


def judged():
    """How many columns are exact, and how many wrong of which nobody would be asked."""
    found = [
        (standing.storeys == storeys, standing.sure)
        for number in DECKS
        for standing, storeys in zip(towers.read(columns(number)).best, TRUTH, strict=True)
    ]
    return sum(right for right, _ in found), sum(sure and not right for right, sure in found)


@pytest.mark.pictures
@pytest.mark.timeout(600)
def test_counts_part_six_from_nine(monkeypatch):
    """Twelve columns; without counts each is read as if all cards there are were of every rank."""
    exact, silent = judged()
    monkeypatch.setattr(towers, "STOCK", bags.bag(kind for kind in range(len(KINDS)) for _ in range(20)))
    alone, silent_alone = judged()
    print(f"with counts {exact} of {2 * len(DECKS)} exact, {silent} silent; without {alone}, {silent_alone}")
    assert exact > alone
    assert silent == 0
