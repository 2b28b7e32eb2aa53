"""A desk's store, on each database that is there."""

from __future__ import annotations

import os

import pytest

from device.event.desk.store import DeskStore, sqlite_address

POSTGRES = os.environ.get("PODESTA_POSTGRES", "")
EVENING = 1_795_800_000.0


def emptied(address):
    """Make the database of a real server empty: the desk itself never would."""
    from sqlalchemy import create_engine

    engine = create_engine(address)
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP SCHEMA public CASCADE")
        connection.exec_driver_sql("CREATE SCHEMA public")
    engine.dispose()
    return address


class Hand:
    """A clock that is set by hand."""

    def __init__(self):
        self.now = EVENING

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Hand()


@pytest.fixture(params=["sqlite", "postgres"])
def store(request, tmp_path, clock):
    if request.param == "postgres" and not POSTGRES:
        pytest.skip("PODESTA_POSTGRES is not set: no address of an empty PostgreSQL database to try with")
    address = emptied(POSTGRES) if request.param == "postgres" else sqlite_address(tmp_path / "desk")
    made = DeskStore(address, clock)
    yield made
    made.close()
