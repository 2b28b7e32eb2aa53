"""Binary STL files: what a slicer would choke on, and how big a part is."""

from collections import Counter
from pathlib import Path

import numpy as np

FACET = np.dtype([("normal", "<3f4"), ("corners", "<3,3f4"), ("colour", "<u2")])


def read(path: Path) -> np.ndarray:
    """The corners of a part's triangles, in mm: n × 3 × 3, seen from outside counter-clockwise."""
    data = path.read_bytes()
    facets = np.frombuffer(data, FACET, offset=84)
    assert int.from_bytes(data[80:84], "little") == len(facets), f"{path.name} ends too soon"
    return facets["corners"].astype(float)


def open_edges(part: np.ndarray) -> list[tuple]:
    """The edges that are not run through once each way: empty for a watertight part."""
    runs: Counter[tuple] = Counter()
    for triangle in part:
        a, b, c = map(tuple, triangle)
        runs.update([(a, b), (b, c), (c, a)])
    return [edge for edge, times in runs.items() if times != 1 or runs[edge[::-1]] != 1]


def volume(part: np.ndarray) -> float:
    """In mm³; negative where the triangles look inwards."""
    a, b, c = part.transpose(1, 0, 2)
    return float(np.einsum("ni,ni->", a, np.cross(b, c)) / 6)


def size(part: np.ndarray) -> np.ndarray:
    """Return length, width and height."""
    corners = part.reshape(-1, 3)
    return corners.max(axis=0) - corners.min(axis=0)


def thinnest(part: np.ndarray) -> float:
    """The thinnest place straight below a triangle's middle, in mm; triangles of no width are left out."""
    a, b, c = part.transpose(1, 0, 2)
    across = np.cross(b - a, c - a)
    twice = np.linalg.norm(across, axis=1)
    edges = np.linalg.norm(part - np.roll(part, 1, axis=1), axis=2).max(axis=1)
    kept = twice / edges > 0.3
    normals = across / np.maximum(twice, 1e-12)[:, None]
    start, into = part.mean(axis=1)[kept], -normals[kept]
    beside, least = np.cross(start, into), np.inf
    # Möller and Trumbore, all rays against all triangles, their triple products turned into those of matrices
    b_turned, c_turned = np.cross(a, b - a), np.cross(c - a, a)
    from_origin = np.einsum("ni,ni->n", a, across)
    for some in np.array_split(np.arange(len(start)), len(start) // 256 + 1):
        det = -into[some] @ across.T
        with np.errstate(divide="ignore", invalid="ignore"):
            u = (beside[some] @ (c - a).T - into[some] @ c_turned.T) / det
            v = -(beside[some] @ (b - a).T + into[some] @ b_turned.T) / det
            far = (start[some] @ across.T - from_origin) / det
            hit = (det < -1e-9) & (u >= 0) & (v >= 0) & (u + v <= 1) & (far > 1e-4)
        least = min(least, far[hit].min(initial=np.inf))
    return float(least)


def leaning(part: np.ndarray) -> float:
    """Return how far the worst surface leans out over nothing, in degrees from upright.

    What lies on the bed is held, and a flat roof is bridged; what is smaller than 12 mm², such as the roof of
    a screw's hole, holds by itself.
    """
    a, b, c = part.transpose(1, 0, 2)
    across = np.cross(b - a, c - a)
    twice = np.linalg.norm(across, axis=1)
    down = -across[:, 2] / np.maximum(twice, 1e-12)
    over = (twice > 24) & (down > 0) & (down < 0.999)
    return float(np.degrees(np.arcsin(down[over])).max(initial=0.0))
