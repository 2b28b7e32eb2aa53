"""A table of real pieces, which answers reports: a tower, stacks of tiles, oases and gates face down."""

from collections import Counter

from msgspec.structs import replace

from engines import bags
from engines.contract import Choice, Worlds
from engines.fact_kinds import write_word
from engines.marrakesh import facts
from engines.marrakesh.paying import NEW, fact
from engines.marrakesh.paying import written as asked_by
from engines.marrakesh.souk import called
from engines.marrakesh.state import PATHS
from engines.marrakesh.tiles import GOODS, TOWNS
from engines.marrakesh.towns import DISPLAYED, Towns
from tests.engines.marrakesh.lines import GAME, SAMPLE
from tests.engines.marrakesh.true_pieces import (
    FACES,
    GATES,
    LETTERS,
    SCROLLS,
    SPOTS,
    Stacks,
    Tower,
    colour_of,
    written,
)


class Pieces:
    """What lies face down or in stacks, so that tiles come up as they do at a table."""

    def __init__(self, state, rng):
        """Pieces that agree with a state, shuffled."""
        self.rng, self.tower, self.office = rng, Tower(rng), 0
        scrolls = {number for side in state.sides for number in side.scrolls}
        self.scrolls = {
            colour: Stacks(sorted(set(numbers) - scrolls), 3, rng) for colour, numbers in SCROLLS.items()
        }
        self.goods = Stacks(
            sorted(set(GOODS) - {tile for side in state.sides for tile in side.goods}), 5, rng
        )
        oases = self._shuffled(set(range(1, 31)) - {n for side in state.sides for n in side.oases})
        self.oases = [{spot: oases.pop() for spot in SPOTS} for _ in state.sides]
        self.spare, self.spot = oases[:3], ""
        gates = self._shuffled((Counter(GATES) - Counter("".join(s.gates for s in state.sides))).elements())
        self.workshops = {n: Counter(gates[at::4]) for at, n in enumerate("1234")}
        tiles = self._shuffled(set(range(1, 13)) - {n for side in state.sides for n in side.demands})
        left = [asked_by(SAMPLE[fact(tile)]) for tile in tiles]
        self.down = [[left.pop() for _ in range(3 - len(side.demands))] for side in state.sides]
        stock = self._shuffled("tgkwybpr")
        self.stock = [stock[seat :: len(state.sides)] for seat in range(len(state.sides))]
        towns = {town.number for each in state.beside if isinstance(each, Towns) for town in each.towns}
        self.towns = self._shuffled(set(TOWNS) - towns)[: DISPLAYED[len(state.sides)] - len(towns)]

    def _shuffled(self, things):
        things = sorted(things)
        self.rng.shuffle(things)
        return things

    def allow(self, state, question, token):
        """Whether a legal choice can be made with them."""
        seat = state.seat
        if question in ("scroll", "learn") and token.isdigit():
            return int(token) in self.scrolls[colour_of(int(token))].shown()
        if question == "good":
            return token == "none" or token in {called(state.copy, tile) for tile in self.goods.shown()}
        if token == "s.buy":
            return any(self._payable(state, tile) for tile in self.goods.shown())
        if question == "gate":
            return self.workshops[state.frames[-1].what][token] > 0
        if question == "workshop":
            return token == "done" or self.workshops[token].total() > 0
        if question == "town":
            return token in self.towns
        if question == "oasis_number":
            if state.frames[-1].what == "spare":
                return token == "none" or int(token) in self.spare
            return int(token) == self.oases[seat][self.spot]
        if question == "stock":
            return token in self.stock[seat]
        if question == "turn_up":
            return token == NEW or token in self.down[seat]
        return True

    def _payable(self, state, tile):
        price = facts.known(state.copy, f"good.{tile}")
        held = (bags.count(state.own.board, LETTERS.index(letter)) for letter in "luo")
        return price is None or all(n <= there for n, there in zip(price, held, strict=False))

    def tell(self, state):
        """What they answer to a report."""
        asked = GAME.rules.pending(state)
        question = asked.question
        if question == "print":
            return write_word(facts.SCHEMA.fact(asked.domain.name).kind, SAMPLE[asked.domain.name])
        if question == "tray":
            self.tower.inside = [LETTERS[kind] for kind in bags.elements(state.inside)]
            tray, _ = self.tower.throw(LETTERS[kind] for kind in bags.elements(state.thrown))
            return written(tray, LETTERS)
        if question == "line":
            return written(Counter(self.rng.choices("wdn", k=2)), "wdn")
        if question == "river_tile":
            return self.rng.choice(FACES[state.season - 1])
        return self.rng.choice(asked.domain.tokens)

    def follow(self, state, question, token):
        """They lie as they do after an answer."""
        seat = state.seat
        if question in ("scroll", "learn") and token.isdigit():
            self.scrolls[colour_of(int(token))].take(int(token))
        elif question == "scroll" and token.startswith("turn_"):
            self.scrolls[token.removeprefix("turn_")].turn()
        elif question == "good" and token != "none":
            alike = [tile for tile in self.goods.left() if called(state.copy, tile) == token]
            shown = [tile for tile in self.goods.shown() if tile in alike]
            self.goods.swap(min(alike), shown[0])
            self.goods.take(min(alike))
        elif question == "oasis" and token != "done":
            self.spot = token
        elif question == "caravan" and token != "start":
            self.spot = f"{token}{state.own.caravans[PATHS.index(token)] + 1}"
        elif question == "town":
            self.towns.remove(token)
        elif question == "gate":
            self.workshops[state.frames[-1].what][token] -= 1
        elif question == "stock":
            self.stock[seat].remove(token)
        elif question == "turn_up":
            self.down[seat].remove(token if token in self.down[seat] else self.down[seat][0])
        elif question == "action" and len(state.own.assistants) == 3:  # a turn begins: MK-9.4, MK-12.3
            for stacks in (self.goods, *self.scrolls.values()):
                stacks.refill()


class Real(Worlds):
    """Worlds of real pieces for a walk or a recording, which change as the match goes on."""

    def sample(self, state, rng, /):
        return Pieces(state, rng)

    def true(self, world, state, choice, seat=None, /):
        return world.allow(state, choice.question, choice.token)

    def answer(self, world, state, rng, /):
        return Choice(GAME.rules.pending(state).question, world.tell(state))

    def advance(self, world, state, choice, rng, /):
        world.follow(state, choice.question, choice.token)
        return world


REAL = replace(GAME, worlds=Real())
"""The game, its reports answered by real pieces."""
