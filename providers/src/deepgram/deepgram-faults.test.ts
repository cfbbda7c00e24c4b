import { createManualClock, type ManualClock } from "@parley/time/testing/manual-clock";
import { outcomeOf, soon } from "@parley/voice/conformance/outcome-of";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeStreamingFaults, EventLog, QUESTION } from "../speech/testing/streaming-faults.ts";
import { DEEPGRAM_LANGUAGES, FLUX_LANGUAGES } from "./deepgram-access.ts";
import { createDeepgramFluxRecognizer } from "./deepgram-flux-recognizer.ts";
import { createDeepgramNovaRecognizer } from "./deepgram-nova-recognizer.ts";
import { createDeepgramRecognizer } from "./deepgram-recognizer.ts";
import { openDeepgramRig, TEST_KEY } from "./testing/deepgram-rig.ts";

const KINDS = { nova: createDeepgramNovaRecognizer, flux: createDeepgramFluxRecognizer };

let rig: Awaited<ReturnType<typeof openDeepgramRig>>;
let clock: ManualClock;
let log: EventLog;

beforeEach(async () => {
  clock = createManualClock();
  rig = await openDeepgramRig({ clock });
  log = new EventLog();
});

afterEach(async () => {
  await rig.server.close();
  expect(clock.pending(), "timers left behind").toBe(0);
});

function create(kind: keyof typeof KINDS, options: Partial<Parameters<typeof createDeepgramNovaRecognizer>[0]> = {}) {
  return KINDS[kind]({ ...rig.access, clock, ...options });
}

async function close(recognizer: { close(): Promise<void> }): Promise<void> {
  const closed = recognizer.close();
  await soon(closed, "closing");
  await soon(rig.server.idle(), "letting go of every connection");
}

for (const kind of ["nova", "flux"] as const) {
  describeStreamingFaults(
    `Deepgram (${kind})`,
    async (manual) => {
      const { server, speech, access } = await openDeepgramRig({ clock: manual });
      return {
        server,
        speech,
        title: "Deepgram",
        apiKey: TEST_KEY,
        create: (options) => KINDS[kind]({ ...access, clock: manual, ...options }),
        requestName: kind === "nova" ? "Finalize" : "ForceEndTurn",
        malformed: [kind === "nova" ? '{"type":"Results"}' : '{"type":"TurnInfo","sequence_id":1}'],
        unknown: '{"type":"Horoscope","sequence_id":-1}',
        closes: [
          [1011, "NET-0001", true],
          [1008, "DATA-0000", false],
          [1000, "", true],
        ],
      };
    },
    { missesSpeech: kind === "nova" },
  );
}

describe.each(["nova", "flux"] as const)("a connection to Deepgram (%s)", (kind) => {
  it("sends the key in a header, to one host, and asks for telephone audio and the given terms", async () => {
    const recognizer = create(kind);
    const stream = await recognizer.open(log.request({ terms: ["Parley", " ", "Žižkov 2"] }));
    const [seen] = rig.server.handshakes;
    expect(seen?.headers).toMatchObject({ authorization: `Token ${TEST_KEY}`, host: new URL(rig.server.url).host });
    expect(seen?.query.toString()).not.toContain(TEST_KEY);
    expect(seen?.query.getAll("keyterm")).toEqual(["Parley", "Žižkov 2"]);
    expect(seen?.query.get("encoding")).toBe("linear16");
    expect(seen?.query.get("sample_rate")).toBe("8000");
    stream.close();
    await close(recognizer);
  });
});

