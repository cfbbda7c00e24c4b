import { expect, test } from "vitest";
import { API_KEY_SCANNER, describeKey, looksLikeApiKey, makeApiKey } from "./key-format.ts";

test("a key says its mode, and is 47 characters long", () => {
  expect(makeApiKey("test")).toMatch(/^svc_test_[0-9A-Za-z]{38}$/);
  expect(makeApiKey("live")).toMatch(/^svc_live_[0-9A-Za-z]{38}$/);
});

test("a thousand keys are all different, all ours, and use the whole alphabet", () => {
  const keys = Array.from({ length: 1000 }, () => makeApiKey("live"));
  expect(new Set(keys).size).toBe(1000);
  expect(keys.every(looksLikeApiKey)).toBe(true);
  expect(new Set(keys.flatMap((key) => [...key.slice(9, 41)])).size).toBe(62);
});

test("a key with one mistyped character is known to be wrong without a database", () => {
  const key = makeApiKey("test");
  for (let at = 9; at < key.length; at += 1) {
    const other = key[at] === "x" ? "y" : "x";
    expect(looksLikeApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
  }
  expect(looksLikeApiKey(key.replace("svc_test_", "svc_live_"))).toBe(false);
});

test("texts that are not keys are refused, whatever they are", () => {
  const key = makeApiKey("test");
  for (const text of ["", "svc_test_", ` ${key}`, `${key}\n`, `${key}0`, key.slice(0, -1), "ключ".repeat(12)]) {
    expect(looksLikeApiKey(text)).toBe(false);
  }
});

test("the checksum is the CRC-32 in base 62, padded on the left, as the documentation says", () => {
  const body = "svc_test_00000000000000000000000000000000";
  expect(looksLikeApiKey(`${body}${base62(crcOf(body))}`)).toBe(true);
});

test("a secret scanner finds a key in the middle of a file and nothing else", () => {
  const key = makeApiKey("live");
  const file = `API_KEY="${key}"\nOTHER=svc_live_tooshort\nxsvc_test_${"a".repeat(38)}\nsvc_test_${"a".repeat(39)}`;
  expect(file.match(new RegExp(API_KEY_SCANNER, "g"))).toEqual([key]);
});

test("the part of a key that stays visible is its beginning and its last four characters", () => {
  const key = makeApiKey("test");
  expect(describeKey(key)).toEqual({ prefix: key.slice(0, 13), lastFour: key.slice(43) });
});

/** The textbook CRC-32 (reflected, polynomial EDB88320), apart from the one the code uses. */
function crcOf(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function base62(value: number): string {
  const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const digits: string[] = [];
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) digits.unshift(alphabet.charAt(rest % 62));
  return digits.join("").padStart(6, "0");
}
