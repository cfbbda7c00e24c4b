import { startOpenAiServer } from "@parley/providers/openai/testing/openai-server";
import { systemClock } from "@parley/time/clock";
import { outcomeOf, soon } from "@parley/voice/conformance/outcome-of";
import { createFakeSpeechRecognizer } from "@parley/voice/fakes/fake-speech-recognizer";
import { createFakeSpeechSynthesizer } from "@parley/voice/fakes/fake-speech-synthesizer";
import { MarkedSpeech } from "@parley/voice/fakes/marked-speech";
import { expect, test } from "vitest";
import { createOutboundFetch } from "../../platform/outbound-http/outbound-fetch.ts";
import { openModelHttp } from "../models/open-language-model.ts";
import type { EngineRecipe, SpeechChoice } from "./engine-catalog.ts";
import { openParts } from "./open-parts.ts";
import type { PartUse } from "./part-meter.ts";

const LOCAL: SpeechChoice = { provider: "local", model: null, voice: null, apiKey: null, baseUrl: null, folder: null };
const QUESTION = { expected: [], isSpeechCertain: true, isGuess: true };

/** The operator's own recognition server as a call reaches it: through the outbound client, with a fallback behind it. */
async function openCall() {
  const words = [{ text: "hello", startMs: 0, endMs: 400 }];
  const server = await startOpenAiServer({ apiKey: null, recognize: () => words, speak: () => new Int16Array(0) });
  const ownHosts = new Set<string>();
  const http = openModelHttp({ clock: systemClock, ownHosts });
  const local = createFakeSpeechRecognizer(new MarkedSpeech());
  const parts = openParts({
    local: { recognizer: local, synthesizer: createFakeSpeechSynthesizer() },
    model: () => null,
    openModel: async () => null,
    fetch: createOutboundFetch(http),
    ownHosts,
    clock: systemClock,
  });
  const own: SpeechChoice = { ...LOCAL, provider: "own-stt", model: "whisper-1", baseUrl: server.url };
  const recipe: EngineRecipe = {
    name: "own",
    language: "en-US",
    speech: [],
    recognition: [own, LOCAL],
    synthesis: [LOCAL],
    models: null,
  };
  const uses: PartUse[] = [];
  const replaced: string[] = [];
  const { recognizer } = await parts.partsFor(recipe, undefined, {
    note: (use) => uses.push(use),
    noteIncident: () => undefined,
  });
  const stream = await recognizer.open({
    language: "en-US",
    sampleRateHz: 8_000,
    onReplaced: ({ recognizer: name }) => replaced.push(name),
  });
  return {
    server,
    stream,
    uses,
    replaced,
    async close() {
      stream.close();
      await parts.close();
      http.close();
      await server.close();
    },
  };
}

test("what was said is abandoned: its request ends at once, and the server is not taken for a failed one", async () => {
  const { server, stream, uses, replaced, close } = await openCall();
  server.breakNext({ type: "silent" });
  const stuck = server.stuck();
  stream.hear(new Int16Array(8_000).fill(900));
  const abandoned = new AbortController();
  const outcome = outcomeOf(stream.recognize({ ...QUESTION, signal: abandoned.signal }));
  await soon(stuck, "sending the utterance");
  abandoned.abort(new Error("the words are no longer needed"));
  expect(await outcome).toMatchObject({ message: "the words are no longer needed" });
  await soon(server.nothingLeft(), "ending the request");
  stream.startUtterance();
  stream.hear(new Int16Array(8_000).fill(900));
  expect((await stream.recognize({ ...QUESTION, isGuess: false })).text).toBe("hello");
  expect(replaced).toEqual([]);
  expect(uses.map(({ provider, hasFailed }) => [provider, hasFailed])).toEqual([["own-stt", false]]);
  await close();
});

test("the callee hangs up: no request is left at the server", async () => {
  const { server, stream, close } = await openCall();
  server.breakNext({ type: "silent" });
  const stuck = server.stuck();
  stream.hear(new Int16Array(8_000).fill(900));
  const outcome = outcomeOf(stream.recognize(QUESTION));
  await soon(stuck, "sending the utterance");
  stream.close();
  expect(await outcome).toBeInstanceOf(Error);
  await soon(server.nothingLeft(), "ending the request");
  await close();
});
