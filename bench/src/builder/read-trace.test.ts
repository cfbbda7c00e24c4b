import { expect, it } from "vitest";
import { longestTaskMs, mainThread, scriptMsPerFrame, type TraceEvent, workMsPerFrame } from "./read-trace.ts";

const event = (name: string, ts: number, dur = 0, tid = 1): TraceEvent => ({ name, ph: "X", ts, dur, pid: 1, tid });
const thread = (tid: number): TraceEvent => ({
  ...event("thread_name", 0, 0, tid),
  ph: "M",
  args: { name: "CrRendererMain" },
});

it("counts the script of each frame once, however it is nested", () => {
  const events = [
    thread(1),
    thread(2),
    event("RunTask", 0, 60_000),
    event("EventDispatch", 100, 5000),
    event("FunctionCall", 200, 4000),
    event("FireAnimationFrame", 6000, 3000),
    event("Commit", 10_000),
    event("TimerFire", 11_000, 2000),
    event("Commit", 20_000),
    event("Commit", 30_000),
    event("FunctionCall", 0, 100, 2),
  ];
  const main = mainThread(events);
  expect(scriptMsPerFrame(main)).toEqual([8, 2]);
  expect(longestTaskMs(main)).toBe(60);
});

it("counts the tasks of each frame, whatever they do, and none twice", () => {
  const main = mainThread([
    thread(1),
    event("RunTask", 0, 9000),
    event("FunctionCall", 100, 5000),
    event("ThreadControllerImpl::RunTask", 6000, 2000),
    event("RunTask", 9500, 18_000),
    event("BeginMainThreadFrame", 9600),
    event("RunTask", 30_000, 3000),
    event("Commit", 40_000),
  ]);
  expect(workMsPerFrame(main)).toEqual([27, 3]);
});
