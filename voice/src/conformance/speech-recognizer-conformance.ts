import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ProviderError } from "../ports/provider-error.ts";
import type {
  Recognition,
  RecognitionEvent,
  RecognitionQuestion,
  RecognitionStream,
  SpeechRecognizer,
} from "../ports/speech-recognizer.ts";
import { lowerCaseWords } from "../turns/hearing/spoken-phrases.ts";
import { outcomeOf, soon } from "./outcome-of.ts";

/** What the conformance suite needs to know about the recognizer under test; created for each test. */
interface SpeechRecognizerRig {
  readonly recognizer: SpeechRecognizer;
  /** A text as 8 kHz audio that the recognizer understands. */
  speak(text: string): Promise<Int16Array>;
  /**
   * Makes the engine fail while it processes the next request. The request after that works, or, if the stream follows
   * the whole call and has failed, the next stream.
   */
  breakEngineOnce(): void;
  /** Open streams, and leaked threads, processes and sockets. */
  resourcesHeld(): number;
}

const SENTENCE = "please call me back tomorrow";
const OTHER = "the weather is nice today";
const FRAME_SAMPLES = 160;

interface ConformanceOptions {
  /** The recognizer's streams follow the whole call and report turns. */
  readonly followsWholeCall?: boolean;
  /** Silence after which the engine under test ends a turn. */
  readonly turnSilenceMs?: number;
  /** Texts are reported while a turn goes on, as most engines do. By default they are. */
  readonly hasPartialTexts?: boolean;
}

