import { type Clock, systemClock } from "@parley/time/clock";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { describeSpeechSynthesizerConformance } from "@parley/voice/conformance/speech-synthesizer-conformance";
import { createFakeSpeechSynthesizer } from "@parley/voice/fakes/fake-speech-synthesizer";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { SpeechRequest, SpeechSynthesizer, VoiceChange, WordTime } from "@parley/voice/ports/speech-synthesizer";
import { describe, expect, it } from "vitest";
import { withSynthesizerFallback } from "./with-synthesizer-fallback.ts";

describeSpeechSynthesizerConformance("a voice with another behind it", async () => {
  const first = createFakeSpeechSynthesizer();
  return {
    synthesizer: withSynthesizerFallback(
      [
        { synthesizer: first, voiceFor: () => "low" },
        { synthesizer: createVoice("second", {}), voiceFor: () => "second" },
      ],
      { clock: systemClock },
    ),
    isDeterministic: false,
    breakEngineOnce: () => first.failNext(),
    resourcesHeld: () => 0,
  };
});

const WORD_MS = 100;

interface VoiceFaults {
  /** Fails after so many words. */
  readonly failsAfter?: number;
  /** Says nothing more after so many words. */
  readonly stopsAfter?: number;
  /** Its first word comes so late. */
  readonly slowMs?: number;
  readonly hasWordTimes?: boolean;
}

/** A voice whose every word takes 100 ms, as one piece that begins with its number in the text. */
function createVoice(id: string, { failsAfter, stopsAfter, slowMs, hasWordTimes = true }: VoiceFaults) {
  const texts: string[] = [];
  async function* speak(request: SpeechRequest): AsyncGenerator<Int16Array> {
    request.signal?.throwIfAborted();
    texts.push(request.text);
    const words = request.text.split(" ");
    if (failsAfter === 0) throw new ProviderError(id, `${id} is broken`, { retryable: true });
    if (slowMs !== undefined) await new Promise<void>((resolve) => onSlow(slowMs, resolve));
    if (hasWordTimes) {
      request.onWordTimes?.(words.map((_, index) => ({ startMs: index * WORD_MS, endMs: (index + 1) * WORD_MS })));
    }
    for (const index of words.keys()) {
      if (index === failsAfter) throw new ProviderError(id, `${id} is broken`, { retryable: true });
      if (index === stopsAfter) {
        const { signal } = request;
        await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
      }
      request.signal?.throwIfAborted();
      yield new Int16Array((request.sampleRateHz / 1_000) * WORD_MS).fill(5_000);
    }
  }
  let onSlow = (_ms: number, done: () => void) => done();
  const synthesizer: SpeechSynthesizer & { readonly texts: readonly string[]; useClock(clock: Clock): void } = {
    useClock(clock) {
      onSlow = (ms, done) => void clock.setTimer(ms, done);
    },
    name: id,
    voices: [{ id, language: "en-US", description: "Buzzes" }],
    texts,
    speak,
    close: async () => undefined,
  };
  return synthesizer;
}

function compose(...voices: ReturnType<typeof createVoice>[]) {
  const clock = createVirtualClock();
  for (const voice of voices) voice.useClock(clock);
  const synthesizer = withSynthesizerFallback(
    voices.map((voice) => ({ synthesizer: voice, voiceFor: () => voice.name })),
    { clock },
  );
  const changes: VoiceChange[] = [];
  const times: (readonly WordTime[])[] = [];
  async function say(text: string, voiceId = "first"): Promise<number> {
    let samples = 0;
    const request: SpeechRequest = {
      text,
      voiceId,
      sampleRateHz: 8_000,
      onVoiceChanged: (change) => void changes.push(change),
      onWordTimes: (each) => void times.push(each),
    };
    for await (const piece of synthesizer.speak(request)) samples += piece.length;
    return samples / 8;
  }
  return { clock, changes, times, say };
}

