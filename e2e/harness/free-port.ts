import { freePorts } from "@parley/telephony/testing/free-ports";

/** A port nothing listens on at this moment, and that is not used for outgoing connections. */
export function freePort(): Promise<number> {
  return freePorts(1);
}
