import { timingSafeEqual } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { invalidField } from "@parley/contract/errors";
import type { TextCallState } from "@parley/voice/conversation/text-call/text-call-state";
import type { TextCallFacts } from "./text-brains.ts";

/** A try between two turns. */
export interface TryState {
  readonly facts: TextCallFacts;
  readonly call: TextCallState;
}

export interface TryStates {
  write(state: TryState, agentId: string): string;
  /** Throws 422 when it was altered, or is another agent's. */
  read(text: string, agentId: string): TryState;
}

const SIGNATURE_BYTES = 16;
/** A conversation of hundreds of turns is a fraction of it; what unpacks to more was not packed here. */
const UNPACKED_BYTES_MAX = 8 * 1024 * 1024;

/**
 * The state of a try travels with the client, so that any process can take its next turn and none has to remember it. It
 * is signed: the runner trusts what it reads there.
 */
export function createTryStates(sign: (text: string) => Buffer): TryStates {
  const signature = (packed: Buffer, agentId: string) =>
    sign(`try\n${agentId}\n${packed.toString("base64")}`).subarray(0, SIGNATURE_BYTES);
  return {
    write(state, agentId) {
      const packed = gzipSync(JSON.stringify(state));
      return Buffer.concat([signature(packed, agentId), packed]).toString("base64url");
    },
    read(text, agentId) {
      const bytes = Buffer.from(text, "base64url");
      const packed = bytes.subarray(SIGNATURE_BYTES);
      const given = bytes.subarray(0, SIGNATURE_BYTES);
      const isOurs = given.length === SIGNATURE_BYTES && timingSafeEqual(given, signature(packed, agentId));
      if (!isOurs) throw invalidField("state", "bad_state", "state must be that of the turn before, unchanged.");
      return JSON.parse(gunzipSync(packed, { maxOutputLength: UNPACKED_BYTES_MAX }).toString()) as TryState;
    },
  };
}
