"""The stairs of mosque and palace (MK-11), and the bonuses of the lines between them."""

from __future__ import annotations

from bisect import bisect

from msgspec.structs import replace

from engines.contract import Domain, Figures
from engines.kit import Objection, of_frame, within
from engines.marrakesh.book import BOOK, SOME, Varies, ask_unknown, asking, effect_of, happens
from engines.marrakesh.facts import LINKS, SECTIONS, Printing, look_up
from engines.marrakesh.frames import ONCE, Climb, Effect, First, Link, Stair
from engines.marrakesh.pieces import LETTERS
from engines.marrakesh.state import RESOURCES, State

MOSQUE, PALACE = "mosque", "palace"
STAIRS = (MOSQUE, PALACE)
OF_AREA = {"k": MOSQUE, "w": PALACE}
GO = "go"
PAID = ("date", "water")
BOTH = "both"
BOTH_STEPS = 3  # scroll 55
DIFFERENT = 2  # scroll 63
LINK, RIVER = "link", "river"
LINE_SCROLLS = {name: f"line_{name}" for name in (*RESOURCES, "river")}
"""The gains that scrolls 13 to 16 add to each crossed line, with the scrolls' effects."""

BOOK.asks(
    Domain("stair", STAIRS), "stair", figures=of_frame(n="steps"), fits=within(steps=SOME, which=("", BOTH))
)
BOOK.asks(
    Domain("climb", (GO, *PAID)),
    "climb",
    figures=of_frame(stair="stair", n="steps"),
    fits=within(steps=SOME, stair=STAIRS),
)
BOOK.asks(Domain("link", LINKS, laid=True), "link")
BOOK.asks(Domain("first", (LINK, RIVER)), "first")


@BOOK.figures("link")
def figures_link(state: State) -> Figures:
    frame = state.asked(Link)
    return (("n", frame.left), *_tell_sections(frame.taken))


def find_step(state: State, stair: str) -> int:
    """Return the steps of the own pawn."""
    return state.own.mosque if stair == MOSQUE else state.own.palace


def _list_lines(state: State, stair: str) -> tuple[int, ...]:
    """Return a stair's lines; a line is before the step of its number."""
    return state.copy.mosque_lines if stair == MOSQUE else state.copy.palace_lines


def find_last_step(copy: Printing, stair: str) -> int:
    """Return the number of a stair's last step."""
    return copy.mosque_steps if stair == MOSQUE else copy.palace_steps


def find_section(state: State, stair: str) -> int:
    """Return the section of the own pawn, 1 to 5; 0 at a start that belongs to none (MK-11.2)."""
    lines, there = _list_lines(state, stair), find_step(state, stair)
    return min(bisect(lines, there) + (len(lines) < SECTIONS), SECTIONS)


def find_line(state: State) -> str:
    """Return the line that joins the own two pawns, as facts name it; empty if one is in no section."""
    mosque, palace = find_section(state, MOSQUE), find_section(state, PALACE)
    return f"{mosque}{palace}" if mosque and palace else ""


def _tell_sections(line: str) -> Figures:
    return ((MOSQUE, int(line[0])), (PALACE, int(line[1])))


def _list_left(state: State) -> list[str]:
    """Return the bonuses of a line left to choose; one shown twice is there twice for scroll 59, but once if
    the bonuses must differ.
    """
    frame = state.asked(Link)
    line, *chosen = frame.taken.split("+")
    there = list_bonuses(state, line)
    if frame.left + len(chosen) <= DIFFERENT:
        return [word for word in LINKS if word in there and word not in chosen]
    return [word for word in LINKS for _ in range(there.count(word) - chosen.count(word))]


@BOOK.offers(
    "link.line",
    "MK-11.2",
    told=lambda state, token: {"reward": token, **dict(_tell_sections(state.asked(Link).taken))},
    pieces=False,
)
def offer_link(state: State) -> list[str]:
    return list(dict.fromkeys(_list_left(state)))


@Varies
def list_bonuses(state: State, line: str) -> tuple[str, ...]:
    """Return the bonuses of a line, empty while unknown."""
    return look_up(state.copy, f"link.{line}") or ()


@Varies
def ask_line(state: State, effect: Effect, line: str) -> State | None:
    """Return the state that asks for a line's bonuses, None if they are known."""
    return ask_unknown(state, effect, f"link.{line}")


@Varies
def ask_stair(state: State, effect: Effect) -> State | None:
    """Return the state that asks for an unknown fact of a stair before a pawn moves there, or None."""
    return None


@Varies
def arrive(state: State, stair: str, was: int) -> State:
    """Return the state after the own pawn moved on a stair from step ``was``, before the move's gains."""
    return state


@BOOK.check("climb.scroll", "MK-11.1", "climb")
def check_climb_scroll(state: State, token: str) -> Objection | None:
    return None if token == GO or state.owns(f"climb_{token}") else Objection({"resource": token})


@BOOK.check("climb.price", "MK-12.4", "climb", pieces=True)
def check_climb_price(state: State, token: str) -> Objection | None:
    there = token == GO or state.own.resource(RESOURCES.index(token))
    return None if there else Objection({"resource": token})


def act(state: State, area: str) -> State:
    """Do the mosque's or the palace's action: 1 step for each of its keshis (MK-11.1)."""
    return state.doing(Effect(OF_AREA[area], number=state.own.deployed(LETTERS.index(area))))


