import { freePorts } from "@parley/telephony/testing/free-ports";

/** A port nothing listens on at this moment, and that no outgoing connection is given. */
export function freePort(): Promise<number> {
  return freePorts(1);
}
