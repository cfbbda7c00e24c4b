import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { outcomeOf, soon } from "@parley/voice/conformance/outcome-of";
import { StreamingTranscriber, type TurnEvent } from "assemblyai";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LevelSpeech } from "../speech/testing/level-speech.ts";
import { VENDOR_CERTIFICATE, VENDOR_KEY } from "../testing/vendor-certificate.ts";
import { type AssemblyAiServer, startAssemblyAiServer } from "./testing/assemblyai-server.ts";

const KEY = "aai-2b7e151628aed2a6";

describe("the stand-in for AssemblyAI, seen by AssemblyAI's own SDK", () => {
  const trusted = getCACertificates("default");
  let server: AssemblyAiServer;
  let speech: LevelSpeech;

  beforeAll(() => setDefaultCACertificates([...trusted, VENDOR_CERTIFICATE]));
  afterAll(() => setDefaultCACertificates(trusted));

  beforeEach(async () => {
    speech = new LevelSpeech();
    server = await startAssemblyAiServer({
      key: KEY,
      recognize: (samples) => speech.read(samples),
      tls: { key: VENDOR_KEY, cert: VENDOR_CERTIFICATE },
    });
  });

  afterEach(() => server.close());

  function open(apiKey = KEY) {
    return new StreamingTranscriber({
      apiKey,
      websocketBaseUrl: `${server.url.replace("https", "wss")}/v3/ws`,
      sampleRate: 8_000,
      encoding: "pcm_s16le",
      formatTurns: true,
      speechModel: "universal-streaming-english",
      keytermsPrompt: ["Parley"],
      connectTimeout: 20_000,
      maxConnectionRetries: 0,
    });
  }

  function say(transcriber: StreamingTranscriber, text: string, silenceMs: number): void {
    const spoken = speech.speak(text);
    const samples = new Int16Array(Math.ceil((spoken.length + silenceMs * 8) / 400) * 400);
    samples.set(spoken);
    for (let at = 0; at < samples.length; at += 400) transcriber.sendAudio(samples.slice(at, at + 400).buffer);
  }

  it("follows turns: partial, paused, ended and formatted, forced, reconfigured and terminated", async () => {
    const transcriber = open();
    const turns: TurnEvent[] = [];
    transcriber.on("turn", (turn) => turns.push(turn));
    const begin = await soon(transcriber.connect(), "connecting");
    expect(begin.id).not.toBe("");
    say(transcriber, "please call me back tomorrow", 600);
    transcriber.updateConfiguration({ min_turn_silence: 2_000 });
    transcriber.keepAlive();
    say(transcriber, "good bye", 600);
    transcriber.forceEndpoint();
    await soon(transcriber.close(), "terminating");
    const ended = turns.filter(({ end_of_turn }) => end_of_turn);
    expect(
      ended.map(({ turn_order, turn_is_formatted, transcript }) => [turn_order, turn_is_formatted, transcript]),
    ).toEqual([
      [0, false, "please call me back tomorrow"],
      [0, true, "Please call me back tomorrow."],
      [1, false, "good bye"],
      [1, true, "Good bye."],
    ]);
    const partial = turns.find(({ end_of_turn }) => !end_of_turn);
    expect(partial?.words.at(-1)).toMatchObject({ word_is_final: false });
    expect(server.messages).toEqual(["UpdateConfiguration", "KeepAlive", "ForceEndpoint", "Terminate"]);
    expect(server.requests[0]?.headers.authorization).toBe(KEY);
    expect(server.requests[0]?.url).toContain("keyterms_prompt=%5B%22Parley%22%5D");
  });

  it("refuses a wrong key as an error of the SDK", async () => {
    const failure = await outcomeOf(soon(open("wrong").connect(), "connecting"));
    expect(failure).toBeInstanceOf(Error);
    expect(failure).toMatchObject({ message: "Unauthorized Connection: Invalid API key", code: 1008 });
  });

  it("refuses a handshake with a status as an error of the SDK", async () => {
    server.refuseNext({ status: 429 });
    expect(await outcomeOf(soon(open().connect(), "connecting"))).toMatchObject({
      message: expect.stringContaining("429"),
    });
  });

  it("reports pieces of audio of a wrong length as an error of the SDK, and closes", async () => {
    const transcriber = open();
    const failed = new Promise<Error>((resolve) => transcriber.on("error", resolve));
    const closed = new Promise<number>((resolve) => transcriber.on("close", resolve));
    await soon(transcriber.connect(), "connecting");
    transcriber.sendAudio(new Int16Array(80).buffer);
    expect(await soon(failed, "the error")).toMatchObject({ code: 3007 });
    expect(await soon(closed, "closing")).toBe(3007);
  });
});
