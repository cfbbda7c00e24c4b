"""Sends requests, repeats them where that is safe, and turns refusals into errors."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any, AsyncIterator, Awaitable, Callable, Dict, Iterator, Mapping, Optional, Union
from urllib.parse import quote

import httpx

from ._pages import AsyncPages, Pages
from ._retry import Attempts, read_retry_after
from ._version import VERSION
from .errors import ApiError, ConnectionFailedError, ParleyError, RequestTimeoutError, create_api_error


@dataclass(frozen=True)
class HttpSettings:
    base_url: str
    timeout: float
    deadline: float
    max_retries: int
    headers: Mapping[str, str]


@dataclass(frozen=True)
class Plan:
    """One request, before it is sent."""

    method: str
    path: str
    body: Any = None
    query: Optional[Mapping[str, Any]] = None
    #: The service carries the request out once per Idempotency-Key.
    once: bool = False
    #: Changes nothing, although it is a POST.
    repeatable: bool = False
    revision: Optional[int] = None
    idempotency_key: Optional[str] = None
    accept: str = "application/json"
    headers: Optional[Mapping[str, str]] = None
    stream: bool = False
    timeout: Optional[float] = None
    #: How long nothing may arrive, for streams.
    read_timeout: Optional[float] = None
    deadline: Optional[float] = None
    max_retries: Optional[int] = None

    def attempts(self, settings: HttpSettings) -> Attempts:
        is_repeatable = self.method in ("GET", "DELETE") or self.once or self.repeatable
        return Attempts(
            is_repeatable=is_repeatable,
            deadline=settings.deadline if self.deadline is None else self.deadline,
            max_retries=settings.max_retries if self.max_retries is None else self.max_retries,
        )

    def headers_with(self, settings: HttpSettings) -> Dict[str, str]:
        """All headers but that of the key."""
        headers = {"accept": self.accept, "user-agent": f"parley-sdk-python/{VERSION}"}
        if self.body is not None:
            headers["content-type"] = "application/json"
        if self.revision is not None:
            headers["if-match"] = str(self.revision)
        if self.once:
            headers["idempotency-key"] = self.idempotency_key or f"sdk-{secrets.token_hex(16)}"
        for given in (settings.headers, self.headers or {}):
            headers.update({name.lower(): value for name, value in given.items()})
        return headers

    def arguments(self, settings: HttpSettings, headers: Dict[str, str], time_left: float) -> Dict[str, Any]:
        limit = min(settings.timeout if self.timeout is None else self.timeout, time_left)
        return {
            "method": self.method,
            "url": f"{settings.base_url}{self.path}",
            "params": query_of(self.query),
            "headers": headers,
            "content": None if self.body is None else json.dumps(self.body).encode(),
            "timeout": httpx.Timeout(limit, read=limit if self.read_timeout is None else self.read_timeout),
        }

    def is_done_by_404(self, error: ParleyError, attempts: Attempts) -> bool:
        """A deletion whose response was lost, sent again."""
        is_missing = isinstance(error, ApiError) and error.status == 404
        return self.method == "DELETE" and attempts.may_be_done and is_missing


def part(value: Union[str, int]) -> str:
    """Escapes a part of a path."""
    return quote(str(value), safe="")


def query_of(query: Optional[Mapping[str, Any]]) -> Dict[str, str]:
    found = {}
    for name, value in (query or {}).items():
        if value is not None:
            found[name] = str(value).lower() if isinstance(value, bool) else str(value)
    return found


def connection_error(plan: Plan, error: httpx.TransportError) -> ConnectionFailedError:
    if isinstance(error, httpx.TimeoutException):
        return RequestTimeoutError(f"No response to {plan.method} {plan.path} in time.")
    return ConnectionFailedError(f"No response to {plan.method} {plan.path}: {error}")


def read_error(response: httpx.Response) -> ApiError:
    """The error of a response whose body was read."""
    error: Optional[Dict[str, Any]] = None
    try:
        reply = response.json()
        if isinstance(reply, dict) and isinstance(reply.get("error"), dict):
            error = reply["error"]
    except ValueError:
        error = None
    if 300 <= response.status_code < 400:
        message = f"The service redirects to {response.headers.get('location')}; use that as base_url."
    else:
        message = error["message"] if error else f"HTTP {response.status_code} {response.reason_phrase}".strip()
    retry_after = read_retry_after(response.headers.get("retry-after"))
    return create_api_error(response.status_code, error, message, retry_after)


def read_json(response: httpx.Response) -> Dict[str, Any]:
    try:
        reply: Dict[str, Any] = response.json()
        return reply
    except ValueError as error:
        if response.headers.get("content-type", "").startswith("application/json"):
            raise ConnectionFailedError("The response was cut off.") from error
        raise ApiError(response.status_code, None, "The response is not from Parley; check base_url.") from error


def with_key(headers: Dict[str, str], key: Optional[str]) -> Dict[str, str]:
    return headers if key is None else {"authorization": f"Bearer {key}", **headers}


class Http:
    """For the synchronous client. ``api_key`` is asked for each attempt."""

    def __init__(self, settings: HttpSettings, client: httpx.Client, api_key: Callable[[], Optional[str]]) -> None:
        self.settings = settings
        self.client = client
        self.api_key = api_key

    def data(self, method: str, path: str, **options: Any) -> Any:
        """The ``data`` of a JSON response."""
        return self._send(Plan(method, path, **options))["data"]

    def page(self, method: str, path: str, *, query: Optional[Mapping[str, Any]] = None, **options: Any) -> Pages[Any]:
        """A list, page by page."""

        def read(cursor: Optional[str]) -> Dict[str, Any]:
            more = {} if cursor is None else {"cursor": cursor}
            return self._send(Plan(method, path, query={**(query or {}), **more}, **options))

        return Pages(read)

    def bytes(self, method: str, path: str, **options: Any) -> httpx.Response:
        """A response of another type: read, or with ``stream`` to be read and closed by the caller."""
        plan = Plan(method, path, accept="*/*", **options)
        response: httpx.Response = self._retry(plan, lambda opened: opened)
        return response

    def _send(self, plan: Plan) -> Dict[str, Any]:
        result: Dict[str, Any] = self._retry(plan, read_json)
        return result

    def _retry(self, plan: Plan, read: Any) -> Any:
        attempts = plan.attempts(self.settings)
        headers = plan.headers_with(self.settings)
        while True:
            try:
                return read(self._attempt(plan, with_key(headers, self.api_key()), attempts.time_left()))
            except ParleyError as error:
                if plan.is_done_by_404(error, attempts):
                    return {"data": {}}
                time.sleep(attempts.wait_after(error))

    def _attempt(self, plan: Plan, headers: Dict[str, str], time_left: float) -> httpx.Response:
        try:
            request = self.client.build_request(**plan.arguments(self.settings, headers, time_left))
            response = self.client.send(request, stream=plan.stream)
            if response.status_code != 200 and response.status_code != 206:
                response.read()
                raise read_error(response)
            return response
        except httpx.TransportError as error:
            raise connection_error(plan, error) from error

    @contextmanager
    def opened(self, plan: Plan) -> Iterator[httpx.Response]:
        """A response that is closed afterwards."""
        response: httpx.Response = self._retry(plan, lambda opened: opened)
        try:
            yield response
        finally:
            response.close()


class AsyncHttp:
    """For the asynchronous client. ``api_key`` is asked for each attempt."""

    def __init__(
        self, settings: HttpSettings, client: httpx.AsyncClient, api_key: Callable[[], Awaitable[Optional[str]]]
    ) -> None:
        self.settings = settings
        self.client = client
        self.api_key = api_key

    async def data(self, method: str, path: str, **options: Any) -> Any:
        """The ``data`` of a JSON response."""
        return (await self._send(Plan(method, path, **options)))["data"]

    def page(
        self, method: str, path: str, *, query: Optional[Mapping[str, Any]] = None, **options: Any
    ) -> AsyncPages[Any]:
        """A list, page by page."""

        async def read(cursor: Optional[str]) -> Dict[str, Any]:
            more = {} if cursor is None else {"cursor": cursor}
            return await self._send(Plan(method, path, query={**(query or {}), **more}, **options))

        return AsyncPages(read)

    async def bytes(self, method: str, path: str, **options: Any) -> httpx.Response:
        """A response of another type: read, or with ``stream`` to be read and closed by the caller."""
        plan = Plan(method, path, accept="*/*", **options)
        response: httpx.Response = await self._retry(plan, lambda opened: opened)
        return response

    async def _send(self, plan: Plan) -> Dict[str, Any]:
        result: Dict[str, Any] = await self._retry(plan, read_json)
        return result

    async def _retry(self, plan: Plan, read: Any) -> Any:
        attempts = plan.attempts(self.settings)
        headers = plan.headers_with(self.settings)
        while True:
            try:
                sent = with_key(headers, await self.api_key())
                return read(await self._attempt(plan, sent, attempts.time_left()))
            except ParleyError as error:
                if plan.is_done_by_404(error, attempts):
                    return {"data": {}}
                await asyncio.sleep(attempts.wait_after(error))

    async def _attempt(self, plan: Plan, headers: Dict[str, str], time_left: float) -> httpx.Response:
        try:
            request = self.client.build_request(**plan.arguments(self.settings, headers, time_left))
            response = await self.client.send(request, stream=plan.stream)
            if response.status_code != 200 and response.status_code != 206:
                await response.aread()
                raise read_error(response)
            return response
        except httpx.TransportError as error:
            raise connection_error(plan, error) from error

    @asynccontextmanager
    async def opened(self, plan: Plan) -> AsyncIterator[httpx.Response]:
        """A response that is closed afterwards."""
        response: httpx.Response = await self._retry(plan, lambda opened: opened)
        try:
            yield response
        finally:
            await response.aclose()
