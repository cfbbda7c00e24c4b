"""Runs in an environment that has only the built parley-sdk and httpx."""

import asyncio
import json
import os
import sys
from typing import Any, Dict, List

from parley import AsyncParley, NotFoundError, Parley, ValidationError
from parley.types import NewCall

QUICK: NewCall = {
    "phoneNumber": "+15550100001",
    "agentId": os.environ["AGENT_ID"],
    "simulation": {"answerAfterMs": 0, "script": [{"waitMs": 200}, {"hangUp": True}]},
}


def first_call() -> Dict[str, Any]:
    with Parley() as parley:
        call = parley.calls.create_and_wait(QUICK)
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
            "isListed": call["id"] in listed,
            "missing": missing,
            "invalid": invalid,
        }


async def asynchronous_call() -> List[str]:
    async with AsyncParley() as parley:
        call = await parley.calls.create_and_wait(QUICK, wait=60)
        later = [event["type"] async for event in parley.calls.follow(call["id"], after=3)]
        return [call["status"], *later]


async def place_many(count: int) -> List[str]:
    """Through a network with faults: each call must be placed once."""
    async with AsyncParley(max_retries=60, deadline=300, timeout=10) as parley:
        limit = asyncio.Semaphore(20)

        async def place(n: int) -> str:
            async with limit:
                number = "+15550100001"
                call = await parley.calls.create(
                    {"phoneNumber": number, "agentId": QUICK["agentId"], "metadata": {"n": str(n)}}
                )
                return call["id"]

        return list(await asyncio.gather(*[place(n) for n in range(count)]))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(asyncio.run(place_many(int(sys.argv[1])))))
    else:
        print(json.dumps({**first_call(), "asynchronous": asyncio.run(asynchronous_call())}))
