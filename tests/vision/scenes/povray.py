"""Scenes as POV-Ray has them: solids, finishes, lamps, and a picture in linear light."""

import math
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

import cv2
import numpy as np
from msgspec import Struct

from tests.vision.scenes.view import View, pinhole_size

Vector = Sequence[float]

FULL = 0.5
"""Where the renderer's picture has the light that makes a white sheet white: there is as much room above."""


class Lamp(Struct, frozen=True):
    """A round lamp: position and radius in mm, colour as linear red, green, blue at the field's middle."""

    position: tuple[float, float, float]
    radius: float
    colour: tuple[float, float, float]


def installed() -> bool:
    """Return True if POV-Ray can be run (``apt install povray``)."""
    return shutil.which("povray") is not None


def vector(v: Vector) -> str:
    """A vector as POV-Ray writes it."""
    return "<" + ",".join(f"{x:.5f}" for x in v) + ">"


def finish(colour: Vector, shine: float = 0.0, rough: float = 0.08) -> str:
    """A texture: linear colour 0 to 1, how bright and how wide the lamps' highlights are."""
    bright = f" specular {shine:.3f} roughness {rough:.4f}" if shine else ""
    return f"texture{{pigment{{rgb {vector(colour)}}} finish{{diffuse 1{bright}}}}}"


def box(low: Vector, high: Vector, texture: str) -> str:
    """A box along the axes."""
    return f"box{{{vector(low)},{vector(high)} {texture}}}"


def mesh(corners: np.ndarray, faces: Iterable[Sequence[int]]) -> str:
    """A body of flat convex faces, without a texture."""
    triangles = [(f[0], f[n], f[n + 1]) for f in faces for n in range(1, len(f) - 1)]
    points = ",".join(vector(corner) for corner in corners)
    indices = ",".join(vector_of_ints(t) for t in triangles)
    return (
        f"mesh2{{vertex_vectors{{{len(corners)},{points}}} face_indices{{{len(triangles)},{indices}}} "
        "inside_vector<0,0,1>}"
    )


def vector_of_ints(v: Sequence[int]) -> str:
    """Indices as POV-Ray writes them."""
    return "<" + ",".join(map(str, v)) + ">"


def placed(thing: str, texture: str, turn: np.ndarray, at: Vector) -> str:
    """A declared thing, turned by a rotation matrix and moved."""
    rows = ",".join(f"{x:.6f}" for x in (*turn.T.ravel(), *at))
    return f"object{{{thing} {texture} matrix<{rows}>}}"


def about_z(degrees: float) -> np.ndarray:
    """A turn about the vertical."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def scene(view: View, lamps: Sequence[Lamp], sky: Vector, target: Vector, things: Iterable[str]) -> str:
    """The whole scene; ``target`` is where the lamps' colours hold, ``sky`` the light from all around."""
    width, height = pinhole_size()
    right = np.array(view.right) * (width / view.focal)
    up = -np.array(view.down) * (height / view.focal)
    text = [
        "#version 3.7;",
        "global_settings{assumed_gamma 1.0 max_trace_level 3 radiosity{pretrace_start 0.08 "
        "pretrace_end 0.03 count 60 nearest_count 8 error_bound 0.8 low_error_factor 0.6 "
        "recursion_limit 1 minimum_reuse 0.012 brightness 1}}",
        "#default{finish{ambient 0 emission 0}}",
        f"background{{rgb {vector(np.array(sky) * FULL)}}}",
        f"camera{{perspective location {vector(view.position)} direction {vector(view.ahead)} "
        f"right {vector(right)} up {vector(up)}}}",
        *(_lamp(lamp, target) for lamp in lamps),
        *things,
    ]
    return "\n".join(text)


def _lamp(lamp: Lamp, target: Vector) -> str:
    far = float(np.linalg.norm(np.subtract(lamp.position, target)))
    # At fade_distance the light is what its colour says: 2 / (1 + (d / fade_distance)^2).
    colour = vector(np.array(lamp.colour) * FULL)
    size = f"{2 * lamp.radius:.2f}"
    return (
        f"light_source{{{vector(lamp.position)} rgb {colour} fade_distance {far:.1f} fade_power 2 "
        f"area_light <{size},0,0>,<0,{size},0>,5,5 adaptive 0 jitter circular orient}}"
    )


def render(text: str, folder: Path, quality: int = 9) -> np.ndarray:
    """The picture in linear light, float32 BGR with 1.0 for white under full light; ``quality`` is POV-Ray's,
    and below 9 no light comes from the sky or other things. Raises RuntimeError with POV-Ray's own words
    where it cannot.
    """
    source, picture = folder / "scene.pov", folder / "scene.png"
    source.write_text(text)
    width, height = pinhole_size()
    told = [f"+I{source}", f"+O{picture}", f"+W{width}", f"+H{height}", "+WT1", f"+Q{quality}"]
    told += ["-D", "-GA", "+FN16", "File_Gamma=1.0", "+A0.12", "+AM2", "+R2", "-J", "-P"]
    done = subprocess.run(["povray", *told], capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode or not picture.exists():
        raise RuntimeError(f"povray failed on {source}:\n{done.stderr[-2000:]}")
    read = cv2.imread(str(picture), cv2.IMREAD_UNCHANGED)
    return read[..., :3].astype(np.float32) / 65535 / FULL
