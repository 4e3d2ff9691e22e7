"""Webhook deliveries (Standard Webhooks 1.0)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from decimal import Decimal
from typing import Mapping, Optional, Union, cast

from .types import Event

TOLERANCE = 300
"""How many seconds a delivery's timestamp may be from this machine's clock."""


class NotGenuine(Exception):
    """The delivery was not signed with one of the secrets, or is too old."""


def verify(body: Union[bytes, str], headers: Mapping[str, str], *secrets: str, now: Optional[float] = None) -> Event:
    """Reads a delivery that one of the secrets signed. body are the bytes as they came; know repeats by the event's id."""
    raw = body.encode() if isinstance(body, str) else body
    lower = {name.lower(): value for name, value in headers.items()}
    message_id, stamp = lower.get("webhook-id", ""), lower.get("webhook-timestamp", "")
    if not message_id or not stamp.isdecimal():
        raise NotGenuine("a header is missing or damaged")
    if abs((time.time() if now is None else now) - int(stamp)) > TOLERANCE:
        raise NotGenuine("the delivery is too old, or a clock is wrong")
    signed = f"{message_id}.{stamp}.".encode() + raw
    for secret in secrets:
        want = hmac.new(_key(secret), signed, hashlib.sha256).digest()
        for one in lower.get("webhook-signature", "").split():
            version, _, encoded = one.partition(",")
            if version == "v1" and hmac.compare_digest(_decoded(encoded), want):
                return cast(Event, json.loads(raw, parse_float=Decimal))
    raise NotGenuine("no signature matches")


def _key(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        raise ValueError("the secret is not whsec_ followed by base64") from None


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        return b""