/** What a conversation relies on with every recognizer. Every recognizer registers this suite in its tests. */
export function describeSpeechRecognizerConformance(
  name: string,
  openRig: () => Promise<SpeechRecognizerRig>,
  options: ConformanceOptions = {},
): void {
  const { followsWholeCall = false } = options;
  describe(`${name} behaves as a speech recognizer`, { timeout: 60_000 }, () => {
    let rig: SpeechRecognizerRig;
    let stream: RecognitionStream;

    beforeEach(async () => {
      rig = await openRig();
      stream = await soon(openStream(), "opening");
    });

    afterEach(async () => {
      stream.close();
      await soon(rig.recognizer.close(), "closing");
      expect(rig.resourcesHeld(), "what is left behind").toBe(0);
    });

    const openStream = () => rig.recognizer.open({ language: "en-US", sampleRateHz: 8_000 });

    async function hear(text: string, ear: RecognitionStream = stream): Promise<void> {
      const sound = await rig.speak(text);
      for (let at = 0; at < sound.length; at += FRAME_SAMPLES) ear.hear(sound.subarray(at, at + FRAME_SAMPLES));
    }

    function ask(question: Partial<RecognitionQuestion> = {}, ear: RecognitionStream = stream): Promise<Recognition> {
      return soon(ear.recognize({ expected: [], isSpeechCertain: true, isGuess: false, ...question }), "recognizing");
    }

    it(followsWholeCall ? "asks for the whole call" : "asks for utterances only", () => {
      expect(stream.followsWholeCall ?? false).toBe(followsWholeCall);
    });

    it("returns what was said", async () => {
      await hear(SENTENCE);
      expect(plainText(await ask())).toBe(SENTENCE);
    });

    it("returns the positions of the words in order, or none", async () => {
      await hear(SENTENCE);
      const { words } = await ask();
      for (const { startMs, endMs } of words) expect(endMs).toBeGreaterThan(startMs);
      const starts = words.map(({ startMs }) => startMs);
      expect(starts).toEqual([...starts].sort((a, b) => a - b));
    });

    it("returns the same for an utterance that is requested twice", async () => {
      await hear(SENTENCE);
      const { workMs: _first, ...first } = await ask();
      const { workMs: _second, ...second } = await ask();
      expect(first).toEqual(second);
    });

    it("can be asked speculatively and again when the utterance continues", async () => {
      await hear(SENTENCE);
      const first = await ask({ isGuess: true });
      stream.hear(new Int16Array(1_600));
      await hear(OTHER);
      const second = await ask();
      // A stream that follows the call returns at once what it knows so far.
      if (followsWholeCall) expect(SENTENCE.startsWith(plainText(first))).toBe(true);
      else expect(plainText(first)).toBe(SENTENCE);
      expect(plainText(second)).toBe(`${SENTENCE} ${OTHER}`);
    });

    it("forgets one utterance when the next begins", async () => {
      await hear(SENTENCE);
      await ask();
      stream.startUtterance();
      await hear(OTHER);
      expect(plainText(await ask())).toBe(OTHER);
    });

    it("still answers for the old utterance when the next has begun", async () => {
      await hear(SENTENCE);
      const old = ask();
      stream.startUtterance();
      await hear(OTHER);
      expect(plainText(await old)).toBe(SENTENCE);
      expect(plainText(await ask())).toBe(OTHER);
    });

    it("copies the samples it receives", async () => {
      const sound = await rig.speak(SENTENCE);
      const lent = sound.slice();
      stream.hear(lent);
      lent.fill(0);
      expect(plainText(await ask())).toBe(SENTENCE);
    });

    it("returns which of the expected answers fits, from 0 to 1 and by how much", async () => {
      await hear("tomorrow");
      const { best } = await ask({ expected: ["today", "tomorrow", "never"] });
      expect(best?.answer).toBe("tomorrow");
      expect(best?.score).toBeGreaterThan(0.5);
      expect(best?.score).toBeLessThanOrEqual(1);
      expect(best?.margin).toBeGreaterThan(0);
    });

    it("is not sure of an expected answer when something else was said", async () => {
      await hear(OTHER);
      const { best } = await ask({ expected: ["tomorrow", "never"] });
      expect(best?.score ?? 0).toBeLessThan(0.5);
    });

    it("returns no best answer if none was expected", async () => {
      await hear(SENTENCE);
      expect((await ask()).best).toBeNull();
    });

    it("finds no words in silence", async () => {
      stream.hear(new Int16Array(8_000));
      expect(plainText(await ask({ isSpeechCertain: false }))).toBe("");
    });

    it("cancels what is no longer needed, with the given reason, and keeps listening", async () => {
      await hear(SENTENCE);
      const controller = new AbortController();
      const reason = new Error("the callee went on");
      const given = outcomeOf(stream.recognize({ ...QUESTION, isGuess: !followsWholeCall, signal: controller.signal }));
      controller.abort(reason);
      expect(await given).toBe(reason);
      expect(plainText(await ask())).toBe(SENTENCE);
    });

    it("does not start for a caller who has already left", async () => {
      await hear(SENTENCE);
      const reason = new Error("hung up");
      expect(await outcomeOf(stream.recognize({ ...QUESTION, signal: AbortSignal.abort(reason) }))).toBe(reason);
    });

    it("keeps two callees apart who speak at the same time", async () => {
      const other = await openStream();
      await hear(SENTENCE);
      await hear(OTHER, other);
      const [mine, theirs] = await Promise.all([ask(), ask({}, other)]);
      other.close();
      expect([plainText(mine), plainText(theirs)]).toEqual([SENTENCE, OTHER]);
    });

    it("either recovers from a failure or reports it as its own, and works again", async () => {
      await hear(SENTENCE);
      rig.breakEngineOnce();
      const outcome = await outcomeOf(stream.recognize(QUESTION));
      if (outcome instanceof Error) {
        expect(outcome).toMatchObject({ name: "ProviderError", provider: rig.recognizer.name, retryable: true });
        if (followsWholeCall) {
          stream.close();
          stream = await soon(openStream(), "opening again");
          await hear(SENTENCE);
        }
      } else expect(plainText(outcome as Recognition)).toBe(SENTENCE);
      expect(plainText(await ask())).toBe(SENTENCE);
    });

    it("leaves no one waiting whose call is over", async () => {
      await hear(SENTENCE);
      const underWay = outcomeOf(stream.recognize(QUESTION));
      stream.close();
      const outcome = await underWay;
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ProviderError);
      else expect(plainText(outcome as Recognition)).toBe(SENTENCE);
    });

    it("can be closed twice, both the stream and the recognizer", async () => {
      stream.close();
      stream.close();
      await soon(rig.recognizer.close(), "closing");
      await soon(rig.recognizer.close(), "closing again");
    });
  });

  if (followsWholeCall) describeWholeCallConformance(name, openRig, options);
}

