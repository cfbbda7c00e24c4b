import { systemClock } from "@parley/time/clock";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { describeSpeechRecognizerConformance } from "@parley/voice/conformance/speech-recognizer-conformance";
import { createFakeSpeechRecognizer } from "@parley/voice/fakes/fake-speech-recognizer";
import { createFakeStreamingRecognizer } from "@parley/voice/fakes/fake-streaming-recognizer";
import { MarkedSpeech } from "@parley/voice/fakes/marked-speech";
import type { RecognitionEvent, RecognizerChange, SpeechRecognizer } from "@parley/voice/ports/speech-recognizer";
import { describe, expect, it } from "vitest";
import { withRecognizerFallback } from "./with-recognizer-fallback.ts";

const QUESTION = { expected: [], isSpeechCertain: true, isGuess: false };

describeSpeechRecognizerConformance(
  "a streaming recognizer with another behind it",
  async () => {
    const speech = new MarkedSpeech();
    const first = createFakeStreamingRecognizer(speech, { name: "first", probableEndMs: 200 });
    const second = createFakeStreamingRecognizer(speech, { name: "second" });
    return {
      recognizer: withRecognizerFallback([first, second], { clock: systemClock }),
      speak: async (text) => speech.speak(text),
      breakEngineOnce: () => first.breakAtNextRequest(),
      resourcesHeld: () => first.openStreams + second.openStreams,
    };
  },
  { followsWholeCall: true },
);

describeSpeechRecognizerConformance("a recognizer of utterances with another behind it", async () => {
  const speech = new MarkedSpeech();
  const first = createFakeSpeechRecognizer(speech);
  const second = createFakeSpeechRecognizer(speech);
  return {
    recognizer: withRecognizerFallback([first, second], { clock: systemClock }),
    speak: async (text) => speech.speak(text),
    breakEngineOnce: () => first.failNext(),
    resourcesHeld: () => first.openStreams + second.openStreams,
  };
});

async function openCall(others: (speech: MarkedSpeech) => SpeechRecognizer[]) {
  const clock = createVirtualClock();
  const speech = new MarkedSpeech();
  const first = createFakeStreamingRecognizer(speech, { name: "first" });
  const events: RecognitionEvent[] = [];
  const changes: RecognizerChange[] = [];
  const recognizer = withRecognizerFallback([first, ...others(speech)], { clock });
  const stream = await recognizer.open({
    language: "en-US",
    sampleRateHz: 8_000,
    onEvent: (event) => void events.push(event),
    onReplaced: (change) => void changes.push(change),
  });
  const say = (text: string, silenceMs = 0) => {
    stream.hear(speech.speak(text));
    stream.hear(new Int16Array(8 * silenceMs));
  };
  const ended = () => events.flatMap((event) => (event.type === "turn_ended" ? [event.text] : []));
  return { clock, first, events, changes, stream, recognizer, say, ended };
}