describe("languages at Deepgram", () => {
  it.each([
    ["en-GB", "en-GB"],
    ["de-DE", "de"],
    ["de-CH", "de-CH"],
    ["es-MX", "es"],
    ["pt-BR", "pt-BR"],
    ["nb-NO", "no"],
  ])("are understood by Nova: %s as %s", async (language, code) => {
    const recognizer = create("nova");
    await recognizer.open(log.request({ language }));
    expect(rig.server.handshakes[0]?.query.get("language")).toBe(code);
    await close(recognizer);
  });

  it.each([
    ["en-GB", "flux-general-en", null],
    ["de-DE", "flux-general-multi", "de"],
    ["fr-CA", "flux-general-multi", "fr"],
  ])("are understood by Flux: %s by %s", async (language, model, hint) => {
    const recognizer = create("flux");
    await recognizer.open(log.request({ language }));
    expect(rig.server.handshakes[0]?.query.get("model")).toBe(model);
    expect(rig.server.handshakes[0]?.query.get("language_hint")).toBe(hint);
    await close(recognizer);
  });

  it("that the model lacks are refused before a connection is opened, with advice", async () => {
    expect(await outcomeOf(create("nova").open(log.request({ language: "is-IS" })))).toMatchObject({
      retryable: false,
      message: "Deepgram's model nova-3 does not understand the language is-IS.",
    });
    expect(await outcomeOf(create("flux").open(log.request({ language: "sv-SE" })))).toMatchObject({
      message: "Deepgram's model flux-general-multi does not understand the language sv-SE. Use Nova-3 for it.",
    });
    const english = create("flux", { model: "flux-general-en" });
    expect(await outcomeOf(english.open(log.request({ language: "de-DE" })))).toMatchObject({
      message:
        "Deepgram's model flux-general-en does not understand the language de-DE. Use flux-general-multi for it.",
    });
    expect(rig.server.handshakes).toHaveLength(0);
  });

  it.each([
    [undefined, "en-US", "/v2/listen", "flux-general-en"],
    [undefined, "de-DE", "/v2/listen", "flux-general-multi"],
    [undefined, "sv-SE", "/v1/listen", "nova-3"],
    ["flux", "fr-FR", "/v2/listen", "flux-general-multi"],
    ["nova-3", "en-US", "/v1/listen", "nova-3"],
    ["nova-2-phonecall", "en-US", "/v1/listen", "nova-2-phonecall"],
  ])("choose the model, unless it is named: %s, %s", async (model, language, path, expected) => {
    const recognizer = createDeepgramRecognizer({ ...rig.access, clock, ...(model === undefined ? {} : { model }) });
    await recognizer.open(log.request({ language }));
    expect(rig.server.handshakes[0]?.path).toBe(path);
    expect(rig.server.handshakes[0]?.query.get("model")).toBe(expected);
    await close(recognizer);
    for (const code of FLUX_LANGUAGES) expect(DEEPGRAM_LANGUAGES).toContain(code);
  });

  it("are reported with what was said, if the model identifies them", async () => {
    const recognizer = create("flux");
    const stream = await recognizer.open(log.request({ language: "de-DE" }));
    stream.hear(rig.speech.speak("guten Tag zusammen"));
    await log.untilType("turn_started");
    stream.hear(new Int16Array(8_000));
    await log.untilType("turn_ended");
    expect(log.all.at(-1)).toMatchObject({ text: "guten Tag zusammen", language: "de" });
    expect(await stream.recognize({ ...QUESTION, isGuess: true })).toMatchObject({ language: "de" });
    await close(recognizer);
  });
});

