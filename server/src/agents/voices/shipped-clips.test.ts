import { stat } from "node:fs/promises";
import { ClipPack } from "@parley/providers/local/clips/clip-pack";
import { kokoroKey } from "@parley/providers/local/kokoro/kokoro-clips";
import { expect, test } from "vitest";
import { SHIPPED_SAMPLES } from "../shipped-samples.ts";
import { DEFAULT_VOICE } from "./known-voices.ts";
import { SHIPPED_CLIPS } from "./natural-voices.ts";
import { shippedTexts } from "./render-shipped.ts";

/** What a clone of the repository may carry for it. */
const BYTES_MAX = 3_000_000;

test("the sample agents have their natural voice on a new installation: after a change of their texts, run tools/render-clips.ts", async () => {
  const pack = await ClipPack.open(SHIPPED_CLIPS);
  const texts = shippedTexts(SHIPPED_SAMPLES);
  expect(texts.filter((text) => !pack.has(kokoroKey(text, DEFAULT_VOICE)))).toEqual([]);
  const said = new Set(texts.map((text) => kokoroKey(text, DEFAULT_VOICE)));
  expect(pack.keys.filter((key) => !said.has(key))).toEqual([]);
  expect((await stat(SHIPPED_CLIPS)).size).toBeLessThan(BYTES_MAX);
});

test("every shipped clip has audio, and none is longer than its text", async () => {
  const pack = await ClipPack.open(SHIPPED_CLIPS);
  for (const text of shippedTexts(SHIPPED_SAMPLES)) {
    const clip = await pack.read(kokoroKey(text, DEFAULT_VOICE));
    const seconds = (clip?.length ?? 0) / 8_000;
    expect(seconds, text).toBeGreaterThan(0.2);
    expect(seconds, text).toBeLessThan(1.2 + text.length / 8);
  }
});
