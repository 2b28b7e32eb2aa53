"""A step in a game master's words, and the pieces on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from engines import bags
from engines.bags import Bag
from engines.contract import Choice, Figures, Label, Piece, Zone
from engines.kit import Saying, Teller, question
from engines.marrakesh import medina, pieces, sahara, souk
from engines.marrakesh.book import BOOK, list_played
from engines.marrakesh.facts import OASES, SQUARE, look_up
from engines.marrakesh.frames import Frame, Gate, Instead, Line, Print, Returned, StairTile, Workshop
from engines.marrakesh.notation import find_effect, find_oasis_form, label, split_counts
from engines.marrakesh.paying import ANY, name_demand
from engines.marrakesh.pieces import AREAS, BEIGE, CHOSEN, LETTERS, RED, SOUK
from engines.marrakesh.sahara import DONE
from engines.marrakesh.scoring import find_returned
from engines.marrakesh.square import list_sections, write_facing
from engines.marrakesh.state import RESOURCES, Side, State, list_members

_UNTOLD = frozenset({"action", "oasis", "caravan", "oasis_number"})
"""Questions whose answers the words for hands do not tell, or not entirely."""


def said(before: State, choices: Sequence[Choice]) -> tuple[Label, ...]:
    """Tell a step or its beginning, then the answers given without asking: ``sails to space 7``."""
    told = _said(before, choices)
    for alone in BOOK.by_itself(before, choices):
        if alone.choice.question in _UNTOLD and alone.choice.token != DONE:
            then = _said(alone.of, [alone.choice])
            told = (Label("said.and_then", (), (("step", told), ("then", then))),)
    return told


def _list_blanks(state: State) -> Figures:
    """Return the figures of the pending question; its number is at least 1."""
    frame = state.asked(Frame)
    won = (("variant", "won"),) if isinstance(frame, Workshop) and medina.is_won(frame) else ()
    return (("n", max(1, frame.own_number)), ("colour", frame.own_text), *won)


def _say_listed(key: str, name: str) -> Teller[State]:
    """Return a teller of a step with several answers of a kind."""
    return lambda _, tokens: Label(f"said.{key}", ((name, ",".join(tokens)),))


def _say_counted(key: str, name: str) -> Teller[State]:
    """Return a teller of an answer like ``2t1g``: colours or amounts by name."""

    def say_counts(_: State, tokens: Sequence[str]) -> Label:
        found = split_counts(tokens[0])
        return Label(f"said.{key}", ((name, found),)) if found else Label(f"said.{key}_none")

    return say_counts


def _say_choose(_: State, tokens: Sequence[str]) -> Label:
    """Tell the colours, and the area of red's assistant."""
    figures = (("colours", ",".join(tokens[:CHOSEN])), ("area", "".join(tokens[CHOSEN:])))
    return Label("said.choose_red" if tokens[CHOSEN:] else "said.choose", figures)


def _say_action(_: State, tokens: Sequence[str]) -> Label:
    area, way = tokens[0].split(".")
    if way == "act":
        return Label(f"said.act_{area}")
    key = "sell" if way.startswith("sell_") else way if way in ("buy", "leave") else "area_keshi"
    colour = way.removeprefix("sell_") if area == SOUK else area
    return Label(f"said.{key}", (("area", area), ("colour", colour)))


def _say_sail(before: State, tokens: Sequence[str]) -> Label:
    """Tell the goal, and if it is taken (MK-7.2); the words for hands tell the water."""
    goal, _, over = tokens[0].partition("+")
    others = [side.fisherman for seat, side in enumerate(before.sides) if seat != before.seat]
    if not goal.isdigit():
        return Label("said.sail_over" if over else "said.sail_jetty", (("n", over),))
    taken = int(goal) in others and not before.variant.shared
    return Label("said.sail_taken" if taken else "said.sail", (("n", goal),))


def _say_scroll(before: State, tokens: Sequence[str]) -> Label:
    """Tell a scroll by its effect on this copy, or by public lists while that is unknown."""
    token = tokens[0]
    if not token.isdigit():
        return Label("said.refresh", (("stacks", token.removeprefix("turn_")),))
    effect = look_up(before.copy, pieces.name_scroll_fact(int(token))) or find_effect(int(token))
    return Label(f"said.{question(before)}", (("number", token), ("reward", effect)))