describe("a call through Nova", () => {
  it("is kept alive while there is no audio, and not bothered while there is", async () => {
    const recognizer = create("nova");
    const stream = await recognizer.open(log.request());
    clock.pass(4_000);
    await soon(rig.server.received("KeepAlive"), "the first sign of life");
    stream.hear(new Int16Array(320));
    clock.pass(4_000);
    expect(rig.server.messages).toEqual(["KeepAlive"]);
    await close(recognizer);
  });

  it("takes back a probable end when the callee goes on, and ends after a second of silence", async () => {
    const recognizer = create("nova");
    const stream = await recognizer.open(log.request());
    stream.hear(rig.speech.speak("on Tuesday"));
    stream.hear(new Int16Array(8 * 400));
    stream.hear(rig.speech.speak("or Thursday"));
    stream.hear(new Int16Array(8 * 1_400));
    await log.untilType("turn_ended");
    expect(log.types.filter((type) => type !== "turn_updated")).toEqual([
      "turn_started",
      "turn_probably_ended",
      "turn_resumed",
      "turn_probably_ended",
      "turn_ended",
    ]);
    expect(log.all.at(-1)).toMatchObject({ text: "On Tuesday Or Thursday" });
    await close(recognizer);
  });

  it("ignores results that come twice or late", async () => {
    const recognizer = create("nova");
    const stream = await recognizer.open(log.request());
    const results = (text: string, start: number, isFinal: boolean) =>
      JSON.stringify({
        type: "Results",
        start,
        duration: 1,
        is_final: isFinal,
        speech_final: false,
        channel: {
          alternatives: [
            { transcript: text, confidence: 0.9, words: [{ word: text, start, end: start + 0.5, confidence: 0.9 }] },
          ],
        },
      });
    rig.server.inject(results("one", 0, true));
    rig.server.inject(results("one", 0, true));
    rig.server.inject(results("won", 0, false));
    rig.server.inject(results("two", 1, true));
    rig.server.inject(JSON.stringify({ type: "UtteranceEnd", channel: [0, 1], last_word_end: 0.5 }));
    rig.server.inject(JSON.stringify({ type: "UtteranceEnd", channel: [0, 1], last_word_end: 1.5 }));
    await log.untilType("turn_ended");
    expect(log.all.at(-1)).toMatchObject({ text: "one two", confidence: 0.9, atMs: 1_500 });
    expect(log.all.filter(({ type }) => type === "turn_ended")).toHaveLength(1);
    expect(await stream.recognize({ ...QUESTION, isGuess: true })).toMatchObject({ text: "one two" });
    await close(recognizer);
  });
});

describe("a call through Flux", () => {
  const turn = (sequence: number, event: string, transcript: string, turnIndex = 0) =>
    JSON.stringify({
      type: "TurnInfo",
      request_id: "r",
      sequence_id: sequence,
      event,
      turn_index: turnIndex,
      audio_window_start: 0,
      audio_window_end: 1,
      transcript,
      words: transcript.split(" ").map((word) => ({ word, confidence: 0.8 })),
      end_of_turn_confidence: 0.5,
    });

  it("ignores messages that come twice or late, and places words that have no times", async () => {
    const recognizer = create("flux");
    await recognizer.open(log.request());
    rig.server.inject(turn(1, "StartOfTurn", "yes"));
    rig.server.inject(turn(2, "Update", "yes please"));
    rig.server.inject(turn(1, "StartOfTurn", "yes"));
    rig.server.inject(turn(3, "EndOfTurn", "yes please"));
    rig.server.inject(turn(4, "Update", "yes", 0));
    rig.server.inject(turn(5, "StartOfTurn", "no", 1));
    rig.server.inject(turn(6, "EndOfTurn", "no", 1));
    await log.until(() => log.turns.length === 2, "two turns");
    expect(log.turns).toEqual(["yes please", "no"]);
    expect(log.all.find(({ type }) => type === "turn_ended")).toMatchObject({
      words: [
        { text: "yes", startMs: 0, endMs: 500 },
        { text: "please", startMs: 500, endMs: 1_000 },
      ],
    });
    await close(recognizer);
  });

  it.each([
    ["INTERNAL_SERVER_ERROR", true],
    ["UNPARSABLE_CLIENT_MESSAGE", false],
  ])("fails on the error %s that Flux reports", async (code, retryable) => {
    const recognizer = create("flux");
    await recognizer.open(log.request());
    rig.server.inject(JSON.stringify({ type: "Error", sequence_id: 1, code, description: "no luck" }));
    await log.untilType("failed");
    expect(log.all.at(-1)).toMatchObject({ error: { retryable, message: `Deepgram reports ${code}: no luck` } });
    await close(recognizer);
  });
});
