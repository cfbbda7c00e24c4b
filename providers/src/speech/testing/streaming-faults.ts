import { createManualClock, type ManualClock } from "@parley/time/testing/manual-clock";
import { outcomeOf, soon } from "@parley/voice/conformance/outcome-of";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type {
  RecognitionEvent,
  RecognitionQuestion,
  RecognitionRequest,
  SpeechRecognizer,
} from "@parley/voice/ports/speech-recognizer";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LevelSpeech } from "./level-speech.ts";
import type { StreamFault } from "./streaming-sessions.ts";

export const QUESTION: RecognitionQuestion = { expected: [], isSpeechCertain: true, isGuess: false };
const SENTENCE = "please call me back tomorrow";

/** What the stand-ins for streaming vendors have in common. */
interface FaultyServer {
  refuseNext(refusal: { status: number; headers?: Record<string, string>; body?: string }): void;
  ignoreNext(): void;
  breakAtNextRequest(fault: StreamFault): void;
  inject(data: string): void;
  closeAll(code: number, reason: string): void;
  received(name: string): Promise<void>;
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** What the suite needs to know about a recognizer. */
export interface StreamingRig {
  readonly server: FaultyServer;
  readonly speech: LevelSpeech;
  /** The vendor's name for operators. */
  readonly title: string;
  readonly apiKey: string;
  create(access?: { readonly apiKey?: string }): SpeechRecognizer;
  /** The message that asks for a final text. */
  readonly requestName: string;
  /** Messages of the protocol that lack what they must have. */
  readonly malformed: readonly string[];
  /** A message of a kind that does not exist yet. */
  readonly unknown: string;
  /** Close codes of the vendor, with whether a retry may help. */
  readonly closes: readonly (readonly [code: number, reason: string, retryable: boolean])[];
}

/** The events of a call, and a way to wait for them. */
export class EventLog {
  readonly all: RecognitionEvent[] = [];
  #wakeUp: () => void = () => undefined;

  request(wanted: Partial<RecognitionRequest> = {}): RecognitionRequest {
    const onEvent = (event: RecognitionEvent) => {
      this.all.push(event);
      this.#wakeUp();
    };
    return { language: "en-US", sampleRateHz: 8_000, onEvent, ...wanted };
  }

  get types(): readonly RecognitionEvent["type"][] {
    return this.all.map(({ type }) => type);
  }

  /** The texts of the turns that have ended. */
  get turns(): readonly string[] {
    return this.all.flatMap((event) => (event.type === "turn_ended" ? [event.text] : []));
  }

  until(isSo: () => boolean, what: string): Promise<void> {
    const seen = new Promise<void>((resolve) => {
      this.#wakeUp = () => {
        if (isSo()) resolve();
      };
      this.#wakeUp();
    });
    return soon(seen, what);
  }

  untilType(type: RecognitionEvent["type"]): Promise<void> {
    return this.until(() => this.types.includes(type), type);
  }

  untilText(word: string): Promise<void> {
    return this.until(() => this.all.some((event) => "text" in event && event.text.includes(word)), word);
  }
}

