"""The order of play: set-up (MK-1), rounds and seasons (MK-2, MK-15), the river tile, the end.

A round waits as effects: ``choose_a choose_b … throw claim_a use_a … rapids_a … round_over``. All that people
lay out at set-up is always the same, but the keshis on the oasis track and the first provision tiles.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from engines import bags
from engines.contract import SEATS, Choice, Domain, Label, Level, Setup, Told
from engines.errors import BadSetup
from engines.facts import lacking
from engines.kit import of_frame, opening, within
from engines.marrakesh import book, facts, position, scoring
from engines.marrakesh import state as s
from engines.marrakesh.book import BOOK, SEAT, Varies, ask_unknown, effect_of, happens
from engines.marrakesh.facts import SCHEMA, Printing, look_up
from engines.marrakesh.frames import Effect, Frame, RiverChoice, RiverTile, Stock, Workshop
from engines.marrakesh.medina import is_won
from engines.marrakesh.pieces import DRAWN, GREEN, KINDS, LETTERS, PINK, RED, RIVER, SEASON_FACES
from engines.marrakesh.river import rank_foremost
from engines.marrakesh.sahara import FREE
from engines.marrakesh.scoring import RETURNED
from engines.marrakesh.state import EARLIER, RULES, Side, State

LEVELS = (Level.FULL,)
"""The only level: people name tiles when they take them, and look at those that lie out."""
SEATS_AT_TABLE = (2, 3, 4)

BOOK.asks(
    Domain("stock", DRAWN),
    "stock",
    figures=lambda state: (("n", state.asked(Stock).placed + 1), ("all", len(state.keshi_places))),
)


# Set-up


@BOOK.method
def start(setup: Setup) -> State:
    """Return the set-up, which asks for the first keshi on the track, or the setup's position."""
    chosen, given = opening(
        "Marrakesh",
        "MK-1.1",
        setup,
        position.read,
        seats=SEATS_AT_TABLE,
        options=book.list_options(),
        there=lambda state: book.tell_options(state.variant),
        levels=LEVELS,
        rules=(*EARLIER, RULES),
    )
    if given is not None:
        return given
    state = State(
        book.make_variant(setup.seats, chosen),
        _read_copy(setup.facts, setup.options),
        setup.level,
        (Side(),) * setup.seats,
        seat=setup.start,
        start=setup.start,
        holder=setup.start,
        adjusted=(0,) * setup.seats,
        rules=setup.rules_version or RULES,
    )
    beside = tuple(each.keeps() for each in book.list_played(state) if each.keeps)
    state = replace(state, beside=beside)
    return BOOK.settled(state.doing(*state.by_seat("stock", "turn_up"), Effect("season")))


@lru_cache(16)
def _read_copy(told: Told, options: Told) -> Printing:
    known = facts.read_facts(told)
    if unknown := lacking(known, Setup(options=options)):
        raise BadSetup("the fact {name} must be known first ({clause})", unknown, SCHEMA.fact(unknown).clause)
    return facts.read_printing(known)


def _find_drawn(state: State, letter: str) -> list[int]:
    """Return the seats with a colour on their track; the bag has one keshi of each."""
    return [seat for seat, side in enumerate(state.sides) if letter in side.stock]


@BOOK.offers(
    "stock.bag", "MK-1.5", told=lambda state, token: {"colour": token, "seat": _find_drawn(state, token)[0]}
)
def offer_stock(state: State) -> list[str]:
    return [letter for letter in DRAWN if not _find_drawn(state, letter)]


@happens("stock", subject=SEAT)
def happen_stock(state: State, _: Effect) -> State:
    """Ask a seat for the keshis on its oasis track."""
    return _ask_stock(state, 0)


def _ask_stock(state: State, n: int) -> State:
    return BOOK.ask(state, Stock(n, open=n > 0)) if n < len(state.keshi_places) else state


@BOOK.effect("stock")
def effect_stock(state: State, token: str) -> State:
    n, stock = state.asked(Stock).placed, state.own.stock
    at = state.keshi_places[n]
    return _ask_stock(state.answered().with_own(stock=stock[:at] + token + stock[at + 1 :]), n + 1)


WINNERS = ("first", "second")
A_GOOD, KESHIS_A_POINT = 2, 4  # river tile 18

