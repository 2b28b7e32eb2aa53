"""Pictures of towers beside the truth: columns read with a deck that one picture taught."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import zip_longest
from typing import Literal, TypeAlias

import msgspec

from device.sensors.readers import bench
from device.sensors.readers.san_gimignano import towers
from device.sensors.readers.san_gimignano.towers import ReadColumn
from vision.cards import deck, reading
from vision.plane import find_heaps

KEY = "cards"
Card: TypeAlias = Literal["5", "6", "7", "8", "9", "10", "pietra"]


class TrueTower(msgspec.Struct, frozen=True):
    """A column: its storeys from the far end, or their number if it lies face down."""

    kind: Literal["plain", "colourful", "complete"]
    storeys: tuple[Card, ...] | int


class Truth(bench.FieldTruth, frozen=True, kw_only=True):
    """The truth of a picture: ``columns`` from west to east and the picture that teaches the deck, or the
    ``slots`` of such a picture.
    """

    card_mm: tuple[bench.Positive, bench.Positive]
    columns: tuple[TrueTower, ...] = ()
    enrolment: str = ""
    slots: tuple[str, ...] = ()


def name_figures(_options: bench.Options) -> Mapping[str, Mapping[str, bench.Total]]:
    """Return the figures by key: of columns, and the share of face-up cards that are right."""
    return {KEY: {**bench.COUNTED, "cards_right": bench.sum_shares}}


@lru_cache
def _learn_deck(scene: bench.PictureWithTruth[Truth]) -> deck.Deck:
    picture = bench.open_picture(scene.picture)
    lens, field, sight = bench.place_of(picture, scene.truth)
    if sight.pose is None:
        raise bench.Unreadable(f"{scene.picture}: the field is not found")
    try:
        laid = find_heaps(picture, lens, sight.pose, field)
        return deck.taught(laid, scene.truth.slots, scene.truth.card_mm)
    except deck.NotTaught as error:
        raise bench.Unreadable(f"{scene.picture}: {error}") from error


def judge(
    scene: bench.PictureWithTruth[Truth], scenes: bench.Scenes[Truth], _options: bench.Options
) -> bench.JudgedPicture | None:
    """Read the towers of a picture and compare them with its truth; None for a picture that only teaches."""
    if not scene.truth.columns:
        return None
    taught = _learn_deck(bench.find_named(scenes, scene.truth.enrolment, "enrolment"))
    picture, watch = bench.open_picture(scene.picture), bench.Stopwatch()
    with watch("find"):
        lens, field, sight = bench.place_of(picture, scene.truth)
    seen: list[ReadColumn] = []
    if sight.pose is not None:
        with watch("heaps"):
            heaps = find_heaps(picture, lens, sight.pose, field)
        with watch("fans"):
            columns = [reading.read(heap, taught) for heap in heaps]
        with watch("towers"):
            seen = [*towers.read(columns).best]
    outcomes, notes, right, cards = [], list[str](), 0, 0
    for standing, tower in zip_longest(seen, scene.truth.columns):
        exact = standing is not None and tower is not None and standing.storeys == tower.storeys
        outcomes.append(bench.PictureOutcome.of(exact, standing is not None and standing.sure))
        if tower is not None and not isinstance(tower.storeys, int):
            storeys = () if standing is None or isinstance(standing.storeys, int) else standing.storeys
            right += sum(one == other for one, other in zip(storeys, tower.storeys, strict=False))
            cards += max(len(storeys), len(tower.storeys))
        if not exact:
            notes.append(f"{_write_column(standing)} for {_write_column(tower)}")
    figures = {**bench.count_outcomes(outcomes, watch.stages), "cards_right": (right, cards)}
    text = bench.describe_outcomes(outcomes, "columns")
    return bench.JudgedPicture(text, watch.stages, {KEY: figures}, "; ".join(notes))


def _write_column(column: ReadColumn | TrueTower | None) -> str:
    return str(ReadColumn(column.storeys, sure=True).said) if column else "none"
