import { createManualClock } from "@parley/time/testing/manual-clock";
import { joinPieces, outcomeOf } from "@parley/voice/conformance/outcome-of";
import { describeSpeechSynthesizerConformance } from "@parley/voice/conformance/speech-synthesizer-conformance";
import { createFakeSpeechSynthesizer } from "@parley/voice/fakes/fake-speech-synthesizer";
import { afterEach, describe, expect, it } from "vitest";
import { createOpenAiSynthesizer, OPENAI_VOICES } from "./openai-synthesizer.ts";
import { type OpenAiServer, startOpenAiServer } from "./testing/openai-server.ts";

const KEY = "sk-openai-93aa0b7c55";
const fake = createFakeSpeechSynthesizer();
const speak = (text: string) => joinPieces(fake.speak({ text, voiceId: "low", sampleRateHz: 8_000 }));
const running: OpenAiServer[] = [];

async function startServer(): Promise<OpenAiServer> {
  const server = await startOpenAiServer({ apiKey: KEY, recognize: () => [], speak });
  running.push(server);
  return server;
}

afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

describeSpeechSynthesizerConformance("OpenAI", async () => {
  const server = await startServer();
  const clock = createManualClock();
  return {
    synthesizer: createOpenAiSynthesizer({ apiKey: KEY, baseUrl: server.url, clock }),
    isDeterministic: true,
    breakEngineOnce: () => server.breakNext({ type: "cut" }),
    resourcesHeld: () => clock.pending(),
  };
});

describe("a voice of OpenAI", () => {
  const request = { text: "Hello.", voiceId: "marin", sampleRateHz: 8_000 } as const;

  it("speaks with the newest model by default, in raw audio, with instructions if there are any", async () => {
    const server = await startServer();
    const options = { apiKey: KEY, baseUrl: server.url, clock: createManualClock() };
    await joinPieces(createOpenAiSynthesizer(options).speak(request));
    await joinPieces(createOpenAiSynthesizer({ ...options, instructions: "Calm.", model: "tts-1" }).speak(request));
    expect(server.requests.map(({ fields }) => fields)).toEqual([
      { model: "gpt-4o-mini-tts", input: "Hello.", voice: "marin", response_format: "pcm" },
      { model: "tts-1", input: "Hello.", voice: "marin", response_format: "pcm", instructions: "Calm." },
    ]);
  });

  it("is refused in plain words with a wrong key", async () => {
    const server = await startServer();
    const synthesizer = createOpenAiSynthesizer({
      apiKey: "sk-wrong",
      baseUrl: server.url,
      clock: createManualClock(),
    });
    expect(await outcomeOf(joinPieces(synthesizer.speak(request)))).toMatchObject({
      provider: "openai",
      retryable: false,
      message: "OpenAI refused the API key (status 401).",
    });
  });

  it("may be any of those that OpenAI lists", () => {
    expect(OPENAI_VOICES.map(({ id }) => id)).toContain("cedar");
  });
});