BOOK.asks(
    Domain("river_tile", tuple(RIVER), laid=True),
    "river_tile",
    report=True,
    figures=of_frame("season", "seat"),
)
BOOK.asks(Domain("river_choice", WINNERS), "river_choice", figures=of_frame(variant="effect"))


@BOOK.offers(
    "river_tile.season",
    "MK-1.3",
    told=lambda state, token: {"tile": token, "season": state.season},
    pieces=False,
)
def offer_river_tile(state: State) -> list[str]:
    """Return the faces that may lie out in this season."""
    return [face for face in SEASON_FACES[state.season - 1] if face not in state.tiles]


# A round


@happens("season")
def happen_season(state: State, _: Effect) -> State:
    """Put one keshi of each colour behind each screen (MK-1.7, MK-15.4)."""
    each = sum(bags.one(kind) for kind in range(KINDS))
    sides = tuple(replace(side, behind=each) for side in state.sides)
    return replace(state, sides=sides, lines=("", "", "")).doing(Effect("round"))


@happens("round")
def happen_round(state: State, _: Effect) -> State:
    """Begin a round."""
    sides = tuple(replace(side, refreshed=False) for side in state.sides)
    return replace(state, sides=sides, seat=state.start).doing(*list_round(state))


def list_round(state: State) -> tuple[Effect, ...]:
    """Return the effects of a round (MK-2.2)."""
    choose, claim = state.by_seat("choose"), Effect("claim", SEATS[state.start])
    return (*choose, Effect("throw"), claim, *state.by_seat("use", "rapids"), Effect("round_over"))


def list_season_end(state: State) -> tuple[Effect, ...]:
    """Return the effects of a season's end (MK-15)."""
    turn_up = state.by_seat("turn_up") if state.season < s.SEASONS else []
    rapids, pay = state.by_seat("season_rapids"), state.by_seat("provision")
    return (*rapids, Effect("river_tile"), *pay, *turn_up, Effect("season_over"))


@happens("round_over")
def happen_round_over(state: State, _: Effect) -> State:
    """Begin the next round, or the season's end after the fourth (MK-2.2, MK-15)."""
    if state.round < s.ROUNDS:
        start = state.clockwise(state.start)
        return replace(state, start=start, seat=start, round=state.round + 1).doing(Effect("round"))
    return state.doing(*list_season_end(state))


@happens("season_over")
def happen_season_over(state: State, _: Effect) -> State:
    """Return the fishermen to the start; after season 3 they stay for the scoring (MK-15.2)."""
    if state.season == s.SEASONS:
        return state.doing(Effect("finish"))
    crocodile = look_up(state.copy, "crocodile") if state.ahead != s.NOBODY else 0
    sides = tuple(
        replace(side, fisherman=crocodile if seat == state.ahead else 0, spot=0)
        for seat, side in enumerate(state.sides)
    )
    start = state.clockwise(state.holder)
    state = replace(state, sides=sides, ahead=s.NOBODY, season=state.season + 1, round=1)
    return replace(state, holder=start, start=start, seat=start).doing(Effect("season"))


@happens("finish")
def happen_finish(state: State, effect: Effect) -> State:
    """Ask for the unknown facts that score, then end the match (MK-16)."""
    if asks := ask_unknown(state, effect, *scoring.list_unknown(state)) or ask_at_end(state, effect):
        return asks
    return replace(state, termination=s.FINISHED)


@Varies
def ask_at_end(state: State, effect: Effect) -> State | None:
    """Return the state that asks for more unknown facts that score, None if there are none."""
    return None


# The river tile


@happens("river_tile")
def happen_river_tile(state: State, _: Effect) -> State:
    """Offer the tile to the foremost seat, if any fisherman left the start (MK-15.2)."""
    ranked = rank_foremost(state)
    return replace(state, seat=ranked[0]).asking(RiverTile()) if ranked else state


@BOOK.effect("river_tile")
def effect_river_tile(state: State, token: str) -> State:
    state = replace(state.answered(), tiles=(*state.tiles, token))
    return state.doing(Effect("won", why="river_tile", source=token))


