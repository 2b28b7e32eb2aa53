"""Pictures of towers beside the truth: columns read with a deck that one picture taught."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from device.sensors.readers.bench import (
    Each,
    Options,
    Place,
    Positive,
    Scene,
    Section,
    Share,
    Stages,
    Stopwatch,
    Unreadable,
    line,
    lines,
    open_picture,
    place_of,
    times,
)
from device.sensors.readers.san_gimignano import towers
from device.sensors.readers.san_gimignano.towers import Standing
from vision.cards import deck, fan, flat

Card: TypeAlias = Literal["5", "6", "7", "8", "9", "10", "pietra"]


class Tower(msgspec.Struct, frozen=True):
    """A column: its storeys from the far end, or how many of one that lies face down."""

    kind: Literal["plain", "colourful", "complete"]
    storeys: tuple[Card, ...] | int


class Truth(Place, frozen=True, kw_only=True):
    """What a picture holds: ``columns`` from west to east and the picture that teaches the deck, or the
    ``slots`` of such a picture.
    """

    card_mm: tuple[Positive, Positive]
    columns: tuple[Tower, ...] = ()
    enrolment: str = ""
    slots: tuple[str, ...] = ()


class Judged(msgspec.Struct, frozen=True):
    """One picture's columns beside the truth, each as ``(right, sure)``, and its cards that were right."""

    columns: tuple[tuple[bool, bool], ...]
    cards: Share
    stages: Stages
    note: str = ""


class CardFigures(msgspec.Struct, frozen=True):
    """``n`` columns, of which so many were ``exact``, asked about (``doubted``), and wrong without a question
    (``silent_wrong``); ``cards_right`` is the share of cards face up. Times are in ms a picture.
    """

    n: int
    exact: int
    doubted: int
    silent_wrong: int
    cards_right: float | None
    ms_median: float | None
    ms_worst: float | None


def measure(scenes: Mapping[str, Scene[Truth]], read: Each, _options: Options) -> Section:
    """Read all pictures of towers in a folder; those that teach belong to them."""

    @cache
    def taught(name: str) -> deck.Deck:
        scene = scenes.get(Path(name).stem)
        if scene is None:
            raise Unreadable(f"enrolment: there is no truth of {name}")
        return _deck(scene)

    played = {name: scene for name, scene in scenes.items() if scene.truth.columns}
    judged = read(played, lambda scene: _judged(scene, taught(scene.truth.enrolment)))
    columns = [column for one in judged.values() for column in one.columns]
    cards = Share(sum(one.cards.k for one in judged.values()), sum(one.cards.n for one in judged.values()))
    middle, worst = times([one.stages for one in judged.values()])
    figures = CardFigures(
        n=len(columns),
        exact=sum(right for right, _ in columns),
        doubted=sum(not sure for _, sure in columns),
        silent_wrong=sum(sure and not right for right, sure in columns),
        cards_right=cards.value,
        ms_median=middle,
        ms_worst=worst,
    )
    return Section(
        {"cards": figures},
        tuple(line(name, _word(one), one.stages, one.note) for name, one in judged.items()),
        lines("cards", figures),
        {"cards": tuple(one.stages for one in judged.values())},
    )


def _word(judged: Judged) -> str:
    right = sum(right for right, _ in judged.columns)
    word = f"{right} of {len(judged.columns)} columns right"
    doubted = sum(not sure for _, sure in judged.columns)
    if doubted:
        word += f", {doubted} doubted"
    return f"{word}, SILENT" if any(sure and not right for right, sure in judged.columns) else word


def _deck(scene: Scene[Truth]) -> deck.Deck:
    picture = open_picture(scene.picture)
    lens, field, sight = place_of(picture, scene.truth)
    if sight.pose is None:
        raise Unreadable(f"{scene.picture}: the field is not found")
    try:
        laid = flat.heaps(flat.flatten(picture, lens, sight.pose, field))
        return deck.taught(laid, scene.truth.slots, scene.truth.card_mm)
    except deck.NotTaught as error:
        raise Unreadable(f"{scene.picture}: {error}") from error


def _judged(scene: Scene[Truth], taught: deck.Deck) -> Judged:
    picture, watch = open_picture(scene.picture), Stopwatch()
    with watch("find"):
        lens, field, sight = place_of(picture, scene.truth)
    seen: list[Standing] = []
    if sight.pose is not None:
        with watch("heaps"):
            heaps = flat.heaps(flat.flatten(picture, lens, sight.pose, field))
        with watch("fans"):
            columns = [fan.read(heap, taught) for heap in heaps]
        with watch("towers"):
            seen = [*towers.read(columns).best]
    return _beside(seen, scene.truth.columns, watch.stages, found=sight.pose is not None)


def _beside(seen: list[Standing], truth: tuple[Tower, ...], stages: Stages, *, found: bool) -> Judged:
    columns, notes, right, all_cards = [], list[str](), 0, 0
    for standing, tower in zip_longest(seen, truth):
        exact = standing is not None and tower is not None and standing.storeys == tower.storeys
        columns.append((exact, not found or (standing is not None and standing.sure)))
        if tower is not None and not isinstance(tower.storeys, int):
            read = () if standing is None or isinstance(standing.storeys, int) else standing.storeys
            right += sum(one == other for one, other in zip(read, tower.storeys, strict=False))
            all_cards += max(len(read), len(tower.storeys))
        if not exact:
            notes.append(f"{_text(standing)} for {_text(tower)}")
    if not found:
        columns = [(False, False) for _ in truth]
    return Judged(tuple(columns), Share(right, all_cards), stages, "; ".join(notes))


def _text(column: Standing | Tower | None) -> str:
    if column is None:
        return "none"
    storeys = column.storeys
    return f"{storeys} face down" if isinstance(storeys, int) else " ".join(storeys)
