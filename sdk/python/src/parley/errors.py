"""The errors of this package. All of them are a ParleyError."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Type

from .types import ErrorCode, ErrorDetail

_RETRYABLE_STATUSES = frozenset([408, 425, 429, 500, 502, 503, 504])


class ParleyError(Exception):
    """The base of every error of this package."""


class ApiError(ParleyError):
    """The service refused a request, or failed to answer it."""

    def __init__(
        self, status: int, error: Optional[Dict[str, Any]], message: str, retry_after: Optional[float] = None
    ) -> None:
        super().__init__(message)
        found = error or {}
        self.status = status
        self.message = message
        #: From a closed list; None if the response did not come from Parley but, for example, from a proxy.
        self.code: Optional[ErrorCode] = found.get("code")
        #: The first invalid field.
        self.param: Optional[str] = found.get("param")
        self.details: List[ErrorDetail] = found.get("details") or []
        #: For reports about the service.
        self.request_id: Optional[str] = found.get("requestId")
        self.doc_url: Optional[str] = found.get("docUrl")
        #: Whether the same request may succeed later.
        self.retryable: bool = found.get("retryable", status in _RETRYABLE_STATUSES)
        #: Seconds.
        self.retry_after = retry_after


class AuthenticationError(ApiError):
    """401: the key is missing, wrong, revoked or expired."""


class CreditError(ApiError):
    """402: the credit is used up, or a spend cap is reached."""


class PermissionDeniedError(ApiError):
    """403: the key may not do this, or the number may not be called."""


class NotFoundError(ApiError):
    """404: it does not exist, or not for this account."""


class ConflictError(ApiError):
    """409 and 412: the current state does not allow this, or a draft was changed by someone else."""


class ValidationError(ApiError):
    """400, 413, 415 and 422: the request is invalid; ``details`` lists the fields."""


class RateLimitError(ApiError):
    """429: too many requests, or the queue is full."""


class ServiceError(ApiError):
    """5xx: the service failed."""


class ConnectionFailedError(ParleyError):
    """No response arrived, or only a part of it. The request may have been carried out."""


class RequestTimeoutError(ConnectionFailedError):
    """No response arrived in time. The request may have been carried out."""


class WebhookVerificationError(ParleyError):
    """A webhook is not signed with the secret, or too old. Do not act on it."""


_KINDS: Dict[int, Type[ApiError]] = {
    400: ValidationError,
    401: AuthenticationError,
    402: CreditError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    412: ConflictError,
    413: ValidationError,
    415: ValidationError,
    422: ValidationError,
    429: RateLimitError,
}


def create_api_error(
    status: int, error: Optional[Dict[str, Any]], message: str, retry_after: Optional[float]
) -> ApiError:
    """The error of a response, by its status."""
    kind = _KINDS.get(status, ServiceError if status >= 500 else ApiError)
    return kind(status, error, message, retry_after)
