"""What hands are told is all that moves: a ledger that is kept by the words alone agrees with every state.

A ledger knows no rule: it reads the labels of a step, what it does and what hands do, and adds up what they
say that came and went. The states say what lies there. Looked at on random matches at every table.
"""

import re
from collections import Counter
from itertools import takewhile

import pytest

import engines
from engines import bags
from engines.contract import Level
from engines.marrakesh.pieces import LETTERS
from tests.engines.tables import every
from tests.engines.test_telling import TELLING, steps


def flat(labels):
    """Every label, those that fill another's blanks behind it."""
    for label in labels:
        yield label
        yield from flat(part for _, those in label.parts for part in those)


def figures(label):
    return dict(label.figures)


def amounts(text):
    """``2w,1d`` as pairs."""
    return [(one[-1], int(one[:-1])) for one in text.split(",") if one not in ("", "0")]


SIGNS = {
    **{f"said.draws{end}": ("card", 1) for end in ("_0", "_1", "")},
    **{f"said.cards{end}": ("card", -1) for end in ("_1", "")},
    **{f"said.workers{end}": ("worker", -1) for end in ("_1", "")},
    **dict.fromkeys(("hands.draws", "hands.card"), ("card", 1)),
    **dict.fromkeys(("hands.worker", "hands.workers"), ("worker", 1)),
    **dict.fromkeys(("hands.wild", "hands.wilds"), ("wild", 1)),
    "hands.marble": ("marble", 1),
    "said.marble": ("marble", -1),
    "leaves.wild": ("wild", -1),
}
"""What the labels of Tuscany give or take."""


class Tuscany:
    """Cards in hand, marble, workers and wild hexes before each seat."""

    @staticmethod
    def lies(state):
        found = Counter()
        for seat, side in enumerate(state.sides):
            wild = side.stored.count("w") + side.wild.bit_count()
            kinds = {"card": side.hand, "marble": side.marble, "worker": side.workers, "wild": wild}
            found.update({(seat, what): n for what, n in kinds.items()})
        return found

    @staticmethod
    def told(step, labels):
        for label in labels:
            if label.key in SIGNS:
                what, sign = SIGNS[label.key]
                yield (step.before.seat, what), sign * figures(label).get("n", 1)


class Marrakesh:
    """Resources and deployed keshis before each seat."""

    @staticmethod
    def lies(state):
        found = Counter()
        for seat, side in enumerate(state.sides):
            found.update({(seat, "wdn"[kind], "resource"): n for kind, n in bags.items(side.resources)})
            found.update({(seat, LETTERS[kind]): n for kind, n in bags.items(side.board)})
            found[seat, "stall"] = side.stall
        return found

    @staticmethod
    def told(step, labels):
        seat = step.before.seat
        own = {label.key for label in takewhile(lambda label: label.key != "hands.of", labels)}
        first = next(label for label in labels if label.key != "said.and_then")
        for label in labels:
            given, key = figures(label), label.key
            answer = next(iter(dict(label.parts).get("answer", ())), label)
            colour = answer.key.removeprefix("colour.")
            match key:
                case "said.area_keshi" if label is first and given["colour"] not in "prn":
                    yield (seat, given["colour"]), 1  # hands are told what an assistant does unasked
                case "said.good" if not own & {"hands.take", "hands.return", "hands.pay"}:
                    gains = figures(answer)  # as its answer says
                    yield from (((seat, one), -n) for one, n in amounts(gains["colours"]) if n)
                    resources = ((one, n) for one, n in amounts(gains["rewards"]) if one in "wdn")
                    yield from (((seat, one, "resource"), n) for one, n in resources)
                case "hands.off_keshi" if given["colour"] not in "prn":
                    yield (seat, given["colour"]), 1
                case "hands.of":
                    seat = given["seat"]
                case "hands.take" | "hands.pay":
                    sign = 1 if key == "hands.take" else -1
                    yield from (((seat, kind, "resource"), sign * n) for kind, n in amounts(given["rewards"]))
                case "hands.return":
                    yield from (((seat, colour), -n) for colour, n in amounts(given["colours"]))
                case "said.gate_keshi" if colour not in "prn":
                    yield (seat, colour), 1
                case "said.keshi" | "said.settle" | "said.goods" if colour not in "prn":
                    yield (seat, colour), given["n"]
                case "hands.left" if step.choices[0].question in ("keshi", "settle", "goods"):
                    yield from (((seat, colour), -n) for colour, n in amounts(given["colours"]))
                case "claim.alike" | "claim.apart":
                    colours = given["colour"] * given["n"] if "n" in given else given["colours"]
                    yield from (((seat, colour), 1) for colour in colours if colour not in "prn,")
                case "hands.deploy" | "hands.watchtower" if given["colour"] not in "prn":
                    yield (seat, given["colour"]), given["n"]
                case "hands.spot" | "said.spot":
                    yield (seat, "p"), 1
                case "hands.vendor" | "said.vendor":
                    yield (seat, "r"), 1
                case "hands.stall":
                    yield (seat, "stall"), 1
                case "said.caravan":
                    yield (seat, "n"), 1


