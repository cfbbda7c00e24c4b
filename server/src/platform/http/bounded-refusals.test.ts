import { AppError, ERROR_DETAILS_MAX } from "@parley/contract/errors";
import { ROUTES } from "@parley/contract/routes";
import { describe, expect, test } from "vitest";
import { parseJsonBody } from "./body.ts";
import { toErrorReply } from "./send-reply.ts";
import { validate } from "./validate.ts";

const REPLY_BYTES_MAX = 32 * 1024;

const repeat = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => item(i)).join(",");
const inFlow = (nodes: string) => `{"name":"a","flow":{"schemaVersion":1,"nodes":[${nodes}]}}`;

/** Bodies that are large in each way a body can be, from a few kilobytes to the most that a route takes. */
const HOSTILE: Readonly<Record<string, string>> = {
  "150,000 unknown fields": `{${repeat(150_000, (i) => `"field${i}":1`)}}`,
  "900 unknown fields": `{${repeat(900, (i) => `"field${i}":1`)}}`,
  "a field with a name of two megabytes": `{"${"k".repeat(2_000_000)}":1}`,
  "fields with long names that JSON writes in six characters each": `{${repeat(60, (i) => `"${i}${"\\u0001".repeat(300)}":1`)}}`,
  "fields with long names beyond ASCII": `{${repeat(60, (i) => `"${i}${"\u{1f4a9}".repeat(300)}":1`)}}`,
  "half of a pair in a long name": `{"${"k".repeat(100_000)}\\ud800":1}`,
  "empty objects in a list": `[${repeat(600_000, () => "{}")}]`,
  "lists in lists": `[${repeat(30_000, () => "[[[]]]")}]`,
  "100,000 nodes": inFlow(repeat(100_000, () => '{"type":"say"}')),
  "500 nodes with 20 faults each": inFlow(
    repeat(500, () => `{"type":"ask","exits":[${repeat(20, () => '{"phrases":[1,2],"a":1}')}]}`),
  ),
  "nodes with 900 unknown fields each": inFlow(
    repeat(100, (n) => `{"type":"say",${repeat(900, (i) => `"f${n}x${i}":1`)}}`),
  ),
  "a text of two megabytes where a short one is wanted": `{"name":"${"k".repeat(2_000_000)}","email":"${"k".repeat(60_000)}"}`,
  "20,000 rates that are none": `{"rates":[${repeat(20_000, () => '{"prefix":1,"a":1}')}]}`,
  "a map of 1,000 wrong values": `{"phoneNumber":"+15550100001","agentId":"a","metadata":{${repeat(1000, (i) => `"${i}":1`)}}}`,
};

function refusalOf(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

function expectBounded(error: AppError): void {
  const reply = toErrorReply(error, "req_1").body;
  expect(error.details.length).toBeLessThanOrEqual(ERROR_DETAILS_MAX);
  expect(reply.error.details?.length).toBeGreaterThan(0);
  expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThan(REPLY_BYTES_MAX);
}

describe("the content of an error is bounded, whatever was sent", () => {
  const taking = ROUTES.filter(({ body }) => body !== null);

  test.each(Object.keys(HOSTILE))("%s", (name) => {
    const bytes = Buffer.from(HOSTILE[name] ?? "");
    let value: unknown;
    try {
      value = parseJsonBody(bytes);
    } catch (error) {
      expectBounded(error as AppError);
      return;
    }
    for (const { body } of taking) {
      if (body) expectBounded(refusalOf(() => validate(body, value)));
    }
  });

  test("a refusal written by hand is bounded as well, and keeps its first detail whole where it can", () => {
    const long = { param: "p".repeat(5000), code: "c", message: "m".repeat(5000) };
    const error = new AppError("validation_failed", "m".repeat(100_000), { details: Array(5000).fill(long) });
    const { error: said } = toErrorReply(error, "req_1").body;
    expect(said.details?.length).toBeLessThanOrEqual(ERROR_DETAILS_MAX);
    expect(said.details?.[0]?.param).toMatch(/^p{200}\.\.\.$/);
    expect(Buffer.byteLength(JSON.stringify(said))).toBeLessThan(REPLY_BYTES_MAX);
  });
});

describe("the limits of a body", () => {
  const code = (text: string) => refusalOf(() => parseJsonBody(Buffer.from(text))).details[0]?.code;

  test("is counted in fields, items, values and levels, and one more than the most is refused", () => {
    expect(parseJsonBody(Buffer.from(`{${repeat(1000, (i) => `"${i}":1`)}}`))).toBeTypeOf("object");
    expect(code(`{${repeat(1001, (i) => `"${i}":1`)}}`)).toBe("too_many_values");
    expect(parseJsonBody(Buffer.from(`[${repeat(20_000, () => "1")}]`))).toHaveLength(20_000);
    expect(code(`[${repeat(20_001, () => "1")}]`)).toBe("too_many_values");
    const wide = (objects: number, fields: number) =>
      `[${repeat(objects, (n) => `{${repeat(fields, (i) => `"${n}x${i}":1`)}}`)}]`;
    expect(code(wide(21, 1000))).toBe("too_many_values");
    expect(code(wide(199, 101))).toBe("too_many_values");
    expect(code(`[${repeat(8, () => `[${repeat(15_000, () => "1")}]`)}]`)).toBe("too_many_values");
    expect(parseJsonBody(Buffer.from("[".repeat(32) + "]".repeat(32)))).toBeInstanceOf(Array);
    expect(code("[".repeat(33) + "]".repeat(33))).toBe("too_deep");
  });

  test("is not miscounted by the content of strings", () => {
    const texts = [",".repeat(200_000), "[".repeat(1000), '\\"],{'.repeat(1000), "\\\\", '\\\\\\",,'];
    for (const text of texts) {
      expect(parseJsonBody(Buffer.from(`{"a":"${text}","b":[1,2]}`))).toMatchObject({ b: [1, 2] });
    }
  });

  test("takes the largest list that any route takes", () => {
    const rates = repeat(20_000, (i) => `{"prefix":"+${i}","perMinute":"0.01","description":"DE mobile"}`);
    const route = ROUTES.find(({ id }) => id === "importRouteRates");
    expect(
      validate(
        route?.body as NonNullable<typeof route>["body"] & object,
        parseJsonBody(Buffer.from(`{"rates":[${rates}]}`)),
      ),
    ).toBeDefined();
  });
});
