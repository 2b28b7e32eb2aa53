"""A release on a stick, signed by keys that the tests make."""

import hashlib

import pytest

from device.ed25519 import make_pair
from device.update.release import Here, Manifest, Package, sign

NAME = "podesta_0.2.0~bookworm_arm64.update"
DEB = "podesta_0.2.0~bookworm_arm64.deb"
CAMERA = "podesta-camera_0.2.0~bookworm_arm64.deb"
HERE = Here("0.1.0", "bookworm", "arm64")
SECRET, PUBLIC = make_pair()
OTHER = make_pair()[1]
KEYS = {OTHER: "other", PUBLIC: "ours"}


def manifest(version="0.2.0", distribution="bookworm", architecture="arm64", **data):
    data = data or {DEB: b"podesta" * 9, CAMERA: b"camera" * 9}
    packages = tuple(
        Package(name.partition("_")[0], name, len(raw), hashlib.sha256(raw).hexdigest())
        for name, raw in data.items()
    )
    return Manifest(version, distribution, architecture, packages)


def put(folder, told, secret=SECRET, name=NAME):
    """Lay a release into a folder."""
    raw, signature = sign(told, secret)
    (folder / name).write_bytes(raw)
    (folder / f"{name}.sig").write_bytes(signature)
    (folder / DEB).write_bytes(b"podesta" * 9)
    (folder / CAMERA).write_bytes(b"camera" * 9)


@pytest.fixture
def stick(tmp_path):
    folder = tmp_path / "stick"
    folder.mkdir()
    put(folder, manifest())
    return folder


@pytest.fixture
def ours(tmp_path):
    folder = tmp_path / "new"
    folder.mkdir()
    return folder
