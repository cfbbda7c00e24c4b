import type { Clock } from "@parley/time/clock";
import { T1_MS, T2_MS, TRANSACTION_MAX_MS } from "./transaction/timer-values.ts";

/**
 * RFC 3261 section 13.3.1.4: a 2xx to an INVITE is sent again and again until its ACK comes, on every transport, because
 * only the two ends can repair its loss. Returns the function that stops it.
 */
export function repeatAnswer(clock: Clock, send: () => void, onGivenUp: () => void): () => void {
  let repeatAfterMs = T1_MS;
  let cancelRepeat: () => void = () => undefined;
  const cancelGivingUp = clock.setTimer(TRANSACTION_MAX_MS, () => {
    cancelRepeat();
    onGivenUp();
  });

  function again(): void {
    cancelRepeat = clock.setTimer(repeatAfterMs, () => {
      repeatAfterMs = Math.min(repeatAfterMs * 2, T2_MS);
      send();
      again();
    });
  }

  send();
  again();
  return () => {
    cancelRepeat();
    cancelGivingUp();
  };
}