describe("a recognizer that is lost in the middle of a turn", () => {
  it("is replaced by the next, which hears the turn again", async () => {
    const call = await openCall((speech) => [createFakeStreamingRecognizer(speech, { name: "second" })]);
    call.say("good morning", 1_000);
    call.say("on Tuesday", 100);
    call.first.breakNow();
    await call.clock.advance(1);
    call.say("or Thursday", 1_000);
    expect(call.ended()).toEqual(["good morning", "on Tuesday or Thursday"]);
    expect(call.changes).toEqual([{ recognizer: "second", reason: "the connection was lost" }]);
    expect(call.events.filter(({ type }) => type === "turn_started")).toHaveLength(2);
    const last = call.events.at(-1);
    const times = last?.type === "turn_ended" ? last.words.map(({ startMs }) => startMs) : [];
    expect(times.at(0)).toBe(1_560);
    const answer = await call.stream.recognize(QUESTION);
    expect(answer.text).toBe("good morning on Tuesday or Thursday");
    expect(answer.words.map(({ startMs }) => startMs)).toEqual(
      answer.words.map(({ startMs }) => startMs).toSorted((a, b) => a - b),
    );
  });

  it("is replaced by one that recognizes utterances, if that is next", async () => {
    const call = await openCall((speech) => [createFakeSpeechRecognizer(speech)]);
    call.say("on Tuesday", 100);
    call.first.breakNow();
    await call.clock.advance(1);
    expect(call.stream.followsWholeCall).toBe(false);
    call.say("or Thursday", 300);
    expect((await call.stream.recognize(QUESTION)).text).toBe("on Tuesday or Thursday");
    call.stream.startUtterance();
    call.say("good bye", 300);
    const { text, words } = await call.stream.recognize(QUESTION);
    expect([text, words[0]?.startMs]).toEqual(["good bye", 0]);
  });

  it("answers a request that was under way", async () => {
    const call = await openCall((speech) => [createFakeStreamingRecognizer(speech, { name: "second" })]);
    call.say("on Tuesday", 100);
    const answer = call.stream.recognize(QUESTION);
    call.first.breakNow();
    expect((await answer).text).toBe("on Tuesday");
  });

  it("is replaced when it no longer answers", async () => {
    const call = await openCall((speech) => [createFakeStreamingRecognizer(speech, { name: "second" })]);
    call.say("on Tuesday", 100);
    call.first.fallSilent();
    const answer = call.stream.recognize(QUESTION);
    await call.clock.advance(800);
    expect((await answer).text).toBe("on Tuesday");
    expect(call.changes).toEqual([{ recognizer: "second", reason: "first gave no result within 800 ms" }]);
    call.say("or Thursday", 1_000);
    expect((await call.stream.recognize(QUESTION)).text).toBe("on Tuesday or Thursday");
  });

  it("is replaced within a second by the next that opens, however many do not", async () => {
    const call = await openCall((speech) => {
      const refusing = createFakeStreamingRecognizer(speech, { name: "refusing" });
      refusing.refuse(1);
      const hanging: SpeechRecognizer = {
        name: "hanging",
        open: () => new Promise(() => undefined),
        close: async () => undefined,
      };
      return [refusing, hanging, createFakeStreamingRecognizer(speech, { name: "last" })];
    });
    call.say("on Tuesday", 100);
    call.first.breakNow();
    await call.clock.advance(1_000);
    call.say("or Thursday", 1_000);
    expect(call.ended()).toEqual(["on Tuesday or Thursday"]);
    expect(call.changes).toEqual([{ recognizer: "last", reason: "hanging did not open within 1000 ms" }]);
  });

  it("is reported lost when there is no other", async () => {
    const call = await openCall(() => []);
    call.say("on Tuesday", 100);
    call.first.breakNow();
    await call.clock.advance(1);
    expect(call.events.at(-1)).toMatchObject({ type: "failed", error: { provider: "first" } });
    await expect(call.stream.recognize(QUESTION)).rejects.toThrow("the connection was lost");
  });

  it("is not replaced after the end of the call", async () => {
    const call = await openCall((speech) => [createFakeStreamingRecognizer(speech, { name: "second" })]);
    call.stream.close();
    call.first.breakNow();
    await call.clock.advance(2_000);
    expect(call.changes).toEqual([]);
    expect(call.clock.pendingTimers()).toBe(0);
  });
});

