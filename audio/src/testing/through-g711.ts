import { decodeAlaw, decodeMulaw, encodeAlaw, encodeMulaw } from "../g711.ts";

/** Audio after passing through the telephone network. */
export function throughG711(samples: Int16Array, law: "mulaw" | "alaw" = "mulaw"): Int16Array {
  const codes = new Uint8Array(samples.length);
  const heard = new Int16Array(samples.length);
  if (law === "mulaw") {
    encodeMulaw(samples, codes);
    decodeMulaw(codes, heard);
  } else {
    encodeAlaw(samples, codes);
    decodeAlaw(codes, heard);
  }
  return heard;
}

/** Adds white noise this many decibels below the power of the loud part, which is given and not measured. */
export function withNoise(samples: Int16Array, rms: number, snrDb: number, normal: () => number): Int16Array {
  const deviation = rms * 10 ** (-snrDb / 20);
  return samples.map((sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample + deviation * normal()))));
}