describe("a voice that fails", () => {
  it("before its first audio is replaced for the whole clause", async () => {
    const second = createVoice("second", {});
    const { say, changes } = compose(createVoice("first", { failsAfter: 0 }), second);
    expect(await say("it is on Tuesday")).toBe(400);
    expect(second.texts).toEqual(["it is on Tuesday"]);
    expect(changes).toEqual([{ voiceId: "second", reason: "first is broken" }]);
  });

  it("within a clause is replaced from the first word that was not given", async () => {
    const second = createVoice("second", {});
    const { say, changes, times } = compose(createVoice("first", { failsAfter: 2 }), second);
    expect(await say("it is on Tuesday")).toBe(400);
    expect(second.texts).toEqual(["on Tuesday"]);
    expect(changes).toEqual([{ voiceId: "second", reason: "first is broken" }]);
    expect(times.at(-1)).toEqual([0, 1, 2, 3].map((at) => ({ startMs: at * 100, endMs: (at + 1) * 100 })));
  });

  it("within a clause is not replaced if it is unknown where its words lie", async () => {
    const second = createVoice("second", {});
    const { say } = compose(createVoice("first", { failsAfter: 2, hasWordTimes: false }), second);
    await expect(say("it is on Tuesday")).rejects.toThrow("first is broken");
    expect(second.texts).toEqual([]);
  });

  it("after its last word has said everything", async () => {
    const second = createVoice("second", {});
    const { say } = compose(createVoice("first", { failsAfter: 4 }), second);
    expect(await say("it is on Tuesday")).toBe(400);
    expect(second.texts).toEqual([]);
  });

  it("has its words placed no earlier than they are heard when the next one does not say where they lie", async () => {
    const { say, times } = compose(
      createVoice("first", { failsAfter: 2 }),
      createVoice("second", { hasWordTimes: false }),
    );
    await say("it is on Tuesday");
    const last = times.at(-1) ?? [];
    expect(last.slice(0, 2)).toEqual([
      { startMs: 0, endMs: 100 },
      { startMs: 100, endMs: 200 },
    ]);
    expect(last[2]?.endMs).toBeGreaterThanOrEqual(300);
    expect(last[3]?.endMs).toBeGreaterThanOrEqual(400);
  });

  it("by falling silent is replaced after a second", async () => {
    const second = createVoice("second", {});
    const { say, clock, changes } = compose(createVoice("first", { stopsAfter: 2 }), second);
    const said = say("it is on Tuesday");
    await clock.advance(1_001);
    expect(await said).toBe(400);
    expect(second.texts).toEqual(["on Tuesday"]);
    expect(changes[0]?.reason).toBe("first said nothing for 1000 ms");
    expect(clock.pendingTimers()).toBe(0);
  });

  it.each([
    ["as the next", "first"],
    ["as the one that the call has changed to", "second"],
  ])("is waited for longer if it is the last, %s, and only slow", async (_, voiceId) => {
    const { say, clock } = compose(createVoice("first", { failsAfter: 0 }), createVoice("second", { slowMs: 4_000 }));
    const said = say("hello", voiceId);
    await clock.advance(4_000);
    expect(await said).toBe(100);
    expect(clock.pendingTimers()).toBe(0);
  });

  it("is not waited for without end if it is the last", async () => {
    const { say, clock } = compose(createVoice("first", { failsAfter: 0 }), createVoice("second", { stopsAfter: 0 }));
    const said = say("hello").catch((error: unknown) => error);
    await clock.advance(5_001);
    expect(await said).toMatchObject({ message: "second said nothing for 5000 ms" });
  });

  it("is replaced by the next but one if the next fails too", async () => {
    const third = createVoice("third", {});
    const { say } = compose(createVoice("first", { failsAfter: 2 }), createVoice("second", { failsAfter: 1 }), third);
    expect(await say("it is on Tuesday")).toBe(400);
    expect(third.texts).toEqual(["Tuesday"]);
  });

  it("is asked again only for its own voice: a call stays with the voice that it has heard", async () => {
    const first = createVoice("first", {});
    const { say, changes } = compose(first, createVoice("second", {}));
    await say("it is on Tuesday", "second");
    expect([first.texts, changes]).toEqual([[], []]);
  });

  it("reports the last failure when none works", async () => {
    const { say } = compose(createVoice("first", { failsAfter: 0 }), createVoice("second", { failsAfter: 0 }));
    await expect(say("hello")).rejects.toThrow("second is broken");
  });
});
