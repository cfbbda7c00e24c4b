import { expect, test } from "vitest";
import { createLog, redactText } from "./log.ts";

const KEY = "svc_live_0123456789ABCDEFGHIJKLMNOPQRSTUVabcdef";

test("a key in a log line is removed wherever it occurs", () => {
  let printed = "";
  const log = createLog("info", { write: (line) => (printed += line) });
  log.info({ error: new Error(`bad key ${KEY}`), header: `Bearer ${KEY}`, nested: { key: KEY } }, `key ${KEY}`);
  expect(printed).not.toContain(KEY);
  expect(printed).not.toContain(KEY.slice(9));
  expect(printed).toContain("svc_live_[removed]");
});

test("personal content under pii is removed", () => {
  let printed = "";
  createLog("info", { write: (line) => (printed += line) }).info(
    { callId: "call_1", pii: { text: "my secret" } },
    "callee turn finished",
  );
  expect(printed).not.toContain("my secret");
  expect(printed).toContain("call_1");
});

test("passwords in database addresses are removed", () => {
  expect(redactText("postgres://parley:hunter2@127.0.0.1/db")).toBe("postgres://parley:[removed]@127.0.0.1/db");
});

test.each([
  ["sk-proj-0123456789abcdefGHIJ", "sk-[removed]"],
  ["sk-ant-api03-0123456789abcdef_GHIJ", "sk-[removed]"],
  ["AIzaSy0123456789abcdefGHIJ", "AIza[removed]"],
])("the key of a vendor of models is removed: %s", (key, shown) => {
  expect(redactText(`{"headers":{"x":"${key}"}}`)).toBe(`{"headers":{"x":"${shown}"}}`);
});
