"""A step in a game master's words: one text a step, its blanks filled by figures and by what answers are
called.

Of most questions the text is ``said.<question>``, in which ``{answer}`` is what the answer is called. What
declines has a text of its own: ``said.good_none``.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.contract import Choice, Label
from engines.kit.rulebook import question
from engines.marrakesh import medina, sahara, tiles
from engines.marrakesh.book import BOOK
from engines.marrakesh.expanding import Said, added
from engines.marrakesh.facts import known
from engines.marrakesh.keshis import CHOSEN, SOUK
from engines.marrakesh.notation import counts, label, oasis_form, scroll_effect
from engines.marrakesh.paying import ANY
from engines.marrakesh.sahara import DONE
from engines.marrakesh.scoring import returns
from engines.marrakesh.state import State

_BY_ITSELF = frozenset({"none", "done", "no", "yes", "go"})
"""Answers with a text of their own."""
_ALIKE = {"settle": "keshi", "goods": "keshi"}
"""Questions that are told as another is."""
_UNTOLD = frozenset({"action", "oasis", "caravan", "oasis_number"})
"""Questions whose answers hands do not tell, or not whole."""


def said(before: State, choices: Sequence[Choice]) -> tuple[Label, ...]:
    """A step or its beginning, then answers that nobody was asked for: ``sails to space 7``."""
    if not choices:
        return ()
    told, state = _step(before, choices), before
    for choice in choices:
        for alone in BOOK.by_itself(state, choice):
            if alone.choice.question in _UNTOLD and alone.choice.token != DONE:
                then = _step(alone.of, [alone.choice])
                told = Label("said.and_then", (), (("step", (told,)), ("then", (then,))))
        state = BOOK.apply(state, choice)
    return (told,)


def _step(before: State, choices: Sequence[Choice]) -> Label:
    asked, tokens = choices[0].question, [choice.token for choice in choices]
    if tokens[0] in _BY_ITSELF:
        won = "_won" * (asked == "workshop" and medina.is_won(before.frames[-1]))
        return Label(f"said.{asked}{won}_{tokens[0]}")
    told: Said | None = _SAID.get(asked) or added("said", asked)
    return told(before, tokens) if told else called(f"said.{_ALIKE.get(asked, asked)}", before, choices[0])


def called(key: str, before: State, choice: Choice) -> Label:
    """Return a text with what a choice is called, and the figures of its question."""
    frame = before.frames[-1]
    figures = (("seat", before.seat), ("n", max(1, frame.n)), ("colour", frame.what))
    return Label(key, figures, (("answer", (label(choice),)),))


def _listed(key: str, name: str) -> Said:
    """A step of several answers of a kind."""
    return lambda _, tokens: Label(f"said.{key}", ((name, ",".join(tokens)),))


def _counted(key: str, name: str) -> Said:
    """An answer that is written ``2t1g``: colours or amounts of it by name."""

    def told(_: State, tokens: Sequence[str]) -> Label:
        found = counts(tokens[0])
        return Label(f"said.{key}", ((name, found),)) if found else Label(f"said.{key}_none")

    return told


def _choose(_: State, tokens: Sequence[str]) -> Label:
    """The colours, and the area of red's assistant."""
    figures = (("colours", ",".join(tokens[:CHOSEN])), ("area", "".join(tokens[CHOSEN:])))
    return Label("said.choose_red" if tokens[CHOSEN:] else "said.choose", figures)


def _action(_: State, tokens: Sequence[str]) -> Label:
    area, way = tokens[0].split(".")
    if way == "act":
        return Label(f"said.act_{area}")
    key = "sell" if way.startswith("sell_") else way if way in ("buy", "leave") else "area_keshi"
    colour = way.removeprefix("sell_") if area == SOUK else area
    return Label(f"said.{key}", (("area", area), ("colour", colour)))


def _sail(before: State, tokens: Sequence[str]) -> Label:
    """The goal; a taken space is not rested on (MK-7.2). Hands are told what water that takes."""
    goal, _, over = tokens[0].partition("+")
    others = [side.fisherman for seat, side in enumerate(before.sides) if seat != before.seat]
    if not goal.isdigit():
        return Label("said.sail_over" if over else "said.sail_jetty", (("n", over),))
    taken = int(goal) in others and not before.variant.shared
    return Label("said.sail_taken" if taken else "said.sail", (("n", goal),))


def _line(before: State, tokens: Sequence[str]) -> Label:
    return Label("said.line", (("colour", before.frames[-1].what), ("rewards", counts(tokens[0]))))


def _scroll(before: State, tokens: Sequence[str]) -> Label:
    """A scroll by what it does, as far as its copy is known, else by public lists."""
    token = tokens[0]
    if not token.isdigit():
        return Label("said.refresh", (("stacks", token.removeprefix("turn_")),))
    effect = known(before.copy, tiles.scroll_fact(int(token))) or scroll_effect(int(token))
    return Label(f"said.{question(before)}", (("number", token), ("reward", effect)))


def _workshop(before: State, tokens: Sequence[str]) -> Label:
    """A gate as far as it was told: its workshop, which may have been asked for before it, colour, place."""
    told = tokens if question(before) == "workshop" else (before.frames[-1].what, *tokens)
    key = ("workshop", "gate", "gate_place")[len(told) - 1]
    return Label(f"said.{key}", tuple(zip(("n", "colour", "place"), told, strict=False)))


def _oasis_number(before: State, tokens: Sequence[str]) -> Label:
    key = before.frames[-1].what or question(before)
    return Label(f"said.{key}", (("number", tokens[0]), ("tile", oasis_form(tokens[0]))))


def _give_back(_: State, tokens: Sequence[str]) -> Label:
    colour, *places = tokens
    figures = (("colour", colour),)
    if not places:
        return Label("said.give_back", figures)
    return Label("said.give_back_from", figures, (("place", (label(Choice("back_from", places[0])),)),))


def _instead(before: State, tokens: Sequence[str]) -> Label:
    return _listed("pays" if before.frames[-1].what == ANY else "instead", "rewards")(before, tokens)


def _print(before: State, tokens: Sequence[str]) -> Label:
    return Label("said.print", (("fact", before.frames[-1].what), ("value", tokens[0])))


def _returned(before: State, tokens: Sequence[str]) -> Label:
    kind = returns(before, int(before.frames[-1].what))
    assert kind is not None, "asked of an oasis that takes resources"
    return Label("said.returned", (("rewards", f"{tokens[0]}{'wdn'[kind]}"),))


_SAID: dict[str, Said] = {
    "stock": _listed("stock", "colours"),
    "choose": _choose,
    "tray": _counted("tray", "colours"),
    "action": _action,
    "harvest": _counted("harvest", "rewards"),
    "sail": _sail,
    "climb": _listed("climb", "rewards"),
    "resource": _listed("resource", "rewards"),
    "first": lambda _, tokens: Label(f"said.first_{tokens[0]}"),
    "line": _line,
    "scroll": _scroll,
    "learn": _scroll,
    "workshop": _workshop,
    "gate": _workshop,
    "oasis": lambda before, tokens: sahara.called(before, tokens[0]),
    "oasis_number": _oasis_number,
    "score_oasis": _oasis_number,
    "give_back": _give_back,
    "instead": _instead,
    "part": _listed("pays", "rewards"),
    "print": _print,
    "returned": _returned,
    "sell": _counted("sells", "rewards"),
}
"""What is said of a step by the question that it begins with, where the text needs more than the answer."""
