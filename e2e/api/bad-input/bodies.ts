import { BODY_LIMIT_BYTES, DOCUMENT_BODY_LIMIT_BYTES } from "@parley/contract/route";
import { ROUTES } from "@parley/contract/routes";
import { describe, expect, test } from "vitest";
import type { Credentials } from "../../harness/accounts.ts";
import { sendPatiently } from "../../harness/http-client.ts";
import { fullBodies, stringPlaces, withChange } from "../full-bodies.ts";
import type { RefusalScene } from "../refusal-scene.ts";

const deep = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);

/** What is wrong with a body before any field is checked. */
export function describeBodies(scene: () => RefusalScene): void {
  const calls = (bytes: string | Buffer, type?: string, more: Credentials = {}) => ({
    path: "/api/v1/calls",
    bytes,
    headers: { ...scene().test, ...(type ? { "content-type": type } : {}), ...more },
  });
  const valid = () => JSON.stringify({ phoneNumber: "+15550100001", agentId: scene().agentId });

  describe("a body that cannot be read", () => {
    test.each([
      ["empty", ""],
      ["no JSON", "phoneNumber=+15550100001"],
      ["cut off", '{"phoneNumber": "+1555'],
      ["a trailing comma", '{"phoneNumber": "+15550100001",}'],
      ["single quotes", "{'phoneNumber': '+15550100001'}"],
      ["a comment", '{"phoneNumber": "+15550100001"} // call'],
      ["two values", "{} {}"],
      ["NaN", '{"maxDurationSeconds": NaN}'],
      ["never closed", "[".repeat(30)],
      ["not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
      ["an overlong NUL", Buffer.from([0x22, 0xc0, 0x80, 0x22])],
      ["a surrogate in UTF-8", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
      ["UTF-16", Buffer.from('{"a":1}', "utf16le")],
      ["bytes that are gzip", Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0])],
    ])("%s is malformed JSON", async (_name, bytes) => {
      await scene().refuses(calls(bytes, "application/json"), "400 malformed_json");
    });

    test.each(["null", "1", '"text"', "true", "[]", "[{}]"])("%s is not an object", async (bytes) => {
      await scene().refuses(calls(bytes, "application/json"), "422 validation_failed");
    });

    test.each([
      "text/plain",
      "text/json",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/jsonx",
      "application/json-patch+json",
      "application/xml",
      "application/json; charset=iso-8859-1",
      'application/json; charset="utf-16"',
      "application/json;charset=us-ascii",
      ";;;",
      "json",
      "*/*",
    ])("the content type %s is refused", async (type) => {
      await scene().refuses(calls(valid(), type), "415 unsupported_media_type");
    });

    test("no content type is refused, with a body and without", async () => {
      await scene().refuses(calls(valid()), "415 unsupported_media_type");
      await scene().refuses(
        { method: "POST", path: "/api/v1/calls", headers: scene().test },
        "415 unsupported_media_type",
      );
    });

    test.each(["application/json", "application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'])(
      "the content type %s is accepted",
      async (type) => {
        expect((await scene().ask(calls(valid(), type))).status).toBe(200);
      },
    );

    test("an announced but empty body counts as none where a body is optional", async () => {
      const { id } = (await scene().ask(calls(valid(), "application/json"))).body.data;
      const headers = { ...scene().test, "content-type": "application/json" };
      const reply = await scene().ask({ path: `/api/v1/calls/${id}/hangup`, bytes: "", headers });
      expect(reply.status, reply.text).toBe(200);
    });
  });

  describe("a body that is too much", () => {
    const padded = (bytes: number) => valid() + " ".repeat(bytes - valid().length);

    test("64 KiB are accepted and one byte more is not, with a length or in chunks", async () => {
      for (const chunked of [false, true]) {
        const fits = { ...calls(padded(BODY_LIMIT_BYTES), "application/json"), chunked };
        expect((await scene().ask(fits)).status).toBe(200);
        const over = { ...calls(padded(BODY_LIMIT_BYTES + 1), "application/json"), chunked };
        await scene().refuses(over, "413 payload_too_large");
      }
    });

    test("an agent may have 2 MiB, and one byte more is too large, with a length or in chunks", async () => {
      const headers = { ...scene().test, "content-type": "application/json" };
      const agent = (bytes: number) => `{"name":"Large"${" ".repeat(bytes - 16)}}`;
      for (const chunked of [false, true]) {
        const post = (bytes: number) => ({ path: "/api/v1/agents", bytes: agent(bytes), headers, chunked });
        expect((await scene().ask(post(DOCUMENT_BODY_LIMIT_BYTES))).status).toBe(200);
        await scene().refuses(post(DOCUMENT_BODY_LIMIT_BYTES + 1), "413 payload_too_large");
      }
    });

    test.each([
      ["arrays", deep("[", "]", 10_000)],
      ["objects", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`],
      ["33 levels", deep("[", "]", 33)],
      ["never closed", "[".repeat(30_000)],
      ["inside a field", `{"metadata":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}`],
    ])("nesting without measure is refused: %s", async (_name, bytes) => {
      const { body } = await scene().refuses(calls(bytes, "application/json"), "422 validation_failed");
      expect(body.error.details[0].code).toBe("too_deep");
    });

    test("150,000 unknown fields get a small reply, and so do thousands before signing in", async () => {
      const fields = (count: number) =>
        JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1])));
      const headers = { "content-type": "application/json" };
      const requests = [
        { path: "/api/v1/agents", bytes: fields(150_000), headers: { ...scene().test, ...headers } },
        { path: "/api/v1/agents", bytes: fields(900), headers: { ...scene().test, ...headers } },
        { path: "/auth/sign-in", bytes: fields(4000), headers },
        { path: "/auth/sign-in", bytes: fields(900), headers },
      ];
      for (const request of requests) {
        const { text, body } = await scene().refuses(request, "422 validation_failed");
        expect(Buffer.byteLength(text)).toBeLessThan(32 * 1024);
        expect(body.error.details.length).toBeLessThanOrEqual(50);
      }
    });

    test("a million levels in the largest body are refused as quickly as any", async () => {
      const request = { path: "/api/v1/agents", bytes: deep("[", "]", 1_000_000) };
      await scene().refuses(
        { ...request, headers: { ...scene().test, "content-type": "application/json" } },
        "422 validation_failed",
      );
    });
  });

  describe("keys with a special meaning", () => {
    test("the last one of a duplicate key counts, and is echoed", async () => {
      const twice = `${valid().slice(0, -1)},"phoneNumber":"+15550100009"}`;
      expect((await scene().ask(calls(twice, "application/json"))).body.data.phoneNumber).toBe("+15550100009");
    });

    test.each(["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "phonenumber", "", " engine"])(
      "the unknown field %j is refused by name",
      async (name) => {
        const bytes = `${valid().slice(0, -1)},${JSON.stringify(name)}:{"admin":true}}`;
        const { body } = await scene().refuses(calls(bytes, "application/json"), "422 validation_failed");
        expect(body.error.details[0].code).toBe("unknown_field");
        if (name) expect(body.error.param).toBe(name);
      },
    );

    test("__proto__ inside a map is refused, and names of methods are ordinary names", async () => {
      const proto = `${valid().slice(0, -1)},"metadata":{"__proto__":"x"}}`;
      await scene().refuses(calls(proto, "application/json"), "422 validation_failed", "metadata.__proto__");
      const metadata = { constructor: "a", toString: "b", hasOwnProperty: "c", length: "0" };
      const json = { ...JSON.parse(valid()), metadata };
      const { body } = await scene().ask({ path: "/api/v1/calls", headers: scene().test, json });
      expect(body.data.metadata).toEqual(metadata);
    });
  });

  describe("characters that no database stores", () => {
    const BAD = [
      ["nul_character", "\0"],
      ["lone_surrogate", "\ud800"],
      ["lone_surrogate", "\udfff"],
    ] as const;

    test.each(ROUTES.filter(({ body }) => body !== null))(
      "$method $path refuses them in every string",
      async (route) => {
        const full = fullBodies(scene().agentId)[route.id];
        expect(full, `${route.id} has no full body`).toBeDefined();
        const credentials = route.access.by === "key_or_member" ? scene().test : scene().operator.cookie;
        for (const place of stringPlaces(full)) {
          for (const [code, bad] of BAD) {
            const json = withChange(full, place, (text) => `${text}${bad}`);
            const { body } = await post(route, credentials, json);
            expect(body.error.details[0].code, JSON.stringify(place)).toBe(code);
          }
        }
      },
    );

    test.each(["metadata", "variables"])("also as a key of %s", async (field) => {
      for (const [, bad] of BAD) {
        await scene().refusesCall({ [field]: { [`a${bad}`]: "value" } }, "422 validation_failed", field);
      }
    });

    test("and in the name of a field", async () => {
      for (const [, bad] of BAD) await scene().refusesCall({ [`engine${bad}`]: "local" }, "422 validation_failed");
    });

    async function post(route: (typeof ROUTES)[number], credentials: Credentials, json: unknown) {
      const path = route.path.replaceAll(/\{\w+\}/g, "x");
      return scene().check(
        await sendPatiently(scene().base, { method: route.method, path, headers: credentials, json }),
      );
    }
  });
}
