import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { G722Encoder } from "../g722.ts";
import { createSeededRandom } from "../seeded-random.ts";

/**
 * Writes g722-vectors.json with ffmpeg, an implementation that shares nothing with ours:
 *
 *     node audio/src/testing/write-g722-vectors.ts
 *
 * `wide` is 16 kHz audio and `wideEncoded` what ffmpeg makes of it. `ourCodes` is what our encoder made of 8 kHz audio and
 * `ourCodesDecoded` what ffmpeg hears in it. Everything is stored, because sines may differ in the last bit between machines.
 */
const SECONDS = 0.3;

function ffmpeg(input: Uint8Array, from: readonly string[], to: readonly string[]): Buffer {
  const args = ["-hide_banner", "-loglevel", "error", ...from, "-i", "pipe:0", ...to, "pipe:1"];
  return execFileSync("ffmpeg", args, { input });
}

/** Syllables of a voice with 150 Hz, some noise between them, and one passage that is as loud as can be. */
function speechLike(rateHz: number): Int16Array {
  const random = createSeededRandom(722);
  return Int16Array.from({ length: SECONDS * rateHz }, (_, index) => {
    const t = index / rateHz;
    const level = t > 0.2 ? 1.4 : Math.max(0, Math.sin(2 * Math.PI * 8 * t));
    let value = (random() - 0.5) * 400;
    for (let harmonic = 1; harmonic <= 20; harmonic += 1) {
      value += ((level * 9_000) / harmonic) * Math.sin(2 * Math.PI * 150 * harmonic * t + harmonic);
    }
    return Math.max(-32_768, Math.min(32_767, Math.round(value)));
  });
}

const base64 = (data: Int16Array | Uint8Array) =>
  Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64");
const pcm = ["-f", "s16le", "-ar", "16000", "-ac", "1"];
const g722 = ["-f", "g722"];

const wide = speechLike(16_000);
const narrow = speechLike(8_000);
const ourCodes = new Uint8Array(narrow.length);
new G722Encoder().encode(narrow, ourCodes);

writeFileSync(
  new URL("./g722-vectors.json", import.meta.url),
  `${JSON.stringify(
    {
      madeBy: execFileSync("ffmpeg", ["-version"]).toString().split("\n")[0],
      wide: base64(wide),
      wideEncoded: ffmpeg(Buffer.from(wide.buffer), pcm, ["-acodec", "g722", ...g722]).toString("base64"),
      narrow: base64(narrow),
      ourCodes: base64(ourCodes),
      ourCodesDecoded: ffmpeg(ourCodes, [...g722, "-acodec", "g722"], pcm).toString("base64"),
    },
    null,
    2,
  )}\n`,
);
