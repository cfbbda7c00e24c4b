import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ProviderError } from "../ports/provider-error.ts";
import type {
  Recognition,
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
  /** Makes the engine fail while it processes the next request. The request after that works. */
  breakEngineOnce(): void;
  /** Open streams, and leaked threads, processes and sockets. */
  resourcesHeld(): number;
}

const SENTENCE = "please call me back tomorrow";
const OTHER = "the weather is nice today";
const FRAME_SAMPLES = 160;

/** What a conversation relies on with every recognizer. Every recognizer registers this suite in its tests. */
export function describeSpeechRecognizerConformance(name: string, openRig: () => Promise<SpeechRecognizerRig>): void {
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

    const plain = ({ text }: Recognition) => lowerCaseWords(text).join(" ");

    it("returns what was said", async () => {
      await hear(SENTENCE);
      expect(plain(await ask())).toBe(SENTENCE);
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
      expect(await ask()).toEqual(await ask());
    });

    it("can be asked speculatively and again when the utterance continues", async () => {
      await hear(SENTENCE);
      const first = await ask({ isGuess: true });
      stream.hear(new Int16Array(1_600));
      await hear(OTHER);
      const second = await ask();
      expect(plain(first)).toBe(SENTENCE);
      expect(plain(second)).toBe(`${SENTENCE} ${OTHER}`);
    });

    it("forgets one utterance when the next begins", async () => {
      await hear(SENTENCE);
      await ask();
      stream.startUtterance();
      await hear(OTHER);
      expect(plain(await ask())).toBe(OTHER);
    });

    it("still answers for the old utterance when the next has begun", async () => {
      await hear(SENTENCE);
      const old = ask();
      stream.startUtterance();
      await hear(OTHER);
      expect(plain(await old)).toBe(SENTENCE);
      expect(plain(await ask())).toBe(OTHER);
    });

    it("copies the samples it receives", async () => {
      const sound = await rig.speak(SENTENCE);
      const lent = sound.slice();
      stream.hear(lent);
      lent.fill(0);
      expect(plain(await ask())).toBe(SENTENCE);
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
      expect(plain(await ask({ isSpeechCertain: false }))).toBe("");
    });

    it("cancels what is no longer needed, with the given reason, and keeps listening", async () => {
      await hear(SENTENCE);
      const controller = new AbortController();
      const reason = new Error("the callee went on");
      const given = outcomeOf(stream.recognize({ ...QUESTION, isGuess: true, signal: controller.signal }));
      controller.abort(reason);
      expect(await given).toBe(reason);
      expect(plain(await ask())).toBe(SENTENCE);
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
      expect([plain(mine), plain(theirs)]).toEqual([SENTENCE, OTHER]);
    });

    it("either recovers from a failure or reports it as its own, and works again", async () => {
      await hear(SENTENCE);
      rig.breakEngineOnce();
      const outcome = await outcomeOf(stream.recognize(QUESTION));
      if (outcome instanceof Error) {
        expect(outcome).toMatchObject({ name: "ProviderError", provider: rig.recognizer.name, retryable: true });
      } else expect(plain(outcome as Recognition)).toBe(SENTENCE);
      expect(plain(await ask())).toBe(SENTENCE);
    });

    it("leaves no one waiting whose call is over", async () => {
      await hear(SENTENCE);
      const underWay = outcomeOf(stream.recognize(QUESTION));
      stream.close();
      const outcome = await underWay;
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ProviderError);
      else expect(plain(outcome as Recognition)).toBe(SENTENCE);
    });

    it("can be closed twice, both the stream and the recognizer", async () => {
      stream.close();
      stream.close();
      await soon(rig.recognizer.close(), "closing");
      await soon(rig.recognizer.close(), "closing again");
    });
  });
}

const QUESTION: RecognitionQuestion = { expected: [], isSpeechCertain: true, isGuess: false };
