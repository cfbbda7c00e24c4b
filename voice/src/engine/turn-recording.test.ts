import { expect, test } from "vitest";
import type { TurnEffect } from "../turns/turn-effects.ts";
import { USUAL_TURN_SETTINGS } from "../turns/turn-settings.ts";
import { openScene } from "./testing/conversation-scene.ts";
import { replayTurns, TurnRecorder, type TurnRecording } from "./turn-recording.ts";

const YES_NO = { kind: "yes_no", answers: ["yes", "no"] } as const;

/** A call with an interruption, an undo and an end, and its recording. */
async function recordedCall(): Promise<{ recording: TurnRecording; turns: readonly unknown[] }> {
  const scene = openScene({
    brain: {
      expectation: YES_NO,
      reply: (_turn, index) =>
        index < 2
          ? ["The doctor has changed the plans for next week."]
          : ["Goodbye.", { type: "end", reason: "finished" }],
    },
  });
  const conversation = await scene.greet();
  await scene.advance(scene.say("yes"));
  await scene.advance(300);
  await scene.advance(scene.say("or no"));
  await scene.advance(1_500);
  await scene.advance(scene.say("stop please stop it"));
  await scene.advance(2_500);
  await scene.advance(scene.say("no"));
  await scene.advance(3_000);
  await conversation.finished;
  const [recording] = scene.recordings;
  if (recording === undefined) throw new Error("the call was not recorded");
  await scene.engine.close();
  return { recording, turns: scene.brain.log.flatMap((note) => (note.type === "reply" ? [note.turn] : [])) };
}

function turnsOf(effects: readonly (readonly TurnEffect[])[]) {
  return effects.flat().flatMap((effect) => (effect.type === "reply.start" ? [effect.turn] : []));
}

test("a recorded call behaves the same in every replay", async () => {
  const { recording, turns } = await recordedCall();
  expect(recording.isComplete).toBe(true);
  const once = replayTurns(recording);
  expect(turnsOf(once)).toEqual(turns);
  expect(turns.length).toBeGreaterThan(2);
  expect(replayTurns(recording)).toEqual(once);
});

test("it does so even after being written to a file and read again", async () => {
  const { recording } = await recordedCall();
  expect(replayTurns(JSON.parse(JSON.stringify(recording)))).toEqual(replayTurns(recording));
});

test("a replay shows what another setting would have done", async () => {
  const { recording, turns } = await recordedCall();
  const settings = { ...recording.plan.settings, undoWithinMs: 0, undoSpeechMs: 1_000 };
  const other = replayTurns({ ...recording, plan: { ...recording.plan, settings } });
  expect(turnsOf(other)).not.toEqual(turns);
});

test("a call that is too long is recorded from its beginning, and marked as incomplete", () => {
  const plan = {
    greeting: "immediate",
    voicemail: { action: "hang_up", message: null },
    isScreened: false,
    settings: USUAL_TURN_SETTINGS,
  } as const;
  const recorder = new TurnRecorder("call_1", plan, 2);
  for (let atMs = 0; atMs < 3; atMs++) recorder.note({ type: "line.answered", atMs });
  expect(recorder.finish()).toMatchObject({ isComplete: false, events: [{ atMs: 0 }, { atMs: 1 }] });
});
