import type { Timers } from "@parley/time/clock";
import { type Waited, waitFor } from "@parley/time/within";
import { ProviderError } from "../../ports/provider-error.ts";
import type { ToolCaller } from "../../ports/tool-caller.ts";
import type { PreparedMcpCall, PreparedRequest } from "./prepare-request.ts";

/** The outcome of a request. Everything but a reply from 200 to 299 is a failure. */
export type ToolOutcome =
  | { readonly ok: true; readonly status: number; readonly body: unknown }
  | { readonly ok: false; readonly status: number | null; readonly body: unknown; readonly reason: string };

interface Entry {
  readonly id: string;
  readonly name: string;
  /** What was requested, to distinguish the same request from another one. */
  readonly content: string;
  readonly done: Promise<ToolOutcome>;
  outcome: ToolOutcome | null;
  isReported: boolean;
}

/** A completed request, as plain data. */
export interface KeptRequest {
  readonly id: string;
  readonly name: string;
  readonly content: string;
  readonly outcome: ToolOutcome;
}

interface LedgerDeps {
  readonly caller: ToolCaller | null;
  readonly timers: Timers;
  /** Aborted when the call is over. */
  readonly signal: AbortSignal;
}

/** How long after its timeout a request may still take to report that it failed. */
const GRACE_MS = 1000;

/**
 * Everything this call asked of the outside world. It is not part of the conversation's state: going back to before a turn
 * does not undo a booking. A request is sent once for its id, even when its waiter is aborted, and its result is kept.
 */
export class ToolLedger {
  readonly #deps: LedgerDeps;
  readonly #entries = new Map<string, Entry>();
  #permit = Promise.withResolvers<void>();
  #isPermitted = false;
  #isSuspended = false;

  constructor(deps: LedgerDeps, kept: readonly KeptRequest[] = []) {
    this.#deps = deps;
    for (const each of kept) {
      this.#entries.set(each.id, { ...each, done: Promise.resolve(each.outcome), isReported: true });
    }
  }

  /** From now on requests are sent. */
  permit(): void {
    this.#isPermitted = true;
    if (!this.#isSuspended) this.#permit.resolve();
  }

  /** Until `resume`, requests wait as they do before permission, and no result is taken. */
  suspend(): void {
    if (this.#isSuspended) return;
    this.#isSuspended = true;
    if (this.#isPermitted) this.#permit = Promise.withResolvers<void>();
  }

  resume(): void {
    this.#isSuspended = false;
    if (this.#isPermitted) this.#permit.resolve();
  }

  /** Waits until something may be done outside the conversation. */
  waitForPermit(limitMs: number | null, signal: AbortSignal): Promise<Waited<void>> {
    return waitFor(this.#deps.timers, limitMs, this.#permit.promise, signal);
  }

  /** Completed requests, for a conversation that continues elsewhere. */
  kept(): readonly KeptRequest[] {
    return [...this.#entries.values()].flatMap(({ id, name, content, outcome }) =>
      outcome === null ? [] : [{ id, name, content, outcome }],
    );
  }

  /**
   * Sends a request, unless the same one was sent under this id before. An id that was used for another request gets a
   * suffix. Returns the id, and whether the request is new. Throws before permission: the caller waits for that.
   */
  begin(
    wantedId: string,
    request: PreparedRequest | PreparedMcpCall,
  ): { readonly id: string; readonly isNew: boolean } {
    if (!this.#isPermitted || this.#isSuspended) throw new Error("a request was made before it was permitted");
    const content = JSON.stringify(
      "server" in request
        ? [request.server, request.tool, request.arguments]
        : [request.method, request.url, request.body],
    );
    let id = wantedId;
    for (let count = 2; this.#entries.has(id); count += 1) {
      if (this.#entries.get(id)?.content === content) return { id, isNew: false };
      id = `${wantedId}_${count}`;
    }
    const entry: Entry = {
      id,
      name: request.name,
      content,
      done: this.#send(id, request),
      outcome: null,
      isReported: false,
    };
    this.#entries.set(id, entry);
    return { id, isNew: true };
  }

  /** Makes another id refer to a request that was already sent: the same intention, expressed twice. */
  repeat(id: string, earlierId: string): void {
    const earlier = this.#entries.get(earlierId);
    if (earlier !== undefined && !this.#entries.has(id)) this.#entries.set(id, { ...earlier, id, isReported: true });
  }

  /** Waits for a result for at most this many milliseconds. The request continues. */
  async wait(id: string, limitMs: number | null, signal: AbortSignal): Promise<Waited<ToolOutcome>> {
    const entry = this.#entries.get(id);
    const done = entry?.done ?? Promise.resolve(failed("there was no such request"));
    return waitFor(this.#deps.timers, limitMs, done, signal);
  }

  isUnderWay(id: string): boolean {
    const entry = this.#entries.get(id);
    return entry !== undefined && entry.outcome === null;
  }

  outcomeOf(id: string): ToolOutcome | null {
    return this.#entries.get(id)?.outcome ?? null;
  }

  /** Results that were not reported yet, in the order of their requests. Each is returned once. */
  takeUnreported(): { readonly id: string; readonly name: string; readonly outcome: ToolOutcome }[] {
    if (this.#isSuspended) return [];
    return [...this.#entries.values()].flatMap((entry) => {
      const { id, name, outcome } = entry;
      if (outcome === null || entry.isReported) return [];
      entry.isReported = true;
      return [{ id, name, outcome }];
    });
  }

  async #send(id: string, request: PreparedRequest | PreparedMcpCall): Promise<ToolOutcome> {
    const { timers, signal } = this.#deps;
    const waited = await waitFor(timers, request.timeoutMs + GRACE_MS, this.#ask(id, request), signal);
    const outcome =
      waited.type === "done"
        ? waited.value
        : failed(waited.type === "late" ? "there was no reply in time" : "the call is over");
    const done = this.#entries.get(id)?.done;
    for (const entry of this.#entries.values()) if (entry.done === done) entry.outcome = outcome;
    return outcome;
  }

  async #ask(id: string, request: PreparedRequest | PreparedMcpCall): Promise<ToolOutcome> {
    const { caller, signal } = this.#deps;
    if (caller === null) return failed("this installation sends no requests");
    try {
      const reply =
        "server" in request
          ? await caller.callMcpTool?.({ ...request, id, signal })
          : await caller.call({ ...request, id, signal });
      if (reply === undefined) return failed("this installation uses no MCP servers");
      const { status, body, failure } = reply;
      if (failure !== undefined) return { ok: false, status, body, reason: failure };
      if (status >= 200 && status <= 299) return { ok: true, status, body };
      return { ok: false, status, body, reason: `the reply had the status ${status}` };
    } catch (error) {
      return failed(error instanceof ProviderError ? error.message : "the request failed");
    }
  }
}

function failed(reason: string): ToolOutcome {
  return { ok: false, status: null, body: null, reason };
}
