import { createRequire } from "node:module";
import { connect } from "node:net";
import { AuthenticationError, Cartesia, RateLimitError } from "@cartesia/cartesia-js";
import type { TTSWS } from "@cartesia/cartesia-js/resources/tts/ws";
import { joinPieces, outcomeOf, soon } from "@parley/voice/conformance/outcome-of";
import { createFakeSpeechSynthesizer } from "@parley/voice/fakes/fake-speech-synthesizer";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CartesiaServer, startCartesiaServer } from "./testing/cartesia-server.ts";

/** As an ES module, the SDK does not find `ws` and puts the key into the address, as in a browser. */
const sdk = createRequire(import.meta.url)("@cartesia/cartesia-js/resources/tts/ws") as {
  readonly TTSWS: typeof TTSWS;
};
const KEY = "sk_car_5f2b7a91c3d84e60b1";
const FORMAT = { container: "raw", encoding: "pcm_s16le", sample_rate: 8_000 } as const;
const VOICE = { mode: "id", id: "katie" } as const;

describe("the stand-in for Cartesia, seen by Cartesia's own SDK", () => {
  let server: CartesiaServer;
  let client: Cartesia;

  beforeEach(async () => {
    const voice = createFakeSpeechSynthesizer();
    server = await startCartesiaServer({
      apiKey: KEY,
      voiceIds: ["katie"],
      speak: (text, _voiceId, sampleRateHz) =>
        joinPieces(voice.speak({ text, voiceId: "low", sampleRateHz: sampleRateHz as 8_000 })),
    });
    client = new Cartesia({ apiKey: KEY, baseURL: server.url, maxRetries: 0 });
  });

  afterEach(() => server.close());

  /** The SDK insists on TLS for WebSockets; the stand-in has none. */
  async function openSocket(): Promise<TTSWS> {
    const { hostname, port } = new URL(server.url);
    const socket = new sdk.TTSWS(client, {
      createConnection: () => connect(Number(port), hostname),
    } as object);
    await soon(new Promise((resolve) => socket.socket.addEventListener("open", resolve)), "connecting");
    return socket;
  }

  it("speaks in contexts, with the times of the words, and stops one that is cancelled", async () => {
    const socket = await openSocket();
    const context = socket.context({ model_id: "sonic-3", voice: VOICE, output_format: FORMAT, add_timestamps: true });
    let bytes = 0;
    const words: string[] = [];
    const types: string[] = [];
    const request = { transcript: "one two three" };
    await soon(
      (async () => {
        for await (const event of context.generate(request)) {
          types.push(event.type);
          if (event.type === "chunk") bytes += event.audio?.length ?? 0;
          if (event.type === "timestamps") words.push(...(event.word_timestamps?.words ?? []));
        }
      })(),
      "speaking",
    );
    expect(bytes).toBe(3 * 300 * 16);
    expect(words).toEqual(["one", "two", "three"]);
    expect(types.at(-1)).toBe("done");
    const other = socket.context({ model_id: "sonic-3", voice: VOICE, output_format: FORMAT });
    await other.cancel();
    const last = socket.context({ model_id: "sonic-3", voice: VOICE, output_format: FORMAT });
    await last.push({ transcript: "one" });
    await last.push({ transcript: "two", flush: true });
    await last.no_more_inputs();
    const seen: string[] = [];
    for await (const event of last.receive()) seen.push(event.type);
    expect(seen).toEqual(["chunk", "chunk", "chunk", "chunk", "flush_done", "done"]);
    expect(server.cancelled).toEqual([other.contextId]);
    socket.close();
    await soon(server.nothingLeft(), "closing");
  });

  it("reports a failure of a context as the SDK's error", async () => {
    const socket = await openSocket();
    socket.on("error", () => undefined);
    server.failNext({ type: "error", status: 400, code: "invalid", message: "no luck" });
    const context = socket.context({ model_id: "sonic-3", voice: VOICE, output_format: FORMAT });
    await context.send({ transcript: "one" });
    const failure = await outcomeOf(
      (async () => {
        for await (const event of context.receive()) expect(event.type).toBe("error");
      })(),
    );
    expect(failure).toMatchObject({ message: "no luck" });
    socket.close();
  });

  it("speaks over HTTP, and refuses with the SDK's errors", async () => {
    const request = { model_id: "sonic-3", transcript: "one", voice: VOICE, output_format: FORMAT } as const;
    const speech = await client.tts.generate(request);
    expect((await speech.arrayBuffer()).byteLength).toBe(300 * 16);
    server.refuseNext({ status: 429 });
    expect(await outcomeOf(client.tts.generate(request))).toBeInstanceOf(RateLimitError);
    const other = new Cartesia({ apiKey: "sk_other", baseURL: server.url, maxRetries: 0 });
    expect(await outcomeOf(other.tts.generate(request))).toBeInstanceOf(AuthenticationError);
  });
});
