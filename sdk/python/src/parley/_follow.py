"""Streams of events, across lost connections."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from dataclasses import dataclass
from typing import AsyncIterator, Callable, Iterator, Mapping, Optional, Union

import httpx

from ._event_stream import EventParser, StreamMessage
from ._http import AsyncHttp, Http, HttpSettings, Plan, connection_error
from ._retry import backoff
from .errors import ConnectionFailedError, RequestTimeoutError

#: Three of the comments that the service sends to keep a stream open.
_IDLE_SECONDS = 45.0


class TimeLimit:
    """How long something may take; without ``seconds``, as long as it needs."""

    def __init__(self, seconds: Optional[float]) -> None:
        self.seconds = seconds
        self._ends_at = None if seconds is None else time.monotonic() + seconds

    def left(self) -> Optional[float]:
        return None if self._ends_at is None else max(0.0, self._ends_at - time.monotonic())

    def shorten(self, seconds: float) -> float:
        """The given time, or what is left if that is less."""
        left = self.left()
        return seconds if left is None else min(seconds, left)

    def is_over(self) -> bool:
        return self.left() == 0.0

    def check(self) -> None:
        if self.is_over():
            raise RequestTimeoutError(f"The time is up: {self.seconds} seconds.")


@dataclass(frozen=True)
class FollowPlan:
    """A stream, before it is opened."""

    path: str
    limit: TimeLimit
    timeout: Optional[float] = None
    deadline: Optional[float] = None
    max_retries: Optional[int] = None
    headers: Optional[Mapping[str, str]] = None
    #: Asked for each connection: the id of the last event, to resume after it.
    last_event_id: Callable[[], Optional[str]] = lambda: None
    #: A message of our own at the beginning of each connection.
    opened: Optional[StreamMessage] = None

    def request(self, settings: HttpSettings) -> Plan:
        self.limit.check()
        last_event_id = self.last_event_id()
        return Plan(
            "GET",
            self.path,
            accept="text/event-stream",
            headers={**({} if last_event_id is None else {"last-event-id": last_event_id}), **(self.headers or {})},
            stream=True,
            timeout=self.timeout,
            read_timeout=self.limit.shorten(_IDLE_SECONDS),
            deadline=self.limit.shorten(settings.deadline if self.deadline is None else self.deadline),
            max_retries=self.max_retries,
        )

    def pause_after(self, retry: int, settings: HttpSettings, failure: Optional[ConnectionFailedError]) -> float:
        """The seconds to wait before the stream is opened again; raises if it must not be."""
        self.limit.check()
        if retry >= (settings.max_retries if self.max_retries is None else self.max_retries):
            raise failure or ConnectionFailedError(f"The service keeps closing {self.path}.")
        return self.limit.shorten(backoff(retry))


def follow(http: Http, plan: FollowPlan) -> Iterator[StreamMessage]:
    """The messages of a stream, until the caller stops. Raises a RequestTimeoutError when the limit is over."""
    retry = 0
    while True:
        request = plan.request(http.settings)
        failure: Optional[ConnectionFailedError] = None
        with http.opened(request) as response:
            parser = EventParser()
            if plan.opened is not None:
                yield plan.opened
            try:
                for chunk in _chunks(response, plan.limit):
                    for message in parser.feed(chunk):
                        retry = 0
                        yield message
            except httpx.TransportError as error:
                failure = connection_error(request, error)
        time.sleep(plan.pause_after(retry, http.settings, failure))
        retry += 1


def _chunks(response: httpx.Response, limit: TimeLimit) -> Iterator[bytes]:
    """The body of a response, until the limit is over."""
    if limit.seconds is None:
        yield from response.iter_bytes()
        return
    # A blocked read cannot be interrupted. The thread ends when the service sends its next comment.
    arrived: "queue.SimpleQueue[Union[bytes, Exception, None]]" = queue.SimpleQueue()
    is_abandoned = threading.Event()

    def read() -> None:
        try:
            for chunk in response.iter_bytes():
                if is_abandoned.is_set():
                    return
                arrived.put(chunk)
            arrived.put(None)
        except Exception as error:
            arrived.put(error)

    threading.Thread(target=read, name="parley-stream", daemon=True).start()
    try:
        while True:
            found = arrived.get(timeout=limit.left())
            if found is None:
                return
            if isinstance(found, Exception):
                raise found
            yield found
    except queue.Empty:
        return
    finally:
        is_abandoned.set()


async def follow_async(http: AsyncHttp, plan: FollowPlan) -> AsyncIterator[StreamMessage]:
    """The messages of a stream, until the caller stops. Raises a RequestTimeoutError when the limit is over."""
    retry = 0
    while True:
        request = plan.request(http.settings)
        failure: Optional[ConnectionFailedError] = None
        async with http.opened(request) as response:
            parser = EventParser()
            if plan.opened is not None:
                yield plan.opened
            try:
                async for chunk in _async_chunks(response, plan.limit):
                    for message in parser.feed(chunk):
                        retry = 0
                        yield message
            except httpx.TransportError as error:
                failure = connection_error(request, error)
        await asyncio.sleep(plan.pause_after(retry, http.settings, failure))
        retry += 1


async def _async_chunks(response: httpx.Response, limit: TimeLimit) -> AsyncIterator[bytes]:
    """The body of a response, until the limit is over."""
    chunks = response.aiter_bytes()
    while True:
        try:
            yield await asyncio.wait_for(chunks.__anext__(), limit.left())
        except (StopAsyncIteration, asyncio.TimeoutError):
            return
