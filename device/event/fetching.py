"""A spare box fetches the match of a table from the desk; its own key proves that it is one of the event's.

::

    data = fetch("https://desk.local:8180", "table-07", BoxKey(state_dir))

The desk gives a number that is good for a minute; the box signs it with the table and, where nobody vouches
for the desk's certificate, with that certificate's fingerprint: whoever stands between can pass the signature
on to no desk.
"""

from __future__ import annotations

import hashlib
import ssl
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Final
from urllib.parse import quote, urlencode, urlsplit

from device.errors import DeviceError
from device.event.bundle import LARGEST
from device.event.signing import BoxKey, KeyFileError
from device.machine import is_loopback

CONTEXT: Final = b"podesta continue 1\n"
"""Stands before what is signed here: it is no checkpoint."""
PATIENCE_S: Final = 20.0


class FetchError(DeviceError):
    """The desk cannot be reached or gives nothing; one line with the remedy."""


def asked(number: str, table: str, fingerprint: str) -> str:
    """Return what a box signs that asks for a table's match."""
    return f"{number}\n{table}\n{fingerprint}"


def fetch(address: str, table: str, key: BoxKey) -> bytes:
    """Return the journal of a table's match that is not over; raises :class:`FetchError`, KeyFileError."""
    try:
        where, fingerprint = _meet(address)
        with closing(where):
            where.request("GET", "/spare")
            number = _read(address, where.getresponse()).decode("ascii", "replace")
            told = asked(number, table, fingerprint)
            form = {"number": number, "key": key.public, "signature": key.sign(told, CONTEXT)}
            kind = {"content-type": "application/x-www-form-urlencoded"}
            where.request("POST", f"/spare/{quote(table, safe='')}", urlencode(form), kind)
            return _read(address, where.getresponse())
    except KeyFileError:
        raise
    except (OSError, HTTPException, ValueError) as error:
        raise FetchError(f"{address}: {str(error) or type(error).__name__}; is the desk there?") from error


def _meet(address: str) -> tuple[HTTPConnection, str]:
    """Return a way to the desk, and the fingerprint of a certificate that nobody vouches for."""
    at = urlsplit(address)
    host, port = at.hostname or "", at.port
    if at.scheme == "http" and is_loopback(host):
        return HTTPConnection(host, port, timeout=PATIENCE_S), ""
    if at.scheme != "https" or not host:
        raise ValueError("a desk on a network is https://HOST:PORT")
    vouched = HTTPSConnection(host, port, timeout=PATIENCE_S)
    try:
        vouched.connect()
        return vouched, ""
    except ssl.SSLCertVerificationError:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        own = HTTPSConnection(host, port, timeout=PATIENCE_S, context=context)
        own.connect()
        shown = own.sock.getpeercert(binary_form=True) or b""
        return own, hashlib.sha256(shown).hexdigest()


def _read(address: str, answer: HTTPResponse) -> bytes:
    data = answer.read(LARGEST)
    if answer.status != 200:
        raise FetchError(f"{address}: {data[:400].decode('utf-8', 'replace')}")
    return data
