import type { Carrier } from "../carrier.ts";

/** What the conformance suite needs to know about the carrier it examines, made anew for each test. */
export interface CarrierRig {
  readonly carrier: Carrier;
  /** The same network as another worker reaches it. A network inside this process has only the one door. */
  readonly otherCarrier: Carrier;
  readonly numbers: CarrierTestNumbers;
  /** What the carrier reported about listeners that threw. */
  readonly listenerErrors: readonly unknown[];
  /** Lets time pass until the promise settles, and throws when that takes unreasonably long. */
  waitFor<Value>(promise: Promise<Value>, what: string): Promise<Value>;
  /** Returns when everything that the network still had to say has been said. */
  settle(): Promise<void>;
  /** As the network counts, not as we do. */
  timesRung(dialId: string): Promise<number>;
  isLive(dialId: string): Promise<boolean>;
  /** Timers and sockets that the carriers of this rig hold. */
  resourcesHeld(): number;
  close(): Promise<void>;
}

/** A number for each way in which a call can go. */
export interface CarrierTestNumbers {
  readonly hangsUp: string;
  readonly staysOnTheLine: string;
  readonly noAnswer: string;
  readonly busy: string;
  readonly declined: string;
  readonly invalid: string;
  readonly unavailable: string;
}