/** What happens to a call when its connection fails, with every vendor of streaming recognition. */
export function describeStreamingFaults(
  name: string,
  openRig: (clock: ManualClock) => Promise<StreamingRig>,
  /** Every request for a final text is sent to the vendor, and can be left unanswered. */
  { missesSpeech = true } = {},
): void {
  describe(`the connection of a call to ${name}`, () => {
    let clock: ManualClock;
    let rig: StreamingRig;
    let log: EventLog;
    let recognizer: SpeechRecognizer;

    beforeEach(async () => {
      clock = createManualClock();
      rig = await openRig(clock);
      log = new EventLog();
      recognizer = rig.create();
    });

    afterEach(async () => {
      await soon(recognizer.close(), "closing");
      await soon(rig.server.idle(), "letting go of every connection");
      await rig.server.close();
      expect(clock.pending(), "timers left behind").toBe(0);
    });

    it.each([
      [400, false],
      [401, false],
      [403, false],
      [429, true],
      [503, true],
    ])("that is refused with status %i says whether a retry may help: %s", async (status, retryable) => {
      const body = JSON.stringify({ message: `no access for ${rig.apiKey}` });
      rig.server.refuseNext({ status, headers: { "Retry-After": "7" }, body });
      const failure = await outcomeOf(recognizer.open(log.request()));
      expect(failure).toBeInstanceOf(ProviderError);
      expect(failure).toMatchObject({ provider: recognizer.name, retryable, retryAfterMs: 7_000 });
      expect(String(failure)).not.toContain(rig.apiKey);
    });

    it("is refused with a wrong key in plain words", async () => {
      const stranger = rig.create({ apiKey: "wrong-key-000000" });
      const failure = await outcomeOf(stranger.open(log.request()));
      expect(failure).toMatchObject({ name: "ProviderError", retryable: false });
      expect(String(failure)).toContain(`${rig.title} refused the API key`);
      expect(String(failure)).not.toContain("wrong-key-000000");
      await soon(stranger.close(), "closing");
    });

    it("is given up when the vendor does not answer", async () => {
      rig.server.ignoreNext();
      const opening = outcomeOf(recognizer.open(log.request()));
      clock.pass(5_000);
      expect(await opening).toMatchObject({ retryable: true });
    });

    it("that the vendor closes is reported once as failed", async () => {
      for (const [code, reason, retryable] of rig.closes) {
        const events = new EventLog();
        const stream = await recognizer.open(events.request());
        rig.server.closeAll(code, reason);
        await events.untilType("failed");
        expect(events.all).toHaveLength(1);
        expect(events.all[0], `code ${code}`).toMatchObject({ error: { provider: recognizer.name, retryable } });
        expect(await outcomeOf(stream.recognize(QUESTION))).toBeInstanceOf(ProviderError);
      }
    });

    it("fails on a message that makes no sense, without showing it", async () => {
      for (const message of [...rig.malformed, "{nonsense Kowalczyk", "[]null", "7"]) {
        const events = new EventLog();
        await recognizer.open(events.request());
        rig.server.inject(message);
        await events.untilType("failed");
        expect(events.all.at(-1), message).toMatchObject({ error: { retryable: true } });
        expect(JSON.stringify(events.all.at(-1))).not.toContain("Kowalczyk");
      }
    });

    it("does not mind messages of a kind that is new", async () => {
      const stream = await recognizer.open(log.request());
      rig.server.inject(rig.unknown);
      stream.hear(rig.speech.speak(SENTENCE));
      await log.untilType("turn_started");
      stream.close();
      expect(log.types).not.toContain("failed");
    });

    it("answers with what is known when its last request is not answered", async () => {
      const stream = await recognizer.open(log.request());
      stream.hear(rig.speech.speak(SENTENCE));
      stream.hear(new Int16Array(1_600));
      await log.untilText("tomorrow");
      rig.server.breakAtNextRequest({ type: "ignore" });
      const answer = outcomeOf(stream.recognize(QUESTION));
      clock.pass(400);
      await soon(rig.server.received(rig.requestName), rig.requestName);
      clock.pass(2_000);
      expect(await answer).toMatchObject({ text: expect.stringMatching(/^please call me back tomorrow$/i) });
    });

    if (missesSpeech)
      it("fails a request for certain speech that brings nothing, not taking it for silence", async () => {
        const stream = await recognizer.open(log.request());
        rig.server.breakAtNextRequest({ type: "ignore" });
        stream.hear(new Int16Array(800));
        const answer = outcomeOf(stream.recognize(QUESTION));
        await soon(rig.server.received(rig.requestName), rig.requestName);
        clock.pass(2_000);
        const message = `${rig.title} did not transcribe the speech in time.`;
        expect(await answer).toMatchObject({ retryable: true, message });
      });

    it("that is cut during a request fails the request and the call", async () => {
      const stream = await recognizer.open(log.request());
      stream.hear(rig.speech.speak(SENTENCE));
      await log.untilType("turn_started");
      rig.server.breakAtNextRequest({ type: "cut" });
      const answer = outcomeOf(stream.recognize(QUESTION));
      clock.pass(400);
      expect(await answer).toMatchObject({ name: "ProviderError", retryable: true });
      expect(log.types.at(-1)).toBe("failed");
    });
  });
}
