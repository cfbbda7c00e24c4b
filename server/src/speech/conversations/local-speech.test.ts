import { MessageChannel } from "node:worker_threads";
import type { RecognizerOptions } from "@parley/providers/local/stt/recognizer-thread";
import { expect, test } from "vitest";
import { openLocalSpeech, type SpeechSpeed } from "./local-speech.ts";

/** Speech models that load immediately, as fast as the test says. */
function openFakeSpeech(speechModel: "auto" | "tiny" | "base", factors: Readonly<Record<"tiny" | "base", number>>) {
  const started: string[] = [];
  const stopped: string[] = [];
  const speeds: SpeechSpeed[] = [];
  const failures: string[] = [];
  const trouble = { isMissing: false, isTooLarge: false };
  const connect = () => {
    const { port1, port2 } = new MessageChannel();
    port1.close();
    return port2;
  };
  const speech = openLocalSpeech({
    speechModel,
    speechProcesses: 1,
    onMeasured: (speed) => speeds.push(speed),
    onFailure: (reason) => failures.push(reason),
    async startRecognizer({ size }: RecognizerOptions) {
      if (trouble.isMissing) throw new Error("the weights are missing");
      if (trouble.isTooLarge && size === "base") throw new Error("no memory for it");
      started.push(size);
      return {
        secondsOfSpeechPerSecond: factors[size],
        connect,
        processIds: async () => [],
        countListeners: async () => 0,
        stop: async () => void stopped.push(size),
      };
    },
    startRanker: () => ({ connect, processIds: async () => [], stop: async () => void stopped.push("intents") }),
    startVad: async () => ({ connect, stop: async () => void stopped.push("vad") }),
  });
  return { speech, started, stopped, speeds, failures, trouble };
}

test("models are loaded once, however many threads need them, and released at the end", async () => {
  const { speech, started, stopped } = openFakeSpeech("tiny", { tiny: 20, base: 10 });
  await Promise.all([
    speech.connectRecognizer(),
    speech.connectRecognizer(),
    speech.connectVad(),
    speech.connectRanker(),
  ]);
  expect(started).toEqual(["tiny"]);
  await speech.close();
  expect(stopped.toSorted()).toEqual(["intents", "tiny", "vad"]);
});

test("nothing is loaded before it is needed", async () => {
  const { speech, started, stopped } = openFakeSpeech("auto", { tiny: 20, base: 10 });
  await speech.close();
  expect([...started, ...stopped]).toEqual([]);
});

test("a quick machine gets the larger model, and only that one is kept", async () => {
  const { speech, started, stopped, speeds } = openFakeSpeech("auto", { tiny: 80, base: 45 });
  await speech.connectRecognizer();
  expect(started).toEqual(["tiny", "base"]);
  expect(stopped).toEqual(["tiny"]);
  expect(speeds).toEqual([{ model: "base", factor: 45, isSlow: false }]);
  await speech.close();
});

test("a machine that turns out too slow for the larger model keeps the smaller", async () => {
  const { speech, started, stopped, speeds } = openFakeSpeech("auto", { tiny: 60, base: 25 });
  await speech.connectRecognizer();
  expect(started).toEqual(["tiny", "base"]);
  expect(stopped).toEqual(["base"]);
  expect(speeds).toEqual([{ model: "tiny", factor: 60, isSlow: false }]);
  await speech.close();
  expect(stopped).toEqual(["base", "tiny"]);
});

test("a machine without room for the larger model keeps the smaller, and says why", async () => {
  const { speech, stopped, speeds, failures, trouble } = openFakeSpeech("auto", { tiny: 80, base: 45 });
  trouble.isTooLarge = true;
  await speech.connectRecognizer();
  expect(speeds).toEqual([{ model: "tiny", factor: 80, isSlow: false }]);
  expect(failures).toEqual(["no memory for it"]);
  expect(stopped).toEqual([]);
  await speech.close();
});

test("a machine of middling speed does not even try the larger model", async () => {
  const { speech, started, speeds } = openFakeSpeech("auto", { tiny: 28, base: 16 });
  await speech.connectRecognizer();
  expect(started).toEqual(["tiny"]);
  expect(speeds).toEqual([{ model: "tiny", factor: 28, isSlow: false }]);
  await speech.close();
});

test.each(["tiny", "base"] as const)("an operator who asks for %s gets it, on a slow machine too", async (model) => {
  const { speech, started, speeds } = openFakeSpeech(model, { tiny: 3, base: 2 });
  await speech.connectRecognizer();
  expect(started).toEqual([model]);
  expect(speeds).toMatchObject([{ model, isSlow: true }]);
  await speech.close();
});

test("a slow machine is reported, with its measured speed", async () => {
  const { speech, speeds } = openFakeSpeech("auto", { tiny: 3.2, base: 1.8 });
  await speech.connectRecognizer();
  expect(speeds).toEqual([{ model: "tiny", factor: 3.2, isSlow: true }]);
  await speech.close();
});

test("a failed load is retried by the next call", async () => {
  const { speech, trouble, started } = openFakeSpeech("tiny", { tiny: 20, base: 10 });
  trouble.isMissing = true;
  await expect(speech.connectRecognizer()).rejects.toThrow("the weights are missing");
  trouble.isMissing = false;
  await speech.connectRecognizer();
  expect(started).toEqual(["tiny"]);
  await speech.close();
});
