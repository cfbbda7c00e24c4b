import { randomBytes } from "node:crypto";
import type { ToolTrial, ToolTrialResult } from "@parley/contract/try";
import { prepareRequest } from "@parley/voice/conversation/tools/prepare-request";
import { valuesOfReply } from "@parley/voice/conversation/tools/save-values";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { ToolCaller, ToolReply } from "@parley/voice/ports/tool-caller";

export interface TryToolDeps {
  toolCallerFor(callId: string): ToolCaller;
  readonly nowMs: () => number;
}

const EXCERPT_CHARS = 4000;

/** Sends the request of a tool once, with the given values, and returns how a call would interpret the reply. */
export async function tryTool(deps: TryToolDeps, { request, saves, values }: ToolTrial): Promise<ToolTrialResult> {
  const prepared = prepareRequest("trial", request, values);
  const caller = deps.toolCallerFor(`try_${randomBytes(12).toString("hex")}`);
  const over = new AbortController();
  const startedMs = deps.nowMs();
  const answered = await ask(caller, { ...prepared, id: "trial", signal: over.signal });
  const durationMs = Math.max(0, Math.round(deps.nowMs() - startedMs));
  const { name: _name, timeoutMs: _timeoutMs, headers, ...sent } = prepared;
  const base = { sent: { ...sent, headers: { ...headers } }, durationMs };
  if ("failure" in answered) {
    return { ...base, ok: false, status: null, excerpt: "", isCut: false, saved: {}, failure: answered.failure };
  }
  const { status, body } = answered;
  const text = body === null ? "" : typeof body === "string" ? body : JSON.stringify(body, null, 2);
  const ok = status >= 200 && status <= 299;
  return {
    ...base,
    ok,
    status,
    excerpt: text.slice(0, EXCERPT_CHARS),
    isCut: text.length > EXCERPT_CHARS,
    saved: ok ? { ...valuesOfReply(body, saves) } : {},
    failure: null,
  };
}

async function ask(
  caller: ToolCaller,
  request: Parameters<ToolCaller["call"]>[0],
): Promise<ToolReply | { readonly failure: string }> {
  try {
    return await caller.call(request);
  } catch (error) {
    if (error instanceof ProviderError) return { failure: error.message };
    throw error;
  }
}
