from __future__ import annotations

import sys
from pathlib import Path

import pytest

from device.cli import main


class Called:
    """A module whose ``main`` notes what it was called with."""

    def __init__(self, status):
        self.status = status

    def main(self, *args, **kwargs):
        self.args, self.kwargs = args, kwargs
        return self.status


@pytest.fixture
def stand_in(monkeypatch):
    """Put a stand-in where the module ``NAME`` is imported from."""

    def put(name):
        called = Called(7)
        package, _, module = name.rpartition(".")
        monkeypatch.setitem(sys.modules, name, called)
        monkeypatch.setattr(sys.modules[package], module, called, raising=False)
        return called

    return put


def test_run_passes_everything_on_and_ends_as_the_daemon_does(stand_in):
    daemon = stand_in("device.daemon")
    assert main(["run", "--simulate", "--config", "c.toml", "--state", "s", "--port", "0"]) == 7
    assert daemon.args == ()
    assert daemon.kwargs == {"config": Path("c.toml"), "state": Path("s"), "simulate": True, "port": 0}


def test_run_needs_nothing(stand_in):
    daemon = stand_in("device.daemon")
    main(["run"])
    assert daemon.kwargs == {"config": None, "state": None, "simulate": False, "port": None}


def test_play_names_the_game(stand_in):
    terminal = stand_in("device.commands.terminal")
    assert main(["play", "san_gimignano", "--state", "s"]) == 7
    assert terminal.args == ("san_gimignano", Path("s"))
    main(["play", "san_gimignano"])
    assert terminal.args == ("san_gimignano", None)