def _say_workshop(before: State, tokens: Sequence[str]) -> Label:
    """Tell a gate as far as it was told: workshop, colour, place; the workshop may be an earlier step's."""
    told = tokens if question(before) == "workshop" else (before.asked(Gate).workshop, *tokens)
    key = ("workshop", "gate", "gate_place")[len(told) - 1]
    return Label(f"said.{key}", tuple(zip(("n", "colour", "place"), told, strict=False)))


def _say_oasis_number(before: State, tokens: Sequence[str]) -> Label:
    key = before.asked(Frame).own_text or question(before)
    return Label(f"said.{key}", (("number", tokens[0]), ("tile", find_oasis_form(tokens[0]))))


def _say_give_back(_: State, tokens: Sequence[str]) -> Label:
    colour, *places = tokens
    figures = (("colour", colour),)
    if not places:
        return Label("said.give_back", figures)
    return Label("said.give_back_from", figures, (("place", (label(Choice("back_from", places[0])),)),))


def _say_instead(before: State, tokens: Sequence[str]) -> Label:
    key = "pays" if before.asked(Instead).kept == ANY else "instead"
    return Label(f"said.{key}", (("rewards", tokens[0]),))


def _say_stair_tile(before: State, tokens: Sequence[str]) -> Label:
    """Tell the tile, and its bonus if that is known."""
    shown = look_up(before.copy, f"stair_tile.{tokens[0]}")
    figures = (("n", before.asked(StairTile).space), ("face", tokens[0]), ("reward", shown or ""))
    return Label("said.stair_tile_shows" if shown else "said.stair_tile", figures)


def _say_town(before: State, tokens: Sequence[str]) -> Label:
    does = look_up(before.copy, f"town.{tokens[0]}") or pieces.TOWNS[tokens[0]].value
    return Label("said.town", (("number", tokens[0]), ("tile", does)))


def _say_print(before: State, tokens: Sequence[str]) -> Label:
    return Label("said.print", (("fact", before.asked(Print).fact), ("value", tokens[0])))


def _say_returned(before: State, tokens: Sequence[str]) -> Label:
    kind = find_returned(before, int(before.asked(Returned).oasis))
    assert kind is not None, "asked of an oasis that takes resources"
    return Label("said.returned", (("rewards", f"{tokens[0]}{'wdn'[kind]}"),))


_tellers: dict[str, Teller[State]] = {
    "stock": _say_listed("stock", "colours"),
    "choose": _say_choose,
    "tray": _say_counted("tray", "colours"),
    "action": _say_action,
    "harvest": _say_counted("harvest", "rewards"),
    "sail": _say_sail,
    "climb": _say_listed("climb", "rewards"),
    "resource": _say_listed("resource", "rewards"),
    "first": lambda _, tokens: Label(f"said.first_{tokens[0]}"),
    "line": lambda before, tokens: Label(
        "said.line", (("colour", before.asked(Line).colour), ("rewards", split_counts(tokens[0])))
    ),
    "scroll": _say_scroll,
    "learn": _say_scroll,
    "workshop": _say_workshop,
    "gate": _say_workshop,
    "oasis": lambda before, tokens: sahara.tell_claim(before, tokens[0]),
    "oasis_number": _say_oasis_number,
    "score_oasis": _say_oasis_number,
    "give_back": _say_give_back,
    "instead": _say_instead,
    "part": _say_listed("pays", "rewards"),
    "print": _say_print,
    "stair_tile": _say_stair_tile,
    "town": _say_town,
    "returned": _say_returned,
    "sell": _say_counted("sells", "rewards"),
}
"""The tellers of a step by its first question, if its text needs more than the answer."""
_said = Saying(label, _list_blanks, _tellers, alone=("none", "done", "no", "yes", "go"))


# The pieces on the table


def zones(state: State) -> tuple[Zone, ...]:
    """Return the tray, the tower and the expansions' zones for all, then the zones by seat."""
    shared = (Zone("tray", None, _show_keshis(state.tray)), Zone("tower", None, _show_keshis(state.inside)))
    seats = range(state.variant.seats)
    before = (zone for seat in seats for zone in (*_list_before(state, seat), *list_added(state, seat)))
    return (*shared, *list_added(state, None), *before)


