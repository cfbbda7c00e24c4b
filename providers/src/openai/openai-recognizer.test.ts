import { createManualClock, type ManualClock } from "@parley/time/testing/manual-clock";
import { outcomeOf, soon } from "@parley/voice/conformance/outcome-of";
import { describeSpeechRecognizerConformance } from "@parley/voice/conformance/speech-recognizer-conformance";
import type { RecognitionEvent, RecognitionQuestion } from "@parley/voice/ports/speech-recognizer";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { WebSocket } from "ws";
import { CodedSpeech } from "../testing/coded-speech.ts";
import { createOpenAiRecognizer, type OpenAiRecognizerOptions } from "./openai-recognizer.ts";
import { type OpenAiFault, type OpenAiServer, startOpenAiServer } from "./testing/openai-server.ts";
import { type RealtimeFault, serveTranscription } from "./testing/realtime-input.ts";

const KEY = "sk-openai-ears-66d1c2";
const QUESTION: RecognitionQuestion = { expected: [], isSpeechCertain: true, isGuess: false };
const running: OpenAiServer[] = [];

async function startServer(speech: CodedSpeech, faults: RealtimeFault[], sockets: WebSocket[] = []) {
  const recognize = (samples: Int16Array) => speech.read(samples);
  const server = await startOpenAiServer({
    apiKey: KEY,
    recognize,
    speak: () => new Int16Array(0),
    onRealtime(socket) {
      sockets.push(socket);
      serveTranscription(socket, { recognize, faults });
    },
  });
  running.push(server);
  return server;
}

afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

describeSpeechRecognizerConformance(
  "OpenAI's realtime transcription",
  async () => {
    const speech = new CodedSpeech();
    const faults: RealtimeFault[] = [];
    const server = await startServer(speech, faults);
    const clock = createManualClock();
    let open = 0;
    const recognizer = createOpenAiRecognizer({ apiKey: KEY, baseUrl: server.url, clock });
    return {
      recognizer: {
        ...recognizer,
        async open(request) {
          const stream = await recognizer.open(request);
          open += 1;
          const { close } = stream;
          let isOpen = true;
          stream.close = () => {
            if (isOpen) open -= 1;
            isOpen = false;
            close.call(stream);
          };
          return stream;
        },
      },
      speak: async (text) => speech.speak(text),
      breakEngineOnce: () => void faults.push("closes"),
      resourcesHeld: () => open,
    };
  },
  // Its transcripts begin when a turn has ended.
  { followsWholeCall: true, hasPartialTexts: false },
);

