import { type DeepgramServer, startDeepgramServer } from "@parley/providers/deepgram/testing/deepgram-server";
import { type ElevenLabsServer, startElevenLabsServer } from "@parley/providers/elevenlabs/testing/elevenlabs-server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readSettings } from "../platform/config/read-settings.ts";
import { typeCommand } from "./testing/type-command.ts";

const DEEPGRAM_KEY = "deepgram-key-1234567890";
const ELEVENLABS_KEY = "elevenlabs-key-1234567890";
let deepgram: DeepgramServer;
let elevenlabs: ElevenLabsServer;

beforeEach(async () => {
  deepgram = await startDeepgramServer({
    key: DEEPGRAM_KEY,
    recognize: () => "please call me back tomorrow afternoon",
  });
  elevenlabs = await startElevenLabsServer({
    apiKey: ELEVENLABS_KEY,
    voiceIds: ["21m00Tcm4TlvDq8ikWAM"],
    speak: () => new Int16Array(16_000).fill(1_000),
  });
});
afterEach(() => Promise.all([deepgram.close(), elevenlabs.close()]));

function examine(engine: string, environment: Record<string, string> = {}) {
  const vendors = {
    PARLEY_DEEPGRAM_API_KEY: DEEPGRAM_KEY,
    PARLEY_DEEPGRAM_URL: deepgram.url,
    PARLEY_ELEVENLABS_API_KEY: ELEVENLABS_KEY,
    PARLEY_ELEVENLABS_URL: elevenlabs.url,
  };
  return typeCommand(["doctor", "engine", engine], () =>
    readSettings({ PARLEY_DATA_DIR: "d", ...vendors, ...environment }, "/"),
  );
}

test("each part is tried once, with its latency and what came back", async () => {
  const { code, out } = await examine("deepgram-elevenlabs");
  expect(code, out).toBe(0);
  expect(out).toMatch(/recognition +deepgram\/nova-3 +\d+ ms +It understood: "Please call me back tomorrow afternoon"/);
  expect(out).toMatch(/synthesis +elevenlabs\/eleven_flash_v2_5 +\d+ ms +It spoke 2\.0 s of audio\./);
  expect(out).toMatch(/recognition +local +It runs on this machine\./);
});

test("the latencies of the parts that are used first are added up", async () => {
  const { out } = await examine("deepgram-elevenlabs");
  const taken = [...out.matchAll(/(?:deepgram|elevenlabs)\S* +(\d+) ms/g)].map(([, ms]) => Number(ms));
  expect(taken).toHaveLength(2);
  const sum = taken.reduce((one, other) => one + other, 0);
  expect(out).toContain(`Together, the parts that are used first take ${sum} ms before a reply is heard.`);
});

test("nothing is added up when a part that is used first has failed", async () => {
  const { out } = await examine("deepgram-elevenlabs", { PARLEY_DEEPGRAM_API_KEY: "another-key-0987654321" });
  expect(out).not.toContain("Together");
});

test("a wrong key is reported for its part, the others are still tried, and no key is shown", async () => {
  const { code, out, err } = await examine("deepgram-elevenlabs", {
    PARLEY_DEEPGRAM_API_KEY: "another-key-0987654321",
  });
  expect(code).toBe(1);
  expect(out).toMatch(/recognition +deepgram\S* +.*key/i);
  expect(out).toContain("It spoke 2.0 s of audio.");
  expect(out + err).not.toContain("another-key");
});

test("an engine whose key is not set says what to set", async () => {
  const { code, err } = await examine("deepgram-cartesia");
  expect(code).toBe(1);
  expect(err).toContain("PARLEY_CARTESIA_API_KEY");
});

test("an engine that does not exist is refused by name", async () => {
  const { code, err } = await examine("nonsense");
  expect(code).toBe(1);
  expect(err).toContain('There is no engine named "nonsense".');
});
