"""Runs without a service: `python3 -m unittest` in this folder."""

import asyncio
import json
import os
import tempfile
import unittest
from pathlib import Path
from typing import Any, Callable, Dict, List
from unittest import mock

import httpx

from parley import (
    AsyncParley,
    ConnectionFailedError,
    NotFoundError,
    Parley,
    RateLimitError,
    ValidationError,
    WebhookVerificationError,
    verify_webhook,
)

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

    def headers(self, name: str) -> List[Any]:
        return [request.headers.get(name) for request in self.sent]


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
