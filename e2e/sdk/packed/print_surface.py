"""Prints what the installed parley-sdk offers: names, and the parameters of each method."""

import inspect
import json
from typing import Any, Callable, Dict, List

import parley


def parameters(function: Callable[..., Any]) -> List[str]:
    return [name for name in inspect.signature(function).parameters if name != "self"]


def resources(client: object) -> Dict[str, Dict[str, List[str]]]:
    return {
        name: {method: parameters(function) for method, function in inspect.getmembers(resource, inspect.ismethod)
               if not method.startswith("_")}
        for name, resource in vars(client).items()
        if not name.startswith("_")
    }


print(
    json.dumps(
        {
            "exports": parley.__all__,
            "client": parameters(parley.Parley),
            "asyncClient": parameters(parley.AsyncParley),
            "resources": resources(parley.Parley(base_url="http://127.0.0.1")),
            "asyncResources": resources(parley.AsyncParley(base_url="http://127.0.0.1")),
            "verifyWebhook": parameters(parley.verify_webhook),
            "errorFields": sorted(vars(parley.ApiError(400, None, "refused"))),
        }
    )
)
