import { setTimeout as sleep } from "node:timers/promises";
import { Call } from "@parley/contract/calls";
import { ErrorReply } from "@parley/contract/errors";
import type { PlannedCall } from "./chaos-plan.ts";
import type { Installation } from "./installation.ts";
import type { PlanClock } from "./plan-clock.ts";

/** The outcome of one request. `lost` means that the connection broke: it may or may not have been done. */
type Answer =
  | { readonly kind: "reply"; readonly status: number; readonly code: string | null; readonly text: string }
  | { readonly kind: "lost"; readonly reason: string };

/** All requests and replies about one planned call. */
export interface CallHistory {
  readonly planned: PlannedCall;
  readonly answers: Answer[];
  /** Ids that came with a 2xx; a key must never have more than one. */
  readonly callIds: Set<string>;
  /** The bodies of all 2xx, which must be one and the same for a key. */
  readonly bodies: Set<string>;
}

export interface Load {
  readonly histories: readonly CallHistory[];
  /** Replies outside the envelope, requests without an answer, and clients that never got a final one. */
  readonly complaints: readonly string[];
  /** Every reply by status and code. */
  readonly replies: ReadonlyMap<string, number>;
  /** At one api process, or at all of them. */
  openRequests(apiIndex: number | null): number;
  /** Resolves when every client has its final answer. */
  readonly finished: Promise<void>;
}

const ANSWER_WITHIN_MS = 30_000;
const RETRY_MS = 300;
const GIVE_UP_AFTER_MS = 300_000;

/** Sends the planned calls, each client continuing until it has a final answer. */
export function startLoad(installation: Installation, calls: readonly PlannedCall[], clock: PlanClock): Load {
  const { apiUrls, keys, agentId } = installation;
  const histories: CallHistory[] = calls.map((planned) => ({
    planned,
    answers: [],
    callIds: new Set(),
    bodies: new Set(),
  }));
  const complaints: string[] = [];
  const replies = new Map<string, number>();
  const open = apiUrls.map(() => 0);
  let turn = 0;

  async function post(path: string, call: PlannedCall, body: unknown, isKeyed: boolean): Promise<Answer> {
    turn += 1;
    const index = turn % apiUrls.length;
    open[index] = (open[index] ?? 0) + 1;
    try {
      const reply = await fetch(`${apiUrls[index]}${path}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${keys[call.mode]}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(isKeyed && call.key ? { "idempotency-key": call.key } : {}),
        },
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      return judge(path, reply, text);
    } catch (error) {
      if ((error as Error).name === "TimeoutError")
        complaints.push(`POST ${path}: no answer in ${ANSWER_WITHIN_MS} ms`);
      count("connection lost");
      const cause = (error as { cause?: { code?: string } }).cause?.code ?? "";
      return { kind: "lost", reason: `${(error as Error).message} ${cause}` };
    } finally {
      open[index] = (open[index] ?? 1) - 1;
    }
  }

  function judge(path: string, reply: Response, text: string): Answer {
    const complaint = complainAbout(reply, text);
    if (complaint) complaints.push(`POST ${path} ${reply.status}: ${complaint}: ${text.slice(0, 300)}`);
    const code = reply.ok || complaint ? null : (JSON.parse(text) as ErrorReply).error.code;
    count(`${reply.status}${code ? ` ${code}` : ""}`);
    return { kind: "reply", status: reply.status, code, text };
  }

  function count(what: string): void {
    replies.set(what, (replies.get(what) ?? 0) + 1);
  }

  /** Repeats a request until it has a final answer, or sends it only once if repeating could do it twice. */
  async function insist(what: string, mayRepeat: boolean, send: () => Promise<Answer>): Promise<Answer> {
    const giveUpAtMs = Date.now() + GIVE_UP_AFTER_MS;
    for (;;) {
      const answer = await send();
      if (!mayRepeat || isFinal(answer)) return answer;
      if (Date.now() > giveUpAtMs) {
        complaints.push(`${what}: no final answer in ${GIVE_UP_AFTER_MS} ms; last: ${JSON.stringify(answer)}`);
        return answer;
      }
      await sleep(RETRY_MS);
    }
  }

  async function place(history: CallHistory): Promise<void> {
    const { planned, answers, callIds, bodies } = history;
    const body = {
      phoneNumber: planned.phoneNumber,
      agentId,
      engine: "local",
      ringTimeoutSeconds: 5,
      // Ends the calls to silent people whose client never learned that it was accepted.
      maxDurationSeconds: 12,
      metadata: { ordinal: String(planned.ordinal) },
    };
    const client = () =>
      insist(`call ${planned.ordinal}`, planned.key !== null, async () => {
        const answer = await post("/api/v1/calls", planned, body, true);
        answers.push(answer);
        if (answer.kind !== "reply" || answer.status !== 200) return answer;
        callIds.add((JSON.parse(answer.text) as { data: { id: string } }).data.id);
        bodies.add(answer.text);
        return answer;
      });
    await Promise.all(Array.from({ length: planned.copies }, client));
    const [callId] = callIds;
    if (planned.hangUpAfterMs === null || callId === undefined) return;
    await sleep(planned.hangUpAfterMs);
    const path = `/api/v1/calls/${callId}/hangup`;
    const hungUp = await insist(path, true, () => post(path, planned, undefined, false));
    if (hungUp.kind === "reply" && hungUp.status !== 200) complaints.push(`${path}: ${hungUp.text}`);
  }

  async function placeAll(): Promise<void> {
    const placed: Promise<void>[] = [];
    for (const history of histories) {
      await clock.until(history.planned.atMs);
      placed.push(place(history));
    }
    await Promise.all(placed);
  }

  return {
    histories,
    complaints,
    replies,
    openRequests: (index) => (index === null ? open.reduce((sum, n) => sum + n, 0) : (open[index] ?? 0)),
    finished: placeAll(),
  };
}

/** 409 means that the same key is still in use; 429 and 5xx ask for a retry. */
function isFinal(answer: Answer): boolean {
  return answer.kind === "reply" && answer.status < 500 && answer.status !== 409 && answer.status !== 429;
}

/** What is wrong with the form of a reply, or null. */
function complainAbout(reply: Response, text: string): string | null {
  if (!reply.headers.get("x-request-id")) return "there is no X-Request-Id";
  if (!reply.headers.get("content-type")?.startsWith("application/json")) return "it is not JSON";
  if (reply.status === 503 && !reply.headers.get("retry-after")) return "there is no Retry-After";
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return "it cannot be parsed";
  }
  if (!reply.ok) return ErrorReply.safeParse(body).success ? null : "it is not the error envelope";
  const { success, data } = body as { success?: unknown; data?: unknown };
  return success === true && Call.safeParse(data).success ? null : "it is not a call in the envelope";
}
