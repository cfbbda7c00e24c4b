import { EngineReport } from "@parley/contract/doctor";
import * as routes from "@parley/contract/routes/doctor";
import { type DeepgramServer, startDeepgramServer } from "@parley/providers/deepgram/testing/deepgram-server";
import { type ElevenLabsServer, startElevenLabsServer } from "@parley/providers/elevenlabs/testing/elevenlabs-server";
import { VENDORS } from "@parley/providers/registry";
import { makeModelFolder } from "@parley/providers/sherpa/testing/sherpa-library";
import { afterAll, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { openTrunkScene, type TrunkScene } from "../../phone/trunks/testing/trunk-scene.ts";
import { readSettings } from "../../platform/config/read-settings.ts";
import { run } from "../../platform/database/database.ts";
import { WorkLimiter } from "../../platform/http/limits/work-limiter.ts";
import type { EngineSources } from "../engines/engine-catalog.ts";
import { EXAMINATION_LIMITS } from "./examine-engine.ts";
import { examinationRoutes } from "./routes.ts";

const DEEPGRAM_KEY = "deepgram-key-1234567890";
const ELEVENLABS_KEY = "elevenlabs-key-1234567890";
let deepgram: DeepgramServer;
let elevenlabs: ElevenLabsServer;
let scene: TrunkScene;
let keys: Record<string, string>;
let vendors = VENDORS;
let nowMs = 0;

beforeAll(async () => {
  deepgram = await startDeepgramServer({
    key: DEEPGRAM_KEY,
    recognize: () => "please call me back tomorrow afternoon",
  });
  elevenlabs = await startElevenLabsServer({
    apiKey: ELEVENLABS_KEY,
    voiceIds: ["21m00Tcm4TlvDq8ikWAM"],
    speak: () => new Int16Array(16_000).fill(1_000),
  });
  const sources: EngineSources = {
    installed: () => {
      const { models, modelEnvironment } = readSettings({ PARLEY_DATA_DIR: "d", ...keys }, "/");
      return { ...models, environment: modelEnvironment };
    },
    settings: readSettings({ PARLEY_DATA_DIR: "d" }, "/").engines,
    get vendors() {
      return vendors;
    },
  };
  const limiter = new WorkLimiter(() => nowMs, EXAMINATION_LIMITS);
  scene = await openTrunkScene(inject("postgresUrl"), (db) => examinationRoutes({ db, sources, limiter }));
});
afterAll(() => Promise.all([scene?.close(), deepgram?.close(), elevenlabs?.close()]));
beforeEach(() => {
  keys = {
    PARLEY_DEEPGRAM_API_KEY: DEEPGRAM_KEY,
    PARLEY_DEEPGRAM_URL: deepgram.url,
    PARLEY_ELEVENLABS_API_KEY: ELEVENLABS_KEY,
    PARLEY_ELEVENLABS_URL: elevenlabs.url,
  };
  nowMs += 60_001;
});

const examine = (name: string, as = "operator") => scene.call(routes.examineEngine, { as, params: { name } });
const audit = (target: string) =>
  run(scene.database.db, "select action, actor from audit_log where target = $1", [target]);

test("an operator gets the latency and the result of each part, fallbacks too, and it is audited", async () => {
  const { status, data } = await examine("deepgram-elevenlabs");
  expect(status).toBe(200);
  const report = EngineReport.parse(data);
  expect(report).toMatchObject({ engine: "deepgram-elevenlabs", isHealthy: true });
  expect(report.findings.map(({ part, name, verdict, finding }) => ({ part, name, verdict, finding }))).toEqual([
    {
      part: "recognition",
      name: "deepgram/nova-3",
      verdict: "ok",
      finding: 'It understood: "Please call me back tomorrow afternoon"',
    },
    { part: "recognition", name: "local", verdict: "skipped", finding: "It runs on this machine." },
    { part: "synthesis", name: "elevenlabs/eleven_flash_v2_5", verdict: "ok", finding: "It spoke 2.0 s of audio." },
    { part: "synthesis", name: "local", verdict: "skipped", finding: "It runs on this machine." },
  ]);
  expect(report.findings.map(({ firstResultMs }) => firstResultMs !== null)).toEqual([true, false, true, false]);
  expect(await audit("deepgram-elevenlabs")).toEqual([{ action: "engine.examined", actor: scene.operatorId }]);
});

test("recognition in a folder of this machine is tried like any other", async () => {
  const folder = await makeModelFolder({ words: "call me back tomorrow", behaviour: "hears_any_speech" });
  try {
    keys["PARLEY_SHERPA_MODEL"] = folder.path;
    const { status, data } = await examine("sherpa-local");
    expect(status).toBe(200);
    expect(EngineReport.parse(data).findings[0]).toMatchObject({
      ...{ part: "recognition", name: "sherpa/sherpa-onnx", verdict: "ok" },
      finding: 'It understood: "call me back tomorrow"',
    });
  } finally {
    await folder.remove();
  }
});

test("an engine that knows no English is tried in a language that it knows, with its own voice", async () => {
  const before = { handshakes: deepgram.handshakes.length, spoken: elevenlabs.spoken.length };
  vendors = VENDORS.map((vendor) =>
    vendor.synthesis ? { ...vendor, synthesis: { ...vendor.synthesis, languages: ["de"] } } : vendor,
  );
  const { data } = await examine("deepgram-elevenlabs");
  vendors = VENDORS;
  const report = EngineReport.parse(data);
  expect(report.findings.map(({ name, verdict }) => [name, verdict])).toEqual([
    ["deepgram/nova-3", "ok"],
    ["elevenlabs/eleven_flash_v2_5", "ok"],
  ]);
  expect(deepgram.handshakes.slice(before.handshakes).map(({ query }) => query.get("language"))).toEqual(["de"]);
  expect(elevenlabs.spoken.slice(before.spoken)).toMatchObject([
    { language: "de", text: "Bitte rufen Sie mich morgen Nachmittag zurück." },
  ]);
});

test("a refused key is the fault of its part alone, and is never shown", async () => {
  keys["PARLEY_DEEPGRAM_API_KEY"] = "another-key-0987654321";
  const { data, text } = await examine("deepgram-elevenlabs");
  const report = EngineReport.parse(data);
  expect(report.isHealthy).toBe(false);
  expect(report.findings.filter(({ verdict }) => verdict === "fault")).toEqual([
    {
      part: "recognition",
      name: "deepgram/nova-3",
      firstResultMs: null,
      verdict: "fault",
      finding: expect.stringMatching(/key/i),
    },
  ]);
  expect(report.findings.filter(({ verdict }) => verdict === "ok").map(({ part }) => part)).toEqual(["synthesis"]);
  expect(text + scene.logged.join()).not.toContain("another-key");
});

test("an engine without its keys is refused with what to set, and nothing is sent or audited", async () => {
  const reply = await examine("deepgram-cartesia");
  expect(reply).toMatchObject({ status: 409, code: "engine_unavailable" });
  expect(reply.text).toContain("PARLEY_CARTESIA_API_KEY");
  expect(await audit("deepgram-cartesia")).toEqual([]);
});

test("only an operator may, and an unknown engine is not found", async () => {
  expect((await examine("local", "owner")).status).toBe(403);
  expect((await examine("nonsense")).status).toBe(404);
});

test("trying again and again is refused for a minute", async () => {
  for (let count = 0; count < EXAMINATION_LIMITS.perMinuteMax; count += 1)
    expect((await examine("local")).status).toBe(200);
  expect(await examine("local")).toMatchObject({ status: 429, code: "rate_limited" });
  nowMs += 60_001;
  expect((await examine("local")).status).toBe(200);
});
