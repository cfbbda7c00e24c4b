import type { Dial, LegEvent, OrphanedLeg, SimulatedCalleePlan, SimulatedCalleeStep } from "../carrier.ts";
import type { DialRecord, NetworkCounts } from "./dial-log.ts";

/**
 * How a worker speaks with a simulated network in another process: one JSON object per line over TCP, UTF-8, at most
 * `LINE_MAX_BYTES` bytes before the newline.
 *
 * A worker says:
 *
 *     {"type":"place","leg":1,"dial":{"callId":"..","dialId":"..","to":"+15550100001","from":null}}
 *     {"type":"hangup","leg":1}
 *     {"type":"end_orphan","request":2,"orphan":{"callId":"..","dialId":".."}}
 *     {"type":"report","request":3}
 *
 * The network says:
 *
 *     {"type":"leg","leg":1,"event":{"type":"ringing"}}
 *     {"type":"orphan","request":2,"gone":true}
 *     {"type":"record","request":3,"record":{"dialId":"..", ...}}       once per dial it remembers, and then
 *     {"type":"report","request":3,"counts":{"dialed":1,"duplicates":0,"barred":0,"live":0}}
 *     {"type":"error","message":"..","leg":1}                           with `leg` or `request` where one was readable
 *
 * `leg` and `request` are numbers that the worker chooses and that are known on its own connection only; a `leg` is
 * chosen once per connection. A leg belongs to the network and not to the connection: when the connection closes the leg
 * goes on, and any connection may end it by its dialId. A line that is not understood gets an `error` line and has no
 * other effect.
 */
export const LINE_MAX_BYTES = 256 * 1024;

/** Identifiers and numbers are short, so that a record of them always fits into a line. */
const TEXT_MAX_LENGTH = 256;

export type NetworkRequest =
  | { readonly type: "place"; readonly leg: number; readonly dial: Dial }
  | { readonly type: "hangup"; readonly leg: number }
  | { readonly type: "end_orphan"; readonly request: number; readonly orphan: OrphanedLeg }
  | { readonly type: "report"; readonly request: number };

export type NetworkReply =
  | { readonly type: "leg"; readonly leg: number; readonly event: LegEvent }
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
  const { type, leg, request } = message;
  if (type === "place" && isCount(leg)) {
    const dial = readDial(message["dial"]);
    return dial === null ? refused("The dial is malformed.", message) : accepted({ type, leg, dial });
  }
  if (type === "hangup" && isCount(leg)) return accepted({ type, leg });
  if (type === "report" && isCount(request)) return accepted({ type, request });
  if (type === "end_orphan" && isCount(request)) {
    const orphan = message["orphan"];
    if (!isObject(orphan)) return refused("The orphan is malformed.", message);
    const { callId, dialId } = orphan;
    if (!isText(callId) || !isText(dialId)) return refused("The orphan is malformed.", message);
    return accepted({ type, request, orphan: { callId, dialId } });
  }
  return refused("The type is unknown, or the number that belongs to it is missing.", message);
}

/** Null when the line is no reply. Only its envelope is checked: the network is a program of our own. */
export function parseReply(line: string): NetworkReply | null {
  const message = parseObject(line);
  if (message === null) return null;
  const { type, leg, request } = message;
  const isReply =
    (type === "leg" && isCount(leg) && isObject(message["event"])) ||
    (type === "orphan" && isCount(request)) ||
    (type === "record" && isCount(request) && isObject(message["record"])) ||
    (type === "report" && isCount(request) && isObject(message["counts"])) ||
    (type === "error" && typeof message["message"] === "string");
  return isReply ? (message as unknown as NetworkReply) : null;
}

function accepted(request: NetworkRequest): ParsedRequest {
  return { isValid: true, request };
}

function refused(message: string, { leg, request }: Record<string, unknown>): ParsedRequest {
  const numbers = { ...(isCount(leg) ? { leg } : {}), ...(isCount(request) ? { request } : {}) };
  return { isValid: false, error: { type: "error", message, ...numbers } };
}

function readDial(value: unknown): Dial | null {
  if (!isObject(value)) return null;
  const { callId, dialId, to, from, simulation } = value;
  if (!isText(callId) || !isText(dialId) || !isText(to)) return null;
  if (from !== null && !isText(from)) return null;
  if (simulation === undefined) return { callId, dialId, to, from };
  return isPlan(simulation) ? { callId, dialId, to, from, simulation } : null;
}

function isPlan(value: unknown): value is SimulatedCalleePlan {
  if (!isObject(value)) return false;
  const { answerAfterMs, script } = value;
  if (answerAfterMs !== undefined && !isDuration(answerAfterMs)) return false;
  return script === undefined || (Array.isArray(script) && script.every(isStep));
}

function isStep(value: unknown): value is SimulatedCalleeStep {
  return isObject(value) && (value["hangUp"] === true || isDuration(value["waitMs"]));
}

function parseObject(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= TEXT_MAX_LENGTH;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isDuration(value: unknown): value is number {
  return typeof value === "number" && value >= 0;
}
