import type { SipCarrierObserver } from "./sip-carrier-options.ts";

/** An observer that may fail without harm, and a place for what goes wrong. */
export interface GuardedObserver {
  readonly observer: Required<SipCarrierObserver>;
  readonly reportError: (error: unknown) => void;
}

/** Observers are called from the handlers of sockets, where nothing may throw. */
export function guardObserver(given: SipCarrierObserver): GuardedObserver {
  function guarded<Arguments extends unknown[]>(tell: ((...values: Arguments) => void) | undefined) {
    return (...values: Arguments): void => {
      try {
        tell?.(...values);
      } catch (error) {
        warn(error);
      }
    };
  }
  const failed = guarded<[error: unknown]>(given.failed === undefined ? warn : (error) => given.failed?.(error));
  return {
    reportError: failed,
    observer: {
      failed,
      attemptEnded: guarded((outcome) => given.attemptEnded?.(outcome)),
      healthChanged: guarded((trunkId, health) => given.healthChanged?.(trunkId, health)),
      refused: guarded((what, detail, source) => given.refused?.(what, detail, source)),
      trace: guarded((direction, hop, bytes) => given.trace?.(direction, hop, bytes)),
    },
  };
}

function warn(error: unknown): void {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.emitWarning("Something went wrong inside the SIP carrier.", { type: "SipCarrierWarning", detail });
}
