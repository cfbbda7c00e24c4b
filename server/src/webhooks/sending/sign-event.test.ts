import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { makeWebhookSecret, secretBytes } from "../endpoint-secret.ts";
import { signEvent } from "./sign-event.ts";

const BODY = '{"id":"evt_1","type":"call.completed","data":{"name":"Zoë 🙏"}}';
const secret = makeWebhookSecret();
const sign = (nowMs: number, secrets = [secret]) => ({ ...signEvent("evt_1", BODY, secrets, nowMs) });
const isAccepted = (body: string, headers: Record<string, string>, by = secret) => {
  try {
    new Webhook(by).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};

test("a secret is 32 random bytes, as Standard Webhooks writes them", () => {
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(secretBytes(secret)).toHaveLength(32);
  expect(makeWebhookSecret()).not.toBe(secret);
});

test("a receiver with the usual library accepts what was signed just now", () => {
  expect(new Webhook(secret).verify(BODY, sign(Date.now()))).toEqual(JSON.parse(BODY));
});

test("a receiver rejects messages that were altered, signed by another, or lack a part", () => {
  const headers = sign(Date.now());
  expect(isAccepted(`${BODY} `, headers)).toBe(false);
  expect(isAccepted(BODY, { ...headers, "webhook-id": "evt_2" })).toBe(false);
  expect(isAccepted(BODY, { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1) })).toBe(
    false,
  );
  expect(isAccepted(BODY, headers, makeWebhookSecret())).toBe(false);
  expect(isAccepted(BODY, { ...headers, "webhook-signature": "" })).toBe(false);
});

test("a receiver refuses what comes more than five minutes late or early", () => {
  for (const seconds of [-310, 310]) expect(isAccepted(BODY, sign(Date.now() + seconds * 1000))).toBe(false);
  for (const seconds of [-290, 290]) expect(isAccepted(BODY, sign(Date.now() + seconds * 1000))).toBe(true);
});

test("during a rotation a receiver accepts with the old secret and with the new one, and with no other", () => {
  const next = makeWebhookSecret();
  const headers = sign(Date.now(), [next, secret]);
  expect(headers["webhook-signature"].split(" ")).toHaveLength(2);
  expect(isAccepted(BODY, headers, secret)).toBe(true);
  expect(isAccepted(BODY, headers, next)).toBe(true);
  expect(isAccepted(BODY, headers, makeWebhookSecret())).toBe(false);
});