describe("OpenAI's realtime transcription", () => {
  let speech: CodedSpeech;
  let faults: RealtimeFault[];
  let sockets: WebSocket[];
  let server: OpenAiServer;
  let clock: ManualClock;
  let events: RecognitionEvent[];
  let onEvent: () => void;

  beforeEach(async () => {
    speech = new CodedSpeech();
    faults = [];
    sockets = [];
    events = [];
    onEvent = () => undefined;
    clock = createManualClock();
    server = await startServer(speech, faults, sockets);
  });

  const open = (wanted: Partial<OpenAiRecognizerOptions> = {}) =>
    soon(
      createOpenAiRecognizer({ apiKey: KEY, baseUrl: server.url, clock, ...wanted }).open({
        language: "de-DE",
        sampleRateHz: 8_000,
        terms: ["Kowalczyk", "Parley"],
        onEvent(event) {
          events.push(event);
          onEvent();
        },
      }),
      "opening",
    );

  function until(isThere: () => boolean): Promise<void> {
    const there = Promise.withResolvers<void>();
    onEvent = () => {
      if (isThere()) there.resolve();
    };
    onEvent();
    return soon(there.promise, "the events");
  }

  const turn = (text: string) => {
    const said = speech.speak(text);
    const samples = new Int16Array(said.length + 8_000);
    samples.set(said);
    return samples;
  };

  it("sends the key in its header, telephone audio as it is, the language and the words to expect", async () => {
    const messages: Record<string, unknown>[] = [];
    const stream = await open({ turnDetection: "semantic_vad", model: "gpt-4o-transcribe" });
    sockets[0]?.on("message", (data: Buffer) => messages.push(JSON.parse(data.toString())));
    expect(server.handshakes[0]).toMatchObject({
      url: "/v1/realtime?intent=transcription",
      headers: { authorization: `Bearer ${KEY}` },
    });
    stream.hear(new Int16Array(160));
    await stream.recognize(QUESTION);
    expect(messages[0]).toMatchObject({
      type: "input_audio_buffer.append",
      audio: Buffer.alloc(160, 0xff).toString("base64"),
    });
    stream.close();
  });

  it("reports turns in order although their transcripts overtake each other", async () => {
    faults.push("late");
    const stream = await open();
    stream.hear(turn("first one"));
    stream.hear(turn("second one"));
    await until(() => events.filter(({ type }) => type === "turn_ended").length === 2);
    expect(events.flatMap((event) => (event.type === "turn_ended" ? [event.text] : []))).toEqual([
      "first one",
      "second one",
    ]);
    expect(events.map(({ type }) => type).filter((type) => type !== "turn_updated")).toEqual([
      "turn_started",
      "turn_ended",
      "turn_started",
      "turn_ended",
    ]);
    stream.close();
  });

  it("reports a turn once whose transcript comes twice", async () => {
    faults.push("twice");
    const stream = await open();
    stream.hear(turn("only once"));
    stream.hear(turn("and then"));
    await until(() => events.filter(({ type }) => type === "turn_ended").length === 2);
    expect(events.filter(({ type }) => type === "turn_ended")).toHaveLength(2);
    stream.close();
  });

  it("rejects a request whose audio could not be transcribed, and goes on", async () => {
    faults.push("fails");
    const stream = await open();
    stream.hear(speech.speak("lost words"));
    expect(await outcomeOf(stream.recognize(QUESTION))).toMatchObject({
      name: "ProviderError",
      retryable: true,
      message: "OpenAI could not transcribe this.",
    });
    stream.startUtterance();
    stream.hear(speech.speak("found words"));
    expect((await stream.recognize(QUESTION)).text).toBe("found words");
    stream.close();
  });

  it("gives up a transcript that does not come in time", async () => {
    faults.push("silent");
    const stream = await open();
    stream.hear(speech.speak("hello"));
    const outcome = outcomeOf(stream.recognize(QUESTION));
    await until(() => events.some(({ type }) => type === "turn_started"));
    await new Promise((resolve) => setImmediate(resolve));
    // One timer is that of the connection.
    while (clock.pending() > 1) {
      clock.pass(5_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await outcome).toMatchObject({ retryable: true, message: "OpenAI sent no transcript within 5000 ms." });
    stream.close();
  });

  it.each<[RealtimeFault, string]>([
    ["malformed", "OpenAI sent a message that cannot be understood."],
    ["session_expired", "OpenAI reported an error: Your session hit the maximum duration."],
    ["closes", "OpenAI cut the connection."],
  ])("fails once when the session breaks: %s", async (fault, message) => {
    faults.push(fault);
    const stream = await open();
    stream.hear(turn("hello"));
    await until(() => events.some(({ type }) => type === "failed"));
    const last = events.at(-1);
    expect(last?.type === "failed" ? last.error.message : last).toBe(message);
    expect(last).toMatchObject({ error: { retryable: true } });
    expect(events.filter(({ type }) => type === "failed")).toHaveLength(1);
    stream.close();
  });

  it.each<[OpenAiFault, boolean, string]>([
    [{ type: "status", status: 401 }, false, "OpenAI refused the API key (status 401)."],
    [{ type: "status", status: 429, headers: { "Retry-After": "2" } }, true, "takes no more requests"],
    [{ type: "status", status: 503 }, true, "has a failure of its own"],
  ])("cannot be opened: %j", async (fault, retryable, words) => {
    server.breakNext(fault);
    const failure = await outcomeOf(open());
    expect(failure).toMatchObject({ name: "ProviderError", retryable, message: expect.stringContaining(words) });
    expect(String(failure)).not.toContain(KEY.slice(3));
    expect(clock.pending(), "timers left behind").toBe(0);
  });

  it("does not believe words where OpenAI found no speech, unless it is certain that there was some", async () => {
    const stream = await open();
    stream.hear(new Int16Array(4_000));
    expect((await stream.recognize({ ...QUESTION, isSpeechCertain: false })).text).toBe("");
    expect(events).toEqual([]);
    stream.close();
  });
});
