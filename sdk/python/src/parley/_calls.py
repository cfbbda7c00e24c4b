"""What the calls resource has beyond single requests."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import time
from contextlib import contextmanager
from typing import Any, AsyncIterator, Callable, Dict, Iterator, Literal, Mapping, Optional, Set, TypedDict, Union

import httpx

from ._event_stream import StreamMessage
from ._follow import FollowPlan, TimeLimit, follow, follow_async
from ._http import HttpSettings, Plan, connection_error, part
from ._resources import AsyncCallsResource, CallsResource
from ._retry import backoff
from .errors import RateLimitError, RequestTimeoutError
from .types import Call, CallEvent, NewCall, TranscriptItem

_FINAL_TYPES = ("call.completed", "call.failed")

TranscriptFormat = Literal["text", "srt", "vtt"]


class TranscriptItemAdded(TypedDict):
    """Items have permanent numbers; one that was revised is removed and added again."""

    type: Literal["item"]
    number: int
    item: TranscriptItem


class TranscriptItemRemoved(TypedDict):
    type: Literal["removed"]
    number: int


#: A change of a live transcript.
TranscriptChange = Union[TranscriptItemAdded, TranscriptItemRemoved]


def _has_ended(call: Call) -> bool:
    return call["phase"] == "ended"


class Calls(CallsResource):
    """Place calls, follow them live and read their results."""

    def create_and_wait(
        self,
        body: NewCall,
        *,
        wait: Optional[float] = None,
        until: Callable[[Call], bool] = _has_ended,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Call:
        """Places a call and waits until it has ended, however it ended; see ``status`` and ``endReason``."""
        options = _options(timeout, deadline, max_retries, headers)
        call = self.create(body, idempotency_key=idempotency_key, **options)
        return self.wait(call["id"], wait=wait, until=until, **options)

    def wait(
        self,
        id: str,
        *,
        wait: Optional[float] = None,
        until: Callable[[Call], bool] = _has_ended,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Call:
        """Waits until a call has ended, or is as far as ``until`` says; at most ``wait`` seconds."""
        limit = TimeLimit(wait)
        options = _options(timeout, deadline, max_retries, headers)
        after, round_ = 0, 0
        with _time_limit(id, limit):
            while True:
                call = self.get(id, **_within(limit, options, self._http.settings))
                if until(call):
                    return call
                limit.check()
                if call["phase"] == "ended":
                    time.sleep(limit.shorten(backoff(round_)))
                    round_ += 1
                    continue
                try:
                    for event in self.follow(id, after=after, wait=limit.left(), **options):
                        after, round_ = event["sequence"], 0
                        if until is not _has_ended:
                            break
                except RateLimitError:
                    # An account may have only so many streams open; then ask from time to time.
                    time.sleep(limit.shorten(backoff(round_)))
                    round_ += 1

    def follow(
        self,
        id: str,
        *,
        after: int = 0,
        wait: Optional[float] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Iterator[CallEvent]:
        """The events of a call, from the first one on and then live, until it has ended.

        Lost connections are resumed; no event is missed or repeated. With ``wait``, a RequestTimeoutError ends it after
        so many seconds.
        """
        events = _CallEvents(after)
        plan = FollowPlan(
            _path(id, "events"), TimeLimit(wait), timeout, deadline, max_retries, headers, events.last_event_id
        )
        for message in follow(self._http, plan):
            event = events.read(message)
            if event is not None:
                yield event
                if event["type"] in _FINAL_TYPES:
                    return

    def follow_transcript(
        self,
        id: str,
        *,
        wait: Optional[float] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Iterator[TranscriptChange]:
        """The transcript of a call as it grows, until the call has ended.

        With ``wait``, a RequestTimeoutError ends it after so many seconds.
        """
        changes = _TranscriptChanges()
        plan = FollowPlan(_path(id, "transcript"), TimeLimit(wait), timeout, deadline, max_retries, headers)
        for message in follow(self._http, plan):
            if message.event == "ready":
                return
            change = changes.read(message)
            if change is not None:
                yield change

    def get_transcript_text(
        self,
        id: str,
        format: TranscriptFormat = "text",
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> str:
        """The transcript as plain text or as captions."""
        options = _options(timeout, deadline, max_retries, headers)
        return self._http.bytes("GET", _path(id, "transcript"), query={"format": format}, **options).text

    def save_recording(
        self,
        id: str,
        file: Union[str, "os.PathLike[str]"],
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> None:
        """Saves the recording as a WAV file, which appears under its name when it is complete."""
        plan = _recording_plan(id, _options(timeout, deadline, max_retries, headers))
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
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Call:
        """Places a call and waits until it has ended, however it ended; see ``status`` and ``endReason``."""
        options = _options(timeout, deadline, max_retries, headers)
        call = await self.create(body, idempotency_key=idempotency_key, **options)
        return await self.wait(call["id"], wait=wait, until=until, **options)

    async def wait(
        self,
        id: str,
        *,
        wait: Optional[float] = None,
        until: Callable[[Call], bool] = _has_ended,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Call:
        """Waits until a call has ended, or is as far as ``until`` says; at most ``wait`` seconds."""
        limit = TimeLimit(wait)
        options = _options(timeout, deadline, max_retries, headers)
        after, round_ = 0, 0
        with _time_limit(id, limit):
            while True:
                call = await self.get(id, **_within(limit, options, self._http.settings))
                if until(call):
                    return call
                limit.check()
                if call["phase"] == "ended":
                    await asyncio.sleep(limit.shorten(backoff(round_)))
                    round_ += 1
                    continue
                try:
                    async for event in self.follow(id, after=after, wait=limit.left(), **options):
                        after, round_ = event["sequence"], 0
                        if until is not _has_ended:
                            break
                except RateLimitError:
                    # An account may have only so many streams open; then ask from time to time.
                    await asyncio.sleep(limit.shorten(backoff(round_)))
                    round_ += 1

    async def follow(
        self,
        id: str,
        *,
        after: int = 0,
        wait: Optional[float] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncIterator[CallEvent]:
        """The events of a call, from the first one on and then live, until it has ended.

        Lost connections are resumed; no event is missed or repeated. With ``wait``, a RequestTimeoutError ends it after
        so many seconds.
        """
        events = _CallEvents(after)
        plan = FollowPlan(
            _path(id, "events"), TimeLimit(wait), timeout, deadline, max_retries, headers, events.last_event_id
        )
        async for message in follow_async(self._http, plan):
            event = events.read(message)
            if event is not None:
                yield event
                if event["type"] in _FINAL_TYPES:
                    return

    async def follow_transcript(
        self,
        id: str,
        *,
        wait: Optional[float] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncIterator[TranscriptChange]:
        """The transcript of a call as it grows, until the call has ended.

        With ``wait``, a RequestTimeoutError ends it after so many seconds.
        """
        changes = _TranscriptChanges()
        plan = FollowPlan(_path(id, "transcript"), TimeLimit(wait), timeout, deadline, max_retries, headers)
        async for message in follow_async(self._http, plan):
            if message.event == "ready":
                return
            change = changes.read(message)
            if change is not None:
                yield change

    async def get_transcript_text(
        self,
        id: str,
        format: TranscriptFormat = "text",
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> str:
        """The transcript as plain text or as captions."""
        options = _options(timeout, deadline, max_retries, headers)
        return (await self._http.bytes("GET", _path(id, "transcript"), query={"format": format}, **options)).text

    async def save_recording(
        self,
        id: str,
        file: Union[str, "os.PathLike[str]"],
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> None:
        """Saves the recording as a WAV file, which appears under its name when it is complete."""
        plan = _recording_plan(id, _options(timeout, deadline, max_retries, headers))
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


class _CallEvents:
    """Leaves out what a resumed connection repeats."""

    def __init__(self, after: int) -> None:
        self._last = after

    def last_event_id(self) -> Optional[str]:
        return str(self._last) if self._last > 0 else None

    def read(self, message: StreamMessage) -> Optional[CallEvent]:
        event: CallEvent = json.loads(message.data)
        if event["sequence"] <= self._last:
            return None
        self._last = event["sequence"]
        return event


class _TranscriptChanges:
    """Leaves out what a resumed connection repeats: it sends all items again."""

    def __init__(self) -> None:
        self._seen: Set[int] = set()

    def read(self, message: StreamMessage) -> Optional[TranscriptChange]:
        """None for what was sent before, and for events that this version does not know."""
        if message.event not in ("item", "removed"):
            return None
        change = json.loads(message.data)
        number: int = change["number"]
        if message.event == "removed":
            if number not in self._seen:
                return None
            self._seen.remove(number)
            return {"type": "removed", "number": number}
        if number in self._seen:
            return None
        self._seen.add(number)
        return {"type": "item", "number": number, "item": change["item"]}


def _options(
    timeout: Optional[float],
    deadline: Optional[float],
    max_retries: Optional[int],
    headers: Optional[Mapping[str, str]],
) -> Dict[str, Any]:
    return {"timeout": timeout, "deadline": deadline, "max_retries": max_retries, "headers": headers}


def _within(limit: TimeLimit, options: Dict[str, Any], settings: HttpSettings) -> Dict[str, Any]:
    deadline = settings.deadline if options["deadline"] is None else options["deadline"]
    return {**options, "deadline": limit.shorten(deadline)}


def _path(id: str, what: str) -> str:
    return f"/api/v1/calls/{part(id)}/{what}"


def _recording_plan(id: str, options: Dict[str, Any]) -> Plan:
    return Plan("GET", _path(id, "recording"), accept="*/*", stream=True, **options)


@contextmanager
def _time_limit(call_id: str, limit: TimeLimit) -> Iterator[None]:
    """Says what was waited for, whatever was under way when the time was up."""
    try:
        yield
    except RequestTimeoutError as error:
        if not limit.is_over():
            raise
        raise RequestTimeoutError(f"{call_id} had not ended after {limit.seconds} seconds.") from error


def _remove(file: str) -> None:
    try:
        os.remove(file)
    except FileNotFoundError:
        return
