import type { ToolRequest } from "@parley/voice/ports/tool-caller";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { OutboundFailure } from "../../platform/outbound-http/outbound-failure.ts";
import type { OutboundHttp } from "../../platform/outbound-http/outbound-http.ts";
import type { OutboundRequest } from "../../platform/outbound-http/outbound-request.ts";
import { makeWebhookSecret } from "../../webhooks/endpoint-secret.ts";
import { createToolCaller } from "./call-tool.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const REQUEST = {
  id: "look_up.1",
  name: "look_up",
  method: "POST",
  url: "https://tools.example/look-up",
  headers: { "x-shop": "7" },
  body: '{"day":"Friday"}',
  timeoutMs: 2_000,
} as const;

function openTool(answer: () => { status: number; body: string } | Error, secrets: readonly string[] = []) {
  const sent: OutboundRequest[] = [];
  const request: OutboundHttp["request"] = async (asked) => {
    sent.push(asked);
    const answered = answer();
    if (answered instanceof Error) throw answered;
    const head = { status: answered.status, headers: new Headers(), address: "192.0.2.1" };
    return { ...head, body: bytes(answered.body), tookMs: 1 };
  };
  const incidents: string[] = [];
  const caller = createToolCaller({
    outbound: { request },
    callId: "call_1",
    secrets,
    nowMs: () => Date.now(),
    noteIncident: (what, reason) => incidents.push(`${what}: ${reason}`),
  });
  const controller = new AbortController();
  return {
    sent,
    incidents,
    controller,
    call: (fields: Partial<ToolRequest> = {}) => caller.call({ ...REQUEST, ...fields, signal: controller.signal }),
  };
}

test("a tool is asked once, as the flow says, and can tell a repetition by its key", async () => {
  const { sent, call } = openTool(() => ({ status: 200, body: '{"free":["ten"]}' }));
  expect(await call()).toEqual({ status: 200, body: { free: ["ten"] } });
  expect(sent).toEqual([
    {
      method: "POST",
      url: REQUEST.url,
      headers: { "idempotency-key": "call_1.look_up.1", "x-shop": "7" },
      timeoutMs: 2_000,
      body: REQUEST.body,
    },
  ]);
});

test.each([
  [500, "", null],
  [404, "Not here", "Not here"],
  [200, "true", true],
])("a reply with %i and %j is a reply", async (status, text, body) => {
  expect(await openTool(() => ({ status, body: text })).call()).toEqual({ status, body });
});

test("no reply is a failure in words, which may pass or not", async () => {
  const late = openTool(() => new OutboundFailure("timed_out", "tools.example did not answer in time."));
  await expect(late.call()).rejects.toMatchObject({ name: "ProviderError", retryable: true });
  const refused = openTool(() => new OutboundFailure("refused_address", "tools.example must not be reached."));
  await expect(refused.call()).rejects.toMatchObject({ retryable: false, message: /must not be reached/ });
});

test("a call that is over is the reason then", async () => {
  const { controller, call } = openTool(() => new OutboundFailure("aborted", "It is not wanted any more."));
  const calling = call();
  controller.abort(new Error("the call is over"));
  await expect(calling).rejects.toThrow("the call is over");
});

test("a receiver with the usual library can tell that the request is ours, with either secret after a rotation", async () => {
  const secrets = [makeWebhookSecret(), makeWebhookSecret()];
  const { sent, call } = openTool(() => ({ status: 200, body: "" }), secrets);
  await call();
  const { headers = {}, body = "" } = sent[0] ?? {};
  expect(headers).toMatchObject({ "webhook-id": "call_1.look_up.1", "idempotency-key": "call_1.look_up.1" });
  for (const secret of secrets) {
    expect(new Webhook(secret).verify(String(body), { ...headers })).toEqual(JSON.parse(REQUEST.body));
  }
  expect(() => new Webhook(makeWebhookSecret()).verify(String(body), { ...headers })).toThrow();
  expect(() => new Webhook(secrets[0] ?? "").verify('{"day":"Monday"}', { ...headers })).toThrow();
});

test("a request without a body is signed too, and no header of the flow takes the place of a signature", async () => {
  const secret = makeWebhookSecret();
  const { sent, call } = openTool(() => ({ status: 200, body: "" }), [secret]);
  await call({ method: "GET", headers: { "webhook-signature": "v1,made-up" } });
  const { headers = {}, body } = sent[0] ?? {};
  expect(body).toBeUndefined();
  expect(headers["webhook-signature"]).not.toContain("made-up");
  expect(() => new Webhook(secret).verify("", { ...headers })).not.toThrow();
  expect(() => new Webhook(makeWebhookSecret()).verify("", { ...headers })).toThrow();
});

test("a request that fails here is our incident, and one that fails at its far end is not", async () => {
  const ours = openTool(() => new TypeError("the door is broken"));
  await expect(ours.call()).rejects.toThrow("the door is broken");
  expect(ours.incidents).toEqual(["tool_failed: the door is broken"]);
  const theirs = openTool(() => new OutboundFailure("timed_out", "it did not answer in time"));
  await expect(theirs.call()).rejects.toThrow("in time");
  expect(theirs.incidents).toEqual([]);
});
