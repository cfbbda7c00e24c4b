import type { Dial, LegEvent, LegStatistics, OrphanedLeg } from "../carrier.ts";
import { type AudioPayload, readAudio } from "./audio/audio-payload.ts";
import type { DialRecord, NetworkCounts } from "./dial-log.ts";
import {
  isCount,
  isKeys,
  isObject,
  isText,
  type PlainTransfer,
  parseObject,
  readDial,
  readTransfer,
} from "./read-message.ts";

/**
 * How a worker speaks with a simulated network in another process: one JSON object per line over TCP, UTF-8, at most
 * `LINE_MAX_BYTES` bytes before the newline.
 *
 * A worker says:
 *
 *     {"type":"place","leg":1,"dial":{"callId":"..","dialId":"..","to":"+15550100001","from":null}}
 *     {"type":"hangup","leg":1}
 *     {"type":"keys","leg":1,"keys":"12#"}
 *     {"type":"transfer","leg":1,"transfer":{"to":"+15550100002","how":"bridge","dialId":"..","ringTimeoutMs":30000}}
 *     {"type":"audio","leg":1,"pcm":"AAD/fw.."}                         audio for the callee
 *     {"type":"statistics","leg":1,"request":4}
 *     {"type":"end_orphan","request":2,"orphan":{"callId":"..","dialId":".."}}
 *     {"type":"report","request":3}
 *
 * The network says:
 *
 *     {"type":"leg","leg":1,"event":{"type":"ringing"}}
 *     {"type":"leg","leg":1,"event":{"type":"ended", ..},"statistics":{"packetsSent":1, ..}}
 *     {"type":"audio","leg":1,"of":"heard","pcm":"AAD/fw.."}            what the callee said
 *     {"type":"audio","leg":1,"of":"played","pcm":"AAD/fw.."}           what the callee hears, while it is bridged
 *     {"type":"statistics","request":4,"statistics":{"packetsSent":1, ..}}
 *     {"type":"orphan","request":2,"gone":true}
 *     {"type":"record","request":3,"record":{"dialId":"..", ...}}       once per dial it remembers, and then
 *     {"type":"report","request":3,"counts":{"dialed":1,"duplicates":0,"barred":0,"live":0}}
 *     {"type":"error","message":"..","leg":1}                           with `leg` or `request` where one was readable
 *
 * `leg` and `request` are numbers that the worker chooses and that are known on its own connection only; a `leg` is
 * chosen once per connection. A leg belongs to the network and not to the connection: when the connection closes the leg
 * continues, and any connection may end it by its dialId. A line that is not understood gets an `error` line and has no
 * other effect.
 *
 * Audio is 16-bit little-endian samples at 8 kHz in base64, about 100 ms per line; instead of `pcm`, silence is sent as
 * the number of its samples, `"silence":800`. A leg has audio from its `early_media` event on, and a network without
 * audio sends neither. Each side plays what it gets at its own pace, with a cushion of `AUDIO_CUSHION_MS` against
 * delays, so what is heard here is some 250 ms older than it is there.
 */
export const LINE_MAX_BYTES = 256 * 1024;

export const AUDIO_BATCH_MS = 100;
export const AUDIO_CUSHION_MS = 100;

export type NetworkRequest =
  | { readonly type: "place"; readonly leg: number; readonly dial: Dial }
  | { readonly type: "hangup"; readonly leg: number }
  | { readonly type: "keys"; readonly leg: number; readonly keys: string }
  | { readonly type: "transfer"; readonly leg: number; readonly transfer: PlainTransfer }
  | ({ readonly type: "audio"; readonly leg: number } & AudioPayload)
  | { readonly type: "statistics"; readonly leg: number; readonly request: number }
  | { readonly type: "end_orphan"; readonly request: number; readonly orphan: OrphanedLeg }
  | { readonly type: "report"; readonly request: number };

export type NetworkReply =
  | {
      readonly type: "leg";
      readonly leg: number;
      readonly event: LegEvent;
      /** With the end of a leg. */
      readonly statistics?: LegStatistics | null;
    }
  | ({ readonly type: "audio"; readonly leg: number; readonly of: "heard" | "played" } & AudioPayload)
  | { readonly type: "statistics"; readonly request: number; readonly statistics: LegStatistics | null }
  | { readonly type: "orphan"; readonly request: number; readonly gone: boolean }
  | { readonly type: "record"; readonly request: number; readonly record: DialRecord }
  | { readonly type: "report"; readonly request: number; readonly counts: NetworkCounts }
  | { readonly type: "error"; readonly message: string; readonly leg?: number; readonly request?: number };

export type ParsedRequest =
  | { readonly isValid: true; readonly request: NetworkRequest }
  | { readonly isValid: false; readonly error: Extract<NetworkReply, { type: "error" }> };

export function encodeLine(message: NetworkRequest | NetworkReply): string {
  return `${JSON.stringify(message)}\n`;
}

export function parseRequest(line: string): ParsedRequest {
  const message = parseObject(line);
  if (message === null) return refused("The line is not a JSON object.", {});
  const request = readLegRequest(message) ?? readQuestion(message);
  if (request === "malformed") return refused("What the request is about is malformed.", message);
  if (request !== null) return { isValid: true, request };
  return refused("The type is unknown, or the number that belongs to it is missing.", message);
}

function readLegRequest(message: Record<string, unknown>): NetworkRequest | "malformed" | null {
  const { type, leg, request, dial, keys, transfer } = message;
  if (!isCount(leg)) return null;
  switch (type) {
    case "place": {
      const read = readDial(dial);
      return read === null ? "malformed" : { type, leg, dial: read };
    }
    case "hangup":
      return { type, leg };
    case "keys":
      return isKeys(keys) ? { type, leg, keys } : "malformed";
    case "transfer": {
      const read = readTransfer(transfer);
      return read === null ? "malformed" : { type, leg, transfer: read };
    }
    case "audio": {
      const read = readAudio(message);
      return read === null ? "malformed" : { type, leg, ...read };
    }
    case "statistics":
      return isCount(request) ? { type, leg, request } : "malformed";
    default:
      return null;
  }
}

function readQuestion({ type, request, orphan }: Record<string, unknown>): NetworkRequest | "malformed" | null {
  if (!isCount(request)) return null;
  if (type === "report") return { type, request };
  if (type !== "end_orphan") return null;
  if (!isObject(orphan)) return "malformed";
  const { callId, dialId } = orphan;
  return isText(callId) && isText(dialId) ? { type, request, orphan: { callId, dialId } } : "malformed";
}

/** Null when the line is not a reply. Only its envelope is checked: the network is our own program. */
export function parseReply(line: string): NetworkReply | null {
  const message = parseObject(line);
  if (message === null) return null;
  const { type, leg, request } = message;
  const isReply =
    (type === "leg" && isCount(leg) && isObject(message["event"])) ||
    (type === "audio" && isCount(leg) && readAudio(message) !== null) ||
    (type === "statistics" && isCount(request)) ||
    (type === "orphan" && isCount(request)) ||
    (type === "record" && isCount(request) && isObject(message["record"])) ||
    (type === "report" && isCount(request) && isObject(message["counts"])) ||
    (type === "error" && typeof message["message"] === "string");
  return isReply ? (message as unknown as NetworkReply) : null;
}

function refused(message: string, { leg, request }: Record<string, unknown>): ParsedRequest {
  const numbers = { ...(isCount(leg) ? { leg } : {}), ...(isCount(request) ? { request } : {}) };
  return { isValid: false, error: { type: "error", message, ...numbers } };
}
