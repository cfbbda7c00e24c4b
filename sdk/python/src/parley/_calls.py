"""What the calls resource has beyond single requests."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import time
from typing import AsyncIterator, Callable, Iterator, Literal, Optional, Union

import httpx

from ._events import EventParser, StreamMessage
from ._http import AsyncHttp, Http, Plan, connection_error, part
from ._resources import AsyncCallsResource, CallsResource
from ._retry import backoff
from .errors import ConnectionFailedError, RateLimitError, RequestTimeoutError
from .types import Call, CallEvent, NewCall

_FINAL_TYPES = ("call.completed", "call.failed")
#: Three of the comments that the service sends to keep a stream open.
_IDLE_SECONDS = 45.0

TranscriptFormat = Literal["text", "srt", "vtt"]


def _has_ended(call: Call) -> bool:
    return call["phase"] == "ended"


def _stream_plan(path: str, last_event_id: Optional[str], max_retries: Optional[int]) -> Plan:
    headers = {} if last_event_id is None else {"last-event-id": last_event_id}
    return Plan(
        "GET",
        path,
        accept="text/event-stream",
        headers=headers,
        stream=True,
        timeout=_IDLE_SECONDS,
        max_retries=max_retries,
    )


def _time_is_up(call_id: str, wait: Optional[float]) -> RequestTimeoutError:
    return RequestTimeoutError(f"{call_id} had not ended after {wait} seconds.")


def _messages(http: Http, path: str, last_event_id: Callable[[], Optional[str]]) -> Iterator[StreamMessage]:
    """The messages of a stream, across lost connections."""
    retry = 0
    while True:
        plan = _stream_plan(path, last_event_id(), None)
        failure: Optional[ConnectionFailedError] = None
        with http.opened(plan) as response:
            parser = EventParser()
            try:
                for line in response.iter_lines():
                    message = parser.feed(line.rstrip("\r\n"))
                    if message is not None:
                        retry = 0
                        yield message
            except httpx.TransportError as error:
                failure = connection_error(plan, error)
        if retry >= http.settings.max_retries:
            raise failure or ConnectionFailedError(f"The service keeps closing {path}.")
        time.sleep(backoff(retry))
        retry += 1


async def _async_messages(
    http: AsyncHttp, path: str, last_event_id: Callable[[], Optional[str]]
) -> AsyncIterator[StreamMessage]:
    """The messages of a stream, across lost connections."""
    retry = 0
    while True:
        plan = _stream_plan(path, last_event_id(), None)
        failure: Optional[ConnectionFailedError] = None
        async with http.opened(plan) as response:
            parser = EventParser()
            try:
                async for line in response.aiter_lines():
                    message = parser.feed(line.rstrip("\r\n"))
                    if message is not None:
                        retry = 0
                        yield message
            except httpx.TransportError as error:
                failure = connection_error(plan, error)
        if retry >= http.settings.max_retries:
            raise failure or ConnectionFailedError(f"The service keeps closing {path}.")
        await asyncio.sleep(backoff(retry))
        retry += 1


class Calls(CallsResource):
    """Place calls, follow them live and read their results."""

    def create_and_wait(
        self,
        body: NewCall,
        *,
        wait: Optional[float] = None,
        until: Callable[[Call], bool] = _has_ended,
        idempotency_key: Optional[str] = None,
    ) -> Call:
        """Places a call and waits until it has ended, however it ended; see ``status`` and ``endReason``."""
        call = self.create(body, idempotency_key=idempotency_key)
        return self.wait(call["id"], wait=wait, until=until)

    def wait(
        self, id: str, *, wait: Optional[float] = None, until: Callable[[Call], bool] = _has_ended
    ) -> Call:
        """Waits until a call has ended, or is as far as ``until`` says; at most ``wait`` seconds."""
        give_up_at = None if wait is None else time.monotonic() + wait
        after, round_ = 0, 0
        while True:
            call = self.get(id)
            if until(call):
                return call
            if give_up_at is not None and time.monotonic() >= give_up_at:
                raise _time_is_up(id, wait)
            if call["phase"] == "ended" or give_up_at is not None:
                # A synchronous stream cannot be left at a given time.
                left = give_up_at - time.monotonic() if give_up_at is not None else 10.0
                time.sleep(max(0.0, min(backoff(min(round_, 2)), left)))
                round_ += 1
                continue
            try:
                for event in self.follow(id, after=after):
                    after = event["sequence"]
                    if until is not _has_ended:
                        break
            except RateLimitError:
                # An account may have only so many streams open; then ask from time to time.
                time.sleep(backoff(round_))
                round_ += 1

    def follow(self, id: str, *, after: int = 0) -> Iterator[CallEvent]:
        """The events of a call, from the first one on and then live, until it has ended.

        Lost connections are resumed; no event is missed or repeated.
        """
        last = after
        path = f"/api/v1/calls/{part(id)}/events"
        for message in _messages(self._http, path, lambda: str(last) if last > 0 else None):
            event: CallEvent = json.loads(message.data)
            if event["sequence"] <= last:
                continue
            last = event["sequence"]
            yield event
            if event["type"] in _FINAL_TYPES:
                return

    def get_transcript_text(self, id: str, format: TranscriptFormat = "text") -> str:
        """The transcript as plain text or as captions."""
        path = f"/api/v1/calls/{part(id)}/transcript"
        return self._http.bytes("GET", path, query={"format": format}).text

    def save_recording(self, id: str, file: Union[str, "os.PathLike[str]"]) -> None:
        """Saves the recording as a WAV file, which appears under its name when it is complete."""
        plan = Plan("GET", f"/api/v1/calls/{part(id)}/recording", accept="*/*", stream=True)
        partial = f"{os.fspath(file)}.{secrets.token_hex(8)}.partial"
        try:
            with self._http.opened(plan) as response, open(partial, "xb") as target:
                try:
                    for chunk in response.iter_bytes():
                        target.write(chunk)
                except httpx.TransportError as error:
                    raise connection_error(plan, error) from error
            os.replace(partial, file)
        except BaseException:
            _remove(partial)
            raise


class AsyncCalls(AsyncCallsResource):
    """Place calls, follow them live and read their results."""

    async def create_and_wait(
        self,
        body: NewCall,
        *,
        wait: Optional[float] = None,
        until: Callable[[Call], bool] = _has_ended,
        idempotency_key: Optional[str] = None,
    ) -> Call:
        """Places a call and waits until it has ended, however it ended; see ``status`` and ``endReason``."""
        call = await self.create(body, idempotency_key=idempotency_key)
        return await self.wait(call["id"], wait=wait, until=until)

    async def wait(
        self, id: str, *, wait: Optional[float] = None, until: Callable[[Call], bool] = _has_ended
    ) -> Call:
        """Waits until a call has ended, or is as far as ``until`` says; at most ``wait`` seconds."""
        try:
            return await asyncio.wait_for(self._wait(id, until), wait)
        except asyncio.TimeoutError as error:
            raise _time_is_up(id, wait) from error

    async def _wait(self, id: str, until: Callable[[Call], bool]) -> Call:
        after, round_ = 0, 0
        while True:
            call = await self.get(id)
            if until(call):
                return call
            if call["phase"] == "ended":
                await asyncio.sleep(backoff(round_))
                round_ += 1
                continue
            try:
                async for event in self.follow(id, after=after):
                    after = event["sequence"]
                    if until is not _has_ended:
                        break
            except RateLimitError:
                # An account may have only so many streams open; then ask from time to time.
                await asyncio.sleep(backoff(round_))
                round_ += 1

    async def follow(self, id: str, *, after: int = 0) -> AsyncIterator[CallEvent]:
        """The events of a call, from the first one on and then live, until it has ended.

        Lost connections are resumed; no event is missed or repeated.
        """
        last = after
        path = f"/api/v1/calls/{part(id)}/events"
        async for message in _async_messages(self._http, path, lambda: str(last) if last > 0 else None):
            event: CallEvent = json.loads(message.data)
            if event["sequence"] <= last:
                continue
            last = event["sequence"]
            yield event
            if event["type"] in _FINAL_TYPES:
                return

    async def get_transcript_text(self, id: str, format: TranscriptFormat = "text") -> str:
        """The transcript as plain text or as captions."""
        path = f"/api/v1/calls/{part(id)}/transcript"
        return (await self._http.bytes("GET", path, query={"format": format})).text

    async def save_recording(self, id: str, file: Union[str, "os.PathLike[str]"]) -> None:
        """Saves the recording as a WAV file, which appears under its name when it is complete."""
        plan = Plan("GET", f"/api/v1/calls/{part(id)}/recording", accept="*/*", stream=True)
        partial = f"{os.fspath(file)}.{secrets.token_hex(8)}.partial"
        try:
            async with self._http.opened(plan) as response:
                with open(partial, "xb") as target:
                    try:
                        async for chunk in response.aiter_bytes():
                            target.write(chunk)
                    except httpx.TransportError as error:
                        raise connection_error(plan, error) from error
            os.replace(partial, file)
        except BaseException:
            _remove(partial)
            raise


def _remove(file: str) -> None:
    try:
        os.remove(file)
    except FileNotFoundError:
        return