class Torres:
    """Return each seat's cards and blocks, and the supply's blocks; nothing if only the end counts."""

    @staticmethod
    def lies(state):
        if state.level is not Level.FULL:
            return Counter()
        found = Counter(supply=state.supply())
        for seat, stacks in enumerate(state.stacks):
            found[seat, "card"] = state.hand_size(seat)
            found[seat, "block"] = sum(stacks) - (state.placed + state.under) * (seat == state.seat)
        return found

    @staticmethod
    def told(step, labels):
        own = step.before.seat
        for label in labels if step.before.level is Level.FULL else ():
            given, key = figures(label), label.key
            match key:
                case "said.take_top" | "said.take_bottom":
                    yield (own, "card"), 1
                case "said.plays" | "said.plays_at" | "said.plays_to":
                    yield (own, "card"), -1
                    yield "supply", -(given["card"] == "block")
                    yield (own, "block"), -(given["card"] == "under")
                case "said.block":
                    yield (own, "block"), -1
                case "said.found":
                    yield "supply", -1
                case "hands.back" | "hands.one_back":
                    yield from (((given["seat"], "block"), -given["n"]), ("supply", given["n"]))
                case "hands_of_all.dealt" | "hands.dealt_to":
                    n = sum(map(int, given["stacks"].split("-")))
                    every = range(step.before.variant.seats)
                    for seat in (given["seat"],) if "seat" in given else every:
                        yield from (((seat, "block"), n), ("supply", -n))


class SanGimignano:
    """Return the cards in each hand; nothing if only the end counts."""

    @staticmethod
    def lies(state):
        if state.level is Level.SCORE:
            return Counter()
        return Counter({(seat, "card"): state.hand_size(seat) for seat in (0, 1)})

    @staticmethod
    def told(step, labels):
        own = step.before.seat if step.seat is None else step.seat
        for label in labels if step.before.level is not Level.SCORE else ():
            given, key = figures(label), label.key
            match key:
                case "said.from_market":
                    yield (own, "card"), len(given["cards"].split(","))
                case "said.from_deck" | "said.from_deck_1" | "said.from_nobles" | "said.from_nobles_1":
                    yield (own, "card"), given["n"]
                case "said.exchange" | "said.exchange_for":
                    yield (own, "card"), -len(given["cards"].split(","))
                case "said.build":
                    yield (own, "card"), -height(given["tower"])
                case "said.extend":
                    yield (own, "card"), height(given["tower"]) - height(given["higher"])
                case "said.noble" | "said.noble_returns" | "said.guard_guard" | "said.guard_pietra":
                    yield (own, "card"), -1
                case "said.giostra_giostra":
                    yield (own, "card"), -1
                case "hands.under" | "hands.under_1" | "hands.nobles_under" | "hands.nobles_under_1":
                    yield (step.before.seat, "card"), -given["n"]
                case "hands.back":
                    yield (given["seat"], "card"), len(given["cards"].split(","))
                case "said.deal":  # all was cleared away
                    yield from (((seat, "card"), 5 - step.before.hand_size(seat)) for seat in (0, 1))
                case "said.returned" | "hands.drawn":
                    sign = 1 if key == "hands.drawn" else -1
                    yield (1 - given["other"], "card"), sign * given["n"]
                    yield (given["other"], "card"), -sign * given["n"]
                case (
                    "said.use_trade"
                    | "said.guard_allow_9"
                    | "said.giostra_trade"
                    | "hands.trade"
                    | "said.trade"
                ):
                    asked = step.after.frames[-1].question if step.after.frames else ""
                    drawn = given["n"] * (asked != "traded")  # what follows is told when its backs are known
                    moved = drawn - given["back"] * (asked not in ("traded", "returned"))
                    yield (given["seat"], "card"), moved
                    yield (given["other"], "card"), -moved


def height(tower):
    """The storeys of a tower as a figure has it: ``8x3s``, ``5-7s6``."""
    first, sign, last = re.match(r"(\d+)(.)(\d+)", tower).groups()
    return int(last) if sign == "x" else int(last) - int(first) + 1


LEDGERS = {
    "castles_of_tuscany": Tuscany,
    "marrakesh": Marrakesh,
    "torres": Torres,
    "san_gimignano": SanGimignano,
}


def unbalanced(step, game):
    """Return what the labels of a step do not add up to, with what they say."""
    ledger = LEDGERS[game.id]
    said = game.telling.said(step.before, step.choices)
    hands = game.telling.hands(step.before, step.choices, step.after)
    labels = [*flat((*said, *hands))]
    told = Counter()
    for what, n in ledger.told(step, labels):
        told[what] += n
    was, now = ledger.lies(step.before), ledger.lies(step.after)
    wrong = {what for what in {*was, *now, *told} if now[what] - was[what] != told[what]}
    return [(what, was[what], now[what], told[what]) for what in wrong], labels


def test_every_game_has_a_ledger():
    assert set(LEDGERS) == set(engines.GAMES)


@pytest.mark.parametrize("name", every(TELLING))
def test_what_is_told_is_what_moved(name):
    for step in steps(name):
        wrong, labels = unbalanced(step, TELLING[name].game)
        assert not wrong, (wrong, step.choices, labels)