/** What turn-taking relies on with streams that follow the whole call. */
function describeWholeCallConformance(
  name: string,
  openRig: () => Promise<SpeechRecognizerRig>,
  { turnSilenceMs = 2_000, hasPartialTexts = true }: ConformanceOptions,
): void {
  describe(`${name} follows the whole call`, { timeout: 60_000 }, () => {
    let rig: SpeechRecognizerRig;
    let call: FollowedCall;

    beforeEach(async () => {
      rig = await openRig();
      call = await openCall();
    });

    afterEach(async () => {
      call.stream.close();
      await soon(rig.recognizer.close(), "closing");
      expect(rig.resourcesHeld(), "what is left behind").toBe(0);
    });

    async function openCall(): Promise<FollowedCall> {
      const followed = new FollowedCall(rig, turnSilenceMs);
      await soon(followed.open(), "opening");
      return followed;
    }

    it("reports a turn from its start to its end, with all of its words", async () => {
      await call.say(SENTENCE);
      await call.untilTurnsEnded(1);
      expectOrdered(call.events);
      expect(call.turnTexts()).toEqual([SENTENCE]);
    });

    it("reports one turn after the other, each with its own words", async () => {
      await call.say(SENTENCE);
      await call.untilTurnsEnded(1);
      await call.say(OTHER);
      await call.untilTurnsEnded(2);
      expectOrdered(call.events);
      expect(call.turnTexts()).toEqual([SENTENCE, OTHER]);
    });

    it("reports turns in the same way whether utterances are announced or not", async () => {
      await call.say(SENTENCE);
      await call.untilTurnsEnded(1);
      call.stream.startUtterance();
      await call.say(OTHER);
      await call.untilTurnsEnded(2);
      expect(call.turnTexts()).toEqual([SENTENCE, OTHER]);
      expect(plainText(await call.ask())).toBe(OTHER);
    });

    it("counts times from the first sample, in order and never ahead of the audio", async () => {
      call.hearSilence(1_000);
      await call.say(SENTENCE);
      await call.untilTurnsEnded(1);
      const betweenMs = call.heardMs;
      await call.say(OTHER);
      await call.untilTurnsEnded(2);
      expectTimesInOrder(call.events, call.heardMs);
      const [first, second] = call.ended();
      for (const { startMs } of first?.words ?? []) expect(startMs).toBeGreaterThanOrEqual(1_000 - TIME_TOLERANCE_MS);
      for (const { startMs } of second?.words ?? []) {
        expect(startMs).toBeGreaterThanOrEqual(betweenMs - TIME_TOLERANCE_MS);
      }
    });

    it("places the words of a request in the whole call as well", async () => {
      call.hearSilence(1_000);
      await call.hear(SENTENCE);
      for (const { startMs, endMs } of (await call.ask()).words) {
        expect(startMs).toBeGreaterThanOrEqual(1_000 - TIME_TOLERANCE_MS);
        expect(endMs).toBeLessThanOrEqual(call.heardMs + TIME_TOLERANCE_MS);
      }
    });

    it("is certain from 0 to 1, or does not say", async () => {
      await call.say(SENTENCE);
      await call.untilTurnsEnded(1);
      for (const event of call.events) {
        if (!("confidence" in event) || event.confidence === null) continue;
        expect(event.confidence).toBeGreaterThanOrEqual(0);
        expect(event.confidence).toBeLessThanOrEqual(1);
      }
    });

    it("loses no words of a turn during which it is asked", async () => {
      await call.hear(SENTENCE);
      const soFar = plainText(await call.ask({ isGuess: true }));
      expect(SENTENCE.startsWith(soFar)).toBe(true);
      expect(plainText(await call.ask())).toBe(SENTENCE);
      call.hearSilence(200);
      await call.say(OTHER);
      await call.until(() => call.turnTexts().join(" ").length >= `${SENTENCE} ${OTHER}`.length, "the rest");
      expectOrdered(call.events);
      expect(call.turnTexts().join(" ")).toBe(`${SENTENCE} ${OTHER}`);
    });

    it("answers a guess without waiting for the end of the turn", async () => {
      await call.hear(SENTENCE);
      if (!hasPartialTexts) {
        expect(plainText(await call.ask({ isGuess: true }))).toBe("");
        return;
      }
      await call.untilTextReported();
      const soFar = plainText(await call.ask({ isGuess: true }));
      expect(soFar).not.toBe("");
      expect(SENTENCE.startsWith(soFar)).toBe(true);
    });

    it("reports no turn in silence", async () => {
      call.hearSilence(5_000);
      await call.ask({ isSpeechCertain: false });
      expect(call.events.filter((event) => "text" in event && event.text !== "")).toEqual([]);
    });

    it("reports nothing after it was closed", async () => {
      await call.hear(SENTENCE);
      call.stream.close();
      const count = call.events.length;
      call.hearSilence(turnSilenceMs);
      // Another call takes longer than anything that was on its way.
      const other = await openCall();
      await other.say(OTHER);
      await other.untilTurnsEnded(1);
      other.stream.close();
      expect(call.events).toHaveLength(count);
    });

    it("reports the turns of each call to that call alone", async () => {
      const other = await openCall();
      await Promise.all([call.say(SENTENCE), other.say(OTHER)]);
      await Promise.all([call.untilTurnsEnded(1), other.untilTurnsEnded(1)]);
      other.stream.close();
      expect([call.turnTexts(), other.turnTexts()]).toEqual([[SENTENCE], [OTHER]]);
    });

    it("either survives a failure or reports it once, as its last event, and rejects requests from then on", async () => {
      await call.hear(SENTENCE);
      rig.breakEngineOnce();
      const outcome = await outcomeOf(call.stream.recognize(QUESTION));
      if (!(outcome instanceof Error)) {
        expect(plainText(outcome as Recognition)).toBe(SENTENCE);
        return;
      }
      await call.untilFailed();
      const failure = call.events.filter(({ type }) => type === "failed");
      expect(failure).toHaveLength(1);
      expect(call.events.at(-1)).toMatchObject({
        type: "failed",
        error: { name: "ProviderError", provider: rig.recognizer.name, retryable: true },
      });
      call.hearSilence(turnSilenceMs);
      expect(await outcomeOf(call.stream.recognize(QUESTION))).toBeInstanceOf(ProviderError);
      expect(await outcomeOf(call.stream.recognize({ ...QUESTION, isGuess: true }))).toBeInstanceOf(ProviderError);
      const next = await openCall();
      await next.say(OTHER);
      await next.untilTurnsEnded(1);
      next.stream.close();
      expect(next.turnTexts()).toEqual([OTHER]);
      expect(call.events.at(-1)?.type).toBe("failed");
    });
  });
}

