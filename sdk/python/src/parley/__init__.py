"""The Python client of Parley."""

from ._calls import TranscriptChange
from ._client import AsyncParley, Parley
from ._events import CallChange
from ._pages import AsyncPages, Page, Pages
from ._version import VERSION as __version__
from .errors import (
    ApiError,
    AuthenticationError,
    ConflictError,
    ConnectionFailedError,
    CreditError,
    NotFoundError,
    ParleyError,
    PermissionDeniedError,
    RateLimitError,
    RequestTimeoutError,
    ServiceError,
    ValidationError,
    WebhookVerificationError,
)
from .types import ErrorCode
from .webhooks import WebhookEvent, verify_webhook

__all__ = [
    "ApiError",
    "AsyncPages",
    "AsyncParley",
    "AuthenticationError",
    "CallChange",
    "ConflictError",
    "ConnectionFailedError",
    "CreditError",
    "ErrorCode",
    "NotFoundError",
    "Page",
    "Pages",
    "Parley",
    "ParleyError",
    "PermissionDeniedError",
    "RateLimitError",
    "RequestTimeoutError",
    "ServiceError",
    "TranscriptChange",
    "ValidationError",
    "WebhookEvent",
    "WebhookVerificationError",
    "__version__",
    "verify_webhook",
]
