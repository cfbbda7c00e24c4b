import { expect, test } from "vitest";
import { RecognizerMeter } from "./recognizer-meter.ts";

test("a callee who waits for a recognizer is noticed while waiting, and no longer when the work has begun", () => {
  let nowMs = 0;
  const meter = new RecognizerMeter(() => nowMs);
  const work = {};
  const leave = meter.request(work, 2_000, "urgent");
  nowMs = 700;
  expect(meter.read().lateMs).toBe(700);
  const finish = meter.start(work, 2_000);
  nowMs = 900;
  expect(meter.read().lateMs).toBe(700);
  finish();
  leave();
  nowMs = 5_701;
  expect(meter.read()).toEqual({ lateMs: 0, requestedMs: 2_000, speechMs: 2_000, workMs: 200 });
});

test("work that takes longer than its speech is late before it ends", () => {
  let nowMs = 0;
  const meter = new RecognizerMeter(() => nowMs);
  meter.start({}, 2_000);
  nowMs = 2_600;
  expect(meter.read()).toMatchObject({ lateMs: 600, workMs: 0 });
});

test("the time in which a request waited is told from the time in which it was worked on, also by a second process", () => {
  let nowMs = 0;
  const meter = new RecognizerMeter(() => nowMs);
  const work = {};
  meter.request(work, 2_000, "urgent");
  nowMs = 800;
  const lose = meter.start(work, 2_000);
  nowMs = 900;
  lose();
  meter.start(work, 2_000);
  nowMs = 1_050;
  expect(meter.workMsOf(work)).toBe(250);
});

test("a request that is given up waits no more", () => {
  let nowMs = 0;
  const meter = new RecognizerMeter(() => nowMs);
  const leave = meter.request({}, 2_000, "urgent");
  nowMs = 300;
  leave();
  expect(meter.read().lateMs).toBe(300);
  nowMs = 5_301;
  expect(meter.read().lateMs).toBe(0);
});

test("a guess that waits is late too: most callees have finished", () => {
  let nowMs = 0;
  const meter = new RecognizerMeter(() => nowMs);
  meter.request({}, 1_500, "ahead");
  nowMs = 600;
  expect(meter.read().lateMs).toBe(600);
});

test("background work that waits is never late, but counts as speech", () => {
  let nowMs = 0;
  const meter = new RecognizerMeter(() => nowMs);
  meter.request({}, 1_500, "background");
  nowMs = 4_000;
  expect(meter.read()).toEqual({ lateMs: 0, requestedMs: 1_500, speechMs: 0, workMs: 0 });
});

test("one callee in ten who waits is not a lack of recognizers, two are", () => {
  let nowMs = 0;
  const meter = new RecognizerMeter(() => nowMs);
  const leaves = Array.from({ length: 20 }, () => meter.request({}, 1_000, "ahead"));
  for (const leave of leaves.slice(2)) leave();
  nowMs = 900;
  for (const leave of leaves.slice(0, 2)) leave();
  expect(meter.read().lateMs).toBe(900);
  for (let others = 0; others < 10; others++) meter.request({}, 1_000, "ahead")();
  expect(meter.read().lateMs).toBe(0);
});
