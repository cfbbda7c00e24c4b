import { outcomeOf, soon } from "@parley/voice/conformance/outcome-of";
import { AuthError, BadRequestError, type RealtimeEvent, SonioxNodeClient } from "@soniox/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LevelSpeech } from "../speech/testing/level-speech.ts";
import { type SonioxServer, startSonioxServer } from "./testing/soniox-server.ts";

const KEY = "snx-603deb1015ca71be";

describe("the stand-in for Soniox, seen by Soniox' own SDK", () => {
  let server: SonioxServer;
  let speech: LevelSpeech;

  beforeEach(async () => {
    speech = new LevelSpeech();
    server = await startSonioxServer({ key: KEY, recognize: (samples) => speech.read(samples) });
  });

  afterEach(() => server.close());

  function open({ key = KEY, model = "stt-rt-v5" } = {}) {
    const url = `${server.url.replace("http", "ws")}/transcribe-websocket`;
    const client = new SonioxNodeClient({ api_key: key, realtime: { ws_base_url: url } });
    return client.realtime.stt({
      model,
      audio_format: "pcm_s16le",
      sample_rate: 8_000,
      num_channels: 1,
      language_hints: ["en"],
      enable_language_identification: true,
      enable_endpoint_detection: true,
      context: { terms: ["Parley"] },
    });
  }

  function audio(text: string, silenceMs: number): Uint8Array {
    const spoken = speech.speak(text);
    const samples = new Int16Array(spoken.length + silenceMs * 8);
    samples.set(spoken);
    return new Uint8Array(samples.buffer);
  }

  it("transcribes: tokens that become final, end of speech, finalize, keepalive and finish", async () => {
    const session = open();
    const events: RealtimeEvent[] = [];
    await soon(session.connect(), "connecting");
    const collected = (async () => {
      for await (const event of session) events.push(event);
    })();
    session.keepAlive();
    session.sendAudio(audio("please call me back tomorrow", 1_500));
    session.sendAudio(audio("good bye", 0));
    session.finalize();
    session.sendAudio(audio("really", 0));
    await soon(session.finish(), "finishing");
    await soon(collected, "the last event");
    const tokens = events.flatMap((event) => (event.kind === "result" ? event.data.tokens : []));
    expect(tokens.some(({ is_final }) => !is_final)).toBe(true);
    const text = tokens.flatMap((token) => (token.is_final ? [token.text] : [])).join("");
    expect(text).toBe(" please call me back tomorrow good bye really");
    expect(tokens[0]).toMatchObject({ text: " pleas", language: "en", start_ms: 0 });
    expect(events.map(({ kind }) => kind).filter((kind) => kind !== "result")).toEqual([
      "endpoint",
      "finalized",
      "finished",
    ]);
    expect(server.messages).toEqual(["start", "keepalive", "finalize", "end"]);
    expect(server.starts[0]).toMatchObject({ context: { terms: ["Parley"] } });
  });

  it.each([
    ["a wrong key", { key: "wrong" }, AuthError],
    ["an unknown model", { model: "stt-async-v5" }, BadRequestError],
  ])("refuses %s as an error of the SDK", async (_what, access, kind) => {
    const session = open(access);
    const failed = new Promise<Error>((resolve) => session.on("error", resolve));
    await soon(session.connect(), "connecting");
    expect(await soon(failed, "the error")).toBeInstanceOf(kind);
  });

  it("refuses a handshake as an error of the SDK", async () => {
    server.refuseNext({ status: 429 });
    expect(await outcomeOf(soon(open().connect(), "connecting"))).toMatchObject({ name: "ConnectionError" });
  });
});
