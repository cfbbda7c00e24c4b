import type { Hop, TransportKind } from "../transport/sip-transport.ts";
import type { Dialog } from "./dialog.ts";

/**
 * Recorded before an INVITE is sent, so that another process can cancel it. The n-th sending of the INVITE
 * (after a challenge, for instance) has CSeq n and the branch `branchBase` + n, so none of them needs its own record.
 */
export interface InviteRecord {
  readonly kind: "invite";
  readonly callId: string;
  readonly localTag: string;
  readonly branchBase: string;
  readonly requestUri: string;
  readonly localAddress: string;
  readonly remoteAddress: string;
  readonly routeSet: readonly string[];
  /** What the Via named: a CANCEL must name the same. */
  readonly sentBy: string;
  readonly hop: Hop;
}

/** Recorded before the ACK, so that another process can hang up. */
export interface DialogRecord {
  readonly kind: "dialog";
  readonly dialog: Dialog;
  /** The number of the INVITE that was answered, which its ACK repeats. */
  readonly inviteCSeq: number;
  readonly hop: Hop;
}

export type LegRecord = InviteRecord | DialogRecord;

const TRANSPORTS: ReadonlySet<unknown> = new Set<TransportKind>(["udp", "tcp", "tls"]);
/** Numbers above this have no room left for the request that ends the call. */
const CSEQ_MAX = 2 ** 31 - 2;

/** Reads what `JSON.stringify` of a record wrote. Null when it is not one. */
export function readLegRecord(value: unknown): LegRecord | null {
  if (!isObject(value) || !isHop(value["hop"])) return null;
  if (value["kind"] === "invite") {
    const texts = ["callId", "localTag", "branchBase", "requestUri", "localAddress", "remoteAddress", "sentBy"];
    return hasTexts(value, texts) && isTextList(value["routeSet"]) ? (value as unknown as InviteRecord) : null;
  }
  if (value["kind"] !== "dialog" || !isCSeq(value["inviteCSeq"])) return null;
  return isDialog(value["dialog"]) ? (value as unknown as DialogRecord) : null;
}

function isDialog(value: unknown): boolean {
  if (!isObject(value)) return false;
  const texts = ["callId", "localTag", "localAddress", "remoteAddress", "remoteTarget"];
  return (
    hasTexts(value, texts) &&
    typeof value["remoteTag"] === "string" &&
    isCSeq(value["localCSeq"]) &&
    (value["remoteCSeq"] === null || isCSeq(value["remoteCSeq"])) &&
    isTextList(value["routeSet"]) &&
    typeof value["isSecure"] === "boolean"
  );
}

function isHop(value: unknown): boolean {
  return isObject(value) && TRANSPORTS.has(value["transport"]) && hasTexts(value, ["address"]) && isPort(value["port"]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasTexts(value: Record<string, unknown>, names: readonly string[]): boolean {
  return names.every((name) => typeof value[name] === "string" && value[name] !== "");
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isCSeq(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= CSEQ_MAX;
}

function isPort(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 65_535;
}
