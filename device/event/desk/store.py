"""Everything that the desk knows, in one database: SQLite by default, another one at a given address.

::

    store = DeskStore(prepare_sqlite(folder))
    store.add(TableResult(round=1, table="table-07", …), "Guido")
    store.tables(1)                                  # the state of each table in round 1

Nothing is changed or deleted. A row that corrects another names it, and no row is replaced twice, so that of
two people who correct the same one the second gets an error. SQLite itself refuses to change or delete a row.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
import sqlalchemy as sa
from msgspec.structs import FieldInfo, fields
from sqlalchemy import event
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.schema import SchemaItem

from device.errors import DeviceError, Exit
from device.event.desk import rows
from device.event.desk.standings import USUAL, parse_tie_breaks

Row = TypeVar("Row", bound=rows.DeskRow)

_METADATA = sa.MetaData()


_REFERS: Final = {"result": "results", "account": "accounts", "about": "audit"}
"""The table of the row that a column refers to."""


def _make_column(table: str, field: FieldInfo) -> sa.Column[Any]:
    """Make the column of a row's field; no row is replaced twice."""
    if field.name == "replaces":
        return sa.Column("replaces", sa.Integer, sa.ForeignKey(f"{table}.id"), unique=True)
    if refers := _REFERS.get(field.name):
        return sa.Column(
            field.name, sa.Integer, sa.ForeignKey(f"{refers}.id"), nullable=field.type is not int
        )
    plain = field.type if isinstance(field.type, type) else tuple
    kind = _TYPES.get(plain) or (sa.String if issubclass(plain, str) else sa.JSON)
    return sa.Column(field.name, kind, nullable=False)


_TYPES: Final[dict[type, Any]] = {bool: sa.Boolean, int: sa.BigInteger}


def _make_table(name: str, kind: type[rows.DeskRow]) -> sa.Table:
    """Make the table of a kind of rows."""
    own = (field for field in fields(kind) if field.name not in rows.DeskRow.__struct_fields__)
    more: dict[type[rows.DeskRow], SchemaItem] = {
        rows.TableResult: sa.Column("journal", sa.LargeBinary),
        rows.LiveRecord: sa.UniqueConstraint("match", "seq", "open"),
    }
    return sa.Table(
        name,
        _METADATA,
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("who", sa.String(64), nullable=False),
        *(_make_column(name, field) for field in own),
        *([more[kind]] if kind in more else []),
    )


_TABLES: Final = {kind: _make_table(name, kind) for name, kind in rows.KINDS.items()}
_RESULTS, _AUDIT, _SESSIONS, _LIVE = (
    _TABLES[kind] for kind in (rows.TableResult, rows.AuditRow, rows.Visit, rows.LiveRecord)
)
_UNSEEN: Final = (_SESSIONS, _AUDIT, _LIVE)
"""The tables whose new rows do not change a page of tables."""


_ALONE: Final = {
    "sqlite": "BEGIN IMMEDIATE",
    "postgresql": "SELECT pg_advisory_xact_lock(hashtext('podesta ' || current_schema()))",
}
"""Statements that let one desk at a time write, with all earlier writes visible."""


class StoreError(DeviceError):
    """A database that cannot be used, or a conflict with a quicker writer; one line with the remedy."""

    code = Exit.UNREADABLE


def prepare_sqlite(folder: Path) -> str:
    """Return the address of the desk's database in a folder; only its owner can read the file."""
    folder.mkdir(0o700, parents=True, exist_ok=True)
    os.close(os.open(folder / "desk.db", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600))
    return f"sqlite:///{folder / 'desk.db'}"


