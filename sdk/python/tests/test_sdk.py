"""Runs without a service: `python3 -m unittest` in this folder."""

import asyncio
import json
import os
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional
from unittest import mock

import httpx

from parley import (
    AsyncParley,
    ConnectionFailedError,
    NotFoundError,
    Parley,
    PermissionDeniedError,
    RateLimitError,
    RequestTimeoutError,
    ValidationError,
    WebhookVerificationError,
    verify_webhook,
)
from parley._event_stream import EventParser, StreamMessage

NEW_CALL: Any = {"phoneNumber": "+15550100001", "agentId": "agt_1"}
VECTORS = json.loads((Path(__file__).parents[2] / "webhook-vectors.json").read_text())


def ok(data: Any, **more: Any) -> httpx.Response:
    return httpx.Response(200, json={"success": True, "data": data, **more})


def refusal(status: int, code: str, retryable: bool, headers: Dict[str, str] = {}) -> httpx.Response:
    error = {"code": code, "message": code, "requestId": "req_1", "docUrl": "/docs", "retryable": retryable}
    return httpx.Response(status, json={"success": False, "error": error}, headers=headers)


def event(sequence: int, kind: str) -> str:
    data = json.dumps({"sequence": sequence, "type": kind, "createdAt": "x", "data": {}})
    return f"id: {sequence}\nevent: {kind}\ndata: {data}\n\n"


