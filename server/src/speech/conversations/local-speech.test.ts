import { MessageChannel } from "node:worker_threads";
import type { RecognizerOptions, startRecognizerThread } from "@parley/providers/local/stt/recognizer-thread";
import { expect, test } from "vitest";
import { openLocalSpeech, type SpeechSpeed } from "./local-speech.ts";

/** Speech models that load immediately, as fast as the test says. */
function openFakeSpeech(speechModel: "auto" | "tiny" | "base", factors: Readonly<Record<"tiny" | "base", number>>) {
  const setups: RecognizerOptions[] = [];
  const memory = { availableBytes: 8e9 };
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
    availableBytes: () => memory.availableBytes,
    async startRecognizer(...[setup, onProblem]: Parameters<typeof startRecognizerThread>) {
      const { size } = setup;
      if (trouble.isMissing) throw new Error("the weights are missing");
      if (trouble.isTooLarge) onProblem?.("no memory for it");
      setups.push(setup);
      started.push(size);
      return {
        secondsOfSpeechPerSecond: factors[size],
        connect,
        load: async () => ({ processes: 1, lateMs: 120, requestedMs: 0, speechMs: 0, workMs: 0 }),
        processIds: async () => [],
        countListeners: async () => 0,
        stop: async () => void stopped.push(size),
      };
    },
    startRanker: () => ({ connect, processIds: async () => [], stop: async () => void stopped.push("intents") }),
    startVad: async () => ({ connect, lateMs: async () => 7, stop: async () => void stopped.push("vad") }),
  });
  return { speech, setups, started, stopped, speeds, failures, trouble, memory };
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

test("the load of the models is known once they are loaded, and asking for it loads nothing", async () => {
  const { speech, started } = openFakeSpeech("tiny", { tiny: 20, base: 10 });
  expect(await speech.load()).toBeNull();
  expect(started).toEqual([]);
  await Promise.all([speech.connectRecognizer(), speech.connectVad()]);
  expect(await speech.load()).toEqual({
    secondsOfSpeechPerSecond: 20,
    recognition: { processes: 1, lateMs: 120, requestedMs: 0, speechMs: 0, workMs: 0 },
    detectionLateMs: 7,
  });
  await speech.close();
});

test("nothing is loaded before it is needed", async () => {
  const { speech, started, stopped } = openFakeSpeech("auto", { tiny: 20, base: 10 });
  await speech.close();
  expect([...started, ...stopped]).toEqual([]);
});

test("the larger model is loaded beside the smaller one, for utterances for which there is room", async () => {
  const { speech, setups, speeds } = openFakeSpeech("auto", { tiny: 28, base: 16 });
  await speech.connectRecognizer();
  expect(setups).toMatchObject([{ size: "tiny", usesLarge: true }]);
  expect(speeds).toEqual([{ model: "tiny", factor: 28, isSlow: false }]);
  await speech.close();
});

test("a machine without memory for the larger model uses the smaller one alone", async () => {
  const { speech, setups, memory } = openFakeSpeech("auto", { tiny: 80, base: 45 });
  memory.availableBytes = 1.2e9;
  await speech.connectRecognizer();
  expect(setups).toMatchObject([{ size: "tiny", usesLarge: false }]);
  await speech.close();
});

test("an operator learns why the larger model is not used", async () => {
  const { speech, failures, trouble } = openFakeSpeech("auto", { tiny: 80, base: 45 });
  trouble.isTooLarge = true;
  await speech.connectRecognizer();
  expect(failures).toEqual(["no memory for it"]);
  await speech.close();
});

test.each(["tiny", "base"] as const)("an operator who asks for %s gets it, on a slow machine too", async (model) => {
  const { speech, setups, speeds } = openFakeSpeech(model, { tiny: 3, base: 2 });
  await speech.connectRecognizer();
  expect(setups).toMatchObject([{ size: model, usesLarge: false }]);
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
