import {
  encodePayload,
  objectOf,
  parseObject,
  readCommonMessage,
  type StreamMessage,
  type StreamProtocol,
} from "../stream-carrier/stream-message.ts";

/** Twilio's bidirectional Media Streams. */
export const TWILIO_STREAMS: StreamProtocol = {
  read(text) {
    const message = parseObject(text);
    return message["event"] === "start" ? readStart(objectOf(message["start"])) : readCommonMessage(message);
  },
  media: (streamSid, payload) =>
    JSON.stringify({ event: "media", streamSid, media: { payload: encodePayload(payload) } }),
  mark: (streamSid, name) => JSON.stringify({ event: "mark", streamSid, mark: { name } }),
  clear: (streamSid) => JSON.stringify({ event: "clear", streamSid }),
};

function readStart(start: Readonly<Record<string, unknown>>): StreamMessage | null {
  const { streamSid, accountSid, callSid } = start;
  const { token } = objectOf(start["customParameters"]);
  const { encoding, sampleRate, channels } = objectOf(start["mediaFormat"]);
  if (typeof streamSid !== "string" || typeof accountSid !== "string" || typeof callSid !== "string") return null;
  if (typeof token !== "string") return null;
  const isTelephoneAudio = encoding === "audio/x-mulaw" && Number(sampleRate) === 8_000 && Number(channels) === 1;
  return { type: "start", streamId: streamSid, owner: accountSid, vendorCallId: callSid, token, isTelephoneAudio };
}