def list_added(state: State, seat: int | None) -> Iterator[Zone]:
    """Yield the expansions' zones in front of a seat, or of all."""
    return (zone for each in list_played(state) for zone in each.zones(state, seat))


def _show_keshis(held: Bag) -> tuple[Piece, ...]:
    return tuple(Piece(Label(f"colour.{LETTERS[kind]}"), n) for kind, n in bags.items(held))


def _list_before(state: State, seat: int) -> Iterator[Zone]:
    """Yield the zones in front of a seat, the keshis to choose and the assistants first."""
    side = state.sides[seat]
    yield Zone("behind", seat, _show_keshis(side.behind))
    assistants = Counter(side.assistants)
    yield Zone("assistants", seat, tuple(Piece(Label(f"area.{one}"), n) for one, n in assistants.items()))
    resources = bags.items(side.resources)
    yield Zone("resources", seat, tuple(Piece(Label(f"lies.{RESOURCES[kind]}"), n) for kind, n in resources))
    yield Zone("keshis", seat, _show_deployed(side))
    vendors = [Piece(Label(f"area.{area}")) for area in list_members(side.vendors, AREAS)]
    yield Zone("vendors", seat, tuple(vendors + [Piece(Label(f"area.{SOUK}"))] * side.stall))
    square = [Piece(Label(f"reward.{place}")) for place in list_members(side.square, SQUARE)]
    yield Zone("square", seat, tuple(square))
    yield Zone("pawns", seat, tuple(_show_pawns(state, side)))
    oases = (_show("oasis", place) for place in list_members(side.discovered, OASES))
    yield Zone("oases", seat, tuple(oases))
    yield Zone("claimed", seat, tuple(_show("oasis_number", f"{number:02}") for number in side.oases))
    stock = Counter(side.stock.replace("-", ""))
    yield Zone("stock", seat, tuple(Piece(Label(f"colour.{letter}"), n) for letter, n in stock.items()))
    gates = [(place, gate) for place, gate in enumerate(side.gates, 1) if gate != "-"]
    yield Zone("gates", seat, tuple(Piece(_name_numbered("gate", n, gate)) for n, gate in gates))
    yield Zone("scrolls", seat, tuple(_show("scroll", str(number)) for number in side.scrolls))
    yield Zone("goods", seat, tuple(_show("good", souk.name_good(state.copy, name)) for name in side.goods))
    yield Zone("demands", seat, tuple(show_demand(state, number) for number in side.demands))


def show_demand(state: State, tile: int) -> Piece:
    """Return a provision tile, with its demand if that is known."""
    return _show("turn_up", name_demand(state.copy, tile))


def _show(asked: str, token: str) -> Piece:
    return Piece(label(Choice(asked, token)))


def _name_numbered(name: str, n: int, colour: str = "") -> Label:
    return Label(f"lies.{name}", (("n", n), ("colour", colour)))


def _show_deployed(side: Side) -> tuple[Piece, ...]:
    """Return the keshis on areas, guards at gates by themselves; vendors have a zone of their own."""
    found = []
    for kind, n in bags.items(side.board):
        on = side.on_tower if kind == BEIGE else n
        if on and kind != RED:
            found.append(Piece(Label(f"colour.{LETTERS[kind]}"), on))
        if n - on:
            found.append(Piece(Label("lies.guard"), n - on))
    return tuple(found)


def _show_pawns(state: State, side: Side) -> Iterator[Piece]:
    """Yield the places of the three pawns and of the disc."""
    river = find_on_river(state, side)
    for name, n in ((river, side.fisherman), ("mosque", side.mosque), ("palace", side.palace)):
        yield Piece(_name_numbered(name, n))
    if side.disc >= 0:
        there = label(Choice("disc", write_facing(list_sections(state), side.disc))).figures
        yield Piece(Label("lies.disc", (*there, ("reward", state.copy.square[0]))))


def find_on_river(state: State, side: Side) -> str:
    """Return a fisherman's place: ``river_start``, ``fisherman`` on a space, ``jetty``."""
    if not side.fisherman:
        return "river_start"
    return "jetty" if side.fisherman > state.copy.river_length else "fisherman"
