import type { Carrier, Dial, DialJournal, OrphanedLeg, SimulatedCalleePlan } from "../carrier.ts";

/** What the conformance suite needs to know about the carrier under test; created for each test. */
export interface CarrierRig {
  readonly carrier: Carrier;
  /** The same network as another worker reaches it. A network inside this process has only the one door. */
  readonly otherCarrier: Carrier;
  readonly numbers: CarrierTestNumbers;
  /** What the carrier reported about listeners that threw. */
  readonly listenerErrors: readonly unknown[];
  /** Given to every dial, for carriers that keep what they need in one. */
  readonly journal?: DialJournal;
  /** What another worker finds of a dial, for carriers whose orphans need more than their names. */
  orphanOf?(dial: Dial): OrphanedLeg;
  /** Whether the first owner of a leg, which is alive in a test, hears that another worker ended it. Yes by default. */
  firstOwnerHears?(when: "ringing" | "answered"): boolean;
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

/** A rig whose callees speak and hear, for the suite about sound. */
export interface SoundRig extends CarrierRig {
  readonly sound: RigSound;
}

/** A callee who speaks as soon as it has answered, then presses keys, and stays on the line. */
export interface RigSound {
  readonly number: string;
  /** What a simulated callee has to be asked for. */
  readonly simulation?: SimulatedCalleePlan;
  readonly says: Int16Array;
  readonly presses: string;
  /** What the callee of this dial heard so far: all of it, from its answer on. */
  heard(dialId: string): Promise<Int16Array>;
  keysHeard(dialId: string): Promise<string>;
  /** Lets time pass until it is so, and throws when that takes unreasonably long. Asked at least ten times a second. */
  until(isSo: () => Promise<boolean>, what: string): Promise<void>;
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
