"""A spare box fetches a table's match from the desk; its own key proves that it belongs to the event.

::

    data = fetch("https://desk.local:8180", "table-07", BoxKey(state_dir))

The desk gives a number that is good for a minute. The box signs it together with the table and, if no
authority vouches for the desk's certificate, with that certificate's fingerprint. Somebody in between can
therefore not pass the signature on to another desk.
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
"""The prefix of the text that a spare box signs; with it the signature is no checkpoint."""
PATIENCE_S: Final = 20.0


class FetchError(DeviceError):
    """A desk that cannot be reached or gives nothing; the message is one line with the remedy."""


def write_request(number: str, table: str, fingerprint: str) -> str:
    """Return the text that a box signs to ask for a table's match."""
    return f"{number}\n{table}\n{fingerprint}"


def fetch(address: str, table: str, key: BoxKey) -> bytes:
    """Return the journal of a table's unfinished match; raises :class:`FetchError`, KeyFileError."""
    try:
        where, fingerprint = _connect(address)
        with closing(where):
            where.request("GET", "/spare")
            number = _read(address, where.getresponse()).decode("ascii", "replace")
            request = write_request(number, table, fingerprint)
            form = {"number": number, "key": key.public, "signature": key.sign(request, CONTEXT)}
            kind = {"content-type": "application/x-www-form-urlencoded"}
            where.request("POST", f"/spare/{quote(table, safe='')}", urlencode(form), kind)
            return _read(address, where.getresponse())
    except KeyFileError:
        raise
    except (OSError, HTTPException, ValueError) as error:
        raise FetchError(f"{address}: {str(error) or type(error).__name__}; is the desk there?") from error


def _connect(address: str) -> tuple[HTTPConnection, str]:
    """Connect to the desk; return the connection, and its certificate's fingerprint if no authority vouches
    for it, otherwise an empty text.
    """
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
