import { expect, test } from "vitest";
import { openScene } from "./testing/conversation-scene.ts";
import { replayTurns, type TurnRecording } from "./turn-recording.ts";

const YES_NO = { kind: "yes_no", answers: ["yes", "no"] } as const;
const TURNS = 60;
/** Two frames: the one in which silence became long enough, and the one that is played next. */
const OVERHEAD_MAX_MS = 30;

/** A call of many turns with components that take no time, whose callee pauses for a little longer each time. */
async function talk(): Promise<{ recording: TurnRecording; overheadsMs: readonly number[] }> {
  const scene = openScene({ brain: { expectation: YES_NO, reply: () => ["All right."] } });
  await scene.greet();
  for (let turn = 0; turn < TURNS; turn++) {
    await scene.advance(700 + turn * 7);
    await scene.advance(scene.say("yes"));
    await scene.untilAgentSpoke(turn + 2);
  }
  const overheadsMs = scene.notes("turn_timing").map(({ timing }) => timing.totalMs - timing.holdMs);
  scene.line.end();
  await scene.advance(3_000);
  await scene.engine.close();
  const [recording] = scene.recordings;
  if (recording === undefined) throw new Error("the call was not recorded");
  return { recording, overheadsMs };
}

test("beyond the hold, our own overhead is at most two frames between the callee's last audio and our first", async () => {
  const { recording, overheadsMs } = await talk();
  const sorted = [...overheadsMs].sort((a, b) => a - b);
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
  expect(overheadsMs).toHaveLength(TURNS);
  expect(p95).toBeLessThanOrEqual(OVERHEAD_MAX_MS);

  const startedMs = performance.now();
  const rounds = 20;
  for (let round = 0; round < rounds; round++) replayTurns(recording);
  const seconds = (performance.now() - startedMs) / 1_000;
  const perSecond = Math.round((rounds * recording.events.length) / seconds);
  console.log(`own overhead p95 ${p95.toFixed(0)} ms; the machine alone takes ${perSecond} events/s`);
});
