"""The medina (MK-13): the purchase of gates, then the deployment of their keshis in any order."""

from __future__ import annotations

from msgspec.structs import replace

from engines.contract import Domain, Figures
from engines.kit import Objection, of_frame
from engines.marrakesh.book import BOOK, Varies, ask_again, happens
from engines.marrakesh.facts import look_up
from engines.marrakesh.frames import Effect, Gate, GateKeshi, GatePlace, Workshop
from engines.marrakesh.paying import can_pay, pay
from engines.marrakesh.pieces import COLOURS, LETTERS
from engines.marrakesh.state import PLACES, State

DONE = "done"
WORKSHOPS = ("1", "2", "3", "4")
LEFTMOST = "1"
GATES = dict.fromkeys(LETTERS, 3) | dict.fromkeys("uolb", 2)
"""The numbers of gates by colour (MK-1.2)."""
OF_WORKSHOP = 8  # MK-1.3
FREE = "-"
MATCH = 2  # MK-13.2
_PLACES = tuple(str(n) for n in range(1, PLACES + 1))

BOOK.asks(Domain("workshop", (*WORKSHOPS, DONE)), "workshop")
BOOK.asks(
    Domain("gate", tuple(LETTERS)),
    "gate",
    figures=of_frame(workshop="workshop"),
    fits=lambda state: _is_buying(state) and state.asked(Gate).workshop in WORKSHOPS,
)
BOOK.asks(Domain("gate_place", _PLACES), "gate_place", figures=of_frame(workshop="workshop", colour="colour"))
BOOK.asks(
    Domain("gate_keshi", tuple(LETTERS)),
    "gate_keshi",
    figures=lambda state: (("n", len(state.asked(GateKeshi).colours)),),
)


@BOOK.figures("workshop")
def figures_workshop(state: State) -> Figures:
    """Tell the known costs and VP of gates by workshop."""
    found = ((each, terms(state, each)) for each in WORKSHOPS)
    more = ((f"more.{each}", "{}n,{}v".format(*told)) for each, told in found if told)
    free = (("variant", "free"), ("as.done", "workshop:none")) if is_won(state.asked(Workshop)) else ()
    return (("n", state.asked(Workshop).guards), *more, *free)


def is_won(action: Workshop) -> bool:
    """Return True if a tile gives the gate, which may then be declined."""
    return bool(action.source)


# The costs of gates


@Varies
def terms(state: State, workshop: str) -> tuple[int, int] | None:
    """Return the dinars and VP of a workshop's gate with scrolls 22 and 32, None while unknown."""
    printed = look_up(state.copy, f"workshop.{workshop}")
    if printed is None:
        return None
    dinars, points = printed
    if workshop == LEFTMOST and points < 0 and state.owns("left_gate_free"):
        points = 0
    return max(0, dinars - state.owns("cheap_gates")), points


def _can_afford(state: State, workshop: str) -> bool:
    """Return True if the seat can pay for a workshop's gate, or if its cost is unknown."""
    found = terms(state, workshop)
    return found is None or can_pay(state, (0, 0, found[0]))


def _has_gate(state: State, workshop: str) -> bool:
    """Return True if a workshop still has one of its eight gates (MK-13.1)."""
    return state.bought[WORKSHOPS.index(workshop)] < OF_WORKSHOP


def _may_end(state: State) -> bool:
    """Return True if the action may end: always (MK-6.5), under version 1 after a gate or if one is won."""
    action = state.asked(Workshop)
    return bool(action.colours) or is_won(action) or not state.compelled


@BOOK.offers("gate.left", "MK-1.2", told=lambda _, token: {"colour": token, "all": GATES[token]})
def offer_gate(state: State) -> list[str]:
    standing = "".join(side.gates for side in state.sides)
    return [colour for colour, all_ in GATES.items() if standing.count(colour) < all_]


@BOOK.offers(
    "gate_place.free",
    "MK-13.1",
    told=lambda state, token: {"place": token, "colour": state.own.gates[int(token) - 1]},
)
def offer_gate_place(state: State) -> list[str]:
    return [each for each, gate in zip(_PLACES, state.own.gates, strict=True) if gate == FREE]


BOOK.needs("workshop.done", "MK-13.1", (DONE,), "workshop", _may_end)


@BOOK.check("workshop.guards", "MK-13.1", "workshop")
def check_workshop_guards(state: State, token: str) -> Objection | None:
    """Refuse more gates than guards on the watchtower at the beginning of the action."""
    spent = token != DONE and not state.asked(Workshop).guards
    return Objection({"n": state.own.on_tower}) if spent else None


@BOOK.check("workshop.stock", "MK-13.1", "workshop", pieces=True)
def check_workshop_stock(state: State, token: str) -> Objection | None:
    """Refuse a ninth gate of a workshop (MK-1.3)."""
    return (
        None if token == DONE or _has_gate(state, token) else Objection({"workshop": token, "n": OF_WORKSHOP})
    )


@BOOK.check("workshop.price", "MK-13.1", "workshop")
def check_workshop_price(state: State, token: str) -> Objection | None:
    if token == DONE or _can_afford(state, token):
        return None
    found = terms(state, token)
    return Objection({"workshop": token, "dinars": found[0] if found else 0})


@BOOK.check("gate_keshi.won", "MK-13.3", "gate_keshi", pieces=True)
def check_gate_keshi_won(state: State, token: str) -> Objection | None:
    frame = state.asked(GateKeshi)
    return Objection({"colour": token}) if not frame.why and token not in frame.colours else None


