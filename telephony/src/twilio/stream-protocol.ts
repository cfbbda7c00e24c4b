/** The messages of a bidirectional Media Stream that matter to a call, as Twilio sends them. */
export type StreamMessage =
  | { readonly type: "connected" }
  | {
      readonly type: "start";
      readonly streamSid: string;
      readonly accountSid: string;
      readonly callSid: string;
      readonly token: string;
      /** Whether the audio is what was asked for: mu-law at 8 kHz, one channel. */
      readonly isTelephoneAudio: boolean;
    }
  /** `timestampMs` counts from the beginning of the stream. */
  | { readonly type: "media"; readonly timestampMs: number; readonly payload: Uint8Array }
  | { readonly type: "mark"; readonly name: string }
  | { readonly type: "dtmf"; readonly key: string }
  | { readonly type: "stop" };

/** The longest audio of one message: a second. Twilio sends 20 ms. */
const PAYLOAD_MAX_BYTES = 8_000;

/** Null for what is malformed, unknown or not for us, such as audio of another track. */
export function readStreamMessage(text: string): StreamMessage | null {
  const message = parseObject(text);
  switch (message?.["event"]) {
    case "connected":
      return { type: "connected" };
    case "start":
      return readStart(objectOf(message["start"]));
    case "media":
      return readMedia(objectOf(message["media"]));
    case "mark": {
      const name = objectOf(message["mark"])["name"];
      return typeof name === "string" ? { type: "mark", name } : null;
    }
    case "dtmf": {
      const digit = objectOf(message["dtmf"])["digit"];
      return typeof digit === "string" ? { type: "dtmf", key: digit.toUpperCase() } : null;
    }
    case "stop":
      return { type: "stop" };
    default:
      return null;
  }
}

export function mediaMessage(streamSid: string, payload: Uint8Array): string {
  const encoded = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString("base64");
  return JSON.stringify({ event: "media", streamSid, media: { payload: encoded } });
}

/** Twilio returns it when everything that was sent before it has been played, or at once when that was cleared. */
export function markMessage(streamSid: string, name: string): string {
  return JSON.stringify({ event: "mark", streamSid, mark: { name } });
}

export function clearMessage(streamSid: string): string {
  return JSON.stringify({ event: "clear", streamSid });
}

function readStart(start: Readonly<Record<string, unknown>>): StreamMessage | null {
  const { streamSid, accountSid, callSid } = start;
  const { token } = objectOf(start["customParameters"]);
  const { encoding, sampleRate, channels } = objectOf(start["mediaFormat"]);
  if (typeof streamSid !== "string" || typeof accountSid !== "string" || typeof callSid !== "string") return null;
  if (typeof token !== "string") return null;
  const isTelephoneAudio = encoding === "audio/x-mulaw" && Number(sampleRate) === 8_000 && Number(channels) === 1;
  return { type: "start", streamSid, accountSid, callSid, token, isTelephoneAudio };
}

function readMedia(media: Readonly<Record<string, unknown>>): StreamMessage | null {
  const { track = "inbound", payload } = media;
  const timestampMs = Number(media["timestamp"]);
  if (track !== "inbound" || typeof payload !== "string" || !Number.isFinite(timestampMs)) return null;
  const bytes = Buffer.from(payload, "base64");
  if (bytes.length === 0 || bytes.length > PAYLOAD_MAX_BYTES) return null;
  return { type: "media", timestampMs, payload: bytes };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    // Whatever is not JSON is malformed, and the caller counts it.
    return null;
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
