"""Keshis that fall out of the tower: a small rigid-body simulation of octagonal prisms in a walled tray.

Millimetres and seconds. Contacts are springs at the pieces' corners: against the floor, the walls, the
tower's front, and against each other's faces. Edges that cross are not felt, so a throw that ends with
pieces inside one another is thrown again; a spring gives a little.
"""

from random import Random

import numpy as np
from msgspec import Struct

GRAVITY = 9810.0
STEP = 0.0004
STIFF = 450.0**2
DAMP = 2 * 0.35 * 450.0
GRIP = 0.45
TOWER_FRONT = 143.4
CHUTE = (58.0, 122.0)
"""Where pieces come out, west to east."""
INSIDE = 0.4
"""Millimetres by which pieces may overlap, as springs give."""


class Piece(Struct, frozen=True):
    """A piece at rest: its middle (mm) and how it is turned; its own axis is z."""

    middle: tuple[float, float, float]
    turn: tuple[tuple[float, float, float], ...]

    @property
    def matrix(self) -> np.ndarray:
        """The turn as a rotation matrix."""
        return np.array(self.turn)

    @property
    def lie(self) -> str:
        """``flat``, on its ``side``, or leaning."""
        upright = abs(self.turn[2][2])
        return "flat" if upright > 0.985 else "side" if upright < 0.17 else "leaning"


