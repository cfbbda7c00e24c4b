import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { SNIPPET_LANGUAGES, type SnippetRequest, writeSnippet } from "./write-snippet.ts";

const ORIGIN = "http://127.0.0.1:8080";
const PLACE: SnippetRequest = {
  method: "POST",
  path: "/api/v1/calls",
  apiKey: "svc_test_x",
  body: { phoneNumber: "+15550100001", record: true, from: null, metadata: { name: 'O\'Hara said "null"' } },
};

test.each(SNIPPET_LANGUAGES)("%s has the address, the key and the body", (language) => {
  const text = writeSnippet(language, ORIGIN, PLACE);
  for (const part of ["/api/v1/calls", "svc_test_x", "+15550100001"]) expect(text).toContain(part);
});

test("quotation marks in a value survive the shell", () => {
  const line = writeSnippet("curl", ORIGIN, PLACE).replace(/^curl/, "printf '%s\\n'");
  const printed = execFileSync("sh", ["-c", line], { encoding: "utf8" }).trim().split("\n");
  expect(JSON.parse(printed.at(-1) ?? "")).toEqual(PLACE.body);
});

test("Python gets its own words for true and null, but not within strings", () => {
  const text = writeSnippet("python", ORIGIN, PLACE);
  expect(text).toContain('"record": True, "from": None');
  expect(text).toContain('said \\"null\\""');
});

test.each(["node", "fetch"] as const)("%s is JavaScript", (language) => {
  const text = writeSnippet(language, ORIGIN, PLACE);
  expect(() => new Function(`return async () => { ${text} }`)).not.toThrow();
});

test("without a key, programs read it from the environment", () => {
  const get: SnippetRequest = { method: "GET", path: "/api/v1/calls/call_1" };
  expect(writeSnippet("curl", ORIGIN, get)).toBe(
    'curl http://127.0.0.1:8080/api/v1/calls/call_1 \\\n  -H "Authorization: Bearer $PARLEY_API_KEY"',
  );
  expect(writeSnippet("python", ORIGIN, get)).toContain('os.environ["PARLEY_API_KEY"]');
  expect(writeSnippet("node", ORIGIN, get)).toContain("process.env.PARLEY_API_KEY");
});
