import { expect, test } from "vitest";
import { WorkLimiter } from "./work-limiter.ts";

test("work is refused beyond what may run at once and what may begin in a minute, for each bucket", () => {
  let nowMs = 0;
  const limiter = new WorkLimiter(() => nowMs, { atOnceMax: 2, perMinuteMax: 30, message: "That is too often." });
  const leave = [limiter.begin("ada"), limiter.begin("ada")];
  expect(() => limiter.begin("ada")).toThrow("too often");
  limiter.begin("bob")();
  for (const each of leave) each();
  for (let count = 2; count < 30; count += 1) limiter.begin("ada")();
  expect(() => limiter.begin("ada")).toThrow("too often");
  nowMs = 60_001;
  expect(() => limiter.begin("ada")()).not.toThrow();
});

test("ending the same work twice makes room only once", () => {
  const limiter = new WorkLimiter(() => 0, { atOnceMax: 2, perMinuteMax: 30, message: "That is too often." });
  const end = limiter.begin("ada");
  limiter.begin("ada");
  end();
  end();
  limiter.begin("ada");
  expect(() => limiter.begin("ada")).toThrow("too often");
});

test("a refusal says when to try again", () => {
  let nowMs = 0;
  const limiter = new WorkLimiter(() => nowMs, { atOnceMax: 1, perMinuteMax: 1, message: "That is too often." });
  limiter.begin("ada")();
  nowMs = 20_000;
  expect(() => limiter.begin("ada")).toThrow(expect.objectContaining({ code: "rate_limited", retryAfterSeconds: 40 }));
});