/** How far times may be off, in engines that round them. */
const TIME_TOLERANCE_MS = 250;

type EndedTurn = Extract<RecognitionEvent, { type: "turn_ended" }>;

/** A call whose audio and silence a stream follows, and what it reported. */
class FollowedCall {
  readonly events: RecognitionEvent[] = [];
  heardMs = 0;
  readonly #rig: SpeechRecognizerRig;
  readonly #turnSilenceMs: number;
  #stream: RecognitionStream | null = null;
  #wakeUp: () => void = () => undefined;

  constructor(rig: SpeechRecognizerRig, turnSilenceMs: number) {
    this.#rig = rig;
    this.#turnSilenceMs = turnSilenceMs;
  }

  async open(): Promise<void> {
    const onEvent = (event: RecognitionEvent) => {
      this.events.push(event);
      this.#wakeUp();
    };
    this.#stream = await this.#rig.recognizer.open({ language: "en-US", sampleRateHz: 8_000, onEvent });
  }

  get stream(): RecognitionStream {
    if (this.#stream === null) throw new Error("the stream was not opened");
    return this.#stream;
  }

  async hear(text: string): Promise<void> {
    this.#hear(await this.#rig.speak(text));
  }

  hearSilence(durationMs: number): void {
    this.#hear(new Int16Array(durationMs * 8));
  }

  /** A whole turn, with the silence after it. */
  async say(text: string): Promise<void> {
    await this.hear(text);
    this.hearSilence(this.#turnSilenceMs);
  }

  ask(question: Partial<RecognitionQuestion> = {}): Promise<Recognition> {
    return soon(this.stream.recognize({ ...QUESTION, ...question }), "recognizing");
  }

  ended(): EndedTurn[] {
    return this.events.filter((event): event is EndedTurn => event.type === "turn_ended");
  }

  turnTexts(): string[] {
    return this.ended().map(plainText);
  }

  untilTurnsEnded(count: number): Promise<void> {
    return this.until(() => this.ended().length >= count, `the end of turn ${count}`);
  }

  untilTextReported(): Promise<void> {
    return this.until(() => this.events.some((event) => "text" in event && event.text !== ""), "the first words");
  }

  untilFailed(): Promise<void> {
    return this.until(() => this.events.some(({ type }) => type === "failed"), "the failure");
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

  #hear(samples: Int16Array): void {
    for (let at = 0; at < samples.length; at += FRAME_SAMPLES) {
      this.stream.hear(samples.subarray(at, at + FRAME_SAMPLES));
    }
    this.heardMs += samples.length / 8;
  }
}

const MAY_FOLLOW: Readonly<Record<RecognitionEvent["type"] | "nothing", readonly RecognitionEvent["type"][]>> = {
  nothing: ["turn_started", "failed"],
  turn_started: ["turn_updated", "turn_probably_ended", "turn_ended", "failed"],
  turn_updated: ["turn_updated", "turn_probably_ended", "turn_ended", "failed"],
  turn_probably_ended: ["turn_resumed", "turn_ended", "failed"],
  turn_resumed: ["turn_updated", "turn_probably_ended", "turn_ended", "failed"],
  turn_ended: ["turn_started", "failed"],
  failed: [],
};

function expectOrdered(events: readonly RecognitionEvent[]): void {
  let last: RecognitionEvent["type"] | "nothing" = "nothing";
  for (const { type } of events) {
    expect(MAY_FOLLOW[last], `${type} after ${last}`).toContain(type);
    last = type;
  }
}

function expectTimesInOrder(events: readonly RecognitionEvent[], heardMs: number): void {
  const times = events.flatMap((event) => ("atMs" in event ? [event.atMs] : []));
  expect(times).toEqual([...times].sort((a, b) => a - b));
  for (const atMs of times) expect(atMs).toBeLessThanOrEqual(heardMs + TIME_TOLERANCE_MS);
  for (const event of events) {
    if (!("words" in event)) continue;
    const starts = event.words.map(({ startMs }) => startMs);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
    for (const { startMs, endMs } of event.words) expect(endMs).toBeGreaterThanOrEqual(startMs);
  }
}

function plainText({ text }: Pick<Recognition, "text">): string {
  return lowerCaseWords(text).join(" ");
}

const QUESTION: RecognitionQuestion = { expected: [], isSpeechCertain: true, isGuess: false };
