import { expect, test } from "vitest";
import { deriveSecrets } from "../../../platform/config/secret.ts";
import { isInternalToken, writeInternalToken } from "./internal-token.ts";

const { vouch, sign } = deriveSecrets("a secret that is only used in tests");
const request = { workerId: "wrk_1", method: "GET", path: "/live/calls/call_1/sound" };
const NOW = 1_800_000_000_000;
const token = writeInternalToken(vouch, request, NOW);

test("a token is valid for its purpose, for a minute", () => {
  expect(isInternalToken(vouch, request, token, NOW)).toBe(true);
  expect(isInternalToken(vouch, request, token, NOW + 59_999)).toBe(true);
  expect(isInternalToken(vouch, request, token, NOW + 60_000)).toBe(false);
});

test.each([
  ["another worker", { ...request, workerId: "wrk_2" }],
  ["another method", { ...request, method: "POST" }],
  ["another call", { ...request, path: "/live/calls/call_2/sound" }],
])("a token is not valid at %s", (_, other) => {
  expect(isInternalToken(vouch, other, token, NOW)).toBe(false);
});

test("nothing else opens it: another installation's token, another signature, a longer life, nonsense", () => {
  const others = deriveSecrets("the secret of another installation");
  const [, proof = ""] = token.split(".");
  for (const wrong of [
    writeInternalToken(others.vouch, request, NOW),
    writeInternalToken(sign, request, NOW),
    `${NOW + 100_000}.${proof}`,
    writeInternalToken(vouch, request, NOW + 3_600_000),
    `${token}0`,
    proof,
    "",
    "x.y",
  ])
    expect(isInternalToken(vouch, request, wrong, NOW)).toBe(false);
});
