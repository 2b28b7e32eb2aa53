"""A step in a game master's words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.contract import Choice, Label
from engines.kit.rulebook import question
from engines.marrakesh import medina, sahara, tiles
from engines.marrakesh.book import BOOK
from engines.marrakesh.expanding import Said, added
from engines.marrakesh.facts import known
from engines.marrakesh.keshis import SOUK
from engines.marrakesh.notation import counts, label, oasis_form, scroll_effect, used
from engines.marrakesh.paying import ANY
from engines.marrakesh.sahara import DONE
from engines.marrakesh.scoring import returns
from engines.marrakesh.state import State


def said(before: State, choices: Sequence[Choice]) -> tuple[Label, ...]:
    """A step or its beginning: ``sails to space 7, 2 water paid``."""
    if not choices:
        return ()
    if choices[0].question == "choose":
        return tuple(_chosen(choices))
    tokens = [choice.token for choice in choices]
    told = _SAID.get(choices[0].question) or added("said", choices[0].question)
    return (*told(before, tokens), *_by_itself(before, choices))


def _by_itself(state: State, choices: Sequence[Choice]) -> Iterator[Label]:
    """Tell answers that nobody was asked for, where hands do not tell them."""
    for choice in choices:
        for answer in BOOK.by_itself(state, choice):
            asked, token = answer.choice.question, answer.choice.token
            if asked in _UNSAID and token != DONE:
                yield from (Label("said.and_then"), *_SAID[asked](answer.of, [token]))
        state = BOOK.apply(state, choice)


_UNSAID = frozenset({"action", "oasis", "caravan", "oasis_number"})
"""Questions whose answers hands do not tell, or not whole."""


def _stock(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    yield Label("said.stock", (("colours", ",".join(tokens)),))


def _chosen(choices: Sequence[Choice]) -> Iterator[Label]:
    """Yield the colours, and the area of red's assistant."""
    colours = [choice.token for choice in choices if choice.question == "choose"]
    yield Label("said.choose", (("colours", ",".join(colours)),))
    for choice in choices:
        if choice.question == "red_area":
            yield Label("said.red_area", (("area", choice.token),))


def _counted(key: str, name: str) -> Said:
    """Say an answer that is written ``2t1g``: colours or amounts of it by name."""

    def told(_: State, tokens: Sequence[str]) -> Iterator[Label]:
        found = counts(tokens[0])
        yield Label(f"said.{key}{'' if found else '_none'}", ((name, found),))

    return told


def _of(key: str, name: str) -> Said:
    """A step that is its first answer."""
    return lambda _, tokens: (Label(f"said.{key}", ((name, tokens[0]),)),)


def _or_none(key: str, name: str) -> Said:
    """Say an answer that may also decline."""
    return lambda _, tokens: (
        Label(f"said.{key}_none") if tokens[0] == "none" else Label(f"said.{key}", ((name, tokens[0]),)),
    )


def _named(key: str) -> Said:
    """Say an answer by a text of its own."""
    return lambda _, tokens: (Label(f"said.{key}_{tokens[0]}"),)


def _called_as(key: str, asked: str) -> Said:
    """Words, then what the answer is called."""
    return lambda _, tokens: (Label(f"said.{key}"), label(Choice(asked, tokens[0])))


