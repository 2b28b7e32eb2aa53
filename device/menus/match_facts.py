"""Table facts around a match: asked for before it is opened, looked up while it is played and afterwards."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

import engines
from device.facts.words import FactWords
from device.match.replay import Header, Replay
from device.menus.facts_pages import ask_facts, facts_menu
from device.menus.ui import View
from device.menus.views import Item, Menu, Reader
from engines.errors import EngineError
from engines.facts import Facts, needed, schema
from engines.match_facts import kept, of_match


def open_asked(box: Any, header: Header) -> None:
    """Ask what a new match must know of the copy, then open it with that."""
    setup = header.setup
    try:
        engines.game(header.game).start(setup)
    except EngineError:
        box.open(header)  # which says why it cannot be, before anybody has entered a thing
        return

    def then(facts: Facts) -> None:
        box.open(replace(header, setup=kept(facts, setup)))

    ask_facts(box, header.game, setup, then, box.uses)


def setup_items(box: Any) -> list[Item]:
    """The set-up's line to what is known of the copies, where any game has something to know."""
    games = [game for game in box.game_texts if len(schema(game))]

    def act() -> None:
        if len(games) == 1:
            box.push(facts_menu(box, games[0]))
        else:
            box.push(Menu(box, box.texts("facts.title"), "", [of_game(game) for game in games]))

    def of_game(game: str) -> Item:
        return Item(box.game_texts[game]("title"), lambda: box.push(facts_menu(box, game)))

    return [Item(box.texts("facts.title"), act)] if games else []


def match_items(box: Any, replay: Replay) -> list[Item]:
    """A match's line to the facts that it goes by."""
    if not len(schema(replay.header.game)):
        return []
    return [Item(box.texts("facts.title"), lambda: box.push(match_facts(box, replay)))]


def match_facts(box: Any, replay: Replay) -> View:
    """What a match goes by, and where the copy here is known to be otherwise."""
    t, header = box.texts, replay.header
    words = FactWords(box.game_texts[header.game])
    facts, _ = of_match(schema(header.game), header.setup)
    here = box.library.copy_of(header.game).load().facts
    rows = [t("facts.sample_match")] * facts.sample
    rows += [t("facts.copy_name", name=facts.copy)] * bool(facts.copy)
    if not header.setup.facts:
        rows.append(t("facts.untold"))
    for fact, known in needed(facts, header.setup):
        key, value = "facts.line", words.known(fact, known)
        if known.value is None and here.known(fact.name).value is not None:
            key, value = "facts.since", words.known(fact, here.known(fact.name))
        rows.append(t(key, label=words.label(fact), value=value))
    if unlike := box.library.unlike(replay):
        rows += [t("facts.unlike"), *unlike]
    return Reader(box, t("facts.title"), "\n".join(rows))
