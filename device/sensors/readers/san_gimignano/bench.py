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
    FieldTruth,
    Options,
    PictureOutcome,
    PictureWithTruth,
    Positive,
    ReadingCounts,
    ReportSection,
    Share,
    Stages,
    Stopwatch,
    Unreadable,
    line,
    lines,
    open_picture,
    place_of,
)
from device.sensors.readers.san_gimignano import towers
from device.sensors.readers.san_gimignano.towers import ReadColumn
from vision.cards import deck, fan, flat

Card: TypeAlias = Literal["5", "6", "7", "8", "9", "10", "pietra"]


class Tower(msgspec.Struct, frozen=True):
    """A column: its storeys from the far end, or how many of one that lies face down."""

    kind: Literal["plain", "colourful", "complete"]
    storeys: tuple[Card, ...] | int


class Truth(FieldTruth, frozen=True, kw_only=True):
    """What a picture holds: ``columns`` from west to east and the picture that teaches the deck, or the
    ``slots`` of such a picture.
    """

    card_mm: tuple[Positive, Positive]
    columns: tuple[Tower, ...] = ()
    enrolment: str = ""
    slots: tuple[str, ...] = ()


class Judged(msgspec.Struct, frozen=True):
    """What became of one picture's columns, and the share of its cards that were right."""

    columns: tuple[PictureOutcome, ...]
    cards: Share
    stages: Stages
    note: str = ""


class CardFigures(ReadingCounts, frozen=True, kw_only=True):
    """Figures of columns; ``cards_right`` is the share of cards face up."""

    cards_right: float | None


def measure(scenes: Mapping[str, PictureWithTruth[Truth]], read: Each, _options: Options) -> ReportSection:
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
    stages = tuple(one.stages for one in judged.values())
    figures = CardFigures.of(columns, stages, cards_right=cards.value)
    return ReportSection(
        {"cards": figures},
        tuple(line(name, _word(one), one.stages, one.note) for name, one in judged.items()),
        lines("cards", figures),
        {"cards": stages},
    )


def _word(judged: Judged) -> str:
    right = sum(one.exact for one in judged.columns)
    word = f"{right} of {len(judged.columns)} columns right"
    doubted = sum(one.doubted for one in judged.columns)
    if doubted:
        word += f", {doubted} doubted"
    return f"{word}, SILENT" if any(one.silent for one in judged.columns) else word


def _deck(scene: PictureWithTruth[Truth]) -> deck.Deck:
    picture = open_picture(scene.picture)
    lens, field, sight = place_of(picture, scene.truth)
    if sight.pose is None:
        raise Unreadable(f"{scene.picture}: the field is not found")
    try:
        laid = flat.heaps(flat.flatten(picture, lens, sight.pose, field))
        return deck.taught(laid, scene.truth.slots, scene.truth.card_mm)
    except deck.NotTaught as error:
        raise Unreadable(f"{scene.picture}: {error}") from error


def _judged(scene: PictureWithTruth[Truth], taught: deck.Deck) -> Judged:
    picture, watch = open_picture(scene.picture), Stopwatch()
    with watch("find"):
        lens, field, sight = place_of(picture, scene.truth)
    seen: list[ReadColumn] = []
    if sight.pose is not None:
        with watch("heaps"):
            heaps = flat.heaps(flat.flatten(picture, lens, sight.pose, field))
        with watch("fans"):
            columns = [fan.read(heap, taught) for heap in heaps]
        with watch("towers"):
            seen = [*towers.read(columns).best]
    return _beside(seen, scene.truth.columns, watch.stages, found=sight.pose is not None)


def _beside(seen: list[ReadColumn], truth: tuple[Tower, ...], stages: Stages, *, found: bool) -> Judged:
    columns, notes, right, all_cards = [], list[str](), 0, 0
    for standing, tower in zip_longest(seen, truth):
        exact = standing is not None and tower is not None and standing.storeys == tower.storeys
        columns.append(PictureOutcome.of(exact, not found or (standing is not None and standing.sure)))
        if tower is not None and not isinstance(tower.storeys, int):
            read = () if standing is None or isinstance(standing.storeys, int) else standing.storeys
            right += sum(one == other for one, other in zip(read, tower.storeys, strict=False))
            all_cards += max(len(read), len(tower.storeys))
        if not exact:
            notes.append(f"{_text(standing)} for {_text(tower)}")
    if not found:
        columns = [PictureOutcome.of(False, sure=False) for _ in truth]
    return Judged(tuple(columns), Share(right, all_cards), stages, "; ".join(notes))


def _text(column: ReadColumn | Tower | None) -> str:
    if column is None:
        return "none"
    storeys = column.storeys
    return f"{storeys} face down" if isinstance(storeys, int) else " ".join(storeys)
