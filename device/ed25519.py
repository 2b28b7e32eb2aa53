"""Ed25519 (RFC 8032): keys and signatures as text in base64 (RFC 4648).

The library is imported where it is used: that takes 0.1 s, which would delay the first picture.
"""

from __future__ import annotations

import base64
from typing import Final

KEY: Final = r"\A[A-Za-z0-9+/]{43}=\Z"
"""The pattern of a key."""


def make_pair() -> tuple[str, str]:
    """Return a new private key and the public one that belongs to it."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415

    secret = encode_base64(Ed25519PrivateKey.generate().private_bytes_raw())
    return secret, derive_public(secret)


def derive_public(secret: str) -> str:
    """Return the public key of a private one; raises ValueError for what is none."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415

    key = Ed25519PrivateKey.from_private_bytes(decode_base64(secret))
    return encode_base64(key.public_key().public_bytes_raw())


def sign(secret: str, data: bytes) -> str:
    """Return the signature of some bytes; raises ValueError for what is no private key."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415

    return encode_base64(Ed25519PrivateKey.from_private_bytes(decode_base64(secret)).sign(data))


def is_signature(public: str, data: bytes, signature: str | bytes) -> bool:
    """Return True if the ``signature``, as text or raw, is that of ``data`` by the private half of a key."""
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415

    try:
        key = Ed25519PublicKey.from_public_bytes(decode_base64(public))
        key.verify(signature if isinstance(signature, bytes) else decode_base64(signature), data)
    except (InvalidSignature, ValueError):
        return False
    return True


def encode_base64(data: bytes) -> str:
    """Return bytes as text."""
    return base64.b64encode(data).decode("ascii")


def decode_base64(text: str) -> bytes:
    """Return the bytes of a text; raises ValueError where it is not base64."""
    return base64.b64decode(text, validate=True)