def _action(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    area, way = tokens[0].split(".")
    if way == "act":
        yield Label(f"said.act_{area}")
        return
    key = "sell" if way.startswith("sell_") else way if way in ("buy", "leave") else "keshi"
    colour = way.removeprefix("sell_") if area == SOUK else area
    yield Label(f"said.{key}", (("area", area), ("colour", colour)))


def _sector(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    if tokens[0] == "none":
        yield Label("said.sector_none")
    else:
        yield from (Label("said.sector"), used(tokens[0]))


def _sail(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    """Say the goal; a taken space is not rested on (MK-7.2). Hands are told what water that takes."""
    goal, _, over = tokens[0].partition("+")
    yield Label(
        f"said.{'sail_over' if over else 'sail_jetty' if goal == 'jetty' else 'sail'}", (("n", over or goal),)
    )
    others = (side.fisherman for seat, side in enumerate(before.sides) if seat != before.seat)
    if goal.isdigit() and int(goal) in others and not before.variant.shared:
        yield Label("said.sail_taken", (("n", goal),))


def _rapid(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    yield Label("said.rapid", (("reward", tokens[0]),))


def _disc(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    yield Label("said.disc", (("seat", before.seat),))
    yield label(Choice("disc", tokens[0]))


def _resource(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    yield Label("said.takes_reward", (("rewards", ",".join(tokens)),))


def _keshi(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    n = max(1, before.frames[-1].n)
    yield Label("said.takes_keshi", (("n", n), ("colour", tokens[0])))


def _line(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    figures = (("colour", before.frames[-1].what), ("rewards", counts(tokens[0])))
    yield Label("said.line", figures)


def _scroll(key: str) -> Said:
    def told(before: State, tokens: Sequence[str]) -> Iterator[Label]:
        token = tokens[0]
        if token.isdigit():
            effect = known(before.copy, tiles.scroll_fact(int(token))) or scroll_effect(int(token))
            yield Label(f"said.{key}", (("number", token), ("reward", effect)))
        elif token.startswith("turn_"):
            yield Label("said.refresh", (("stacks", token.removeprefix("turn_")),))
        else:
            yield Label(f"said.{key}_{token}")

    return told


def _workshop(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    if not tokens[0].isdigit():
        yield Label("said.workshop_none" if medina.is_won(before.frames[-1]) else "said.workshop_done")
        return
    figures = (("n", int(tokens[0])), ("colour", "".join(tokens[1:2])))
    yield Label("said.gate" if tokens[1:] else "said.workshop", figures)
    yield from _gate_place(tokens[2:])


def _gate(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    """A gate of a workshop whose price was asked for before it."""
    yield Label("said.gate", (("n", int(before.frames[-1].what)), ("colour", tokens[0])))
    yield from _gate_place(tokens[1:])


def _gate_place(tokens: Sequence[str]) -> Iterator[Label]:
    return (Label("said.gate_place", (("place", int(place)),)) for place in tokens)


def _oasis(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    yield Label("said.oasis_done") if tokens[0] == DONE else sahara.called(before, tokens[0])


def _oasis_number(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    if tokens[0] == "none":
        yield Label("said.spare_none")
    else:
        key = before.frames[-1].what or question(before)
        yield Label(f"said.{key}", (("number", tokens[0]), ("tile", oasis_form(tokens[0]))))


def _give_back(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    if tokens[0] == "none":
        yield Label("said.give_back_none")
        return
    yield Label("said.give_back", (("colour", tokens[0]),))
    for place in tokens[1:]:
        yield from (Label("said.from"), label(Choice("back_from", place)))


def _instead(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    key = "pays" if before.frames[-1].what == ANY else "instead"
    yield Label(f"said.{key}", (("rewards", ",".join(tokens)),))


def _river_tile(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    yield Label("said.river_tile", label(Choice("river_tile", tokens[0])).figures)


def _print(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    yield Label("said.print", (("fact", before.frames[-1].what), ("value", tokens[0])))


def _returned(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    kind = returns(before, int(before.frames[-1].what))
    assert kind is not None, "asked of an oasis that takes resources"
    yield Label("said.returned", (("rewards", f"{tokens[0]}{'wdn'[kind]}"),))


_SAID: dict[str, Said] = {
    "stock": _stock,
    "turn_up": _called_as("turn_up", "turn_up"),
    "red_area": _of("sends_red", "area"),
    "tray": _counted("tray", "colours"),
    "claim": _called_as("takes", "claim"),
    "vendor": _of("vendor", "area"),
    "spot": _of("spot", "reward"),
    "caravan": _named("caravan"),
    "action": _action,
    "harvest": _counted("harvest", "rewards"),
    "sector": _sector,
    "sail": _sail,
    "rapid": _rapid,
    "stair": _named("stair"),
    "climb": _named("climb"),
    "first": _named("first"),
    "link": _of("link", "reward"),
    "disc": _disc,
    "spectators": _of("spectators", "reward"),
    "resource": _resource,
    **dict.fromkeys(("keshi", "settle", "goods"), _keshi),
    "line": _line,
    "good": _or_none("good", "good"),
    "sell_more": _or_none("sell_more", "colour"),
    "scroll": _scroll("scroll"),
    "learn": _scroll("learn"),
    "workshop": _workshop,
    "gate": _gate,
    "gate_keshi": _of("gate_keshi", "colour"),
    "oasis": _oasis,
    "oasis_number": _oasis_number,
    "give_back": _give_back,
    "instead": _instead,
    "part": _of("pays", "rewards"),
    "river_tile": _river_tile,
    "river_choice": _named("river_choice"),
    "lenient": _named("lenient"),
    "print": _print,
    "score_oasis": _oasis_number,
    "returned": _returned,
    "sell": _counted("sells", "rewards"),
}
"""What is said of a step by the question that it begins with."""
