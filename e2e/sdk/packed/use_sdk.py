"""Runs in an environment that has only the built parley-sdk and httpx."""

import asyncio
import json
import os
import sys
from typing import Any, Dict, List

from parley import AsyncParley, NotFoundError, Parley, ValidationError
from parley.types import Call, NewCall

QUICK: NewCall = {
    "phoneNumber": "+15550100001",
    "agentId": os.environ["AGENT_ID"],
    "simulation": {"answerAfterMs": 0, "script": [{"waitMs": 200}, {"hangUp": True}]},
}


def is_stored(call: Call) -> bool:
    recording, transcript = call["recording"], call["transcript"]
    return bool(recording and recording["status"] == "ready" and transcript and transcript["status"] == "ready")


def first_call() -> Dict[str, Any]:
    with Parley() as parley:
        changes = parley.events.follow(wait=90)
        first_change = next(changes)["type"]
        call = parley.calls.create_and_wait(QUICK, wait=60)
        is_noticed = any(change["type"] == "call" and change["callId"] == call["id"] for change in changes)
        parley.calls.wait(call["id"], wait=60, until=is_stored)
        parley.calls.save_recording(call["id"], "call.wav")
        spoken = [change["type"] for change in parley.calls.follow_transcript(call["id"])]
        items = parley.calls.get_transcript(call["id"])["items"]
        types = [event["type"] for event in parley.calls.follow(call["id"])]
        listed = [each["id"] for each in parley.calls.list({"limit": 1})]
        missing, invalid = "", []
        try:
            parley.calls.get("call_unknown")
        except NotFoundError as error:
            missing = error.code or ""
        try:
            parley.calls.create({"phoneNumber": "123", "agentId": QUICK["agentId"]})
        except ValidationError as error:
            invalid = [detail["param"] for detail in error.details]
        return {
            "status": call["status"],
            "endReason": call["endReason"],
            "types": types,
            "changes": [first_change, is_noticed],
            "isWholeTranscript": spoken == ["item"] * len(items),
            "isListed": call["id"] in listed,
            "missing": missing,
            "invalid": invalid,
        }


async def asynchronous_call() -> List[str]:
    async with AsyncParley() as parley:
        changes = parley.events.follow(wait=90)
        found: List[str] = [(await changes.__anext__())["type"]]
        call = await parley.calls.create_and_wait(QUICK, wait=60)
        async for change in changes:
            if change["type"] == "call" and change["callId"] == call["id"]:
                found.append("noticed")
                break
        await parley.calls.wait(call["id"], wait=60, until=is_stored)
        await parley.calls.save_recording(call["id"], "asynchronous.wav")
        items = (await parley.calls.get_transcript(call["id"]))["items"]
        spoken = [change["type"] async for change in parley.calls.follow_transcript(call["id"], wait=60)]
        if spoken == ["item"] * len(items):
            found.append("whole transcript")
        later = [event["type"] async for event in parley.calls.follow(call["id"], after=3)]
        return [*found, call["status"], *later]


async def place_many(count: int) -> List[str]:
    """Through a network with faults: each call must be placed once."""
    async with AsyncParley(max_retries=60, deadline=300, timeout=10) as parley:
        limit = asyncio.Semaphore(20)

        async def place(n: int) -> str:
            async with limit:
                number = "+15550100001"
                call = await parley.calls.create(
                    {"phoneNumber": number, "agentId": QUICK["agentId"], "metadata": {"n": f"Python {n}"}}
                )
                return call["id"]

        return list(await asyncio.gather(*[place(n) for n in range(count)]))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(asyncio.run(place_many(int(sys.argv[1])))))
    else:
        print(json.dumps({**first_call(), "asynchronous": asyncio.run(asynchronous_call())}))
