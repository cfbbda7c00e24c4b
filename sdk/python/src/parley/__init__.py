"""The Python client of Parley."""

from ._client import AsyncParley, Parley
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
from .webhooks import WebhookEvent, verify_webhook

__all__ = [
    "ApiError",
    "AsyncPages",
    "AsyncParley",
    "AuthenticationError",
    "ConflictError",
    "ConnectionFailedError",
    "CreditError",
    "NotFoundError",
    "Page",
    "Pages",
    "Parley",
    "ParleyError",
    "PermissionDeniedError",
    "RateLimitError",
    "RequestTimeoutError",
    "ServiceError",
    "ValidationError",
    "WebhookEvent",
    "WebhookVerificationError",
    "__version__",
    "verify_webhook",
]
