import type { Codec } from "./session-description.ts";

/** RFC 3551 section 6: payload types that need no a=rtpmap, as far as a telephone call meets them. */
export const STATIC_CODECS: ReadonlyMap<number, Codec> = new Map(
  (
    [
      [0, "PCMU", 8_000],
      [3, "GSM", 8_000],
      [4, "G723", 8_000],
      [8, "PCMA", 8_000],
      [9, "G722", 8_000],
      [13, "CN", 8_000],
      [15, "G728", 8_000],
      [18, "G729", 8_000],
    ] as const
  ).map(([payloadType, name, clockRateHz]) => [
    payloadType,
    { payloadType, name, clockRateHz, channels: 1, parameters: null },
  ]),
);

/** Reads  rtpmap:101 telephone-event/8000 . Null for another attribute. */
export function parseCodec(attribute: string): Codec | null {
  const match = /^rtpmap:\s*(\d{1,3})\s+([A-Za-z0-9._-]{1,32})\/(\d{1,7})(?:\/(\d{1,2}))?\s*$/.exec(attribute);
  if (match?.[2] === undefined || Number(match[1]) > 127) return null;
  return {
    payloadType: Number(match[1]),
    name: match[2],
    clockRateHz: Number(match[3]),
    channels: Number(match[4] ?? 1),
    parameters: null,
  };
}

/** RFC 8866 section 6.6: encoding names are compared without regard to case. */
export function isCodec(codec: Codec, name: string, clockRateHz = 8_000): boolean {
  return codec.name.toLowerCase() === name.toLowerCase() && codec.clockRateHz === clockRateHz;
}