happens("stair")(asking(lambda effect: Stair("", effect.times)))


@happens("both_stairs")
def happen_both_stairs(state: State, _: Effect) -> State:
    """Move on both stairs by scroll 55."""
    return state.asking(Stair(BOTH, BOTH_STEPS))


@BOOK.effect("stair")
def effect_stair(state: State, token: str) -> State:
    frame = state.asked(Stair)
    other = [stair for stair in STAIRS if stair != token] * (frame.which == BOTH)
    return state.answered().doing(*(Effect(stair, number=frame.steps) for stair in (token, *other)))


@happens(*STAIRS)
def happen_stairs(state: State, effect: Effect) -> State:
    """Move on a stair; scroll 48 lengthens the move, scrolls 26 and 27 do if they are paid for."""
    if not effect.times:
        return state
    steps = effect.times + state.owns("longer_stair")
    if any(state.owns(f"climb_{paid}") for paid in PAID):
        return BOOK.ask(state, Climb(effect.name, steps))
    return _move_on(state, effect.name, steps)


@BOOK.effect("climb")
def effect_climb(state: State, token: str) -> State:
    frame = state.asked(Climb)
    state = state.answered()
    if token == GO:
        return _move_on(state, frame.stair, frame.steps)
    return BOOK.ask(state.got(RESOURCES.index(token), -1), replace(frame, steps=frame.steps + 1))


def _move_on(state: State, stair: str, steps: int) -> State:
    return state.doing(Effect("step", stair, steps)) if steps else state


@happens("step", subject="|".join(STAIRS))
def happen_step(state: State, effect: Effect) -> State:
    """Move up to the next line and give its gains, then go on; VP at the top (MK-11.3)."""
    if asks := ask_stair(state, effect):
        return asks
    stair, there = effect.subject, find_step(state, effect.subject)
    top, lines = find_last_step(state.copy, stair), _list_lines(state, stair)
    if there == top:
        each = 2 if state.owns(f"top_{stair}") else 1
        return state.gained(stair, effect.number * each, "top")
    goal = next((line for line in lines if line > there), top)
    made = min(effect.number, goal - there)
    state = arrive(state.with_own(**{stair: there + made}), stair, there)
    state = _move_on(state, stair, effect.number - made)
    return _cross_line(state) if there + made in lines else state


def _cross_line(state: State) -> State:
    """Cross a line: 1 dinar, the gains of scrolls 13 to 16, then the connection's bonus (MK-11.2)."""
    state = state.with_own(lines=state.own.lines + 1)
    names = ["dinar", *(name for name, scroll in LINE_SCROLLS.items() if state.owns(scroll))]
    line, last = find_line(state), LINK
    if line and RIVER in names and not state.compelled:
        names.remove(RIVER)
        last = "first"
    each = [(name, "") for name in names] + [(last, line)] * bool(line)
    return state.doing(*(Effect(*one, ONCE, "connections", f"line{line}") for one in each))


happens("first", subject=f"[1-{SECTIONS}]{{2}}")(
    asking(lambda effect: First(effect.subject, why=effect.why, source=effect.source))
)
"""Scroll 16's river step and the connection's bonus, in the owner's order (MK-5.8)."""


@BOOK.effect("first")
def effect_first(state: State, token: str) -> State:
    """Do the chosen one, then the other."""
    frame = state.asked(First)
    each = [(LINK, frame.line), (RIVER, "")]
    both = [Effect(*one, ONCE, frame.why, frame.source) for one in each]
    return state.answered().doing(*(both if token == LINK else both[::-1]))


@happens("all_links")
def happen_all_links(state: State, effect: Effect) -> State:
    """Give with scroll 59 all bonuses of the line between the own pawns, in the owner's order (MK-5.8)."""
    line = find_line(state)
    return state.doing(replace(effect, name=LINK, subject=line, number=len(LINKS))) if line else state


@happens("link", subject=f"[1-{SECTIONS}]{{2}}")
def happen_link(state: State, effect: Effect) -> State:
    """Ask for a bonus of the line, with scroll 63 for two different ones."""
    if asks := ask_line(state, effect, effect.subject):
        return asks
    number = effect.number if effect.number != ONCE else DIFFERENT if state.owns("two_links") else 1
    return BOOK.ask(state, Link(effect.subject, number, why=effect.why, source=effect.source))


@BOOK.effect("link")
def effect_link(state: State, token: str) -> State:
    """Give the chosen bonus before the next question; the last one of a line needs no question."""
    frame = state.asked(Link)
    left = _list_left(state) if frame.left > 1 else []
    if token in left:
        left.remove(token)
    state = state.answered()
    if len(set(left)) > 1:
        state = state.asking(replace(frame, taken=f"{frame.taken}+{token}", left=frame.left - 1))
        left = []
    return state.doing(*(effect_of(word, frame.why, frame.source) for word in (token, *left)))


@BOOK.fits("first")
def fits_first(state: State) -> bool:
    """Return True if the seat has scroll 16 and its pawns are on a line."""
    return state.owns(LINE_SCROLLS[RIVER]) and bool(find_line(state))


@BOOK.fits("link")
def fits_link(state: State) -> bool:
    return state.asked(Link).left > 0 and bool(offer_link(state))
