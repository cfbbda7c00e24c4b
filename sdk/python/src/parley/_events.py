"""The changes of all calls of an account, live."""

from __future__ import annotations

import json
from typing import AsyncIterator, Iterator, Literal, Mapping, Optional, TypedDict, Union

from ._event_stream import StreamMessage
from ._follow import FollowPlan, TimeLimit, follow, follow_async
from ._http import AsyncHttp, Http

#: Changes are not stored: what happened while there was no connection is not sent later.
_REFETCH = StreamMessage("refetch", "{}")


class CallChanged(TypedDict):
    """A call changed: get it again."""

    type: Literal["call"]
    callId: str
    version: int


class Refetch(TypedDict):
    """Changes may have been missed, as after a lost connection: get everything again."""

    type: Literal["refetch"]


CallChange = Union[CallChanged, Refetch]


class Events:
    def __init__(self, http: Http) -> None:
        self._http = http

    def follow(
        self,
        *,
        wait: Optional[float] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Iterator[CallChange]:
        """The changes of all calls of the account, live, until you stop reading. Begins with ``refetch``.

        With ``wait``, a RequestTimeoutError ends it after so many seconds.
        """
        plan = FollowPlan(
            "/api/v1/events", TimeLimit(wait), timeout, deadline, max_retries, headers, opened=_REFETCH
        )
        for message in follow(self._http, plan):
            change = _read_change(message)
            if change is not None:
                yield change


class AsyncEvents:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def follow(
        self,
        *,
        wait: Optional[float] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncIterator[CallChange]:
        """The changes of all calls of the account, live, until you stop reading. Begins with ``refetch``.

        With ``wait``, a RequestTimeoutError ends it after so many seconds.
        """
        plan = FollowPlan(
            "/api/v1/events", TimeLimit(wait), timeout, deadline, max_retries, headers, opened=_REFETCH
        )
        async for message in follow_async(self._http, plan):
            change = _read_change(message)
            if change is not None:
                yield change


def _read_change(message: StreamMessage) -> Optional[CallChange]:
    """None for events that this version does not know."""
    if message.event == "refetch":
        return {"type": "refetch"}
    if message.event == "call":
        data = json.loads(message.data)
        return {"type": "call", "callId": data["callId"], "version": data["version"]}
    return None
