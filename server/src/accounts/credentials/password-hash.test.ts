import { argon2Sync } from "node:crypto";
import { AppError } from "@parley/contract/errors";
import { expect, test } from "vitest";
import { createPasswordHasher } from "./password-hash.ts";

test("a password is kept as argon2id with 19 MiB, two passes and its own salt", async () => {
  const hasher = createPasswordHasher();
  const [one, two] = await Promise.all([hasher.hash("correct horse battery"), hasher.hash("correct horse battery")]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(one).not.toBe(two);
});

test("the hash is standard argon2id with these parameters, so another program can verify it", async () => {
  const [, , , , salt = "", tag] = (await createPasswordHasher().hash("correct horse battery")).split("$");
  const again = argon2Sync("argon2id", {
    message: "correct horse battery",
    nonce: Buffer.from(salt, "base64"),
    memory: 19_456,
    passes: 2,
    parallelism: 1,
    tagLength: 32,
  });
  expect(again.toString("base64").replace(/=+$/, "")).toBe(tag);
});

test("the right password is accepted and any other is not", async () => {
  const hasher = createPasswordHasher();
  const stored = await hasher.hash("correct horse battery");
  expect(await hasher.verify("correct horse battery", stored)).toBe(true);
  expect(await hasher.verify("correct horse batterY", stored)).toBe(false);
  expect(await hasher.verify("", stored)).toBe(false);
});

test("an accented password is the same password on every keyboard", async () => {
  const hasher = createPasswordHasher();
  expect(await hasher.verify("re\u0301sume\u0301 du matin", await hasher.hash("r\u00e9sum\u00e9 du matin"))).toBe(true);
});

test("where there is no stored hash the answer is no", async () => {
  expect(await createPasswordHasher().verify("anything at all", null)).toBe(false);
});

test("a crowd is served in turn, and beyond a hundred waiting the answer is to try again", async () => {
  const hasher = createPasswordHasher();
  // Cheap to compute, unlike the hashes that the service stores.
  const cheap = `$argon2id$v=19$m=8,t=1,p=1$${"A".repeat(22)}$${"A".repeat(43)}`;
  const outcomes = await Promise.allSettled(Array.from({ length: 105 }, () => hasher.verify("x", cheap)));
  const refusals = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as unknown] : []));
  expect(refusals.map((refusal) => refusal instanceof AppError && refusal.code)).toEqual(Array(3).fill("unavailable"));
  expect(await hasher.verify("x", cheap)).toBe(false);
});
