import { durationMsOf } from "@parley/audio/frame";
import { levelDbfsOf } from "@parley/audio/level";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ProviderError } from "../ports/provider-error.ts";
import type { SpeechRequest, SpeechSynthesizer, WordTime } from "../ports/speech-synthesizer.ts";
import { joinPieces, outcomeOf, soon } from "./outcome-of.ts";

/** What the conformance suite needs to know about the synthesizer under test; created for each test. */
interface SpeechSynthesizerRig {
  readonly synthesizer: SpeechSynthesizer;
  /** Whether the same text always produces the same samples. Engines with randomness do not guarantee it. */
  readonly isDeterministic: boolean;
  /** Makes the engine fail while it processes the next request. The request after that works. */
  breakEngineOnce(): void;
  /** Threads, processes, sockets and timers that the synthesizer holds. */
  resourcesHeld(): number;
}

const SENTENCE = "Your appointment is on Tuesday at ten.";
const RATES_HZ = [8_000, 16_000, 24_000, 48_000] as const;
/** Engines round the times of words. */
const TIMES_EXACT_MS = 50;
/** Speech this quiet is a bug: a callee could not hear it. */
const AUDIBLE_DBFS = -40;

/** What a conversation relies on with every voice. Every synthesizer registers this suite in its tests. */
export function describeSpeechSynthesizerConformance(name: string, openRig: () => Promise<SpeechSynthesizerRig>): void {
  describe(`${name} behaves as a speech synthesizer`, { timeout: 60_000 }, () => {
    let rig: SpeechSynthesizerRig;

    beforeEach(async () => {
      rig = await openRig();
    });

    afterEach(async () => {
      await soon(rig.synthesizer.close(), "closing");
      expect(rig.resourcesHeld(), "threads, processes, sockets and timers left behind").toBe(0);
    });

    function requestOf(wanted: Partial<SpeechRequest> = {}): SpeechRequest {
      const voiceId = rig.synthesizer.voices[0]?.id ?? "";
      return { text: SENTENCE, voiceId, sampleRateHz: 8_000, ...wanted };
    }

    function speak(wanted: Partial<SpeechRequest> = {}) {
      return rig.synthesizer.speak(requestOf(wanted))[Symbol.asyncIterator]();
    }

    function listen(wanted: Partial<SpeechRequest> = {}): Promise<Int16Array> {
      return soon(joinPieces(rig.synthesizer.speak(requestOf(wanted))), "speaking");
    }

    it("names its voices, each once, with a language and a description", () => {
      const { voices } = rig.synthesizer;
      expect(voices.length).toBeGreaterThan(0);
      expect(new Set(voices.map(({ id }) => id)).size).toBe(voices.length);
      for (const { language, description } of voices) {
        expect(Intl.getCanonicalLocales(language)).toEqual([language]);
        expect(description).not.toBe("");
      }
    });

    it("is audible with every voice", async () => {
      for (const { id } of rig.synthesizer.voices) {
        expect(levelDbfsOf(await listen({ voiceId: id, text: "Good morning." })), id).toBeGreaterThan(AUDIBLE_DBFS);
      }
    });

    it("takes equally long at every rate", async () => {
      const seconds: number[] = [];
      for (const sampleRateHz of RATES_HZ) seconds.push((await listen({ sampleRateHz })).length / sampleRateHz);
      expect(Math.max(...seconds)).toBeLessThan(Math.min(...seconds) * 1.25);
    });

    it("says where the words are, in order and with their audio, or not at all", async () => {
      const lists: (readonly WordTime[])[] = [];
      const clip = await listen({ onWordTimes: (times) => lists.push(times) });
      for (const [index, times] of lists.entries()) {
        const previous = lists[index - 1] ?? [];
        expect(times.slice(0, previous.length)).toEqual(previous);
        expect(times.length).toBeLessThanOrEqual(SENTENCE.split(" ").length);
        expect(times.map(({ startMs }) => startMs)).toEqual(times.map(({ startMs }) => startMs).sort((a, b) => a - b));
        for (const { startMs, endMs } of times) expect(endMs).toBeGreaterThan(startMs);
      }
      const last = lists.at(-1);
      if (last === undefined) return;
      expect(last).toHaveLength(SENTENCE.split(" ").length);
      expect(last.at(-1)?.endMs).toBeLessThanOrEqual(durationMsOf(clip.length) + TIMES_EXACT_MS);
    });

    it("speaks a longer text for longer", async () => {
      const short = await listen({ text: "Hello." });
      const long = await listen({ text: `Hello. ${SENTENCE} ${SENTENCE}` });
      expect(long.length).toBeGreaterThan(2 * short.length);
    });

    it("produces the same samples for the same text, if it guarantees that", async () => {
      const first = await listen();
      const second = await listen();
      if (rig.isDeterministic) expect(second).toEqual(first);
      else expect(second.length).toBeGreaterThan(0);
    });

    it.each(["", "   ", "...", "?!"])("stays silent without failing when there is nothing to say: %j", async (text) => {
      expect(levelDbfsOf(await listen({ text }))).toBeLessThan(AUDIBLE_DBFS);
    });

    it("returns pieces that are not changed afterwards", async () => {
      const given: Int16Array[] = [];
      const asGiven: Int16Array[] = [];
      await soon(
        (async () => {
          for await (const piece of rig.synthesizer.speak(requestOf())) {
            given.push(piece);
            asGiven.push(piece.slice());
          }
        })(),
        "speaking",
      );
      await listen({ text: "Something else entirely." });
      expect(given.length).toBeGreaterThan(0);
      expect(given).toEqual(asGiven);
    });

    it("is not affected by what its listener does to a piece", async () => {
      const untouched = await listen();
      const pieces = rig.synthesizer.speak(requestOf());
      await soon(
        (async () => {
          for await (const piece of pieces) piece.fill(0);
        })(),
        "speaking",
      );
      const again = await listen();
      expect(levelDbfsOf(again)).toBeGreaterThan(AUDIBLE_DBFS);
      if (rig.isDeterministic) expect(again).toEqual(untouched);
    });

    it("keeps two callees apart who are spoken to at the same time", async () => {
      const [short, long] = await Promise.all([listen({ text: "Hello." }), listen()]);
      const alone = await listen({ text: "Hello." });
      expect(long.length).toBeGreaterThan(short.length);
      if (rig.isDeterministic) expect(short).toEqual(alone);
      else expect(short.length).toBeLessThan(2 * alone.length);
    });

    it("permanently refuses a voice it does not have", async () => {
      const failure = await outcomeOf(speak({ voiceId: "nobody at all" }).next());
      expect(failure).toBeInstanceOf(ProviderError);
      expect(failure).toMatchObject({ retryable: false, provider: rig.synthesizer.name });
    });

    it("does not start for a listener who has already left", async () => {
      const reason = new Error("hung up");
      expect(await outcomeOf(speak({ signal: AbortSignal.abort(reason) }).next())).toBe(reason);
    });

    it("stops when the listener leaves before the first audio, and speaks again afterwards", async () => {
      const controller = new AbortController();
      const reason = new Error("cut off");
      const first = outcomeOf(speak({ signal: controller.signal }).next());
      controller.abort(reason);
      expect(await first).toBe(reason);
      expect((await listen()).length).toBeGreaterThan(0);
    });

    it("stops when the listener leaves after the first audio, and speaks again afterwards", async () => {
      const controller = new AbortController();
      const reason = new Error("cut off");
      const pieces = speak({ signal: controller.signal });
      expect(await outcomeOf(pieces.next())).toMatchObject({ done: false });
      controller.abort(reason);
      expect(await outcomeOf(pieces.next())).toBe(reason);
      expect((await listen()).length).toBeGreaterThan(0);
    });

    it("continues for one callee when another one hangs up", async () => {
      const controller = new AbortController();
      const other = outcomeOf(speak({ signal: controller.signal }).next());
      const whole = listen();
      controller.abort(new Error("hung up"));
      expect((await whole).length).toBe((await listen()).length);
      expect(await other).toMatchObject({ message: "hung up" });
    });

    it("is not affected by a listener who leaves in the middle", async () => {
      for await (const piece of rig.synthesizer.speak(requestOf())) {
        expect(piece.length).toBeGreaterThan(0);
        break;
      }
      expect((await listen()).length).toBeGreaterThan(0);
    });

    it("either recovers from a failure or reports it as its own, and works again", async () => {
      rig.breakEngineOnce();
      const outcome = await outcomeOf(joinPieces(rig.synthesizer.speak(requestOf())));
      if (outcome instanceof Int16Array) expect(levelDbfsOf(outcome)).toBeGreaterThan(AUDIBLE_DBFS);
      else expect(outcome).toMatchObject({ name: "ProviderError", provider: rig.synthesizer.name, retryable: true });
      expect(levelDbfsOf(await listen())).toBeGreaterThan(AUDIBLE_DBFS);
    });

    it("leaves no one waiting for audio when it is closed", async () => {
      const underWay = outcomeOf(joinPieces(rig.synthesizer.speak(requestOf())));
      await soon(rig.synthesizer.close(), "closing");
      const outcome = await underWay;
      if (!(outcome instanceof Int16Array)) expect(outcome).toBeInstanceOf(ProviderError);
      expect(await outcomeOf(speak().next())).toBeInstanceOf(ProviderError);
    });

    it("can be closed twice, and unused", async () => {
      await soon(rig.synthesizer.close(), "closing");
      await soon(rig.synthesizer.close(), "closing again");
      expect(rig.resourcesHeld()).toBe(0);
    });
  });
}
