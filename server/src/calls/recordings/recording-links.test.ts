import { expect, test } from "vitest";
import { deriveSecrets } from "../../platform/config/secret.ts";
import { createRecordingLinks, type LinkClaims } from "./recording-links.ts";

const links = createRecordingLinks(deriveSecrets("a secret that is only used in tests").sign);
const CLAIMS: LinkClaims = {
  callId: "call_one",
  accountId: "acc_one",
  mode: "live",
  madeBy: "key_one",
  expiresAtMs: 1_000_000,
};

test("a link is valid for its call until it expires, and names its creator", () => {
  const token = links.write(CLAIMS);
  expect(links.read(token, "call_one", 999_999)).toEqual(CLAIMS);
  expect(links.read(token, "call_one", 1_000_000)).toBeNull();
});

test("a link to one call opens no other", () => {
  expect(links.read(links.write(CLAIMS), "call_two", 0)).toBeNull();
});

test("a link of another installation opens nothing", () => {
  const others = createRecordingLinks(deriveSecrets("a secret of somebody else's installation").sign);
  expect(links.read(others.write(CLAIMS), "call_one", 0)).toBeNull();
});

test("a link in which anything was changed, left out or added opens nothing", () => {
  const token = links.write(CLAIMS);
  for (let at = 0; at < token.length; at++) {
    const other = token[at] === "A" ? "B" : "A";
    expect(links.read(`${token.slice(0, at)}${other}${token.slice(at + 1)}`, "call_one", 0), `at ${at}`).toBeNull();
    expect(links.read(token.slice(0, at), "call_one", 0), `cut at ${at}`).toBeNull();
  }
  for (const more of ["A", "=", ".", " ", "%00"]) expect(links.read(token + more, "call_one", 0), more).toBeNull();
});

test.each(["", "rl_", "rl_.", ".", "rl_e30.", "lt_abc.def", "x".repeat(1_000)])("%j is not a link", (token) => {
  expect(links.read(token, "call_one", 0)).toBeNull();
});

test("a longer life cannot be written into a link", () => {
  const [, signature] = links.write(CLAIMS).split(".");
  const longer = Buffer.from(JSON.stringify(["acc_one", "live", "key_one", 9e12])).toString("base64url");
  expect(links.read(`rl_${longer}.${signature}`, "call_one", 0)).toBeNull();
});
