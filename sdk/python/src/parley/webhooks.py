"""Verification of webhooks (Standard Webhooks)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import List, Mapping, Optional, Sequence, Union

from .errors import WebhookVerificationError
from .types import AlertWebhookBody, CallWebhookBody, CreditLowBody, DisabledWebhookBody, WebhookTestBody

#: The body of a webhook; ``type`` says which.
WebhookEvent = Union[AlertWebhookBody, CallWebhookBody, CreditLowBody, DisabledWebhookBody, WebhookTestBody]


def verify_webhook(
    body: Union[str, bytes],
    headers: Mapping[str, str],
    secret: Union[str, Sequence[str]],
    *,
    tolerance_seconds: float = 300,
    now: Optional[float] = None,
) -> WebhookEvent:
    """Checks the signature of a webhook and returns the event.

    Pass the body as it was received, not parsed. During a rotation pass both secrets. Raises a WebhookVerificationError,
    in which case the request must not be acted on. The same event may arrive again: its ``id`` tells.
    """
    found = {name.lower(): value for name, value in headers.items()}
    event_id = _header(found, "webhook-id")
    timestamp = _header(found, "webhook-timestamp")
    signatures = _header(found, "webhook-signature")
    _check_age(timestamp, tolerance_seconds, time.time() if now is None else now)
    content = body.encode() if isinstance(body, str) else body
    signed = f"{event_id}.{timestamp}.".encode() + content
    candidates = _read_signatures(signatures)
    for each in [secret] if isinstance(secret, str) else secret:
        expected = hmac.new(_read_secret(each), signed, hashlib.sha256).digest()
        # A list, so that the time does not tell which one matched.
        if any([hmac.compare_digest(expected, candidate) for candidate in candidates]):
            event: WebhookEvent = json.loads(content)
            return event
    raise WebhookVerificationError("No signature matches the secret.")


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise WebhookVerificationError(f"The header {name} is missing.")
    return value


def _check_age(timestamp: str, tolerance_seconds: float, now: float) -> None:
    if not re.fullmatch(r"[0-9]{1,15}", timestamp):
        raise WebhookVerificationError("The header webhook-timestamp is not a number.")
    age = int(now) - int(timestamp)
    if age > tolerance_seconds:
        raise WebhookVerificationError("The request is too old.")
    if -age > tolerance_seconds:
        raise WebhookVerificationError("The request is from the future.")


def _read_signatures(header: str) -> List[bytes]:
    found = []
    for each in header.split(" "):
        if each.startswith("v1,"):
            try:
                found.append(base64.b64decode(each[3:], validate=True))
            except binascii.Error:
                continue
    return found


def _read_secret(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise WebhookVerificationError("The secret must look like whsec_...")
    return key
