"""When a failed request is sent again."""

from __future__ import annotations

import random
import time
from typing import Optional

from .errors import ApiError, ConnectionFailedError, ParleyError

_BACKOFF_FIRST = 0.3
_BACKOFF_MAX = 10.0


def backoff(retry: int) -> float:
    """Doubled each time, of which a random half is left out so that clients spread."""
    return min(_BACKOFF_MAX, _BACKOFF_FIRST * 2.0**retry) * random.uniform(0.5, 1.0)


class Attempts:
    """The attempts of one request."""

    def __init__(self, *, is_repeatable: bool, deadline: float, max_retries: int) -> None:
        self._is_repeatable = is_repeatable
        self._give_up_at = time.monotonic() + deadline
        self._max_retries = max_retries
        self._retry = 0
        #: Whether an earlier attempt may have been carried out although no response arrived.
        self.may_be_done = False

    def time_left(self) -> float:
        return max(0.001, self._give_up_at - time.monotonic())

    def wait_after(self, error: ParleyError) -> float:
        """The seconds to wait before the next attempt; raises the error if there is none."""
        seconds = backoff(self._retry)
        if isinstance(error, ApiError) and error.retry_after is not None:
            seconds = max(seconds, error.retry_after)
        is_in_time = time.monotonic() + seconds < self._give_up_at
        if self._retry >= self._max_retries or not is_in_time or not self._may_retry(error):
            raise error
        self._retry += 1
        if not (isinstance(error, ApiError) and error.code is not None):
            self.may_be_done = True
        return seconds

    def _may_retry(self, error: ParleyError) -> bool:
        if isinstance(error, ConnectionFailedError):
            return self._is_repeatable
        if not isinstance(error, ApiError) or not error.retryable:
            return False
        # The service says so only if nothing was done. A proxy does not know.
        return error.code is not None or self._is_repeatable


def read_retry_after(header: Optional[str]) -> Optional[float]:
    """Seconds or a date (RFC 9110, section 10.2.3)."""
    if header is None:
        return None
    if header.isdigit():
        return float(header)
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None