class DeskStore:
    """The database; every method may be called from any thread."""

    def __init__(self, address: str, now: Callable[[], float] = time.time) -> None:
        """Make missing tables; raises :class:`StoreError`."""
        self.now = now
        self._lock = threading.RLock()
        self._writing: sa.Connection | None = None
        try:
            self._engine = sa.create_engine(address)
            if self._engine.dialect.name == "sqlite":
                event.listen(self._engine, "connect", _set_pragmas)
            with self._engine.begin() as connection:
                _METADATA.create_all(connection)
                for guard in _GUARDS if self._engine.dialect.name == "sqlite" else ():
                    connection.exec_driver_sql(guard)
        except (SQLAlchemyError, ImportError) as error:
            why = " ".join(str(error).split("\n")[0].split())
            raise StoreError(f"the desk's database: {why}; check its address, and that it runs") from error

    def close(self) -> None:
        """Close the database."""
        self._engine.dispose()

    @property
    def now_ms(self) -> int:
        """The time of day, ms since 1970."""
        return int(self.now() * 1000)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Keep all rows added inside, or none; raise :class:`StoreError` if somebody was quicker."""
        with self._lock:
            if self._writing is not None:
                yield
                return
            try:
                with self._engine.begin() as self._writing:
                    if alone := _ALONE.get(self._engine.dialect.name):
                        self._writing.exec_driver_sql(alone)
                    yield
            except IntegrityError as error:
                raise StoreError("somebody has changed that just now; look again and repeat it") from error
            except SQLAlchemyError as error:
                raise StoreError(f"the desk's database: {error}") from error
            finally:
                self._writing = None

    # Rows of any kind

    def add(self, row: rows.DeskRow, who: str, /, after: rows.Correctable | None = None, **more: Any) -> int:
        """Keep a row of the author ``who``, as the replacement of ``after`` if given; return its number."""
        values = msgspec.to_builtins(row) | {"at": self.now_ms, "who": who} | more
        del values["id"]
        if after:
            values["replaces"] = after.id
        table = _TABLES[type(row)]
        with self.transaction():
            assert self._writing is not None
            made = self._writing.execute(sa.insert(table).values(values).returning(table.c.id))
            return int(made.scalar_one())

    def _select_rows(self, query: sa.Select[Any]) -> list[sa.Row[Any]]:
        with self._lock:
            if self._writing is not None:  # reads see rows added just before
                return list(self._writing.execute(query))
        with self._engine.connect() as connection:
            return list(connection.execute(query))

    def every(self, kind: type[Row], /, **where: Any) -> list[Row]:
        """Return the rows of a kind with these values, the oldest first, including replaced ones."""
        table, names = _TABLES[kind], kind.__struct_fields__
        query = sa.select(*(table.c[name] for name in names)).filter_by(**where).order_by(table.c.id)
        return [msgspec.convert(dict(zip(names, row, strict=True)), kind) for row in self._select_rows(query)]

    def current(self, kind: type[Row], /, *, until: int | None = None, **where: Any) -> list[Row]:
        """Return the rows of a kind that no row replaces, now or at the time ``until`` in ms."""
        every = [row for row in self.every(kind) if until is None or row.at <= until]
        replaced = {getattr(row, "replaces", None) for row in every}
        return [
            row
            for row in every
            if row.id not in replaced and all(getattr(row, name) == wanted for name, wanted in where.items())
        ]

    def mark(self) -> str:
        """Return a text that changes with each row that a page of tables shows."""
        shown = [table for table in _METADATA.sorted_tables if table not in _UNSEEN]
        newest = [sa.select(sa.func.max(table.c.id)).scalar_subquery().label(table.name) for table in shown]
        looked_at = sa.select(sa.func.max(_AUDIT.c.id)).where(_AUDIT.c.kind.in_(("refused", "seen")))
        (row,) = self._select_rows(sa.select(*newest, looked_at.scalar_subquery().label("refused")))
        return "-".join(str(number or 0) for number in row)

    # The event, its people and its plan

    @property
    def event(self) -> str:
        """The event's name, empty before it has one."""
        return self.setting("event")

    def setting(self, name: str, default: str = "") -> str:
        """Return a setting of the event."""
        return next((row.value for row in self.current(rows.Setting, name=name)), default)

    def set(self, who: str, /, **values: str) -> None:
        """Keep new settings of the event; an unchanged one gets no new row."""
        with self.transaction():
            before = {row.name: row for row in self.current(rows.Setting)}
            for name, value in values.items():
                there = before.get(name)
                if there is None or there.value != value:
                    self.add(rows.Setting(name=name, value=value), who, after=there)

    @property
    def order(self) -> tuple[str, ...]:
        """The tie-breaks of the standings, the first first."""
        return parse_tie_breaks(self.setting("order", USUAL))

    def in_charge(self) -> str:
        """Return the name of the desk in charge of the event, empty without one."""
        return self.setting("desk")

    def calls(self) -> list[rows.JudgeCall]:
        """Return the calls that no judge has answered, the oldest first."""
        return [row for row in self.current(rows.JudgeCall) if not row.answered]

    def clock(self, number: int) -> rows.RoundClock | None:
        """Return a round's clock, None before it was started."""
        return next(iter(self.current(rows.RoundClock, round=number)), None)

    def people(self) -> list[rows.Attendee]:
        """Return all players of the event, by name."""
        return sorted(self.current(rows.Attendee), key=lambda one: one.name.casefold())

    def roll(self, number: int) -> dict[str, rows.Roll]:
        """Return every player's presence in a round, by name: from its roll call, otherwise from the last one
        before. A player who stood by there, or was never called, counts as here.
        """
        found = {one.name: rows.Roll.HERE for one in self.people() if not one.gone}
        for row in sorted(self.current(rows.RollAnswer), key=lambda row: row.round):
            if row.round <= number and row.person in found:
                stood_by = row.roll is rows.Roll.STANDBY and row.round < number
                found[row.person] = rows.Roll.HERE if stood_by else row.roll
        return found

    def called(self, number: int) -> bool:
        """Return True once a round has had its roll call."""
        return bool(self.current(rows.RollAnswer, round=number))

    def plan(self, number: int, seats: Sequence[rows.SeatRow], who: str) -> int:
        """Keep the plan of a round in place of the one before; return its number."""
        ordered = tuple(sorted(seats, key=lambda seat: (seat.table, seat.seat)))
        with self.transaction():
            return self.add(rows.SeatPlan(round=number, seats=ordered), who, after=self.plans().get(number))

    def plans(self) -> dict[int, rows.SeatPlan]:
        """Return the current plan of each round, in order."""
        return {row.round: row for row in sorted(self.current(rows.SeatPlan), key=lambda row: row.round)}

    def seats(self, number: int | None = None) -> list[rows.SeatRow]:
        """Return the planned seats, of one round or of all."""
        plans = [plan for plan in self.plans().values() if number in (None, plan.round)]
        return [seat for plan in plans for seat in plan.seats]

    def rounds(self) -> list[int]:
        """Return the rounds that have a plan, a result or a ruling."""
        return sorted({one.round for one in self.tables()})

    # Results

    def tables(self, number: int | None = None, until: int | None = None) -> tuple[rows.TableState, ...]:
        """Return the state of each table, in one round or in all, by all results and rulings, or by those at
        the time ``until`` in ms.
        """
        where = {} if number is None else {"round": number}
        seats = dict[tuple[int, str], list[rows.SeatRow]]()
        for row in self.seats(number):
            seats.setdefault((row.round, row.table), []).append(row)
        found = self.current(rows.TableResult, until=until, **where)
        ruled = self.current(rows.DeskRuling, until=until, **where)
        results = {(one.round, one.table): one for one in found}
        rulings = {(one.round, one.table): one for one in ruled}
        return tuple(
            rows.TableState(*key, tuple(seats.get(key, ())), results.get(key), rulings.get(key))
            for key in sorted({*seats, *results, *rulings})
        )

    def journal(self, result: int) -> bytes:
        """Return the journal of a result, empty for a typed one."""
        found = self._select_rows(sa.select(_RESULTS.c.journal).where(_RESULTS.c.id == result))
        return bytes(found[0][0] or b"") if found else b""

    # Accounts and the audit log

    def accounts(self) -> list[rows.DeskAccount]:
        """Return the accounts that may log in."""
        return [one for one in self.current(rows.DeskAccount) if one.role is not rows.Role.CLOSED]

    def account(self, name: str) -> rows.DeskAccount | None:
        """Return the account of a name, None without one."""
        return next(iter(self.current(rows.DeskAccount, name=name)), None)

    def visit(self, digest: str) -> tuple[rows.Visit, rows.DeskAccount] | None:
        """Return a running session and its current account, None without one.

        A change of password or role ends the sessions before it.
        """
        found = next(iter(self.every(rows.Visit, digest=digest)[-1:]), None)
        if found is None or found.ends <= self.now_ms:
            return None
        account = next((one for one in self.current(rows.DeskAccount) if one.id == found.account), None)
        return (found, account) if account else None

    def leave(self, digest: str, who: str) -> None:
        """End a session."""
        if found := self.visit(digest):
            self.add(msgspec.structs.replace(found[0], ends=0), who, after=found[0])

    def audited(self) -> list[rows.AuditRow]:
        """Return the acts and refusals, the newest first."""
        return self.every(rows.AuditRow)[::-1]

    def audit(self, kind: str, what: str, who: str, about: int | None = None) -> int:
        """Note an act or a refusal."""
        return self.add(rows.AuditRow(kind=kind, what=what, about=about), who)

    def restore(self, kept: Iterable[rows.DeskRow], journals: Mapping[str, bytes]) -> None:
        """Keep another desk's rows, with their numbers, and the journals of results by their last hash;
        raises :class:`StoreError` if there are rows already.
        """
        with self.transaction():
            writing = self._writing
            assert writing is not None
            if any(self.every(kind) for kind in rows.KINDS.values()):
                raise StoreError("this desk has rows already: rebuild in a new folder")
            for row in kept:
                more = {"journal": journals.get(row.tip)} if isinstance(row, rows.TableResult) else {}
                writing.execute(sa.insert(_TABLES[type(row)]).values(msgspec.to_builtins(row) | more))
            if self._engine.dialect.name == "postgresql":
                for table in _METADATA.sorted_tables:
                    last = sa.select(sa.func.max(table.c.id)).scalar_subquery()
                    writing.execute(
                        sa.select(sa.func.setval(sa.func.pg_get_serial_sequence(table.name, "id"), last))
                    )

    def refusals(self) -> list[rows.AuditRow]:
        """Return the refused uploads that nobody has looked at yet, each file and reason once."""
        seen = {row.about for row in self.every(rows.AuditRow, kind="seen")}
        refused = self.every(rows.AuditRow, kind="refused")
        done = {row.what for row in refused if row.id in seen}
        return list({row.what: row for row in refused if row.what not in done}.values())


def _set_pragmas(connection: Any, _record: object) -> None:
    """Make SQLite keep acknowledged rows through a power cut, and check references."""
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000"):
        connection.execute(f"PRAGMA {pragma}")


_GUARDS = [
    f'CREATE TRIGGER IF NOT EXISTS "{table}_{act.lower()}" BEFORE {act} ON "{table}" '
    f"BEGIN SELECT RAISE(ABORT, 'the desk keeps every row of {table} as it is'); END"
    for table in _METADATA.tables
    for act in ("UPDATE", "DELETE")
]
