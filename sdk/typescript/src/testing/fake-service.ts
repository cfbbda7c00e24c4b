import { Parley, type ParleyOptions } from "../parley.ts";
import type { Timing } from "../request.ts";

interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A reply, or an error that `fetch` throws. */
export type FakeReply = Response | Error | ((request: SentRequest) => Response | Promise<Response>);

/** A client whose requests get the given replies, one after the other, on a clock that only sleeping moves. */
export function openFakeService(replies: readonly FakeReply[], options: ParleyOptions = {}) {
  const sent: SentRequest[] = [];
  const sleptMs: number[] = [];
  let nowMs = 0;
  const timing: Timing = {
    nowMs: () => nowMs,
    random: () => 1,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      sleptMs.push(ms);
      nowMs += ms;
    },
  };
  const left = [...replies];
  const fakeFetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input));
    const request = {
      method: init.method ?? "GET",
      path: `${url.pathname}${url.search}`,
      headers: new Headers(init.headers),
      body: typeof init.body === "string" ? JSON.parse(init.body) : undefined,
    };
    sent.push(request);
    const reply = left.shift();
    if (reply === undefined) throw new Error(`nothing was expected to be sent any more: ${request.path}`);
    if (reply instanceof Error) throw reply;
    return typeof reply === "function" ? reply(request) : reply;
  };
  const parley = new Parley(
    { baseUrl: "https://parley.example", apiKey: "svc_test_x", fetch: fakeFetch as typeof fetch, ...options },
    timing,
  );
  return { parley, sent, sleptMs, left };
}

export function ok(data: unknown, more: object = {}): Response {
  return Response.json({ success: true, data, ...more });
}

export function refusal(
  status: number,
  code: string,
  retryable: boolean,
  headers: Record<string, string> = {},
): Response {
  const error = { code, message: `It is ${code}.`, requestId: "req_1", docUrl: `/docs/errors#${code}`, retryable };
  return Response.json({ success: false, error }, { status, headers });
}

/** What `fetch` throws when a connection breaks. */
export function lostConnection(): Error {
  return new TypeError("fetch failed", { cause: new Error("socket hang up") });
}

/** A live stream with the given text, which then ends or breaks. */
export function stream(text: string, end: "ends" | "breaks" = "ends"): Response {
  const chunks = text.match(/.{1,7}/gs) ?? [];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk !== undefined) controller.enqueue(new TextEncoder().encode(chunk));
      else if (end === "ends") controller.close();
      else controller.error(new TypeError("terminated"));
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
