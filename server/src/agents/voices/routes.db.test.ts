import { readWav } from "@parley/audio/wav-reader";
import { Voice } from "@parley/contract/voices";
import { createFliteSynthesizer } from "@parley/providers/local/flite/flite-synthesizer";
import { systemClock } from "@parley/time/clock";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { z } from "zod";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { WorkLimiter } from "../../platform/http/limits/work-limiter.ts";
import { openTestApi, type TestApi, type TestClient } from "../../platform/http/testing/open-test-api.ts";
import { PREVIEW_LIMITS, PreviewCache } from "./previews.ts";
import { voiceRoutes } from "./routes.ts";

const light = createFliteSynthesizer({ threadsMax: 1 });
let t: TestDatabase;
let api: TestApi;
let ada: TestClient;

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  api = openTestApi(t.db, () =>
    voiceRoutes({
      db: t.db,
      voices: { light, natural: null },
      limiter: new WorkLimiter(Date.now, PREVIEW_LIMITS),
      cache: new PreviewCache({ clock: systemClock, waitMs: 20_000, bytesMax: 1_000_000 }),
    }),
  );
  ada = await api.addAccount("Ada");
});
afterAll(async () => {
  await api.close();
  await light.close();
  await t.close();
});

const preview = (voice: string, body: object) =>
  api.app.inject({
    method: "POST",
    url: `/api/v1/voices/${voice}/preview`,
    headers: { authorization: `Bearer svc_test_${ada.accountId}`, "content-type": "application/json" },
    payload: JSON.stringify(body),
  });

test("voices are listed with what keeps the others from being used", async () => {
  const voices = (await ada.send("GET", "/voices")).read(z.array(Voice));
  // One for each language that is spoken here, the English one first.
  expect(voices.filter(({ isDefault }) => isDefault).map(({ id, language }) => [id, language])).toEqual([
    ["af_heart", "en-US"],
    ["ef_dora", "es-ES"],
    ["ff_siwis", "fr-FR"],
    ["if_sara", "it-IT"],
    ["pf_dora", "pt-BR"],
  ]);
  expect(voices.find(({ id }) => id === "af_heart")).toMatchObject({ kind: "natural", available: false });
  expect(voices.find(({ id }) => id === "slt")).toMatchObject({ kind: "light", available: true, sex: "woman" });
});

test("a voice is heard as on the phone, with variables filled in and numbers read out", async () => {
  const lengthOf = async (body: object) => {
    const reply = await preview("slt", body);
    expect([reply.statusCode, reply.headers["content-type"]]).toEqual([200, "audio/wav"]);
    const { sampleRateHz, channels } = readWav(new Uint8Array(reply.rawPayload));
    expect([sampleRateHz, channels.length]).toEqual([8000, 1]);
    return channels[0]?.length ?? 0;
  };
  const short = await lengthOf({ text: "Hello {{name}}." });
  expect(short).toBeGreaterThan(2000);
  expect(await lengthOf({ text: "Hello {{name}}.", variables: { name: "Ada Lovelace" } })).toBeGreaterThan(short);
});

test("a word is heard as the agent or the account lists it, and pace and pauses are heard too", async () => {
  const lengthOf = async (body: object) => {
    const reply = await preview("slt", body);
    expect(reply.statusCode, reply.body).toBe(200);
    return readWav(new Uint8Array(reply.rawPayload)).channels[0]?.length ?? 0;
  };
  const text = "Hello Zed.";
  const plain = await lengthOf({ text });
  const pronunciations = [{ written: "zed", spoken: "Alexander Hamilton" }];
  const listed = await lengthOf({ text, pronunciations });
  expect(listed).toBeGreaterThan(plain * 1.4);
  await t.db
    .updateTable("accounts")
    .set({ pronunciations: JSON.stringify(pronunciations) })
    .where("id", "=", ada.accountId)
    .execute();
  expect(await lengthOf({ text })).toBe(listed);
  expect(await lengthOf({ text: "Hello you.", pace: 0.7 })).toBeGreaterThan(
    (await lengthOf({ text: "Hello you." })) * 1.2,
  );
  const paused = await lengthOf({ text: 'Hello <break time="1s"/> you.' });
  expect(paused - (await lengthOf({ text: "Hello you." }))).toBeGreaterThan(7_500);
});

test("a voice that does not exist, is turned off, or has nothing to say is refused", async () => {
  const refusal = async (voice: string, body: object) => {
    const reply = await preview(voice, body);
    return `${reply.statusCode} ${reply.json().error.code}`;
  };
  expect(await refusal("nobody", { text: "Hello." })).toBe("404 not_found");
  expect(await refusal("af_heart", { text: "Hello." })).toBe("409 invalid_state");
  expect(await refusal("slt", { text: " " })).toBe("422 validation_failed");
  expect(await refusal("slt", { text: "x".repeat(401) })).toBe("422 validation_failed");
  const spoken = async (value: string) =>
    refusal("slt", { text: "Zed.", pronunciations: [{ written: "Zed", spoken: value }] });
  expect(await spoken("/7/")).toBe("422 validation_failed");
  expect(await spoken("<zed>")).toBe("422 validation_failed");
  expect(await refusal("slt", { text: "Zed.", pace: 2 })).toBe("422 validation_failed");
});
