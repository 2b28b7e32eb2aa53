"""A certificate of the desk's own, made at its first start and kept, so that phones reach it over HTTPS at
once.

No authority vouches for it. Its fingerprint is printed on the seating list; a browser shows the same one.
"""

from __future__ import annotations

import contextlib
import datetime
import ipaddress
import socket
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from device.files import replace_file

DAY = datetime.timedelta(days=1)
VALID = 397 * DAY
"""Browsers take no certificate that is valid for longer."""

CERTIFICATE, KEY = "desk.crt", "desk.key"


def own_certificate(state: Path, host: str) -> tuple[Path, Path]:
    """Return the certificate and the key kept in ``state``; make new ones if they are missing or expired.

    The certificate names this machine, its addresses, and ``host`` if that is an address of its own. Raises
    OSError.
    """
    certificate, key = state / CERTIFICATE, state / KEY
    if not (key.exists() and _is_valid(certificate)):
        pem, secret = _make(host)
        replace_file(key, secret)
        replace_file(certificate, pem, 0o644)
    return certificate, key


def fingerprint(certificate: Path) -> str:
    """Return the SHA-256 of a certificate as browsers show it: ``AB:CD:…``; raises OSError, ValueError."""
    found = x509.load_pem_x509_certificate(certificate.read_bytes())
    return found.fingerprint(hashes.SHA256()).hex(":").upper()


def _is_valid(certificate: Path) -> bool:
    """Return True if a certificate can be read and stays valid for at least another day."""
    try:
        found = x509.load_pem_x509_certificate(certificate.read_bytes())
    except (FileNotFoundError, ValueError):
        return False
    return found.not_valid_after_utc > _now() + DAY


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


def _make(host: str) -> tuple[bytes, bytes]:
    """Return a new certificate and its key, in PEM."""
    key, own_name = ec.generate_private_key(ec.SECP256R1()), socket.gethostname()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Podestà desk {own_name}"[:64])])
    names = [x509.DNSName(one) for one in ("localhost", own_name, f"{own_name}.local")]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_now() - DAY)  # a desk's clock may be behind a phone's
        .not_valid_after(_now() + VALID)
        .add_extension(x509.SubjectAlternativeName([*names, *map(x509.IPAddress, _addresses(host))]), False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return made.public_bytes(serialization.Encoding.PEM), secret


def _addresses(host: str) -> list[ipaddress.IPv4Address | ipaddress.IPv6Address]:
    """Return the addresses of the desk that this machine knows."""
    found = {"127.0.0.1", "::1"}
    for name in (host, socket.gethostname()):
        with contextlib.suppress(OSError):
            found |= {str(info[4][0]).partition("%")[0] for info in socket.getaddrinfo(name, None)}
    addresses = map(ipaddress.ip_address, sorted(found))
    return [address for address in addresses if not address.is_unspecified]