def octagon(across: float, height: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Corners (16, 3), faces' normals (10, 3) and distances (10,) of a prism ``across`` wide over flats."""
    out = across / 2 / np.cos(np.pi / 8)
    angles = np.pi / 8 + np.arange(8) * np.pi / 4
    ring = np.stack([out * np.cos(angles), out * np.sin(angles)], -1)
    corners = np.concatenate([np.c_[ring, np.full(8, z)] for z in (-height / 2, height / 2)])
    flats = np.arange(8) * np.pi / 4
    normals = np.concatenate([np.c_[np.cos(flats), np.sin(flats), np.zeros(8)], [[0, 0, 1], [0, 0, -1.0]]])
    return corners, normals, np.array([across / 2] * 8 + [height / 2] * 2)


def drop(rng: Random, number: int, across: float, height: float, field) -> list[Piece]:
    """``number`` pieces thrown into the tray and come to rest inside it."""
    for _ in range(12):
        found = _thrown(rng, number, across, height, field)
        within = all(0 < p.middle[0] < field[0] and 0 < p.middle[1] < field[1] for p in found)
        if within and deepest(found, across, height) < INSIDE:
            return found
    raise RuntimeError("pieces keep leaving the tray, or going into one another")


def deepest(pieces: list[Piece], across: float, height: float) -> float:
    """Return how far (mm) any two pieces are inside one another: the least push that would part them; 0:
    nowhere.
    """
    corners, normals, _ = octagon(across, height)
    looks, edges = normals[[0, 1, 2, 3, 8]], _edges(corners)
    solids = [(p.matrix, np.array(p.middle), corners @ p.matrix.T + p.middle) for p in pieces]
    most = 0.0
    for number, (turn, middle, points) in enumerate(solids):
        for other_turn, other_middle, others in solids[:number]:
            if np.linalg.norm(middle - other_middle) > np.hypot(across / np.cos(np.pi / 8), height):
                continue
            faces = np.concatenate([looks @ turn.T, looks @ other_turn.T])
            crossed = np.cross((edges @ turn.T)[:, None], (edges @ other_turn.T)[None]).reshape(-1, 3)
            long = np.linalg.norm(crossed, axis=1)
            axes = np.concatenate([faces, crossed[long > 1e-3] / long[long > 1e-3, None]])
            one, other = points @ axes.T, others @ axes.T
            overlap = np.minimum(one.max(0) - other.min(0), other.max(0) - one.min(0))
            most = max(most, float(overlap.min()))
    return most


def _edges(corners: np.ndarray) -> np.ndarray:
    """The directions of a prism's edges: around its octagon, and its axis."""
    around = (np.roll(corners[:8], -1, 0) - corners[:8])[:4]
    return np.concatenate([around / np.linalg.norm(around, axis=1, keepdims=True), [[0, 0, 1.0]]])


def _thrown(rng: Random, number: int, across: float, height: float, field) -> list[Piece]:
    if not number:
        return []
    source = np.random.default_rng(rng.getrandbits(32))
    push = rng.uniform(0.5, 1.25)
    at = np.stack(
        [
            source.uniform(*CHUTE, number),
            source.uniform(field[1] - 35, field[1] - 9, number),
            # One after the other out of the chute: those higher up fall later.
            14 + np.arange(number) * 9.0 + source.uniform(0, 4, number),
        ],
        -1,
    )
    speed = np.stack(
        [
            source.normal(0, 190, number) * push,
            -np.abs(source.normal(240, 150, number)) * push,
            source.uniform(-250, -50, number),
        ],
        -1,
    )
    spin = source.normal(0, 18, (number, 3))
    turn = np.stack([_random_turn(source) for _ in range(number)])
    solid = octagon(across, height)
    radius = float(np.linalg.norm(solid[0][0]))
    inertia = np.array([(across**2 / 4 * 0.53) / 2 + height**2 / 12] * 2 + [across**2 / 4 * 0.53])
    quiet = 0
    for _ in range(9000):
        force, torque = _forces(at, turn, speed, spin, solid, radius, field)
        speed += force * STEP
        # Gyroscopic terms are left out: the pieces are nearly as tall as wide.
        own = np.einsum("nji,nj->ni", turn, torque) / inertia
        spin += np.einsum("nij,nj->ni", turn, own) * STEP
        speed *= 1 - 0.2 * STEP
        spin *= 1 - 1.5 * STEP
        at += speed * STEP
        turn = _turned(turn, spin * STEP)
        still = (speed**2).sum() < number * 2.0 and (spin**2).sum() < number * 0.3
        quiet = quiet + 1 if still else 0
        if quiet > 60:
            break
    return [Piece(tuple(a), tuple(map(tuple, t))) for a, t in zip(at.tolist(), turn.tolist(), strict=True)]


def _random_turn(source: np.random.Generator) -> np.ndarray:
    one, two, _ = np.linalg.qr(source.normal(size=(3, 3)))[0].T
    return np.stack([one, two, np.cross(one, two)], -1)


def _turned(turn: np.ndarray, by: np.ndarray) -> np.ndarray:
    """Each matrix turned by a small vector, kept a rotation."""
    after = turn + np.cross(by[:, :, None], turn, axisa=1, axisb=1, axisc=1)
    one = after[:, :, 0] / np.linalg.norm(after[:, :, 0], axis=1, keepdims=True)
    two = after[:, :, 1] - (after[:, :, 1] * one).sum(1, keepdims=True) * one
    two /= np.linalg.norm(two, axis=1, keepdims=True)
    return np.stack([one, two, np.cross(one, two)], -1)


def _forces(at, turn, speed, spin, solid, radius, field):
    """Acceleration and torque per mass of every piece."""
    corners, normals, reach = solid
    arms = np.einsum("nij,kj->nki", turn, corners)
    points = arms + at[:, None]
    moving = speed[:, None] + np.cross(spin[:, None], arms)
    push = np.zeros_like(points)
    x, y, z = points[..., 0], points[..., 1], points[..., 2]
    low = z < 25
    at_tower = (x > 52) & (x < 128) & (at[:, None, 1] < TOWER_FRONT)
    for deep, normal in (
        (-z, (0, 0, 1.0)),
        (np.where(low, -x, 0), (1.0, 0, 0)),
        (np.where(low, x - field[0], 0), (-1.0, 0, 0)),
        (np.where(low, -y, 0), (0, 1.0, 0)),
        (np.where(at_tower, y - TOWER_FRONT, 0), (0, -1.0, 0)),
    ):
        push += _contact(deep, np.broadcast_to(np.array(normal), points.shape), moving)
    force = push.sum(1)
    torque = np.cross(arms, push).sum(1)
    force[:, 2] -= GRAVITY
    gap = at[:, None] - at[None]
    near = (gap**2).sum(-1) < (2 * radius) ** 2
    np.fill_diagonal(near, False)
    ones, others = np.nonzero(near)
    if len(ones):
        # Corners of the one inside the other's faces.
        inside = np.einsum("pki,pij->pkj", points[ones] - at[others][:, None], turn[others])
        beyond = np.einsum("pkj,fj->pkf", inside, normals) - reach
        face = beyond.argmax(-1)
        deep = -np.take_along_axis(beyond, face[..., None], -1)[..., 0]
        away = np.einsum("pij,pkj->pki", turn[others], normals[face])
        lever = points[ones] - at[others][:, None]
        theirs = speed[others][:, None] + np.cross(spin[others][:, None], lever)
        push = _contact(deep, away, moving[ones] - theirs)
        np.add.at(force, ones, push.sum(1))
        np.add.at(torque, ones, np.cross(arms[ones], push).sum(1))
        np.add.at(force, others, -push.sum(1))
        np.add.at(torque, others, -np.cross(lever, push).sum(1))
    return force, torque


def _contact(deep: np.ndarray, normal: np.ndarray, moving: np.ndarray) -> np.ndarray:
    """A spring that pushes along ``normal`` where ``deep`` is above 0, with friction."""
    along = (moving * normal).sum(-1)
    press = np.where(deep > 0, np.maximum(STIFF * deep - DAMP * along, 0), 0)
    slide = moving - along[..., None] * normal
    fast = np.linalg.norm(slide, axis=-1)
    # Below a few mm/s friction grows with speed, so that it never pushes a resting piece.
    hold = GRIP * press / np.maximum(fast, 6.0)
    return press[..., None] * normal - hold[..., None] * slide
