import { systemClock } from "@parley/time/clock";
import { outcomeOf, soon } from "@parley/voice/conformance/outcome-of";
import { describeSpeechRecognizerConformance } from "@parley/voice/conformance/speech-recognizer-conformance";
import type { RecognitionQuestion, SpeechRecognizer } from "@parley/voice/ports/speech-recognizer";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { createSherpaRecognizer } from "./sherpa-recognizer.ts";
import { type ModelFolder, makeModelFolder } from "./testing/sherpa-library.ts";

const WORDS = "please call me back tomorrow the weather is nice today never";
const QUESTION: RecognitionQuestion = { expected: [], isSpeechCertain: true, isGuess: false };
const REQUEST = { language: "en-US", sampleRateHz: 8_000 };

const folders: ModelFolder[] = [];
afterAll(async () => {
  for (const folder of folders) await folder.remove();
});

async function openRig(options: Parameters<typeof makeModelFolder>[0] = {}) {
  const folder = await makeModelFolder({ words: WORDS, ...options });
  folders.push(folder);
  const pids: number[] = [];
  const recognizer = createSherpaRecognizer({
    model: folder.path,
    clock: systemClock,
    onProcess: (pid) => pids.push(pid ?? 0),
  });
  return { folder, pids, recognizer, speak: (text: string) => folder.speech.speak(text) };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describeSpeechRecognizerConformance("sherpa-onnx in its process", async () => {
  const { recognizer, pids, speak } = await openRig();
  return {
    recognizer,
    speak: async (text) => speak(text),
    breakEngineOnce() {
      for (const pid of pids) if (isRunning(pid)) process.kill(pid, "SIGKILL");
    },
    resourcesHeld: () => pids.filter(isRunning).length,
  };
});

describe("recognition by sherpa-onnx", () => {
  let opened: SpeechRecognizer[] = [];
  afterEach(async () => {
    await Promise.all(opened.map((recognizer) => recognizer.close()));
    opened = [];
  });

  async function hearOne(options: Parameters<typeof makeModelFolder>[0], text = "please call me back") {
    const rig = await openRig(options);
    opened.push(rig.recognizer);
    const stream = await rig.recognizer.open(REQUEST);
    stream.hear(rig.speak(text));
    return { ...rig, stream, outcome: await outcomeOf(soon(stream.recognize(QUESTION), "recognizing")) };
  }

  it("feeds a streaming model to its end", async () => {
    const files = ["encoder.onnx", "decoder.onnx", "joiner.onnx"];
    const { outcome } = await hearOne({ name: "sherpa-onnx-streaming-zipformer-en", files });
    expect(outcome).toMatchObject({ text: "please call me back" });
  });

  it("returns the words with their times and the language, if the model knows them", async () => {
    const { outcome } = await hearOne({ behaviour: "has_times" }, "nice weather");
    expect(outcome).toMatchObject({ text: "nice weather", language: "en" });
    expect(outcome).toMatchObject({ words: [{ text: "nice", startMs: 0 }, { text: "weather" }] });
  });

  it("writes the capitals of some models in small letters", async () => {
    const { outcome } = await hearOne({ behaviour: "shouts" });
    expect(outcome).toMatchObject({ text: "please call me back", words: [], confidence: null });
  });

  it("replaces a process that has died, before or during a request, and ends it when it is closed", async () => {
    const { stream, pids, recognizer, outcome } = await hearOne({});
    expect(outcome).toMatchObject({ text: "please call me back" });
    process.kill(pids[0] ?? 0, "SIGKILL");
    expect(await soon(stream.recognize(QUESTION), "recognizing again")).toMatchObject({ text: "please call me back" });
    expect(pids).toHaveLength(2);
    await soon(recognizer.close(), "closing");
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it("says that a model cannot be loaded, instead of trying for ever", async () => {
    const { recognizer, pids, folder } = await openRig({ behaviour: "crashes_on_load" });
    opened.push(recognizer);
    expect(await outcomeOf(soon(recognizer.open(REQUEST), "opening"))).toMatchObject({
      name: "ProviderError",
      retryable: false,
      message: `sherpa-onnx could not load the model in ${folder.path}. What it wrote is in the log of this service.`,
    });
    expect(pids).toHaveLength(1);
  });

  it("is refused before anything is started without its library, or without a model", async () => {
    const { recognizer, pids, folder } = await openRig({ hasLibrary: false });
    expect(await outcomeOf(recognizer.open(REQUEST))).toMatchObject({
      retryable: false,
      message: expect.stringContaining("sherpa-onnx-node is not installed"),
    });
    const nowhere = createSherpaRecognizer({ model: `${folder.path}/nowhere`, clock: systemClock });
    expect(await outcomeOf(nowhere.open(REQUEST))).toMatchObject({ name: "ProviderError", retryable: false });
    expect(pids).toEqual([]);
  });
});