@BOOK.check("gate_keshi.claimed", "MK-5.8", "gate_keshi", pieces=True)
def check_gate_keshi_claimed(state: State, token: str) -> Objection | None:
    """Refuse a keshi of another colour than the two claimed with scroll 61."""
    return None if token in state.asked(GateKeshi).colours else Objection({"colour": token})


def can(state: State) -> bool:
    """Return True if the seat can buy a gate, or may be able to."""
    for_sale = (each for each in WORKSHOPS if _has_gate(state, each) and _can_afford(state, each))
    return state.own.on_tower > 0 and any(for_sale)


def act(state: State) -> State:
    """Ask for a gate for each guard on the watchtower, from any workshops (MK-13.1)."""
    return BOOK.ask(state, Workshop(guards=state.own.on_tower))


def ask_won(state: State, source: str) -> State:
    """Ask for a gate that a tile gives, which may be declined; void without a guard on the watchtower."""
    return BOOK.ask(state, Workshop(guards=1, source=source)) if state.own.on_tower else state


@BOOK.effect("workshop")
def effect_workshop(state: State, token: str) -> State:
    if token == DONE:
        return _give_keshis(state.answered(), state.asked(Workshop).colours)
    if terms(state, token) is None:
        return state.doing(Effect("shop", token))
    return BOOK.ask(state, Gate(token, open=True))


@happens("shop", subject="|".join(WORKSHOPS), needs=lambda _, effect: [f"workshop.{effect.subject}"])
def happen_shop(state: State, effect: Effect) -> State:
    """Buy from a workshop after its cost was told, or ask again if it is too dear."""
    if _can_afford(state, effect.subject):
        return BOOK.ask(state, Gate(effect.subject))
    return BOOK.ask(state.answered(), state.asked(Workshop))


@BOOK.effect("gate")
def effect_gate(state: State, token: str) -> State:
    workshop = int(state.asked(Gate).workshop)
    return BOOK.ask(state.answered(), GatePlace(token, workshop, open=True))


@BOOK.effect("gate_place")
def effect_gate_place(state: State, token: str) -> State:
    """Put gate and guard there for good; give the workshop's VP, and 2 VP if the colours match (MK-13.2)."""
    gate = state.asked(GatePlace)
    colour, workshop = gate.colour, str(gate.workshop)
    dinars, points = terms(state, workshop) or (0, 0)
    state, at = state.answered(), int(token) - 1
    gates = state.own.gates
    state = state.with_own(gates=f"{gates[:at]}{colour}{gates[at + 1 :]}")
    if not state.compelled:
        bought = (n + (each == workshop) for each, n in zip(WORKSHOPS, state.bought, strict=True))
        state = replace(state, bought=tuple(min(n, OF_WORKSHOP) for n in bought))
    state = state.gained("gates", points, f"workshop {workshop}")
    if state.copy.gate_places[at] == colour:
        state = state.gained("gates", MATCH, f"{COLOURS[LETTERS.index(colour)]} gate")
    action = state.asked(Workshop)
    guards = max(0, action.guards - 1)
    action = replace(action, colours=action.colours + colour, guards=guards, open=False)
    return pay(ask_again(state.answered(), action), (0, 0, dinars))


def _give_keshis(state: State, colours: str) -> State:
    """Give a keshi of the colour of each gate bought, with scrolls 36 and 66 (MK-13.3)."""
    if not colours:
        return state
    each = 1 + state.owns("double_gate")
    if state.owns("any_gate_keshi"):
        return state.doing(Effect("keshi", number=each * len(colours), why="gates"))
    return state.doing(Effect("gate_keshis", colours * each))


@happens("gate_keshis", subject=f"[{LETTERS}]*")
def happen_gate_keshis(state: State, effect: Effect) -> State:
    """Give keshis of these colours, in an order of choice if they differ."""
    if len(set(effect.subject)) == 1:
        return state.doing(*(Effect("deploy", letter) for letter in effect.subject))
    return state.asking(GateKeshi(effect.subject, why=effect.why))


@BOOK.effect("gate_keshi")
def effect_gate_keshi(state: State, token: str) -> State:
    frame = state.asked(GateKeshi)
    rest = frame.colours.replace(token, "", 1)
    each = Effect("deploy", token, why=frame.why), Effect("gate_keshis", rest, why=frame.why)
    return state.answered().doing(*each)


@BOOK.possible("workshop")
def possible_workshop(state: State, token: str) -> bool:
    return token == DONE or state.own.on_tower > 0


@BOOK.fits("workshop")
def fits_workshop(state: State) -> bool:
    action = state.asked(Workshop)
    return 0 <= action.guards <= state.own.on_tower and set(action.colours) <= set(LETTERS)


def _is_buying(state: State) -> bool:
    """Return True if the frame below is the purchase of gates."""
    return len(state.frames) > 1 and isinstance(state.frames[-2], Workshop)


@BOOK.fits("gate_place")
def fits_gate_place(state: State) -> bool:
    gate = state.asked(GatePlace)
    return _is_buying(state) and str(gate.workshop) in WORKSHOPS and gate.colour in tuple(LETTERS)


@BOOK.fits("gate_keshi")
def fits_gate_keshi(state: State) -> bool:
    colours = set(state.asked(GateKeshi).colours)
    return len(colours) > 1 and colours <= set(LETTERS)
