import type { RecognitionQuestion, SpeechRecognizer } from "@parley/voice/ports/speech-recognizer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTelephoneVoice, type TelephoneVoice } from "../testing/telephone-voice.ts";
import { connectRecognizer, type RecognizerThread, startRecognizerThread } from "./recognizer-thread.ts";

/** Longer than a process takes to load its networks on the busiest machine. */
const PATIENCE_MS = 60_000;

let thread: RecognizerThread;
let recognizer: SpeechRecognizer;
let voice: TelephoneVoice;

beforeAll(async () => {
  voice = openTelephoneVoice();
  thread = await startRecognizerThread({ size: "tiny", processes: 1, deadlineMs: PATIENCE_MS });
  recognizer = connectRecognizer(thread.connect());
}, PATIENCE_MS);

afterAll(async () => {
  await recognizer.close();
  await Promise.all([thread.stop(), voice.close()]);
}, PATIENCE_MS);

const spoken = (text: string) => voice.speak(text);

async function listen(sound: Int16Array, question: Partial<RecognitionQuestion> = {}) {
  const stream = await recognizer.open({ language: "en-US", sampleRateHz: 8_000 });
  for (let at = 0; at < sound.length; at += 160) stream.hear(sound.subarray(at, at + 160));
  try {
    return await stream.recognize({ expected: [], isSpeechCertain: true, isGuess: false, ...question });
  } finally {
    stream.close();
  }
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z ]/g, "")
    .trim();

describe("local speech recognition", { timeout: PATIENCE_MS }, () => {
  it("understands a sentence that came through a telephone line", async () => {
    const { text, words } = await listen(await spoken("I would like to speak with somebody about my appointment."));
    expect(plain(text)).toBe("i would like to speak with somebody about my appointment");
    expect(words.length).toBeGreaterThan(8);
    expect(words.at(-1)?.endMs).toBeGreaterThan(1_500);
  });

  it("reports which of the expected answers was given, with confidence", async () => {
    const expected = ["I will come", "another day", "cancel"];
    for (const answer of expected) {
      const { best } = await listen(await spoken(answer), { expected });
      expect(best?.answer).toBe(answer);
      expect(best?.score).toBeGreaterThan(0.5);
    }
  });

  it("distinguishes numbers that it may write in words or in figures", async () => {
    const expected = ["two", "three", "twelve", "thirteen", "twenty", "thirty", "third"];
    const heard: (string | undefined)[] = [];
    for (const answer of expected) heard.push((await listen(await spoken(answer), { expected })).best?.answer);
    expect(heard).toEqual(expected);
  });

  it("finds the answer among forty, and accepts nothing else as one", async () => {
    const days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    const expected = days.flatMap((day) => [day, `on ${day}`, `next ${day}`, `${day} morning`, `${day} afternoon`]);
    const given = await listen(await spoken("next Wednesday"), { expected });
    expect(given.best).toMatchObject({ answer: "next Wednesday" });
    expect(given.best?.score).toBeGreaterThan(0.5);
    const strange = await listen(await spoken("I have no idea what you mean"), { expected });
    expect(strange.best?.score ?? 0).toBeLessThan(0.2);
  });

  it("is not sure of an expected answer when something else was said", async () => {
    const sound = await spoken("The weather is very nice today.");
    const { best } = await listen(sound, { expected: ["I will come", "another day", "cancel"] });
    expect(best?.score ?? 0).toBeLessThan(0.2);
  });

  it("aborts immediately what is no longer needed, and keeps listening", async () => {
    const sound = await spoken("This is a rather long sentence that somebody will not wait for until its end.");
    const controller = new AbortController();
    const given = listen(sound, { signal: controller.signal, isGuess: true });
    controller.abort(new Error("the callee went on"));
    await expect(given).rejects.toThrow("the callee went on");
    expect(plain((await listen(await spoken("Please call me back tomorrow."))).text)).toContain("tomorrow");
  });

  it("continues in a new process when the old one was killed, and loses no utterance", async () => {
    const [pid] = await thread.processIds();
    const sound = await spoken("Please call me back tomorrow afternoon.");
    const given = listen(sound);
    process.kill(pid ?? 0, "SIGKILL");
    expect(plain((await given).text)).toContain("call me back tomorrow");
    expect(await thread.processIds()).not.toContain(pid);
  });

  it("opens a new process as soon as an idle one was killed, before anyone speaks", async () => {
    const [pid] = await thread.processIds();
    process.kill(pid ?? 0, "SIGKILL");
    const giveUpAt = performance.now() + PATIENCE_MS / 2;
    let pids: readonly number[] = [];
    do pids = await thread.processIds();
    while ((pids.length === 0 || pids.includes(pid ?? 0)) && performance.now() < giveUpAt);
    expect(pids).toHaveLength(1);
    expect(pids).not.toContain(pid);
    expect(plain((await listen(await spoken("Please call me back tomorrow."))).text)).toContain("tomorrow");
    expect(await thread.processIds()).toEqual(pids);
  });

  it("refuses an unsupported language, with a readable message", async () => {
    await expect(recognizer.open({ language: "de-DE", sampleRateHz: 8_000 })).rejects.toThrow(/English only/);
  });
});

it(
  "can be stopped while the large model is still being loaded",
  async () => {
    const both = await startRecognizerThread({ size: "tiny", processes: 1, usesLarge: true });
    const pids = await both.processIds();
    await both.stop();
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
  },
  PATIENCE_MS,
);
