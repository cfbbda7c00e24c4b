import {
  encodePayload,
  objectOf,
  parseObject,
  readCommonMessage,
  type StreamMessage,
  type StreamProtocol,
} from "../stream-carrier/stream-message.ts";

/** Telnyx's bidirectional media streaming in `rtp` mode. The one stream of a connection needs no name in what we send. */
export const TELNYX_STREAMS: StreamProtocol = {
  read(text) {
    const message = parseObject(text);
    return message["event"] === "start" ? readStart(message) : readCommonMessage(message);
  },
  media: (_, payload) => JSON.stringify({ event: "media", media: { payload: encodePayload(payload) } }),
  mark: (_, name) => JSON.stringify({ event: "mark", mark: { name } }),
  clear: () => JSON.stringify({ event: "clear" }),
};

function readStart(message: Readonly<Record<string, unknown>>): StreamMessage | null {
  const { stream_id: streamId } = message;
  const { call_control_id: vendorCallId, user_id: owner, media_format: format } = objectOf(message["start"]);
  const { encoding, sample_rate: sampleRate, channels } = objectOf(format);
  if (typeof streamId !== "string" || typeof vendorCallId !== "string") return null;
  const isTelephoneAudio = encoding === "PCMU" && Number(sampleRate) === 8_000 && Number(channels) === 1;
  return { type: "start", streamId, owner: String(owner), vendorCallId, token: null, isTelephoneAudio };
}
