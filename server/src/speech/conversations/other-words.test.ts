import { connectRanker } from "@parley/providers/local/intents/ranker-thread";
import { loadRanker } from "@parley/providers/local/testing/load-ranker";
import { talk } from "@parley/voice/conversation/testing/talk";
import { expect, test } from "vitest";
import { APPOINTMENT_CONFIRMATION } from "../../agents/samples/appointment-confirmation.ts";
import { openLocalSpeech } from "./local-speech.ts";
import { readPlan } from "./read-plan.ts";
import { planOf } from "./testing/open-scripted-pool.ts";

/** No timeouts, because time does not pass. */
const STILL = { setTimer: () => () => undefined };

test("a callee who answers in words that the agent does not list is understood by what this process shares", async () => {
  const speech = openLocalSpeech({
    speechModel: "tiny",
    speechProcesses: 1,
    onMeasured: () => undefined,
    onFailure: (reason) => expect.fail(reason),
  });
  const ranker = connectRanker(await speech.connectRanker());
  await loadRanker(ranker);
  const hold = async (language: string) => {
    const { setup, release } = readPlan(
      { models: [], ranker, timers: STILL, toolCallerFor: () => null },
      { ...planOf("call_1"), language, flow: APPOINTMENT_CONFIRMATION.flow },
      async () => ({ isAllowed: false, reason: "nobody is called here" }),
      (what, reason) => expect.fail(`${what}: ${reason}`),
    );
    const { collected } = await talk(setup.brain, ["I plan to attend."]);
    release();
    return collected;
  };
  try {
    expect(await hold("en-US")).toMatchObject({ decision: "I will come", outcome: "confirmed" });
    // The encoder knows English only.
    expect(await hold("de")).toEqual({});
  } finally {
    await ranker.close();
    await speech.close();
  }
}, 180_000);
