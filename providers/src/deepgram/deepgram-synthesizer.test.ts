import { systemClock } from "@parley/time/clock";
import { createManualClock } from "@parley/time/testing/manual-clock";
import { joinPieces, outcomeOf, soon } from "@parley/voice/conformance/outcome-of";
import { describeSpeechSynthesizerConformance } from "@parley/voice/conformance/speech-synthesizer-conformance";
import { pace, pause, saidAs } from "@parley/voice/ports/speech-notation";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDeepgramSynthesizer } from "./deepgram-synthesizer.ts";
import { TEST_KEY } from "./testing/deepgram-rig.ts";
import { type DeepgramServer, startDeepgramServer } from "./testing/deepgram-server.ts";

const servers: DeepgramServer[] = [];
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
});

/** A buzz of 50 ms for each letter. */
function buzz(text: string, sampleRateHz: number): Int16Array {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const samples = new Int16Array((letters * sampleRateHz) / 20).fill(9_000);
  for (let at = 0; at < samples.length; at += 2) samples[at] = -9_000;
  return samples;
}

async function openRig() {
  const server = await startDeepgramServer({ key: TEST_KEY, speak: buzz });
  servers.push(server);
  const synthesizer = createDeepgramSynthesizer({ apiKey: TEST_KEY, baseUrl: server.url, clock: systemClock });
  async function close(): Promise<void> {
    await synthesizer.close();
    // The far end notices a little later; a connection that is leaked is never closed.
    await server.idle();
  }
  return { server, synthesizer: { ...synthesizer, close } };
}

describeSpeechSynthesizerConformance("Deepgram Aura", async () => {
  const { server, synthesizer } = await openRig();
  return {
    synthesizer,
    isDeterministic: true,
    breakEngineOnce: () => server.breakAtNextRequest({ type: "cut" }),
    resourcesHeld: () => server.openConnections,
  };
});

