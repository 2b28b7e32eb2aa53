"""Logins: accounts with passwords, sessions, and a delay that grows with each wrong password."""

from __future__ import annotations

import hashlib
import secrets
import threading
from typing import Final

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from device.event.desk.rows import DeskAccount, Role, Visit
from device.event.desk.store import DeskStore

SESSION_S: Final = 12 * 3600
"""The longest time of a session: an evening."""
SLOWEST_S: Final = 60
"""The longest wait after wrong passwords."""
SHORTEST: Final = 10
"""The fewest letters of a password."""
FORGET_S: Final = 3600


class Visitor(msgspec.Struct, frozen=True):
    """The visitor of a page: the account, its role, the token of its forms, the digest of its cookie."""

    name: str
    role: Role
    csrf: str
    digest: str

    @property
    def judges(self) -> bool:
        """The right to take results in and to rule."""
        return self.role in (Role.JUDGE, Role.ORGANISER)

    @property
    def organises(self) -> bool:
        """The right to do everything."""
        return self.role is Role.ORGANISER


class LoginError(Exception):
    """A refused login; ``wait_s`` is the wait before the next try."""

    def __init__(self, said: str, wait_s: int = 0) -> None:
        super().__init__(said)
        self.wait_s = wait_s


class Doorkeeper:
    """Lets the accounts of a store in."""

    def __init__(self, store: DeskStore, hasher: PasswordHasher | None = None) -> None:
        self.store = store
        self._hasher = hasher or PasswordHasher()
        self._lock = threading.Lock()
        self._wrong: dict[str, tuple[int, float]] = {}
        """By name and by address: the number of wrong tries, and the time of the next one; each try doubles
        the wait.
        """
        self._nobody = self._hasher.hash(secrets.token_urlsafe())

    def first(self) -> str:
        """Make the organiser's account if there is none at all and return its password, otherwise an empty
        text.
        """
        if self.store.current(DeskAccount):
            return ""
        return self.renew("organiser", Role.ORGANISER, "podesta desk")

    def renew(self, name: str, role: Role, who: str) -> str:
        """Give an account a new password, which ends its sessions; return the password, which nobody can look
        up later.
        """
        password = secrets.token_urlsafe(12)
        self.keep(name, role, password, who)
        return password

    def keep(self, name: str, role: Role, password: str, who: str) -> None:
        """Keep an account with this role and password; raises ValueError for one that is too short."""
        if len(password) < SHORTEST:
            raise ValueError(f"a password has {SHORTEST} letters or more; take a longer one")
        digest = self._hasher.hash(password)
        with self.store.transaction():
            before = self.store.account(name)
            self.store.add(DeskAccount(name=name, role=role, hash=digest), who, after=before)
            self.store.audit("account", f"{name}: {role}, a new password", who)

    def close(self, name: str, who: str) -> None:
        """Close an account and end its sessions; raises ValueError for the last organiser's."""
        with self.store.transaction():
            every = self.store.accounts()
            account = next((one for one in every if one.name == name), None)
            if account is None:
                raise ValueError(f"{name}: nobody has that account")
            if [one.name for one in every if one.role is Role.ORGANISER] == [name]:
                raise ValueError(f"{name} is the last organiser: make another first")
            closed = DeskAccount(name=name, role=Role.CLOSED, hash=account.hash)
            self.store.add(closed, who, after=account)
            self.store.audit("account", f"{name}: closed", who)

    def enter(self, name: str, password: str, address: str) -> str:
        """Return the cookie of a new session; raise :class:`LoginError`. The audit log notes both."""
        marks = (f"name {name.casefold()[:64]}", f"address {address}")
        now, tried = self.store.now(), f'refused: "{name[:64]}" from {address}'
        with self._lock:
            wait = max(self._wrong.get(mark, (0, now))[1] for mark in marks) - now
        if wait > 0:
            self.store.audit("login", f"{tried}, too soon", "")
            raise LoginError(f"wait {int(wait) + 1} s, then try once more", int(wait) + 1)
        account = self.store.account(name)
        fits = self._is_password(account, password)
        with self._lock:
            for mark in marks:
                count, until = self._wrong.pop(mark, (0, now))
                if not fits:
                    count = 1 + (count if now - until < FORGET_S else 0)
                    self._wrong[mark] = (count, now + min(2 ** (count - 1), SLOWEST_S))
            while len(self._wrong) > 10_000:  # so that nobody fills the memory by trying names
                self._wrong.pop(next(iter(self._wrong)))
        if not (account and fits):
            self.store.audit("login", f"{tried}, wrong name or password", "")
            raise LoginError("wrong name or password")
        cookie, csrf = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        ends = self.store.now_ms + SESSION_S * 1000
        visit = Visit(digest=_hash_cookie(cookie), account=account.id, csrf=csrf, ends=ends)
        self.store.add(visit, account.name)
        self.store.audit("login", f"{account.name} from {address}", account.name)
        return cookie

    def _is_password(self, account: DeskAccount | None, password: str) -> bool:
        """Return True for the account's password; refusing an unknown account takes just as long."""
        there = account if account and account.role is not Role.CLOSED else None
        try:
            self._hasher.verify(there.hash if there else self._nobody, password[:1024])
        except (VerificationError, InvalidHashError):
            return False
        return there is not None

    def who(self, cookie: str) -> Visitor | None:
        """Return the visitor whose session has this cookie, None without one."""
        found = self.store.visit(_hash_cookie(cookie)) if cookie else None
        return Visitor(found[1].name, found[1].role, found[0].csrf, found[0].digest) if found else None

    def change(self, me: Visitor, old: str, new: str) -> None:
        """Change the visitor's own password; raises ValueError."""
        if not self._is_password(self.store.account(me.name), old):
            self.store.audit("login", f"{me.name}: a new password refused, the old one is wrong", me.name)
            raise ValueError("the old password is wrong")
        self.keep(me.name, me.role, new, me.name)


def _hash_cookie(cookie: str) -> str:
    """Return the store's form of a cookie; a reader of the database cannot log in with it."""
    return hashlib.sha256(cookie.encode()).hexdigest()
