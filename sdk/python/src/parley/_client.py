"""The clients."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Awaitable, Callable, Mapping, Optional, Type, Union

import httpx

from . import _resources as r
from ._calls import AsyncCalls, Calls
from ._events import AsyncEvents, Events
from ._http import AsyncHttp, Http, HttpSettings
from .errors import ParleyError

_TIMEOUT = 30.0
_DEADLINE = 60.0
_MAX_RETRIES = 6


def _settings(
    base_url: Optional[str],
    timeout: float,
    deadline: float,
    max_retries: int,
    headers: Optional[Mapping[str, str]],
) -> HttpSettings:
    url = base_url or os.environ.get("PARLEY_URL")
    if not url:
        raise ParleyError("Pass base_url or set PARLEY_URL to the address of your service.")
    return HttpSettings(
        base_url=url.rstrip("/"),
        timeout=timeout,
        deadline=deadline,
        max_retries=max_retries,
        headers=headers or {},
    )


def _key_of_environment() -> Optional[str]:
    return os.environ.get("PARLEY_API_KEY") or None


class Parley:
    """A client of the Parley API. Threads may share it. Close it, or use it with ``with``.

    ``base_url`` and ``api_key`` are by default those of PARLEY_URL and PARLEY_API_KEY. ``api_key`` may be a function that
    returns the key; an empty key sends none. ``timeout`` limits one attempt, ``deadline`` all attempts of a request
    together, both in seconds.
    """

    def __init__(
        self,
        *,
        base_url: Optional[str] = None,
        api_key: Union[str, Callable[[], str], None] = None,
        timeout: float = _TIMEOUT,
        deadline: float = _DEADLINE,
        max_retries: int = _MAX_RETRIES,
        headers: Optional[Mapping[str, str]] = None,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        settings = _settings(base_url, timeout, deadline, max_retries, headers)
        self._client = http_client or httpx.Client()
        given = _key_of_environment() if api_key is None else api_key

        def read_key() -> Optional[str]:
            return (given() if callable(given) else given) or None

        http = Http(settings, self._client, read_key)
        self.calls = Calls(http)
        self.events = Events(http)
        self.call_views = r.CallViewsResource(http)
        self.agents = r.AgentsResource(http)
        self.agent_templates = r.AgentTemplatesResource(http)
        self.scenarios = r.ScenariosResource(http)
        self.scenario_runs = r.ScenarioRunsResource(http)
        self.webhooks = r.WebhooksResource(http)
        self.deliveries = r.DeliveriesResource(http)
        self.engines = r.EnginesResource(http)
        self.voices = r.VoicesResource(http)
        self.tools = r.ToolsResource(http)
        self.account = r.AccountResource(http)
        self.rates = r.RatesResource(http)
        self.usage = r.UsageResource(http)
        self.settings = r.SettingsResource(http)
        self.alerts = r.AlertsResource(http)
        self.alert_rules = r.AlertRulesResource(http)
        self.suppressions = r.SuppressionsResource(http)
        self.audit = r.AuditResource(http)
        self.access = r.AccessResource(http)
        self.mcp_servers = r.McpServersResource(http)
        self.batches = r.BatchesResource(http)

    def close(self) -> None:
        self._client.close()

    def __enter__(self) -> "Parley":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()


class AsyncParley:
    """The same client for asyncio."""

    def __init__(
        self,
        *,
        base_url: Optional[str] = None,
        api_key: Union[str, Callable[[], Union[str, Awaitable[str]]], None] = None,
        timeout: float = _TIMEOUT,
        deadline: float = _DEADLINE,
        max_retries: int = _MAX_RETRIES,
        headers: Optional[Mapping[str, str]] = None,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        settings = _settings(base_url, timeout, deadline, max_retries, headers)
        self._client = http_client or httpx.AsyncClient()
        given = _key_of_environment() if api_key is None else api_key

        async def read_key() -> Optional[str]:
            key = given() if callable(given) else given
            return (key if key is None or isinstance(key, str) else await key) or None

        http = AsyncHttp(settings, self._client, read_key)
        self.calls = AsyncCalls(http)
        self.events = AsyncEvents(http)
        self.call_views = r.AsyncCallViewsResource(http)
        self.agents = r.AsyncAgentsResource(http)
        self.agent_templates = r.AsyncAgentTemplatesResource(http)
        self.scenarios = r.AsyncScenariosResource(http)
        self.scenario_runs = r.AsyncScenarioRunsResource(http)
        self.webhooks = r.AsyncWebhooksResource(http)
        self.deliveries = r.AsyncDeliveriesResource(http)
        self.engines = r.AsyncEnginesResource(http)
        self.voices = r.AsyncVoicesResource(http)
        self.tools = r.AsyncToolsResource(http)
        self.account = r.AsyncAccountResource(http)
        self.rates = r.AsyncRatesResource(http)
        self.usage = r.AsyncUsageResource(http)
        self.settings = r.AsyncSettingsResource(http)
        self.alerts = r.AsyncAlertsResource(http)
        self.alert_rules = r.AsyncAlertRulesResource(http)
        self.suppressions = r.AsyncSuppressionsResource(http)
        self.audit = r.AsyncAuditResource(http)
        self.access = r.AsyncAccessResource(http)
        self.mcp_servers = r.AsyncMcpServersResource(http)
        self.batches = r.AsyncBatchesResource(http)

    async def close(self) -> None:
        await self._client.aclose()

    async def __aenter__(self) -> "AsyncParley":
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.close()
