/** The messages of a bidirectional media stream that matter to a call. */
export type StreamMessage =
  | { readonly type: "connected" }
  | {
      readonly type: "start";
      readonly streamId: string;
      /** The account or application that the stream belongs to. */
      readonly owner: string;
      readonly vendorCallId: string;
      /** Null where the token is not part of the message. */
      readonly token: string | null;
      /** Whether the audio is what was asked for: mu-law at 8 kHz, one channel. */
      readonly isTelephoneAudio: boolean;
    }
  /** `timestampMs` counts from the beginning of the stream. */
  | { readonly type: "media"; readonly timestampMs: number; readonly payload: Uint8Array }
  | { readonly type: "mark"; readonly name: string }
  | { readonly type: "dtmf"; readonly key: string }
  | { readonly type: "stop" };

/** How a vendor writes the messages of a stream. */
export interface StreamProtocol {
  /** Null for what is malformed, unknown or not for us, such as audio of another track. */
  read(text: string): StreamMessage | null;
  media(streamId: string, payload: Uint8Array): string;
  /** The vendor returns it when everything that was sent before it has been played, or at once when that was cleared. */
  mark(streamId: string, name: string): string;
  /** Drops what has not been played. */
  clear(streamId: string): string;
}

/** The longest audio of one message: a second. Vendors send 20 ms. */
const PAYLOAD_MAX_BYTES = 8_000;

type JsonObject = Readonly<Record<string, unknown>>;

/** The media, mark, dtmf and stop messages, which the vendors write alike. */
export function readCommonMessage(message: JsonObject): StreamMessage | null {
  switch (message["event"]) {
    case "connected":
      return { type: "connected" };
    case "media":
      return readMedia(objectOf(message["media"]));
    case "mark": {
      const { name } = objectOf(message["mark"]);
      return typeof name === "string" ? { type: "mark", name } : null;
    }
    case "dtmf": {
      const { digit } = objectOf(message["dtmf"]);
      return typeof digit === "string" ? { type: "dtmf", key: digit.toUpperCase() } : null;
    }
    case "stop":
      return { type: "stop" };
    default:
      return null;
  }
}

export function encodePayload(payload: Uint8Array): string {
  return Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString("base64");
}

/** What is not an object in JSON has no fields. */
export function parseObject(text: string): JsonObject {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

export function objectOf(value: unknown): JsonObject {
  return typeof value === "object" && value !== null ? (value as JsonObject) : {};
}

function readMedia(media: JsonObject): StreamMessage | null {
  const { track = "inbound", payload } = media;
  const timestampMs = Number(media["timestamp"]);
  if (track !== "inbound" || typeof payload !== "string" || !Number.isFinite(timestampMs)) return null;
  const bytes = Buffer.from(payload, "base64");
  if (bytes.length === 0 || bytes.length > PAYLOAD_MAX_BYTES) return null;
  return { type: "media", timestampMs, payload: bytes };
}
