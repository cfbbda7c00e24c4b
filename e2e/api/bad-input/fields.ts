import { describe, expect, test } from "vitest";
import { byKey, createKey } from "../../harness/accounts.ts";
import type { RefusalScene } from "../refusal-scene.ts";

const map = (keys: number, value: string) =>
  Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, value]));

/** Each field of POST /calls with invalid values. */
export function describeFields(scene: () => RefusalScene): void {
  describe("phoneNumber", () => {
    test.each([
      "",
      "+",
      "15550100001",
      "0015550100001",
      "+05550100001",
      "+155501",
      "+1555010000100000",
      "+1 555 010 0001",
      "+1-555-010-0001",
      "+1(555)0100001",
      "+1.555.010.0001",
      " +15550100001",
      "+15550100001 ",
      "+15550100001\n",
      "+15550100001;ext=5",
      "+15550100001,,5",
      "+15550100001x5",
      "tel:+15550100001",
      "sip:+15550100001@example.com",
      "++15550100001",
      "\u202a+15550100001",
      "\uff0b15550100001",
      "+\uff11\uff15\uff15\uff15\uff10\uff11\uff10\uff10\uff10\uff10\uff11",
      "+\u0661\u0665\u0665\u0665\u0660\u0661\u0660\u0660\u0660\u0660\u0661",
      "+1555\u09e6100001",
      "+1555010000\u00b9",
      "+1555010000\u{1d7cf}",
      "+1-800-FLOWERS",
      "%2B15550100001",
    ])("%j is no number", async (phoneNumber) => {
      const { body } = await scene().refusesCall({ phoneNumber }, "422 validation_failed", "phoneNumber");
      expect(body.error.details).toEqual([
        { param: "phoneNumber", code: "not_e164", message: "must be a plus sign followed by 7 to 15 digits" },
      ]);
    });

    test.each([null, 15550100001, true, [], ["+15550100001"], {}])("%j is not a text", async (phoneNumber) => {
      await scene().refusesCall({ phoneNumber }, "422 validation_failed", "phoneNumber");
    });

    test("the shortest and the longest number are accepted", async () => {
      for (const phoneNumber of ["+1234567", "+123456789012345"]) {
        const json = { phoneNumber, agentId: scene().agentId };
        expect((await scene().ask({ path: "/api/v1/calls", headers: scene().test, json })).status).toBe(200);
      }
    });
  });

  describe("every field out of range", () => {
    const cases: [string, unknown][] = [
      ["agentId", undefined],
      ["agentId", ""],
      ["agentId", null],
      ["agentId", 7],
      ["agentId", "a".repeat(65)],
      ["engine", ""],
      ["engine", null],
      ["engine", "e".repeat(65)],
      ["agentVersion", 0],
      ["agentVersion", -1],
      ["agentVersion", 1.5],
      ["agentVersion", "1"],
      ["agentVersion", 1_000_001],
      ["agentVersion", 1e300],
      ["from", "anonymous"],
      ["from", "5550100099"],
      ["variables", []],
      ["variables", "name=Ada"],
      ["variables", { name: 1 }],
      ["variables", { name: null }],
      ["variables", { name: "x".repeat(2001) }],
      ["variables", { ["n".repeat(65)]: "x" }],
      ["variables", { "": "x" }],
      ["variables", map(101, "x")],
      ["metadata", { order: 17 }],
      ["metadata", { order: { id: "17" } }],
      ["metadata", { order: "x".repeat(501) }],
      ["metadata", map(51, "x")],
      ["maxDurationSeconds", 0],
      ["maxDurationSeconds", 7201],
      ["maxDurationSeconds", 1.5],
      ["maxDurationSeconds", "600"],
      ["maxDurationSeconds", null],
      ["maxDurationSeconds", 1e308],
      ["ringTimeoutSeconds", 4],
      ["ringTimeoutSeconds", 121],
      ["record", "true"],
      ["record", 1],
      ["voicemail", "hang_up"],
      ["voicemail", { action: "shout" }],
      ["voicemail", { action: "leave_message", message: "" }],
      ["voicemail", { action: "leave_message", message: "m".repeat(2001) }],
      ["voicemail", { action: "hang_up", after: 3 }],
      ["scheduledAt", "tomorrow"],
      ["scheduledAt", "2026-01-31"],
      ["scheduledAt", "2026-01-31T09:30:00"],
      ["scheduledAt", "1999-12-31T23:59:59Z"],
      ["scheduledAt", "2026-02-30T00:00:00Z"],
      ["scheduledAt", 1769851800],
      ["callingHours", "whenever"],
      ["consent", true],
      ["consent", { basis: "asked" }],
      ["consent", { basis: "", at: "2026-01-31T09:30:00Z" }],
      ["consent", { basis: "b".repeat(501), at: "2026-01-31T09:30:00Z" }],
      ["consent", { basis: "asked", at: "yesterday" }],
      ["simulation", "busy"],
      ["simulation", { answerAfterMs: -1 }],
      ["simulation", { answerAfterMs: 120_001 }],
      ["simulation", { script: Array.from({ length: 101 }, () => ({ waitMs: 1 })) }],
      ["simulation", { script: [{ waitMs: -1 }] }],
      ["simulation", { script: [{ waitMs: 600_001 }] }],
      ["simulation", { script: [{ hangUp: false }] }],
      ["simulation", { script: [{}] }],
      ["simulation", { script: [{ press: "1x" }] }],
      ["simulation", { script: [{ waitMs: 1, hangUp: true }] }],
      ["simulation", { script: [{ say: "" }] }],
      ["simulation", { script: [{ say: "s".repeat(1001) }] }],
      ["simulation", { script: [{ press: "1".repeat(33) }] }],
      ["simulation", { script: [{ interruptAfterMs: 10 }] }],
      ["simulation", { script: [{ interruptAfterMs: 600_001, say: "Wait" }] }],
      ["simulation", { voice: "" }],
      ["simulation", { noise: -0.1 }],
      ["simulation", { noise: 1.1 }],
    ];
    test.each(cases)("%s: %j", async (field, value) => {
      const { body } = await scene().refusesCall({ [field]: value }, "422 validation_failed");
      expect(body.error.param.split(/[.[]/)[0]).toBe(field);
    });

    test("all mistakes are reported at once", async () => {
      const { body } = await scene().refusesCall(
        { phoneNumber: "1", agentId: "", maxDurationSeconds: 0, colour: "red" },
        "422 validation_failed",
      );
      const params = body.error.details.map(({ param }: { param: string }) => param).sort();
      expect(params).toEqual(["agentId", "colour", "maxDurationSeconds", "phoneNumber"]);
    });

    test("every field at the limit of its range is accepted", async () => {
      const json = {
        phoneNumber: "+15550100001",
        agentId: scene().agentId,
        engine: "local",
        agentVersion: 1,
        from: "+15550100099",
        variables: map(100, "v"),
        metadata: map(50, "m".repeat(500)),
        maxDurationSeconds: 7200,
        ringTimeoutSeconds: 120,
        record: true,
        voicemail: { action: "leave_message", message: "m".repeat(2000) },
        consent: { basis: "b".repeat(500), at: "2026-01-30T09:30:00+02:00" },
        simulation: {
          answerAfterMs: 120_000,
          script: [
            { say: "s".repeat(1000) },
            { waitMs: 600_000 },
            { press: "0123456789*#ABCD" },
            { interruptAfterMs: 600_000, say: "Wait" },
            { hangUp: true },
          ],
          voice: "v".repeat(64),
          noise: 1,
        },
      };
      const reply = await scene().ask({ path: "/api/v1/calls", headers: scene().test, json });
      expect(reply.status, reply.text).toBe(200);
      expect(reply.body.data).toMatchObject({ from: json.from, variables: json.variables, metadata: json.metadata });
    });
  });

  describe("fields of the contract that this release does not honour", () => {
    test("a call cannot be scheduled years ahead", async () => {
      const { body } = await scene().refusesCall(
        { scheduledAt: "2190-01-31T09:30:00Z" },
        "422 validation_failed",
        "scheduledAt",
      );
      expect(body.error.details[0].code).toBe("too_far_ahead");
    });

    test("a simulation needs a test key", async () => {
      const json = { phoneNumber: "+15550100001", agentId: scene().agentId, simulation: { answerAfterMs: 0 } };
      const request = { path: "/api/v1/calls", headers: scene().live, json };
      const { body } = await scene().refuses(request, "422 validation_failed", "simulation");
      expect(body.error.details[0].code).toBe("test_only");
    });

    test("account-wide texts contain no variables", async () => {
      const headers = scene().owner.cookie;
      const json = { disclosure: "Hello {{name}}, a machine calls." };
      await scene().refuses(
        { method: "PATCH", path: "/api/v1/settings", headers, json },
        "422 validation_failed",
        "disclosure",
      );
    });

    test("a key that may not read transcripts cannot find out by searching what was said", async () => {
      const { base, owner } = scene();
      const headers = byKey((await createKey(base, owner.cookie, { scopes: ["calls:read"] })).key);
      for (const accept of ["application/json", "text/csv"]) {
        const request = { path: "/api/v1/calls?q=hello", headers: { ...headers, accept } };
        await scene().refuses(request, "403 insufficient_scope");
      }
      expect((await scene().ask({ path: "/api/v1/calls?q=hello", headers: scene().test })).status).toBe(200);
    });

    test("a search without any word is refused", async () => {
      for (const q of ["%21%21", "-hello", "%22%22", "%00"]) {
        await scene().refuses({ path: `/api/v1/calls?q=${q}`, headers: scene().test }, "422 validation_failed", "q");
      }
    });
  });
}