describe("Deepgram's voices", { timeout: 60_000 }, () => {
  let server: DeepgramServer;
  let synthesizer: ReturnType<typeof createDeepgramSynthesizer>;

  beforeEach(async () => {
    ({ server, synthesizer } = await openRig());
  });

  afterEach(async () => {
    await soon(synthesizer.close(), "closing");
  });

  const VOICE = "aura-2-thalia-en";
  const speak = (text: string, sampleRateHz: 8_000 | 16_000 = 8_000) =>
    outcomeOf(joinPieces(synthesizer.speak({ text, voiceId: VOICE, sampleRateHz })));

  it("speak the clauses of a call over one connection, at the rate of the line", async () => {
    expect(await speak("Hello.")).toHaveLength(5 * 400);
    await speak("How are you?");
    expect(server.handshakes).toHaveLength(1);
    expect(Object.fromEntries(server.handshakes[0]?.query ?? [])).toEqual({
      model: VOICE,
      encoding: "linear16",
      sample_rate: "8000",
    });
    expect(server.handshakes[0]?.headers.authorization).toBe(`Token ${TEST_KEY}`);
  });

  it("do not run into Deepgram's limit of 20 flushes a minute", async () => {
    for (let count = 0; count < 45; count += 1) expect(await speak("Hello.")).toHaveLength(2_000);
    expect(server.handshakes.length).toBeGreaterThanOrEqual(3);
  });

  it("speak long texts in the portions that Deepgram takes", async () => {
    const words = "hello ".repeat(400).trim();
    expect(await speak(words)).toHaveLength(400 * 5 * 400);
    expect(server.messages.filter((type) => type === "Speak").length).toBeGreaterThan(1);
  });

  it("have another connection ready after a callee cut in, and play nothing old on it", async () => {
    const controller = new AbortController();
    const pieces = synthesizer.speak({
      text: "A long sentence.",
      voiceId: VOICE,
      sampleRateHz: 8_000,
      signal: controller.signal,
    });
    for await (const piece of pieces) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    controller.abort(new Error("cut in"));
    expect(await speak("Yes.")).toHaveLength(3 * 400);
  });

  it("use a new connection when Deepgram closed the idle one", async () => {
    await speak("Hello.");
    server.closeAll(1000, "");
    expect(await speak("Hello.")).toHaveLength(2_000);
    server.breakAtNextRequest({ type: "cut" });
    expect(await speak("Hello.")).toHaveLength(2_000);
  });

  it.each([
    [401, false, "Deepgram refused the API key (status 401)."],
    [402, false, "Deepgram wants to be paid first (status 402): no credit"],
    [429, true, "Deepgram takes no more requests at the moment (status 429): no credit"],
    [503, true, "Deepgram has a failure of its own (status 503): no credit"],
  ])("report a refusal with status %i in plain words", async (status, retryable, message) => {
    server.refuseNext({ status, headers: { "Retry-After": "3" }, body: '{"err_code":"X","err_msg":"no credit"}' });
    expect(await speak("Hello.")).toMatchObject({ provider: "deepgram", retryable, message, retryAfterMs: 3_000 });
  });

  it.each([
    [{ type: "close", code: 1011, reason: "NET-0001" } as const, "Deepgram closed the connection (1011): NET-0001"],
    [{ type: "send", data: "{nonsense" } as const, "Deepgram sent a message that cannot be understood."],
    [
      { type: "send", data: '{"type":"Error","description":"out of voices"}' } as const,
      "Deepgram reports a failure: out of voices",
    ],
  ])("report a fault of the vendor: %j", async (fault, message) => {
    server.breakAtNextRequest(fault);
    expect(await speak("Hello.")).toMatchObject({ retryable: true, message });
    expect(await speak("Hello.")).toHaveLength(2_000);
  });

  it("give up when Deepgram stays silent, and say what it warned about", async () => {
    const clock = createManualClock();
    const patient = createDeepgramSynthesizer({ apiKey: TEST_KEY, baseUrl: server.url, clock });
    server.breakAtNextRequest({ type: "send", data: '{"type":"Warning","code":"X","description":"too many flushes"}' });
    const outcome = outcomeOf(joinPieces(patient.speak({ text: "Hello.", voiceId: VOICE, sampleRateHz: 8_000 })));
    await soon(server.received("Flush"), "asking");
    const silent = outcomeOf(
      joinPieces(patient.speak({ text: "Hello.", voiceId: "aura-2-luna-en", sampleRateHz: 8_000 })),
    );
    expect(await silent).toHaveLength(2_000);
    clock.pass(5_000);
    expect(await outcome).toMatchObject({
      retryable: true,
      message: "Deepgram sent no audio for 5000 ms. It warned: too many flushes",
    });
    const closed = patient.close();
    clock.pass(1_000);
    await soon(closed, "closing");
    expect(clock.pending(), "timers left behind").toBe(0);
  });

  it("close connections that had no work for a while", async () => {
    const clock = createManualClock();
    const patient = createDeepgramSynthesizer({
      apiKey: TEST_KEY,
      baseUrl: server.url,
      clock,
      voices: synthesizer.voices,
    });
    await joinPieces(patient.speak({ text: "Hello.", voiceId: VOICE, sampleRateHz: 8_000 }));
    expect(server.openConnections).toBe(1);
    for (let count = 0; count < 5; count += 1) {
      clock.pass(9_999);
      server.inject('{"type":"Metadata"}');
    }
    clock.pass(5_000);
    await soon(server.idle(), "closing what is idle");
    await patient.close();
    expect(clock.pending(), "timers left behind").toBe(0);
  });

  it("read respellings, leave phonemes to Deepgram, change their pace and make pauses", async () => {
    const text = `${pace(0.5)}Hi ${saidAs("Siobhan", "/ʃɪˈvɔn/")} ${saidAs("Nguyen", "win")}${pause(500)}`;
    expect(await speak(text)).toHaveLength("HiSiobhanwin".length * 400 + 4_000);
    expect(server.handshakes[0]?.query.get("speed")).toBe("0.7");
  });

  it("show no piece of the key in what goes wrong", async () => {
    server.refuseNext({ status: 403, body: `{"err_msg":"the key ${TEST_KEY} may not speak"}` });
    const failure = await speak("Hello.");
    expect(String(failure)).toContain("the key [removed] may not speak");
  });
});
