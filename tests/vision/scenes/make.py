"""Make pictures: ``python -m tests.vision.scenes.make --help``.

Every picture follows from its set, kind and number, so the same command makes the same pictures.
"""

import argparse
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import NamedTuple

import cv2
import numpy as np
from msgspec import structs

from tests.vision.scenes import boards, mat, torres, tray
from tests.vision.scenes.finish import Fault, expose, faults, jpeg
from tests.vision.scenes.looks import LOOKS, Look
from tests.vision.scenes.povray import FULL, render
from tests.vision.scenes.view import bend

ILLEGAL = 0.12
"""How many of the boards no turn leads to."""


class Made(NamedTuple):
    """The JPEG's bytes of a picture, its truth, and other pictures by what they are to it."""

    picture: bytes
    truth: dict
    beside: Mapping[str, bytes] = MappingProxyType({})


class Taken(NamedTuple):
    """The exposure of a picture: the brightness of a white sheet in it, and the camera's faults."""

    white: float
    fault: Fault


def picture(made: torres.Table | tray.Tray, rng: Random, look: Look) -> tuple[bytes, Taken]:
    """The JPEG's bytes of a table or tray as a camera takes it, and how it was taken."""
    bent, fault = seen(made, made.text), faults(rng, look, made.light)
    taken = Taken(white(made, bent), fault)
    return jpeg(expose(bent, taken.white, fault), fault), taken


def seen(made: torres.Table | tray.Tray, text: str) -> np.ndarray:
    """A scene in linear light through the lens."""
    with tempfile.TemporaryDirectory() as folder:
        return bend(made.view, render(text, Path(folder)))


def white(made: torres.Table | tray.Tray, bent: np.ndarray) -> float:
    """Return how bright a white sheet is in the picture: the mean of the markers' pads that are seen, in
    green.
    """
    hidden, found = made.hidden(), []
    for marker in made.markers:
        if marker.id not in hidden:
            for x, y in made.view.project(marker.corners(mat.MARKER / 2 + mat.PAD / 2)):
                found.append(bent[round(y), round(x), 1])
    return float(np.mean(found)) if found else FULL


def torres_picture(number: int, look: Look) -> Made:
    """One Torres board: the JPEG's bytes and its truth."""
    rng = Random(f"torres {look.name} {number}")
    played = boards.position(rng, illegal=rng.random() < ILLEGAL)
    colours = rng.sample(boards.COLOURS, 4)
    made = torres.table(rng, look, played.seen, tuple(colours))
    shown, _ = picture(made, rng, look)
    before = boards.of(played.state)
    truth = {
        "game": "torres",
        "field_mm": list(made.field),
        "first_marker": 0,
        "marker_gap_mm": torres.GAP,
        "cell_mm": made.cell,
        "block_mm": list(made.block),
        **boards.described(played.seen, colours),
        "before": boards.described(before, colours),
        "camera": made.view.truth(),
        "light": {"warm": made.light.warm},
        "picture": "",
        "seat": colours[played.state.seat],
        "turn": list(played.turn),
        "legal": played.legal,
        "scene": {"hidden_markers": made.hidden(), "position": boards.GAME.position.write(played.state)},
    }
    return Made(shown, truth)


def tray_picture(number: int, look: Look) -> Made:
    """One tray, its truth, and the strip on it: camera, light and exposure are locked between the two."""
    rng = Random(f"tray {look.name} {number}")
    made = tray.tray(rng, look)
    shown, (sheet, fault) = picture(made, rng, look)
    truth = {
        "game": "marrakesh",
        "field_mm": list(tray.FIELD),
        "first_marker": 4,
        "marker_gap_mm": tray.GAP,
        "keshi_mm": list(made.copy.keshi),
        "counts": made.counts(),
        **tray.weighed(rng, len(made.pieces)),
        "camera": made.view.truth(),
        "light": {"warm": made.light.warm},
        "picture": "",
        "scene": {"hidden_markers": made.hidden(), "pieces": made.described()},
    }
    again = Random(f"strip {look.name} {number}")
    fault = structs.replace(fault, seed=again.getrandbits(32))
    strip = jpeg(expose(seen(made, tray.strip(again, look, made)), sheet, fault), fault)
    return Made(shown, truth, {"strip": strip})


PICTURES = {"torres": torres_picture, "tray": tray_picture}


def make(kind: str, number: int, look_name: str, folder: Path) -> Path:
    """Write NAME.jpg and then NAME.json into ``folder``; what is there already is kept."""
    name = f"{kind}_{look_name}_{number:03d}"
    done = folder / f"{name}.json"
    if done.exists():
        return done
    folder.mkdir(parents=True, exist_ok=True)
    made = PICTURES[kind](number, LOOKS[look_name])
    truth = {**made.truth, "picture": f"{name}.jpg"}
    truth["scene"]["trouble"] = trouble(made.picture, truth)
    write(folder / f"{name}.jpg", made.picture)
    for more, data in made.beside.items():
        truth[more] = f"{name}_{more}.jpg"
        write(folder / truth[more], data)
    write(done, json.dumps(truth, separators=(",", ":")).encode())
    return done


def write(path: Path, data: bytes) -> None:
    """Write a whole file or none."""
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(data)
    os.replace(part, path)


def trouble(data: bytes, truth: dict) -> list[str]:
    """Return what an automatic look finds wrong with a picture: markers that should be seen and are not."""
    shown = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    _, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(shown)
    seen = set() if ids is None else {int(n) for n in ids.ravel()}
    wanted = {truth["first_marker"] + n for n in range(4)} - set(truth["scene"]["hidden_markers"])
    return [f"marker {n} not found" for n in sorted(wanted - seen)]


def main() -> None:
    """The command."""
    ask = argparse.ArgumentParser(description="Make rendered pictures with their truth.")
    ask.add_argument("--look", choices=LOOKS, default="tune")
    ask.add_argument("--torres", type=int, default=10, metavar="N", help="how many boards")
    ask.add_argument("--tray", type=int, default=10, metavar="N", help="how many trays")
    ask.add_argument("--first", type=int, default=0, help="the first number")
    ask.add_argument("--out", type=Path, required=True, help="folder; boards go to torres/, trays to tray/")
    asked = ask.parse_args()
    cv2.setNumThreads(1)
    for number in range(asked.first, asked.first + max(asked.torres, asked.tray)):
        for kind, many in (("torres", asked.torres), ("tray", asked.tray)):
            if number - asked.first < many:
                made = make(kind, number, asked.look, asked.out / kind)
                print(made, *json.loads(made.read_text())["scene"]["trouble"], flush=True)


if __name__ == "__main__":
    main()