class Broken(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that breaks off after the given text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __iter__(self) -> Any:
        yield self.text.encode()
        raise httpx.ReadError("broken")

    async def __aiter__(self) -> Any:
        yield self.text.encode()
        raise httpx.ReadError("broken")


class Silence(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that is open, and silent after the given text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.is_closed = threading.Event()

    def __iter__(self) -> Any:
        yield self.text.encode()
        self.is_closed.wait()

    def close(self) -> None:
        self.is_closed.set()

    async def __aiter__(self) -> Any:
        yield self.text.encode()
        await asyncio.Event().wait()


def silence(text: str) -> httpx.Response:
    return httpx.Response(200, stream=Silence(text))


def stream(text: str) -> httpx.Response:
    return httpx.Response(200, content=text.encode(), headers={"content-type": "text/event-stream"})


def broken(text: str) -> httpx.Response:
    return httpx.Response(200, stream=Broken(text))


def lost(request: httpx.Request) -> httpx.Response:
    raise httpx.ReadError("connection lost", request=request)


class Service:
    """Gives the replies one after the other and records the requests. Sleeping takes no time."""

    def __init__(self, *replies: Any, **options: Any) -> None:
        self.replies = list(replies)
        self.sent: List[httpx.Request] = []
        self.slept: List[float] = []
        self.options = {"base_url": "https://parley.example/", "api_key": "svc_test_x", **options}

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request)
        reply = self.replies.pop(0)
        return reply(request) if callable(reply) else reply

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def run(self, use: Callable[[Parley], Any]) -> Any:
        client = httpx.Client(transport=httpx.MockTransport(self.answer))
        with mock.patch("time.sleep", self.slept.append), Parley(http_client=client, **self.options) as parley:
            return use(parley)

    def run_async(self, use: Callable[[AsyncParley], Any]) -> Any:
        async def main() -> Any:
            client = httpx.AsyncClient(transport=httpx.MockTransport(self.answer))
            with mock.patch("asyncio.sleep", self.sleep):
                async with AsyncParley(http_client=client, **self.options) as parley:
                    return await use(parley)

        return asyncio.run(main())

    def run_all(self, use: Callable[[Parley], Any], found: Optional[List[Any]] = None) -> List[Any]:
        """What a stream gives, added to the list as it arrives."""
        found = [] if found is None else found
        self.run(lambda parley: found.extend(use(parley)))
        return found

    def run_async_all(self, use: Callable[[AsyncParley], Any], found: Optional[List[Any]] = None) -> List[Any]:
        found = [] if found is None else found

        async def collect(parley: AsyncParley) -> None:
            async for each in use(parley):
                found.append(each)

        self.run_async(collect)
        return found

    def headers(self, name: str) -> List[Any]:
        return [request.headers.get(name) for request in self.sent]


def collect_both(replies: Any, use: Callable[[Any], Any], ends_with: Any = None) -> List[List[Any]]:
    """What a stream gives with each of the clients, until it ends or raises that error."""
    results: List[List[Any]] = []
    for run in ("run_all", "run_async_all"):
        found: List[Any] = []
        if ends_with is None:
            getattr(Service(*replies), run)(use, found)
        else:
            with unittest.TestCase().assertRaises(ends_with):
                getattr(Service(*replies), run)(use, found)
        results.append(found)
    return results


class Requests(unittest.TestCase):
    def test_a_call_whose_reply_is_lost_is_placed_again_under_the_same_key(self) -> None:
        for run in ("run", "run_async"):
            service = Service(lost, lost, ok({"id": "call_1"}))
            self.assertEqual(getattr(service, run)(lambda parley: parley.calls.create(NEW_CALL)), {"id": "call_1"})
            keys = service.headers("idempotency-key")
            self.assertEqual(len(keys), 3)
            self.assertEqual(len(set(keys)), 1)
            self.assertRegex(keys[0], "^sdk-[0-9a-f]{32}$")

    def test_waits_as_long_as_retry_after_says(self) -> None:
        service = Service(refusal(429, "rate_limited", True, {"retry-after": "7"}), ok({}))
        service.run(lambda parley: parley.calls.get("call_1"))
        self.assertEqual(service.slept, [7.0])

    def test_a_retry_after_beyond_the_deadline_is_reported_immediately(self) -> None:
        service = Service(refusal(429, "queue_full", True, {"retry-after": "3600"}))
        with self.assertRaises(RateLimitError) as caught:
            service.run(lambda parley: parley.calls.create(NEW_CALL))
        self.assertEqual((caught.exception.code, caught.exception.retry_after), ("queue_full", 3600.0))

    def test_what_is_refused_for_good_is_not_repeated(self) -> None:
        service = Service(refusal(422, "validation_failed", False))
        with self.assertRaises(ValidationError):
            service.run(lambda parley: parley.calls.create(NEW_CALL))
        self.assertEqual(len(service.sent), 1)

    def test_a_change_without_a_key_is_not_repeated_when_its_reply_is_lost(self) -> None:
        service = Service(lost)
        with self.assertRaises(ConnectionFailedError):
            service.run(lambda parley: parley.webhooks.create({"url": "https://app.example/in"}))
        self.assertEqual(len(service.sent), 1)

    def test_a_deletion_whose_reply_is_lost_is_done_if_nothing_is_found_then(self) -> None:
        service = Service(lost, refusal(404, "not_found", False), refusal(404, "not_found", False))
        self.assertEqual(service.run(lambda parley: parley.webhooks.delete("whk_1")), {})
        with self.assertRaises(NotFoundError):
            service.run(lambda parley: parley.webhooks.delete("whk_1"))

    def test_lists_go_through_all_pages_with_the_same_filter(self) -> None:
        service = Service(ok([1, 2], nextCursor="a"), ok([3], nextCursor=None))
        self.assertEqual(service.run(lambda parley: list(parley.calls.list({"status": "failed"}))), [1, 2, 3])
        self.assertEqual(service.sent[1].url.params["cursor"], "a")
        self.assertEqual(service.sent[1].url.params["status"], "failed")

    def test_lists_of_the_asynchronous_client(self) -> None:
        async def collect(parley: AsyncParley) -> List[Any]:
            return [item async for item in parley.calls.list()]

        self.assertEqual(Service(ok([1], nextCursor="a"), ok([2], nextCursor=None)).run_async(collect), [1, 2])


class Following(unittest.TestCase):
    REPLIES = (
        lambda _: broken(event(1, "call.initiated") + "id: 2\nevent: call.dia"),
        lost,
        lambda _: stream(event(1, "call.initiated") + event(2, "call.dialing")),
        lambda _: refusal(503, "unavailable", True),
        lambda _: stream(": open\n\n" + event(3, "call.completed")),
    )

    def check(self, service: Service, sequences: List[int]) -> None:
        self.assertEqual(sequences, [1, 2, 3])
        self.assertEqual(service.headers("last-event-id"), [None, "1", "1", "2", "2"])

    def test_a_broken_connection_is_resumed_after_the_last_event(self) -> None:
        service = Service(*self.REPLIES)
        self.check(service, service.run(lambda parley: [each["sequence"] for each in parley.calls.follow("call_1")]))

    def test_with_the_asynchronous_client(self) -> None:
        async def collect(parley: AsyncParley) -> List[int]:
            return [each["sequence"] async for each in parley.calls.follow("call_1")]

        service = Service(*self.REPLIES)
        self.check(service, service.run_async(collect))

    def test_waits_until_the_call_has_ended(self) -> None:
        replies = (
            lambda _: ok({"id": "call_1", "phase": "queued"}),
            lambda _: ok({"id": "call_1", "phase": "queued"}),
            lambda _: stream(event(1, "call.initiated") + event(2, "call.failed")),
            lambda _: ok({"id": "call_1", "phase": "ended"}),
        )
        for run in ("run", "run_async"):
            service = Service(*replies)
            call = getattr(service, run)(lambda parley: parley.calls.create_and_wait(NEW_CALL))
            self.assertEqual(call["phase"], "ended")


class Streams(unittest.TestCase):
    def test_only_the_line_ends_of_the_standard_end_a_line(self) -> None:
        text = "one\u2028two\x85three\x0bfour\x1cfive\u2029six"
        for end in ("\n", "\r", "\r\n"):
            sent = f": open{end}{end}event: note{end}data: {text}{end}data:more{end}{end}data: last{end}{end}:{end}".encode()
            for size in (1, 2, 3, 7, len(sent)):
                parser = EventParser()
                chunks = [sent[start : start + size] for start in range(0, len(sent), size)]
                found = [message for chunk in chunks for message in parser.feed(chunk)]
                self.assertEqual(
                    found, [StreamMessage("note", f"{text}\nmore"), StreamMessage("message", "last")], (end, size)
                )

    def test_text_of_a_callee_with_separators_of_unicode_arrives_whole(self) -> None:
        item = json.dumps({"number": 1, "item": {"text": "one\u2028two\x85three"}}, ensure_ascii=False)
        replies = (lambda _: stream(f"event: item\ndata: {item}\n\nevent: ready\ndata: {{}}\n\n"),)
        changes = collect_both(replies, lambda parley: parley.calls.follow_transcript("call_1"))
        for found in changes:
            self.assertEqual([each["item"]["text"] for each in found], ["one\u2028two\x85three"])

    def test_a_transcript_is_resumed_without_repeating_items(self) -> None:
        def line(kind: str, number: int, text: str = "") -> str:
            data = {"number": number, **({"item": {"text": text}} if kind == "item" else {})}
            return f"event: {kind}\ndata: {json.dumps(data)}\n\n"

        replies = (
            lambda _: broken(line("item", 1, "Hello?") + line("item", 2, "How can")),
            lambda _: stream(line("item", 1, "Hello?") + line("removed", 2) + line("removed", 9) + line("added_later", 4)),
            lambda _: stream(line("item", 1, "Hello?") + line("item", 3, "How can I help?") + line("ready", 0)),
        )
        for found in collect_both(replies, lambda parley: parley.calls.follow_transcript("call_1")):
            self.assertEqual(
                [(each["type"], each["number"]) for each in found],
                [("item", 1), ("item", 2), ("removed", 2), ("item", 3)],
            )

    def test_changes_of_all_calls_say_when_some_may_have_been_missed(self) -> None:
        change = 'event: call\ndata: {"callId": "call_1", "version": 3}\n\n'
        replies = (
            lambda _: broken(change),
            lambda _: stream("event: refetch\ndata: {}\n\n" + "event: added_later\ndata: {}\n\n"),
            lambda _: refusal(403, "insufficient_scope", False),
        )
        for found in collect_both(replies, lambda parley: parley.events.follow(), PermissionDeniedError):
            refetch, changed = {"type": "refetch"}, {"type": "call", "callId": "call_1", "version": 3}
            self.assertEqual(found, [refetch, changed, refetch, refetch])

    def test_a_stream_and_a_wait_end_when_their_time_is_up(self) -> None:
        queued = {"id": "call_1", "phase": "queued"}
        for silent in (lambda _: silence(": open\n\n"), lambda _: silence("")):
            uses = [
                ((silent,), lambda parley: parley.calls.follow("call_1", wait=0.05)),
                ((silent,), lambda parley: parley.calls.follow_transcript("call_1", wait=0.05)),
                ((silent,), lambda parley: parley.events.follow(wait=0.05)),
            ]
            for replies, use in uses:
                collect_both(replies, use, RequestTimeoutError)
            for run in ("run", "run_async"):
                with self.assertRaisesRegex(RequestTimeoutError, "call_1 had not ended after 0.05 seconds"):
                    replies = (lambda _: ok(queued), silent)
                    getattr(Service(*replies), run)(lambda parley: parley.calls.wait("call_1", wait=0.05))


class Headers(unittest.TestCase):
    def test_headers_of_one_request_replace_those_of_the_client_whatever_their_case(self) -> None:
        for run in ("run", "run_async"):
            service = Service(ok({}), ok({}), headers={"X-Trace": "client", "Authorization": "Bearer other"})
            getattr(service, run)(lambda parley: parley.calls.get("call_1"))
            getattr(service, run)(lambda parley: parley.calls.create(NEW_CALL, headers={"x-trace": "request"}))
            self.assertEqual(service.headers("x-trace"), ["client", "request"])
            self.assertEqual(service.headers("authorization"), ["Bearer other", "Bearer other"])

    def test_streams_take_them_too(self) -> None:
        replies = (lambda _: stream(event(1, "call.completed")),)
        for run in ("run", "run_async"):
            service = Service(*replies)
            getattr(service, f"{run}_all")(lambda parley: parley.calls.follow("call_1", headers={"x-trace": "stream"}))
            self.assertEqual(service.headers("x-trace"), ["stream"])

    def test_a_function_is_asked_for_the_key_of_each_attempt(self) -> None:
        keys = iter(["first", "second", "third", "fourth"])

        async def later() -> str:
            return next(keys)

        service = Service(lost, ok({}), api_key=lambda: next(keys))
        service.run(lambda parley: parley.calls.get("call_1"))
        self.assertEqual(service.headers("authorization"), ["Bearer first", "Bearer second"])
        service = Service(lost, ok({}), api_key=later)
        service.run_async(lambda parley: parley.calls.get("call_1"))
        self.assertEqual(service.headers("authorization"), ["Bearer third", "Bearer fourth"])

    def test_an_empty_key_sends_none(self) -> None:
        service = Service(ok({}), api_key="")
        with mock.patch.dict(os.environ, {"PARLEY_API_KEY": "svc_test_environment"}):
            service.run(lambda parley: parley.calls.get("call_1"))
        self.assertEqual(service.headers("authorization"), [None])


class Recordings(unittest.TestCase):
    def test_a_file_appears_only_when_it_is_complete(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "call.wav")
            with self.assertRaises(ConnectionFailedError):
                Service(broken("RIFF")).run(lambda parley: parley.calls.save_recording("call_1", file))
            self.assertEqual(os.listdir(folder), [])
            Service(stream("RIFF")).run(lambda parley: parley.calls.save_recording("call_1", file))
            self.assertEqual(os.listdir(folder), ["call.wav"])


class Webhooks(unittest.TestCase):
    def test_the_vectors_of_standard_webhooks(self) -> None:
        for vector in VECTORS:
            secrets = vector["secrets"]
            for body in (vector["body"], vector["body"].encode()):
                with self.subTest(vector["name"]):
                    arguments = (body, vector["headers"], secrets[0] if len(secrets) == 1 else secrets)
                    if vector["accepted"]:
                        found = verify_webhook(*arguments, now=vector["nowSeconds"])
                        self.assertEqual(found, json.loads(vector["body"]))
                    else:
                        with self.assertRaises(WebhookVerificationError):
                            verify_webhook(*arguments, now=vector["nowSeconds"])


if __name__ == "__main__":
    unittest.main()