@happens("won", needs=lambda _, effect: [f"river_tile.{effect.source}"])
def happen_won(state: State, effect: Effect) -> State:
    """Give the tile's bonus; with more than two players the second gets a part of season 3's tile."""
    source = effect.source
    word: str = look_up(state.copy, f"river_tile.{source}")
    if word not in DIVIDED:
        return state.doing(effect_of(word, "river_tile", source))
    after = state.doing(Effect("second", why=word, source=source))
    if word in CHOICES:
        return after.asking(RiverChoice(word, source=source))
    return after.doing(effect_of(word.partition("_")[0], "river_tile", source))


CHOICES = {
    "gates_or_greens": ("per_gates", "per_greens"),
    "pinks_or_reds": ("per_pinks", "per_reds"),
    "four_or_goods": ("per_four", "per_goods"),
}
"""The halves of a face from which the winner chooses; the second gets the other."""
BOOK.fits("river_choice")(within(effect=CHOICES))
DIVIDED = ("vp7_vp3", "any6_any3", "stair3_stair", *CHOICES)
"""The faces that the winner shares with the second."""


@BOOK.effect("river_choice")
def effect_river_choice(state: State, token: str) -> State:
    frame = state.asked(RiverChoice)
    first, second = CHOICES[frame.effect]
    mine, other = (first, second) if token == WINNERS[0] else (second, first)
    rest = Effect("second", why=f"taken_{other}", source=frame.source)
    state = state.answered().answered(rest)
    return state.doing(effect_of(mine, "river_tile", frame.source))


@happens("second")
def happen_second(state: State, effect: Effect) -> State:
    """Give the rest of season 3's tile to the second, if that fisherman left the start (MK-15.2)."""
    if state.variant.seats == 2:
        return state
    word = effect.why
    rest = word.removeprefix("taken_") if word.startswith("taken_") else word.partition("_")[2]
    _, *others = rank_foremost(state)
    if not others:
        return state
    return replace(state, seat=others[0]).doing(effect_of(rest, "river_tile", effect.source))


@happens("per", subject="pinks|reds|gates|greens|four|goods")
def happen_per(state: State, effect: Effect) -> State:
    """Give a half of one of season 3's tiles 12, 17 and 18."""
    side, source = state.own, effect.source
    if effect.subject == "pinks":
        return state.got(s.DATE, side.deployed(PINK)).got(s.DINAR, side.deployed(PINK))
    if effect.subject == "reds":
        return state.got(s.WATER, side.deployed(RED)).got(s.DATE, side.deployed(RED))
    points = {
        "gates": side.standing,
        "greens": side.deployed(GREEN),
        "four": bags.total(side.board) // KESHIS_A_POINT,
        "goods": A_GOOD * len(side.goods),
    }
    return state.gained("river_tile", points[effect.subject], source)


@happens("crocodile", needs=lambda _state, _effect: ["crocodile"])
def happen_crocodile(state: State, _: Effect) -> State:
    """Let the seat's fisherman start the last season on the crocodile space (tile 09)."""
    return replace(state, ahead=state.seat)


# Answers by habit, and those that decline a gift

_LAST = ("done", "none", "no")
"""The answers that end or decline."""


@BOOK.method
def likely(state: State, choice: Choice) -> int:
    """Rank answers by habit.

    Claims of two keshis come before those of one, scrolls before turns, a higher number of returned resources
    before a lower one; answers that end or decline come last. All others have the same rank.
    """
    token = choice.token
    if token in _LAST or token.endswith(".leave"):
        return 2
    if choice.question == "claim" and token[0] == "1":
        kind = LETTERS.index(token[1])
        return int(bags.count(state.tray, kind) > 1 and state.own.room(kind) > 1)
    if choice.question == "returned":
        return RETURNED - int(token)
    return int(token.startswith("turn_"))


_DECLINED = {
    "learn": "none",
    "sector": "none",
    "give_back": "none",
    "oasis_number": "none",
    "oasis": "done",
    "good": "none",
    "workshop": "done",
}
"""Questions about gifts, and the answers that decline them."""


@BOOK.method
def gives_up(state: State, choice: Choice) -> Label | None:
    """Ask before an answer that declines a scroll, an action, an exchange, an oasis (MK-12.4, MK-14.5,
    MK-15.2), a luxury good or a gate that was won.
    """
    question, token, frame = choice.question, choice.token, state.asked(Frame)
    paid = question in ("oasis", "good") and frame.own_text != FREE
    paid |= isinstance(frame, Workshop) and not is_won(frame)
    return None if paid or _DECLINED.get(question) != token else Label(f"gives_up.{question}")
