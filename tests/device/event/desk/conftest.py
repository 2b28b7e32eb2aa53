"""A desk: its store, on each database that is there, its pages, and people who look at them."""

import os
import re
from functools import cache
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from anyio.from_thread import start_blocking_portal
from argon2 import PasswordHasher
from starlette.testclient import TestClient

from device.event.desk.app import make_app
from device.event.desk.front import DeskSetup
from device.event.desk.gate import Doorkeeper
from device.event.desk.rows import Attendee, Role, SeatRow
from device.event.desk.store import DeskStore, prepare_sqlite
from tests.device.event.desk.evening import Evening

POSTGRES = os.environ.get("PODESTA_POSTGRES", "")
EVENING = 1_795_800_000.0
PASSWORD = "correct horse"
PEOPLE = ("Adso", "William", "Bea", "Cy")


def emptied(address):
    """An empty part of a real server's database, one for each worker: the desk itself empties nothing."""
    from sqlalchemy import create_engine, make_url

    part = f"desk_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
    engine = create_engine(address)
    with engine.begin() as connection:
        connection.exec_driver_sql(f"DROP SCHEMA IF EXISTS {part} CASCADE")
        connection.exec_driver_sql(f"CREATE SCHEMA {part}")
    engine.dispose()
    there = make_url(address).update_query_dict({"options": f"-csearch_path={part}"})
    return there.render_as_string(hide_password=False)


@cache
def unused():
    """The database of a desk where nothing has happened yet: to make its tables anew is slow."""
    with TemporaryDirectory() as folder:
        DeskStore(prepare_sqlite(Path(folder))).close()
        return (Path(folder) / "desk.db").read_bytes()


def unused_at(folder):
    """Put an unused database into a folder; its address."""
    address = prepare_sqlite(folder)
    (folder / "desk.db").write_bytes(unused())
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
    address = emptied(POSTGRES) if request.param == "postgres" else unused_at(tmp_path / "desk")
    made = DeskStore(address, clock)
    yield made
    made.close()


def token(page):
    return re.search(r'name="csrf" value="([^"]+)"', page)[1]


class Visitor:
    """Somebody with a browser, logged in."""

    portal = None
    """The loop that serves all requests; without one, each has a thread and a loop of its own."""

    def __init__(self, app, name=""):
        self.client = TestClient(app, follow_redirects=False)
        self.client.portal = self.portal
        if name:
            done = self.login(name, PASSWORD)
            assert done.status_code == 303, done.text

    def login(self, name, password):
        page = self.client.get("/login").text
        return self.client.post("/login", data={"csrf": token(page), "name": name, "password": password})

    def get(self, path, status=200):
        answer = self.client.get(path)
        assert answer.status_code == status, answer.text
        return unescape(answer.text)

    def send(self, path, /, at="/", files=None, status=303, **fields):
        """Send a form with the token of the page that it is on."""
        answer = self.client.post(path, data={"csrf": token(self.client.get(at).text)} | fields, files=files)
        assert answer.status_code == status, unescape(answer.text)
        return unescape(answer.text)

    def upload(self, *paths, status=200, **fields):
        files = [("files", (path.name, path.read_bytes())) for path in paths]
        return self.send("/upload", files=files, status=status, **fields)


@pytest.fixture(scope="session", autouse=True)
def portal():
    with start_blocking_portal() as Visitor.portal:
        yield
    Visitor.portal = None


@pytest.fixture
def evening(tmp_path):
    return Evening(tmp_path, tables=2)


def gate_of(store, *roles):
    """The gate of a desk with an account for each of these roles; its hashes cost next to nothing."""
    gate = Doorkeeper(store, PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    for role in roles:
        if store.account(str(role)) is None:
            gate.keep(str(role), role, PASSWORD, "test")
    return gate


@pytest.fixture
def app(store, evening, tmp_path):
    gate = gate_of(store, Role.ORGANISER, Role.JUDGE, Role.VIEWER)
    (tmp_path / "stick").mkdir()
    folders = (tmp_path / "stick",)
    return make_app(DeskSetup(store, gate, evening.keys_file, folders, 3 << 20))


def playing(store, *names):
    """Name the event; these people play."""
    store.set("organiser", event="Friday cup")
    with store.transaction():
        for name in names:
            store.add(Attendee(name=name), "organiser")


@pytest.fixture
def set_up(store):
    """The event is named, four people are there, and sit at two tables."""
    playing(store, *PEOPLE)
    seats = [SeatRow(1, f"table-0{1 + at // 2}", "ab"[at % 2], name) for at, name in enumerate(PEOPLE)]
    store.plan(1, seats, "organiser")


@pytest.fixture
def olga(app):
    return Visitor(app, "organiser")


@pytest.fixture
def guido(app):
    return Visitor(app, "judge")
