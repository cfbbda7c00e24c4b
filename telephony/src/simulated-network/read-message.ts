import type { Dial, SimulatedCalleePlan, SimulatedCalleeStep, TransferRequest } from "../carrier.ts";
import { wrongKeyIn } from "../check-keys.ts";

/** A transfer as it crosses to another process: without a journal, which a dial named by its dialId does not need. */
export type PlainTransfer = Omit<TransferRequest, "journal">;

/** Identifiers and numbers are short, so that a record of them always fits into a line. */
const TEXT_MAX_LENGTH = 256;
const SAID_MAX_LENGTH = 4_096;
const KEYS_MAX_LENGTH = 64;

export function parseObject(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

export function readDial(value: unknown): Dial | null {
  if (!isObject(value)) return null;
  const { callId, dialId, to, from, ringTimeoutMs, simulation } = value;
  if (!isText(callId) || !isText(dialId) || !isText(to)) return null;
  if (from !== null && !isText(from)) return null;
  if (ringTimeoutMs !== undefined && !isDuration(ringTimeoutMs)) return null;
  if (simulation !== undefined && !isPlan(simulation)) return null;
  return {
    callId,
    dialId,
    to,
    from,
    ...(ringTimeoutMs === undefined ? {} : { ringTimeoutMs }),
    ...(simulation === undefined ? {} : { simulation }),
  };
}

export function readTransfer(value: unknown): PlainTransfer | null {
  if (!isObject(value)) return null;
  const { to, how, dialId, ringTimeoutMs } = value;
  if (!isText(to) || !isText(dialId) || !isDuration(ringTimeoutMs)) return null;
  return how === "refer" || how === "bridge" || how === "auto" ? { to, how, dialId, ringTimeoutMs } : null;
}

function isPlan(value: unknown): value is SimulatedCalleePlan {
  if (!isObject(value)) return false;
  const { answerAfterMs, script, voice, noise } = value;
  if (answerAfterMs !== undefined && !isDuration(answerAfterMs)) return false;
  if (voice !== undefined && !isText(voice)) return false;
  if (noise !== undefined && !(isDuration(noise) && noise <= 1)) return false;
  return script === undefined || (Array.isArray(script) && script.every(isStep));
}

function isStep(value: unknown): value is SimulatedCalleeStep {
  if (!isObject(value)) return false;
  const { say, waitMs, waitForTurn, press, interruptAfterMs, hangUp } = value;
  if (say !== undefined) {
    const isSaid = typeof say === "string" && say !== "" && say.length <= SAID_MAX_LENGTH;
    return isSaid && (interruptAfterMs === undefined || isDuration(interruptAfterMs));
  }
  return hangUp === true || waitForTurn === true || isDuration(waitMs) || isKeys(press);
}

export function isKeys(value: unknown): value is string {
  const isShort = typeof value === "string" && value !== "" && value.length <= KEYS_MAX_LENGTH;
  return isShort && wrongKeyIn(value) === undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= TEXT_MAX_LENGTH;
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isDuration(value: unknown): value is number {
  return typeof value === "number" && value >= 0;
}