describe("a recognizer of utterances that takes long", () => {
  async function openSlowCall() {
    const clock = createVirtualClock();
    const speech = new MarkedSpeech();
    const first = createFakeSpeechRecognizer(speech);
    const second = createFakeSpeechRecognizer(speech);
    const changes: RecognizerChange[] = [];
    const recognizer = withRecognizerFallback([first, second], { clock });
    const onReplaced = (change: RecognizerChange) => void changes.push(change);
    const stream = await recognizer.open({ language: "en-US", sampleRateHz: 8_000, onReplaced });
    stream.startUtterance();
    stream.hear(speech.speak("on Tuesday"));
    stream.hear(new Int16Array(800));
    return { clock, speech, first, second, changes, stream, answerNow: first.holdBack() };
  }

  it("is replaced within a second of the end of speech, also when the request was made again meanwhile", async () => {
    const call = await openSlowCall();
    // Speech detection notices the pause after 200 ms, and asks again without patience after a second.
    await call.clock.advance(200);
    const guess = new AbortController();
    const withdrawn = call.stream.recognize({ ...QUESTION, isGuess: true, signal: guess.signal });
    withdrawn.catch(() => undefined);
    await call.clock.advance(600);
    guess.abort(new Error("asked again"));
    const answer = call.stream.recognize(QUESTION);
    await call.clock.advance(200);
    expect((await answer).text).toBe("on Tuesday");
    expect(call.clock.now()).toBe(1_000);
    expect(call.changes).toEqual([{ recognizer: "fake", reason: "fake gave no result within 800 ms" }]);
    expect([call.first.openStreams, call.second.openStreams]).toEqual([0, 1]);
    await expect(withdrawn).rejects.toThrow("asked again");
  });

  it("keeps the call if it answers before it is given up, and the other is closed", async () => {
    const call = await openSlowCall();
    const answer = call.stream.recognize(QUESTION);
    await call.clock.advance(700);
    expect(call.second.openStreams).toBe(1);
    call.answerNow();
    expect((await answer).text).toBe("on Tuesday");
    expect(call.changes).toEqual([]);
    expect([call.first.openStreams, call.second.openStreams]).toEqual([1, 0]);
  });

  it("keeps the call if the other one is even slower", async () => {
    const call = await openSlowCall();
    const answerLater = call.second.holdBack();
    const answer = call.stream.recognize(QUESTION);
    await call.clock.advance(1_200);
    call.answerNow();
    expect((await answer).text).toBe("on Tuesday");
    answerLater();
    expect(call.changes).toEqual([]);
    expect([call.first.openStreams, call.second.openStreams]).toEqual([1, 0]);
  });

  it("has its time again for what the callee says after a pause", async () => {
    const call = await openSlowCall();
    const guess = new AbortController();
    call.stream.recognize({ ...QUESTION, isGuess: true, signal: guess.signal }).catch(() => undefined);
    await call.clock.advance(400);
    guess.abort(new Error("the callee goes on"));
    await call.clock.advance(1_000);
    call.stream.hear(call.speech.speak("or Thursday"));
    const answer = call.stream.recognize(QUESTION);
    await call.clock.advance(400);
    call.answerNow();
    expect((await answer).text).toBe("on Tuesday or Thursday");
    expect(call.changes).toEqual([]);
    expect(call.second.questions).toEqual([]);
  });

  it("leaves nothing behind when the call ends meanwhile", async () => {
    const call = await openSlowCall();
    const answer = call.stream.recognize(QUESTION);
    answer.catch(() => undefined);
    await call.clock.advance(600);
    call.stream.close();
    await expect(answer).rejects.toThrow("the call is over");
    expect([call.first.openStreams, call.second.openStreams]).toEqual([0, 0]);
    expect(call.clock.pendingTimers()).toBe(0);
  });
});

it("a recognizer that failed is tried last for a while, then first again", async () => {
  const call = await openCall((speech) => [createFakeStreamingRecognizer(speech, { name: "second" })]);
  call.first.breakNow();
  await call.clock.advance(1);
  const openings = () => call.first.requests.length;
  expect(openings()).toBe(1);
  (await call.recognizer.open({ language: "en-US", sampleRateHz: 8_000 })).close();
  expect(openings()).toBe(1);
  await call.clock.advance(30_001);
  (await call.recognizer.open({ language: "en-US", sampleRateHz: 8_000 })).close();
  expect(openings()).toBe(2);
});
