import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { encodeMulaw } from "@parley/audio/g711";
import { RTP_HEADER_BYTES, writeRtpHeader } from "@parley/telephony/rtp/packet";
import { SrtpSender } from "@parley/telephony/rtp/srtp/srtp";
import type { SrtpKeying } from "@parley/telephony/rtp/srtp/srtp-keys";
import { speechLike } from "@parley/telephony/rtp/testing/speech-like";

const FRAME_SAMPLES = 160;
const TAG_BYTES = 10;

/** The keys of one leg, from the leg's side. */
export interface LegKeys {
  readonly send: SrtpKeying;
  readonly receive: SrtpKeying;
}

export interface WrittenPackets {
  readonly file: string;
  readonly packetBytes: number;
  readonly packetsPerStream: number;
  /** One per stream, or none if nothing is encrypted. */
  readonly keys: readonly LegKeys[];
}

/**
 * Writes everything the far ends will send, stream after stream: a voice in mu-law, encrypted in advance if requested.
 */
export async function writePackets(
  file: string,
  { streams, seconds, encrypts }: { streams: number; seconds: number; encrypts: boolean },
): Promise<WrittenPackets> {
  const packetsPerStream = seconds * 50;
  const packetBytes = RTP_HEADER_BYTES + FRAME_SAMPLES + (encrypts ? TAG_BYTES : 0);
  const keys = encrypts ? Array.from({ length: streams }, () => ({ send: makeKeying(), receive: makeKeying() })) : [];
  const voice = new Uint8Array(packetsPerStream * FRAME_SAMPLES);
  encodeMulaw(speechLike(seconds * 1000, 1), voice);
  const bytes = Buffer.alloc(streams * packetsPerStream * packetBytes);
  for (let stream = 0; stream < streams; stream++) {
    const legKeys = keys[stream];
    const srtp = legKeys === undefined ? null : new SrtpSender(legKeys.receive);
    for (let index = 0; index < packetsPerStream; index++) {
      const start = (stream * packetsPerStream + index) * packetBytes;
      const packet = bytes.subarray(start, start + packetBytes);
      writeRtpHeader(packet, 0, index === 0, index, index * FRAME_SAMPLES, stream + 1);
      packet.set(voice.subarray(index * FRAME_SAMPLES, (index + 1) * FRAME_SAMPLES), RTP_HEADER_BYTES);
      srtp?.protect(packet, RTP_HEADER_BYTES + FRAME_SAMPLES);
    }
  }
  await writeFile(file, bytes);
  return { file, packetBytes, packetsPerStream, keys };
}

function makeKeying(): SrtpKeying {
  return { suite: "AES_CM_128_HMAC_SHA1_80", masterKey: randomBytes(16), masterSalt: randomBytes(14) };
}
