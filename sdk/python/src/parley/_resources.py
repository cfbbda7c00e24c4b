"""Generated from the OpenAPI document by `npm run sdk`. Do not edit."""

from __future__ import annotations

from typing import List, Mapping, Optional

import httpx

from . import types as t
from ._http import AsyncHttp, Http, part
from ._pages import AsyncPages, Pages

class CallViewsResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> List[t.CallView]:
        """List the saved views of the list of calls. Scope: `calls:read`."""
        result: List[t.CallView] = self._http.data("GET", "/api/v1/call-views", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def create(
        self,
        body: t.NewCallView,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.CallView:
        """Save a view of the list of calls; a view with the same name is replaced. Scope: `calls:write`."""
        result: t.CallView = self._http.data("POST", "/api/v1/call-views", body=body, once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def delete(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Done:
        """Delete a saved view. Scope: `calls:write`."""
        result: t.Done = self._http.data("DELETE", f"/api/v1/call-views/{part(id)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class CallsResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        query: Optional[t.ListCallsQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Pages[t.Call]:
        """List calls, newest first. Scope: `calls:read`."""
        return self._http.page("GET", "/api/v1/calls", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)

    def create(
        self,
        body: t.NewCall,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Call:
        """Place a call. Scope: `calls:write`."""
        result: t.Call = self._http.data("POST", "/api/v1/calls", body=body, once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def export_csv(
        self,
        query: Optional[t.ExportCallsQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> httpx.Response:
        """Export calls as CSV, newest first; same as the list with `Accept: text/csv`. Scope: `calls:read`."""
        result: httpx.Response = self._http.bytes("GET", "/api/v1/calls.csv", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def check(
        self,
        body: t.CallCheckRequest,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.CallCheck:
        """Check whether a number may be called now, its price and local time; nothing is dialed or stored. Scope: `calls:read`."""
        result: t.CallCheck = self._http.data("POST", "/api/v1/calls/check", body=body, repeatable=True, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def count(
        self,
        query: Optional[t.CountCallsQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.CallCount:
        """Count the calls that match filters; exact up to 10,000. Scope: `calls:read`."""
        result: t.CallCount = self._http.data("GET", "/api/v1/calls/count", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def list_live(
        self,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.LiveCalls:
        """List calls that have not ended, and what each of them waits for. Scope: `calls:read`."""
        result: t.LiveCalls = self._http.data("GET", "/api/v1/calls/live", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def find_matches(
        self,
        query: t.FindCallMatchesQuery,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> List[t.CallMatch]:
        """Get excerpts of calls that a search returned, with the words that were found. Scope: `transcripts:read`."""
        result: List[t.CallMatch] = self._http.data("GET", "/api/v1/calls/matches", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Call:
        """Get a call. Scope: `calls:read`."""
        result: t.Call = self._http.data("GET", f"/api/v1/calls/{part(id)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def analyze(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Call:
        """Analyze an answered call again, with the currently published version of its agent. Scope: `calls:write`."""
        result: t.Call = self._http.data("POST", f"/api/v1/calls/{part(id)}/analysis", once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def erase_data(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Call:
        """Permanently erase the recording, transcript and data of a call; its cost is kept. Scope: `calls:write`."""
        result: t.Call = self._http.data("DELETE", f"/api/v1/calls/{part(id)}/data", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def list_events(
        self,
        id: str,
        query: Optional[t.ListCallEventsQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Pages[t.CallEvent]:
        """Get the timeline of a call; live with `Accept: text/event-stream`. Scope: `calls:read`."""
        return self._http.page("GET", f"/api/v1/calls/{part(id)}/events", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)

    def hangup(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Call:
        """Hang up, or cancel a call that has not been answered. Scope: `calls:write`."""
        result: t.Call = self._http.data("POST", f"/api/v1/calls/{part(id)}/hangup", once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def listen(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> httpx.Response:
        """Listen to a live call; a WebSocket that sends `{sampleRateHz, channels, encoding}` and then audio as binary messages, or, without an upgrade, a WAV stream. Stereo, the callee on the left and the agent on the right. Scope: `recordings:read`."""
        result: httpx.Response = self._http.bytes("GET", f"/api/v1/calls/{part(id)}/listen", stream=True, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def get_notes(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.CallNotes:
        """Get the tags and the note of a call. Scope: `calls:read`."""
        result: t.CallNotes = self._http.data("GET", f"/api/v1/calls/{part(id)}/notes", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def change_notes(
        self,
        id: str,
        body: t.CallNotesChanges,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.CallNotes:
        """Change the tags or the note of a call. Scope: `calls:write`."""
        result: t.CallNotes = self._http.data("PATCH", f"/api/v1/calls/{part(id)}/notes", body=body, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def get_recording(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> httpx.Response:
        """Get the recording of a call; stereo, the callee on the left and the agent on the right. Scope: `recordings:read`."""
        result: httpx.Response = self._http.bytes("GET", f"/api/v1/calls/{part(id)}/recording", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def create_recording_link(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.RecordingLink:
        """Create a link that plays the recording for ten minutes without a key. Scope: `recordings:read`."""
        result: t.RecordingLink = self._http.data("POST", f"/api/v1/calls/{part(id)}/recording/link", repeatable=True, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def get_recording_peaks(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.RecordingPeaks:
        """Get the waveform of a recording. Scope: `recordings:read`."""
        result: t.RecordingPeaks = self._http.data("GET", f"/api/v1/calls/{part(id)}/recording/peaks", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def list_shares(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> List[t.CallShare]:
        """List the links to a call that have not expired. Scope: `recordings:read`."""
        result: List[t.CallShare] = self._http.data("GET", f"/api/v1/calls/{part(id)}/shares", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def create_share(
        self,
        id: str,
        body: Optional[t.NewCallShare] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.CreatedCallShare:
        """Create a link by which anyone can read a call, and hear it, until the link expires. Scope: `recordings:read`."""
        result: t.CreatedCallShare = self._http.data("POST", f"/api/v1/calls/{part(id)}/shares", body={} if body is None else body, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def delete_share(
        self,
        id: str,
        share_id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Done:
        """Make a link to a call stop working. Scope: `recordings:read`."""
        result: t.Done = self._http.data("DELETE", f"/api/v1/calls/{part(id)}/shares/{part(share_id)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def get_transcript(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Transcript:
        """Get the transcript of a call; it grows while the call is in progress. Live with `Accept: text/event-stream`. Scope: `transcripts:read`."""
        result: t.Transcript = self._http.data("GET", f"/api/v1/calls/{part(id)}/transcript", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def get_shared(
        self,
        query: t.GetSharedCallQuery,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.SharedCall:
        """Get a call by a link."""
        result: t.SharedCall = self._http.data("GET", "/api/v1/shared-call", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def create_scenario(
        self,
        id: str,
        body: Optional[t.ScenarioFromCall] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Scenario:
        """Create a scenario from an ended call: the callee repeats what it did, and the same outcome is expected. Also needs the scope `transcripts:read`. Scope: `transcripts:read`."""
        result: t.Scenario = self._http.data("POST", f"/api/v1/calls/{part(id)}/scenario", body={} if body is None else body, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def list_deliveries(
        self,
        id: str,
        query: Optional[t.ListCallDeliveriesQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Pages[t.Delivery]:
        """List the deliveries of a call to all endpoints, newest first. Scope: `webhooks:read`."""
        return self._http.page("GET", f"/api/v1/calls/{part(id)}/deliveries", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)


class BatchesResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        query: Optional[t.ListBatchesQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Pages[t.Batch]:
        """List batches, newest first. Scope: `calls:read`."""
        return self._http.page("GET", "/api/v1/batches", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)

    def create_batch(
        self,
        body: t.NewBatch,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Batch:
        """Place calls to a list of up to 1,000 numbers, each at most once. Scope: `calls:write`."""
        result: t.Batch = self._http.data("POST", "/api/v1/batches", body=body, once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def check_batch(
        self,
        body: t.BatchCheckRequest,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.BatchCheck:
        """Check up to 200 rows of a list: numbers, variables and whether they may be called now; nothing is stored. Scope: `calls:read`."""
        result: t.BatchCheck = self._http.data("POST", "/api/v1/batches/check", body=body, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def get_batch(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Batch:
        """Get a batch and how far it is. Scope: `calls:read`."""
        result: t.Batch = self._http.data("GET", f"/api/v1/batches/{part(id)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def cancel_batch(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Batch:
        """Cancel the rows of a batch that were not placed; calls that were placed go on. Scope: `calls:write`."""
        result: t.Batch = self._http.data("POST", f"/api/v1/batches/{part(id)}/cancel", once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def pause_batch(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Batch:
        """Pause a batch; calls that were placed go on. Scope: `calls:write`."""
        result: t.Batch = self._http.data("POST", f"/api/v1/batches/{part(id)}/pause", once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def export_batch_results(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> httpx.Response:
        """Get the results of a batch as CSV, one line per row. Scope: `calls:read`."""
        result: httpx.Response = self._http.bytes("GET", f"/api/v1/batches/{part(id)}/results.csv", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def resume_batch(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Batch:
        """Continue a paused batch. Scope: `calls:write`."""
        result: t.Batch = self._http.data("POST", f"/api/v1/batches/{part(id)}/resume", once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def list_batch_rows(
        self,
        id: str,
        query: Optional[t.ListBatchRowsQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Pages[t.BatchRow]:
        """List the rows of a batch with their calls. Scope: `calls:read`."""
        return self._http.page("GET", f"/api/v1/batches/{part(id)}/rows", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)


class AgentsResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        query: Optional[t.ListAgentsQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Pages[t.AgentSummary]:
        """List agents, newest first. Scope: `agents:read`."""
        return self._http.page("GET", "/api/v1/agents", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)

    def create(
        self,
        body: t.NewAgent,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Agent:
        """Create an agent as a draft, optionally with scenarios. Scope: `agents:write`."""
        result: t.Agent = self._http.data("POST", "/api/v1/agents", body=body, once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Agent:
        """Get an agent with its draft. Scope: `agents:read`."""
        result: t.Agent = self._http.data("GET", f"/api/v1/agents/{part(id)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def change(
        self,
        id: str,
        body: t.AgentChanges,
        *,
        revision: int,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Agent:
        """Change the draft; `If-Match` carries the revision that you read. Scope: `agents:write`."""
        result: t.Agent = self._http.data("PATCH", f"/api/v1/agents/{part(id)}", body=body, revision=revision, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def delete(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Done:
        """Delete an agent; calls already queued keep their version. Scope: `agents:write`."""
        result: t.Done = self._http.data("DELETE", f"/api/v1/agents/{part(id)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def check(
        self,
        id: str,
        body: Optional[t.CheckFlow] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.FlowCheck:
        """Check the draft, or another flow, without publishing it: problems, and warnings about what will affect calls. Scope: `agents:read`."""
        result: t.FlowCheck = self._http.data("POST", f"/api/v1/agents/{part(id)}/check", body={} if body is None else body, repeatable=True, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def describe(
        self,
        id: str,
        body: t.DescribeAgent,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.DescribedFlow:
        """Have the configured language model write a flow from a description; it is returned, not saved. Scope: `agents:write`."""
        result: t.DescribedFlow = self._http.data("POST", f"/api/v1/agents/{part(id)}/describe", body=body, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def get_node_numbers(
        self,
        id: str,
        query: Optional[t.GetNodeNumbersQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.NodeNumbers:
        """Get what the latest calls did at each node: visits, hang-ups, answers not understood, time. Scope: `calls:read`."""
        result: t.NodeNumbers = self._http.data("GET", f"/api/v1/agents/{part(id)}/node-numbers", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def get_unmatched_answers(
        self,
        id: str,
        node_id: str,
        query: Optional[t.GetUnmatchedAnswersQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.UnmatchedAnswers:
        """Get what callees said at a question and was not understood, in the latest calls. Scope: `transcripts:read`."""
        result: t.UnmatchedAnswers = self._http.data("GET", f"/api/v1/agents/{part(id)}/nodes/{part(node_id)}/unmatched-answers", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def publish(
        self,
        id: str,
        body: Optional[t.PublishAgent] = None,
        *,
        revision: Optional[int] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.PublishedVersion:
        """Compile the draft and publish it as the next version; `warnings` lists issues that affect calls. With `If-Match`, only that revision is published. Scope: `agents:write`."""
        result: t.PublishedVersion = self._http.data("POST", f"/api/v1/agents/{part(id)}/publish", body={} if body is None else body, revision=revision, once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def restore(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Agent:
        """Restore a deleted agent. Scope: `agents:write`."""
        result: t.Agent = self._http.data("POST", f"/api/v1/agents/{part(id)}/restore", once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def rollback(
        self,
        id: str,
        body: t.RollbackAgent,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Agent:
        """Roll back: new calls use an earlier version; the draft stays as it is. Scope: `agents:write`."""
        result: t.Agent = self._http.data("POST", f"/api/v1/agents/{part(id)}/rollback", body=body, once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def list_versions(
        self,
        id: str,
        query: Optional[t.ListAgentVersionsQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Pages[t.AgentVersionSummary]:
        """List published versions, newest first. Scope: `agents:read`."""
        return self._http.page("GET", f"/api/v1/agents/{part(id)}/versions", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)

    def get_version(
        self,
        id: str,
        version: int,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.AgentVersion:
        """Get one version with its flow. Scope: `agents:read`."""
        result: t.AgentVersion = self._http.data("GET", f"/api/v1/agents/{part(id)}/versions/{part(version)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def try_out(
        self,
        id: str,
        body: Optional[t.TryTurn] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.TryReply:
        """Talk to an agent by text, turn by turn; returns what it says and does, and its position in the flow. Scope: `agents:write`."""
        result: t.TryReply = self._http.data("POST", f"/api/v1/agents/{part(id)}/try", body={} if body is None else body, repeatable=True, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def try_tool(
        self,
        id: str,
        body: t.ToolTrial,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.ToolTrialResult:
        """Send a tool request once, as in a call; returns the reply and the values that would be saved. Scope: `agents:write`."""
        result: t.ToolTrialResult = self._http.data("POST", f"/api/v1/agents/{part(id)}/try-tool", body=body, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def list_scenarios(
        self,
        id: str,
        query: Optional[t.ListScenariosQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Pages[t.Scenario]:
        """List the scenarios of an agent, in the order of their creation. Scope: `agents:read`."""
        return self._http.page("GET", f"/api/v1/agents/{part(id)}/scenarios", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)

    def create_scenario(
        self,
        id: str,
        body: t.NewScenario,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Scenario:
        """Add a scenario: what the callee does, and what is expected. Scope: `agents:write`."""
        result: t.Scenario = self._http.data("POST", f"/api/v1/agents/{part(id)}/scenarios", body=body, once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def import_scenarios(
        self,
        id: str,
        body: t.ScenarioImport,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.ImportedScenarios:
        """Add several scenarios: all of them, or none. Scope: `agents:write`."""
        result: t.ImportedScenarios = self._http.data("POST", f"/api/v1/agents/{part(id)}/scenarios/import", body=body, once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def run_scenarios(
        self,
        id: str,
        body: t.RunScenarios,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.ScenarioRun:
        """Run scenarios against the draft, a version or a document; reports where each one fails first. Scope: `agents:write`."""
        result: t.ScenarioRun = self._http.data("POST", f"/api/v1/agents/{part(id)}/scenarios/run", body=body, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class ToolsResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def rotate_secret(
        self,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.ToolSecret:
        """Create a new secret for tools; for 24 hours requests are signed with both. Scope: `agents:write`."""
        result: t.ToolSecret = self._http.data("POST", "/api/v1/tools/rotate-secret", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class AgentTemplatesResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> List[t.AgentTemplate]:
        """List templates for agents, with their flows and scenarios. Scope: `agents:read`."""
        result: List[t.AgentTemplate] = self._http.data("GET", "/api/v1/agent-templates", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class ScenarioRunsResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.ScenarioRun:
        """Get a scenario run; a run on audio fills up as its calls end. Scope: `agents:read`."""
        result: t.ScenarioRun = self._http.data("GET", f"/api/v1/scenario-runs/{part(id)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class ScenariosResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def change(
        self,
        id: str,
        body: t.ScenarioChanges,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Scenario:
        """Change a scenario. Scope: `agents:write`."""
        result: t.Scenario = self._http.data("PATCH", f"/api/v1/scenarios/{part(id)}", body=body, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def delete(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Done:
        """Delete a scenario. Scope: `agents:write`."""
        result: t.Done = self._http.data("DELETE", f"/api/v1/scenarios/{part(id)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class McpServersResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        query: Optional[t.ListMcpServersQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Pages[t.McpServer]:
        """List MCP servers with their tools, newest first. Scope: `agents:read`."""
        return self._http.page("GET", "/api/v1/mcp-servers", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.McpServer:
        """Get an MCP server with its tools. Scope: `agents:read`."""
        result: t.McpServer = self._http.data("GET", f"/api/v1/mcp-servers/{part(id)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class DeliveriesResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.DeliveryDetails:
        """Get a delivery with its body and every attempt. Scope: `webhooks:read`."""
        result: t.DeliveryDetails = self._http.data("GET", f"/api/v1/deliveries/{part(id)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def replay(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Delivery:
        """Resend one event, even if the endpoint is disabled. Scope: `webhooks:write`."""
        result: t.Delivery = self._http.data("POST", f"/api/v1/deliveries/{part(id)}/replay", once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class WebhooksResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        query: Optional[t.ListWebhooksQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Pages[t.WebhookEndpoint]:
        """List endpoints, newest first. Scope: `webhooks:read`."""
        return self._http.page("GET", "/api/v1/webhooks", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)

    def create(
        self,
        body: t.NewWebhookEndpoint,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.CreatedWebhookEndpoint:
        """Add an endpoint; the response contains the secret that signs its events. Scope: `webhooks:write`."""
        result: t.CreatedWebhookEndpoint = self._http.data("POST", "/api/v1/webhooks", body=body, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.WebhookEndpoint:
        """Get an endpoint. Scope: `webhooks:read`."""
        result: t.WebhookEndpoint = self._http.data("GET", f"/api/v1/webhooks/{part(id)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def change(
        self,
        id: str,
        body: t.WebhookEndpointChanges,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.WebhookEndpoint:
        """Change, enable or disable an endpoint. Scope: `webhooks:write`."""
        result: t.WebhookEndpoint = self._http.data("PATCH", f"/api/v1/webhooks/{part(id)}", body=body, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def delete(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Done:
        """Remove an endpoint and its pending deliveries. Scope: `webhooks:write`."""
        result: t.Done = self._http.data("DELETE", f"/api/v1/webhooks/{part(id)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def list_deliveries(
        self,
        id: str,
        query: Optional[t.ListDeliveriesQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Pages[t.Delivery]:
        """List the deliveries of an endpoint, newest first. Scope: `webhooks:read`."""
        return self._http.page("GET", f"/api/v1/webhooks/{part(id)}/deliveries", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)

    def replay(
        self,
        id: str,
        query: t.ReplayWebhookQuery,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Replay:
        """Resend all events since a given time, even if the endpoint is disabled. Scope: `webhooks:write`."""
        result: t.Replay = self._http.data("POST", f"/api/v1/webhooks/{part(id)}/replay", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def rotate_secret(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.WebhookSecret:
        """Create a new secret; for 24 hours events are signed with both. Scope: `webhooks:write`."""
        result: t.WebhookSecret = self._http.data("POST", f"/api/v1/webhooks/{part(id)}/rotate-secret", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def test(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Delivery:
        """Send a `webhook.test` event to an endpoint, even if it is disabled. Scope: `webhooks:write`."""
        result: t.Delivery = self._http.data("POST", f"/api/v1/webhooks/{part(id)}/test", once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class VoicesResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> List[t.Voice]:
        """List the available voices. Scope: `engines:read`."""
        result: List[t.Voice] = self._http.data("GET", "/api/v1/voices", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def preview(
        self,
        id: str,
        body: t.NewVoicePreview,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> httpx.Response:
        """Preview a voice as a callee hears it; WAV, 8 kHz. Scope: `engines:read`."""
        result: httpx.Response = self._http.bytes("POST", f"/api/v1/voices/{part(id)}/preview", body=body, repeatable=True, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class AccessResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def get(
        self,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.GrantedAccess:
        """Get what the key that is used, or the signed-in member, may do."""
        result: t.GrantedAccess = self._http.data("GET", "/api/v1/access", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class AccountResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def get(
        self,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Account:
        """Get balance, holds and limits. Scope: `billing:read`."""
        result: t.Account = self._http.data("GET", "/api/v1/account", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def list_ledger(
        self,
        query: Optional[t.ListLedgerQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Pages[t.LedgerEntry]:
        """List credits and charges, newest first. Scope: `billing:read`."""
        return self._http.page("GET", "/api/v1/account/ledger", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)


class EnginesResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> List[t.Engine]:
        """List engines, and what is missing to use the unavailable ones. Scope: `engines:read`."""
        result: List[t.Engine] = self._http.data("GET", "/api/v1/engines", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class RatesResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def get(
        self,
        query: t.GetRateQuery,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Rate:
        """Get the price of a call to a number. Scope: `billing:read`."""
        result: t.Rate = self._http.data("GET", "/api/v1/rates", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class SettingsResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def get(
        self,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Settings:
        """Get caps, calling hours, retention and disclosure. Scope: `settings:read`."""
        result: t.Settings = self._http.data("GET", "/api/v1/settings", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def change(
        self,
        body: t.SettingsChanges,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Settings:
        """Change settings. Scope: `settings:write`."""
        result: t.Settings = self._http.data("PATCH", "/api/v1/settings", body=body, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class SuppressionsResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        query: Optional[t.ListSuppressionsQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Pages[t.Suppression]:
        """List suppressed numbers. Scope: `suppressions:write`."""
        return self._http.page("GET", "/api/v1/suppressions", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)

    def add(
        self,
        body: t.NewSuppression,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Suppression:
        """Add a number to the suppression list. Scope: `suppressions:write`."""
        result: t.Suppression = self._http.data("POST", "/api/v1/suppressions", body=body, once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def remove(
        self,
        query: t.RemoveSuppressionQuery,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Done:
        """Remove a number from the suppression list. Scope: `suppressions:write`."""
        result: t.Done = self._http.data("DELETE", "/api/v1/suppressions", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def add_many(
        self,
        body: t.SuppressionImport,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.ImportedSuppressions:
        """Add numbers to the suppression list. Scope: `suppressions:write`."""
        result: t.ImportedSuppressions = self._http.data("POST", "/api/v1/suppressions/import", body=body, once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class UsageResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def get(
        self,
        query: Optional[t.GetUsageQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Usage:
        """Get calls, minutes, spend and response times over a period. Scope: `billing:read`."""
        result: t.Usage = self._http.data("GET", "/api/v1/usage", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def get_breakdown(
        self,
        query: t.GetUsageBreakdownQuery,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.UsageBreakdown:
        """Get ended calls of a period by agent, version, engine, outcome, hour of the day, day or key. Scope: `billing:read`."""
        result: t.UsageBreakdown = self._http.data("GET", "/api/v1/usage/breakdown", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class AlertRulesResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def get(
        self,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.AlertRules:
        """Get what raises alerts. Scope: `settings:read`."""
        result: t.AlertRules = self._http.data("GET", "/api/v1/alert-rules", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def change(
        self,
        body: t.AlertRulesChanges,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.AlertRules:
        """Change what raises alerts. Scope: `settings:write`."""
        result: t.AlertRules = self._http.data("PATCH", "/api/v1/alert-rules", body=body, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class AlertsResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        query: Optional[t.ListAlertsQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Pages[t.Alert]:
        """List alerts, newest first. Scope: `billing:read`."""
        return self._http.page("GET", "/api/v1/alerts", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)


class AuditResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        query: Optional[t.ListAuditQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Pages[t.AuditEntry]:
        """List the audit log, newest first. Scope: `audit:read`."""
        return self._http.page("GET", "/api/v1/audit", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)


class AsyncCallViewsResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def list(
        self,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> List[t.CallView]:
        """List the saved views of the list of calls. Scope: `calls:read`."""
        result: List[t.CallView] = await self._http.data("GET", "/api/v1/call-views", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def create(
        self,
        body: t.NewCallView,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.CallView:
        """Save a view of the list of calls; a view with the same name is replaced. Scope: `calls:write`."""
        result: t.CallView = await self._http.data("POST", "/api/v1/call-views", body=body, once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def delete(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Done:
        """Delete a saved view. Scope: `calls:write`."""
        result: t.Done = await self._http.data("DELETE", f"/api/v1/call-views/{part(id)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class AsyncCallsResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        query: Optional[t.ListCallsQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncPages[t.Call]:
        """List calls, newest first. Scope: `calls:read`."""
        return self._http.page("GET", "/api/v1/calls", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)

    async def create(
        self,
        body: t.NewCall,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Call:
        """Place a call. Scope: `calls:write`."""
        result: t.Call = await self._http.data("POST", "/api/v1/calls", body=body, once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def export_csv(
        self,
        query: Optional[t.ExportCallsQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> httpx.Response:
        """Export calls as CSV, newest first; same as the list with `Accept: text/csv`. Scope: `calls:read`."""
        result: httpx.Response = await self._http.bytes("GET", "/api/v1/calls.csv", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def check(
        self,
        body: t.CallCheckRequest,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.CallCheck:
        """Check whether a number may be called now, its price and local time; nothing is dialed or stored. Scope: `calls:read`."""
        result: t.CallCheck = await self._http.data("POST", "/api/v1/calls/check", body=body, repeatable=True, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def count(
        self,
        query: Optional[t.CountCallsQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.CallCount:
        """Count the calls that match filters; exact up to 10,000. Scope: `calls:read`."""
        result: t.CallCount = await self._http.data("GET", "/api/v1/calls/count", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def list_live(
        self,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.LiveCalls:
        """List calls that have not ended, and what each of them waits for. Scope: `calls:read`."""
        result: t.LiveCalls = await self._http.data("GET", "/api/v1/calls/live", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def find_matches(
        self,
        query: t.FindCallMatchesQuery,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> List[t.CallMatch]:
        """Get excerpts of calls that a search returned, with the words that were found. Scope: `transcripts:read`."""
        result: List[t.CallMatch] = await self._http.data("GET", "/api/v1/calls/matches", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Call:
        """Get a call. Scope: `calls:read`."""
        result: t.Call = await self._http.data("GET", f"/api/v1/calls/{part(id)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def analyze(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Call:
        """Analyze an answered call again, with the currently published version of its agent. Scope: `calls:write`."""
        result: t.Call = await self._http.data("POST", f"/api/v1/calls/{part(id)}/analysis", once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def erase_data(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Call:
        """Permanently erase the recording, transcript and data of a call; its cost is kept. Scope: `calls:write`."""
        result: t.Call = await self._http.data("DELETE", f"/api/v1/calls/{part(id)}/data", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def list_events(
        self,
        id: str,
        query: Optional[t.ListCallEventsQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncPages[t.CallEvent]:
        """Get the timeline of a call; live with `Accept: text/event-stream`. Scope: `calls:read`."""
        return self._http.page("GET", f"/api/v1/calls/{part(id)}/events", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)

    async def hangup(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Call:
        """Hang up, or cancel a call that has not been answered. Scope: `calls:write`."""
        result: t.Call = await self._http.data("POST", f"/api/v1/calls/{part(id)}/hangup", once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def listen(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> httpx.Response:
        """Listen to a live call; a WebSocket that sends `{sampleRateHz, channels, encoding}` and then audio as binary messages, or, without an upgrade, a WAV stream. Stereo, the callee on the left and the agent on the right. Scope: `recordings:read`."""
        result: httpx.Response = await self._http.bytes("GET", f"/api/v1/calls/{part(id)}/listen", stream=True, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def get_notes(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.CallNotes:
        """Get the tags and the note of a call. Scope: `calls:read`."""
        result: t.CallNotes = await self._http.data("GET", f"/api/v1/calls/{part(id)}/notes", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def change_notes(
        self,
        id: str,
        body: t.CallNotesChanges,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.CallNotes:
        """Change the tags or the note of a call. Scope: `calls:write`."""
        result: t.CallNotes = await self._http.data("PATCH", f"/api/v1/calls/{part(id)}/notes", body=body, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def get_recording(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> httpx.Response:
        """Get the recording of a call; stereo, the callee on the left and the agent on the right. Scope: `recordings:read`."""
        result: httpx.Response = await self._http.bytes("GET", f"/api/v1/calls/{part(id)}/recording", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def create_recording_link(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.RecordingLink:
        """Create a link that plays the recording for ten minutes without a key. Scope: `recordings:read`."""
        result: t.RecordingLink = await self._http.data("POST", f"/api/v1/calls/{part(id)}/recording/link", repeatable=True, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def get_recording_peaks(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.RecordingPeaks:
        """Get the waveform of a recording. Scope: `recordings:read`."""
        result: t.RecordingPeaks = await self._http.data("GET", f"/api/v1/calls/{part(id)}/recording/peaks", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def list_shares(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> List[t.CallShare]:
        """List the links to a call that have not expired. Scope: `recordings:read`."""
        result: List[t.CallShare] = await self._http.data("GET", f"/api/v1/calls/{part(id)}/shares", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def create_share(
        self,
        id: str,
        body: Optional[t.NewCallShare] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.CreatedCallShare:
        """Create a link by which anyone can read a call, and hear it, until the link expires. Scope: `recordings:read`."""
        result: t.CreatedCallShare = await self._http.data("POST", f"/api/v1/calls/{part(id)}/shares", body={} if body is None else body, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def delete_share(
        self,
        id: str,
        share_id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Done:
        """Make a link to a call stop working. Scope: `recordings:read`."""
        result: t.Done = await self._http.data("DELETE", f"/api/v1/calls/{part(id)}/shares/{part(share_id)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def get_transcript(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Transcript:
        """Get the transcript of a call; it grows while the call is in progress. Live with `Accept: text/event-stream`. Scope: `transcripts:read`."""
        result: t.Transcript = await self._http.data("GET", f"/api/v1/calls/{part(id)}/transcript", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def get_shared(
        self,
        query: t.GetSharedCallQuery,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.SharedCall:
        """Get a call by a link."""
        result: t.SharedCall = await self._http.data("GET", "/api/v1/shared-call", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def create_scenario(
        self,
        id: str,
        body: Optional[t.ScenarioFromCall] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Scenario:
        """Create a scenario from an ended call: the callee repeats what it did, and the same outcome is expected. Also needs the scope `transcripts:read`. Scope: `transcripts:read`."""
        result: t.Scenario = await self._http.data("POST", f"/api/v1/calls/{part(id)}/scenario", body={} if body is None else body, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def list_deliveries(
        self,
        id: str,
        query: Optional[t.ListCallDeliveriesQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncPages[t.Delivery]:
        """List the deliveries of a call to all endpoints, newest first. Scope: `webhooks:read`."""
        return self._http.page("GET", f"/api/v1/calls/{part(id)}/deliveries", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)


class AsyncBatchesResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        query: Optional[t.ListBatchesQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncPages[t.Batch]:
        """List batches, newest first. Scope: `calls:read`."""
        return self._http.page("GET", "/api/v1/batches", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)

    async def create_batch(
        self,
        body: t.NewBatch,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Batch:
        """Place calls to a list of up to 1,000 numbers, each at most once. Scope: `calls:write`."""
        result: t.Batch = await self._http.data("POST", "/api/v1/batches", body=body, once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def check_batch(
        self,
        body: t.BatchCheckRequest,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.BatchCheck:
        """Check up to 200 rows of a list: numbers, variables and whether they may be called now; nothing is stored. Scope: `calls:read`."""
        result: t.BatchCheck = await self._http.data("POST", "/api/v1/batches/check", body=body, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def get_batch(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Batch:
        """Get a batch and how far it is. Scope: `calls:read`."""
        result: t.Batch = await self._http.data("GET", f"/api/v1/batches/{part(id)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def cancel_batch(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Batch:
        """Cancel the rows of a batch that were not placed; calls that were placed go on. Scope: `calls:write`."""
        result: t.Batch = await self._http.data("POST", f"/api/v1/batches/{part(id)}/cancel", once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def pause_batch(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Batch:
        """Pause a batch; calls that were placed go on. Scope: `calls:write`."""
        result: t.Batch = await self._http.data("POST", f"/api/v1/batches/{part(id)}/pause", once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def export_batch_results(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> httpx.Response:
        """Get the results of a batch as CSV, one line per row. Scope: `calls:read`."""
        result: httpx.Response = await self._http.bytes("GET", f"/api/v1/batches/{part(id)}/results.csv", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def resume_batch(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Batch:
        """Continue a paused batch. Scope: `calls:write`."""
        result: t.Batch = await self._http.data("POST", f"/api/v1/batches/{part(id)}/resume", once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def list_batch_rows(
        self,
        id: str,
        query: Optional[t.ListBatchRowsQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncPages[t.BatchRow]:
        """List the rows of a batch with their calls. Scope: `calls:read`."""
        return self._http.page("GET", f"/api/v1/batches/{part(id)}/rows", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)


class AsyncAgentsResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        query: Optional[t.ListAgentsQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncPages[t.AgentSummary]:
        """List agents, newest first. Scope: `agents:read`."""
        return self._http.page("GET", "/api/v1/agents", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)

    async def create(
        self,
        body: t.NewAgent,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Agent:
        """Create an agent as a draft, optionally with scenarios. Scope: `agents:write`."""
        result: t.Agent = await self._http.data("POST", "/api/v1/agents", body=body, once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Agent:
        """Get an agent with its draft. Scope: `agents:read`."""
        result: t.Agent = await self._http.data("GET", f"/api/v1/agents/{part(id)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def change(
        self,
        id: str,
        body: t.AgentChanges,
        *,
        revision: int,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Agent:
        """Change the draft; `If-Match` carries the revision that you read. Scope: `agents:write`."""
        result: t.Agent = await self._http.data("PATCH", f"/api/v1/agents/{part(id)}", body=body, revision=revision, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def delete(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Done:
        """Delete an agent; calls already queued keep their version. Scope: `agents:write`."""
        result: t.Done = await self._http.data("DELETE", f"/api/v1/agents/{part(id)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def check(
        self,
        id: str,
        body: Optional[t.CheckFlow] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.FlowCheck:
        """Check the draft, or another flow, without publishing it: problems, and warnings about what will affect calls. Scope: `agents:read`."""
        result: t.FlowCheck = await self._http.data("POST", f"/api/v1/agents/{part(id)}/check", body={} if body is None else body, repeatable=True, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def describe(
        self,
        id: str,
        body: t.DescribeAgent,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.DescribedFlow:
        """Have the configured language model write a flow from a description; it is returned, not saved. Scope: `agents:write`."""
        result: t.DescribedFlow = await self._http.data("POST", f"/api/v1/agents/{part(id)}/describe", body=body, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def get_node_numbers(
        self,
        id: str,
        query: Optional[t.GetNodeNumbersQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.NodeNumbers:
        """Get what the latest calls did at each node: visits, hang-ups, answers not understood, time. Scope: `calls:read`."""
        result: t.NodeNumbers = await self._http.data("GET", f"/api/v1/agents/{part(id)}/node-numbers", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def get_unmatched_answers(
        self,
        id: str,
        node_id: str,
        query: Optional[t.GetUnmatchedAnswersQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.UnmatchedAnswers:
        """Get what callees said at a question and was not understood, in the latest calls. Scope: `transcripts:read`."""
        result: t.UnmatchedAnswers = await self._http.data("GET", f"/api/v1/agents/{part(id)}/nodes/{part(node_id)}/unmatched-answers", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def publish(
        self,
        id: str,
        body: Optional[t.PublishAgent] = None,
        *,
        revision: Optional[int] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.PublishedVersion:
        """Compile the draft and publish it as the next version; `warnings` lists issues that affect calls. With `If-Match`, only that revision is published. Scope: `agents:write`."""
        result: t.PublishedVersion = await self._http.data("POST", f"/api/v1/agents/{part(id)}/publish", body={} if body is None else body, revision=revision, once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def restore(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Agent:
        """Restore a deleted agent. Scope: `agents:write`."""
        result: t.Agent = await self._http.data("POST", f"/api/v1/agents/{part(id)}/restore", once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def rollback(
        self,
        id: str,
        body: t.RollbackAgent,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Agent:
        """Roll back: new calls use an earlier version; the draft stays as it is. Scope: `agents:write`."""
        result: t.Agent = await self._http.data("POST", f"/api/v1/agents/{part(id)}/rollback", body=body, once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def list_versions(
        self,
        id: str,
        query: Optional[t.ListAgentVersionsQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncPages[t.AgentVersionSummary]:
        """List published versions, newest first. Scope: `agents:read`."""
        return self._http.page("GET", f"/api/v1/agents/{part(id)}/versions", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)

    async def get_version(
        self,
        id: str,
        version: int,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.AgentVersion:
        """Get one version with its flow. Scope: `agents:read`."""
        result: t.AgentVersion = await self._http.data("GET", f"/api/v1/agents/{part(id)}/versions/{part(version)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def try_out(
        self,
        id: str,
        body: Optional[t.TryTurn] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.TryReply:
        """Talk to an agent by text, turn by turn; returns what it says and does, and its position in the flow. Scope: `agents:write`."""
        result: t.TryReply = await self._http.data("POST", f"/api/v1/agents/{part(id)}/try", body={} if body is None else body, repeatable=True, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def try_tool(
        self,
        id: str,
        body: t.ToolTrial,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.ToolTrialResult:
        """Send a tool request once, as in a call; returns the reply and the values that would be saved. Scope: `agents:write`."""
        result: t.ToolTrialResult = await self._http.data("POST", f"/api/v1/agents/{part(id)}/try-tool", body=body, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def list_scenarios(
        self,
        id: str,
        query: Optional[t.ListScenariosQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncPages[t.Scenario]:
        """List the scenarios of an agent, in the order of their creation. Scope: `agents:read`."""
        return self._http.page("GET", f"/api/v1/agents/{part(id)}/scenarios", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)

    async def create_scenario(
        self,
        id: str,
        body: t.NewScenario,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Scenario:
        """Add a scenario: what the callee does, and what is expected. Scope: `agents:write`."""
        result: t.Scenario = await self._http.data("POST", f"/api/v1/agents/{part(id)}/scenarios", body=body, once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def import_scenarios(
        self,
        id: str,
        body: t.ScenarioImport,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.ImportedScenarios:
        """Add several scenarios: all of them, or none. Scope: `agents:write`."""
        result: t.ImportedScenarios = await self._http.data("POST", f"/api/v1/agents/{part(id)}/scenarios/import", body=body, once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def run_scenarios(
        self,
        id: str,
        body: t.RunScenarios,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.ScenarioRun:
        """Run scenarios against the draft, a version or a document; reports where each one fails first. Scope: `agents:write`."""
        result: t.ScenarioRun = await self._http.data("POST", f"/api/v1/agents/{part(id)}/scenarios/run", body=body, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class AsyncToolsResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def rotate_secret(
        self,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.ToolSecret:
        """Create a new secret for tools; for 24 hours requests are signed with both. Scope: `agents:write`."""
        result: t.ToolSecret = await self._http.data("POST", "/api/v1/tools/rotate-secret", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class AsyncAgentTemplatesResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def list(
        self,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> List[t.AgentTemplate]:
        """List templates for agents, with their flows and scenarios. Scope: `agents:read`."""
        result: List[t.AgentTemplate] = await self._http.data("GET", "/api/v1/agent-templates", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class AsyncScenarioRunsResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.ScenarioRun:
        """Get a scenario run; a run on audio fills up as its calls end. Scope: `agents:read`."""
        result: t.ScenarioRun = await self._http.data("GET", f"/api/v1/scenario-runs/{part(id)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class AsyncScenariosResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def change(
        self,
        id: str,
        body: t.ScenarioChanges,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Scenario:
        """Change a scenario. Scope: `agents:write`."""
        result: t.Scenario = await self._http.data("PATCH", f"/api/v1/scenarios/{part(id)}", body=body, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def delete(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Done:
        """Delete a scenario. Scope: `agents:write`."""
        result: t.Done = await self._http.data("DELETE", f"/api/v1/scenarios/{part(id)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class AsyncMcpServersResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        query: Optional[t.ListMcpServersQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncPages[t.McpServer]:
        """List MCP servers with their tools, newest first. Scope: `agents:read`."""
        return self._http.page("GET", "/api/v1/mcp-servers", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)

    async def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.McpServer:
        """Get an MCP server with its tools. Scope: `agents:read`."""
        result: t.McpServer = await self._http.data("GET", f"/api/v1/mcp-servers/{part(id)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class AsyncDeliveriesResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.DeliveryDetails:
        """Get a delivery with its body and every attempt. Scope: `webhooks:read`."""
        result: t.DeliveryDetails = await self._http.data("GET", f"/api/v1/deliveries/{part(id)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def replay(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Delivery:
        """Resend one event, even if the endpoint is disabled. Scope: `webhooks:write`."""
        result: t.Delivery = await self._http.data("POST", f"/api/v1/deliveries/{part(id)}/replay", once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class AsyncWebhooksResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        query: Optional[t.ListWebhooksQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncPages[t.WebhookEndpoint]:
        """List endpoints, newest first. Scope: `webhooks:read`."""
        return self._http.page("GET", "/api/v1/webhooks", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)

    async def create(
        self,
        body: t.NewWebhookEndpoint,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.CreatedWebhookEndpoint:
        """Add an endpoint; the response contains the secret that signs its events. Scope: `webhooks:write`."""
        result: t.CreatedWebhookEndpoint = await self._http.data("POST", "/api/v1/webhooks", body=body, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def get(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.WebhookEndpoint:
        """Get an endpoint. Scope: `webhooks:read`."""
        result: t.WebhookEndpoint = await self._http.data("GET", f"/api/v1/webhooks/{part(id)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def change(
        self,
        id: str,
        body: t.WebhookEndpointChanges,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.WebhookEndpoint:
        """Change, enable or disable an endpoint. Scope: `webhooks:write`."""
        result: t.WebhookEndpoint = await self._http.data("PATCH", f"/api/v1/webhooks/{part(id)}", body=body, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def delete(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Done:
        """Remove an endpoint and its pending deliveries. Scope: `webhooks:write`."""
        result: t.Done = await self._http.data("DELETE", f"/api/v1/webhooks/{part(id)}", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def list_deliveries(
        self,
        id: str,
        query: Optional[t.ListDeliveriesQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncPages[t.Delivery]:
        """List the deliveries of an endpoint, newest first. Scope: `webhooks:read`."""
        return self._http.page("GET", f"/api/v1/webhooks/{part(id)}/deliveries", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)

    async def replay(
        self,
        id: str,
        query: t.ReplayWebhookQuery,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Replay:
        """Resend all events since a given time, even if the endpoint is disabled. Scope: `webhooks:write`."""
        result: t.Replay = await self._http.data("POST", f"/api/v1/webhooks/{part(id)}/replay", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def rotate_secret(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.WebhookSecret:
        """Create a new secret; for 24 hours events are signed with both. Scope: `webhooks:write`."""
        result: t.WebhookSecret = await self._http.data("POST", f"/api/v1/webhooks/{part(id)}/rotate-secret", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def test(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Delivery:
        """Send a `webhook.test` event to an endpoint, even if it is disabled. Scope: `webhooks:write`."""
        result: t.Delivery = await self._http.data("POST", f"/api/v1/webhooks/{part(id)}/test", once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class AsyncVoicesResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def list(
        self,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> List[t.Voice]:
        """List the available voices. Scope: `engines:read`."""
        result: List[t.Voice] = await self._http.data("GET", "/api/v1/voices", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def preview(
        self,
        id: str,
        body: t.NewVoicePreview,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> httpx.Response:
        """Preview a voice as a callee hears it; WAV, 8 kHz. Scope: `engines:read`."""
        result: httpx.Response = await self._http.bytes("POST", f"/api/v1/voices/{part(id)}/preview", body=body, repeatable=True, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class AsyncAccessResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def get(
        self,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.GrantedAccess:
        """Get what the key that is used, or the signed-in member, may do."""
        result: t.GrantedAccess = await self._http.data("GET", "/api/v1/access", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class AsyncAccountResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def get(
        self,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Account:
        """Get balance, holds and limits. Scope: `billing:read`."""
        result: t.Account = await self._http.data("GET", "/api/v1/account", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    def list_ledger(
        self,
        query: Optional[t.ListLedgerQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncPages[t.LedgerEntry]:
        """List credits and charges, newest first. Scope: `billing:read`."""
        return self._http.page("GET", "/api/v1/account/ledger", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)


class AsyncEnginesResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def list(
        self,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> List[t.Engine]:
        """List engines, and what is missing to use the unavailable ones. Scope: `engines:read`."""
        result: List[t.Engine] = await self._http.data("GET", "/api/v1/engines", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class AsyncRatesResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def get(
        self,
        query: t.GetRateQuery,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Rate:
        """Get the price of a call to a number. Scope: `billing:read`."""
        result: t.Rate = await self._http.data("GET", "/api/v1/rates", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class AsyncSettingsResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def get(
        self,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Settings:
        """Get caps, calling hours, retention and disclosure. Scope: `settings:read`."""
        result: t.Settings = await self._http.data("GET", "/api/v1/settings", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def change(
        self,
        body: t.SettingsChanges,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Settings:
        """Change settings. Scope: `settings:write`."""
        result: t.Settings = await self._http.data("PATCH", "/api/v1/settings", body=body, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class AsyncSuppressionsResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        query: Optional[t.ListSuppressionsQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncPages[t.Suppression]:
        """List suppressed numbers. Scope: `suppressions:write`."""
        return self._http.page("GET", "/api/v1/suppressions", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)

    async def add(
        self,
        body: t.NewSuppression,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Suppression:
        """Add a number to the suppression list. Scope: `suppressions:write`."""
        result: t.Suppression = await self._http.data("POST", "/api/v1/suppressions", body=body, once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def remove(
        self,
        query: t.RemoveSuppressionQuery,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Done:
        """Remove a number from the suppression list. Scope: `suppressions:write`."""
        result: t.Done = await self._http.data("DELETE", "/api/v1/suppressions", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def add_many(
        self,
        body: t.SuppressionImport,
        *,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.ImportedSuppressions:
        """Add numbers to the suppression list. Scope: `suppressions:write`."""
        result: t.ImportedSuppressions = await self._http.data("POST", "/api/v1/suppressions/import", body=body, once=True, idempotency_key=idempotency_key, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class AsyncUsageResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def get(
        self,
        query: Optional[t.GetUsageQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.Usage:
        """Get calls, minutes, spend and response times over a period. Scope: `billing:read`."""
        result: t.Usage = await self._http.data("GET", "/api/v1/usage", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def get_breakdown(
        self,
        query: t.GetUsageBreakdownQuery,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.UsageBreakdown:
        """Get ended calls of a period by agent, version, engine, outcome, hour of the day, day or key. Scope: `billing:read`."""
        result: t.UsageBreakdown = await self._http.data("GET", "/api/v1/usage/breakdown", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class AsyncAlertRulesResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def get(
        self,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.AlertRules:
        """Get what raises alerts. Scope: `settings:read`."""
        result: t.AlertRules = await self._http.data("GET", "/api/v1/alert-rules", timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result

    async def change(
        self,
        body: t.AlertRulesChanges,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> t.AlertRules:
        """Change what raises alerts. Scope: `settings:write`."""
        result: t.AlertRules = await self._http.data("PATCH", "/api/v1/alert-rules", body=body, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
        return result


class AsyncAlertsResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        query: Optional[t.ListAlertsQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncPages[t.Alert]:
        """List alerts, newest first. Scope: `billing:read`."""
        return self._http.page("GET", "/api/v1/alerts", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)


class AsyncAuditResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        query: Optional[t.ListAuditQuery] = None,
        *,
        timeout: Optional[float] = None,
        deadline: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncPages[t.AuditEntry]:
        """List the audit log, newest first. Scope: `audit:read`."""
        return self._http.page("GET", "/api/v1/audit", query=query, timeout=timeout, deadline=deadline, max_retries=max_retries, headers=headers)
